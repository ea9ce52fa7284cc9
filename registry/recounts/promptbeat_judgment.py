"""Do PromptBeat's judgment items agree with themselves, and is each case judged once?

From the judgment page: PASS says that all assertions passed; FAIL, REVIEW and ERROR say that they
did not, or that nothing is known, so `Passed` is true only with PASS. ScenarioID and SeedID locate
the case, ProviderID the target; that none comes twice is not said, so that is a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry.findings import Finding
from registry.recounts import Frame, Recounter, shown, told
from registry.values import JSON

STATUS = ("Status", "status")
PASSED = ("Passed", "passed")
IDS = (
    ("ScenarioID", "scenario_id", "scenarioId"),
    ("SeedID", "seed_id", "seedId"),
    ("ProviderID", "provider_id", "providerId"),
)
"""How does a file spell these fields?"""

SLOT = "x-evalglot"


def recounter(frame: Frame) -> Recounter:
    """What looks at items?"""
    return _Items(frame)


class _Items:
    """Looks at items one by one."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.seen: dict[tuple[JSON, ...], int] = {}

    def record(self, record: JSON, number: int) -> Iterator[Finding]:
        """Does the status agree with the verdict, and was the case judged before?"""
        _, status = _spelled(record, STATUS)
        key, passed = _spelled(record, PASSED)
        place = f"{self.frame.place}/{number}"
        if isinstance(passed, bool) and passed is not (status == "PASS"):
            wanted = f"{shown(not passed)}, by its status {status}"
            yield told("promptbeat-judgment/passed", f"{place}/{key}", shown(passed), wanted)
        case = tuple(_spelled(record, names)[1] for names in IDS)
        if case[0] is None or case[1] is None or self.frame.converted or SLOT in record:
            return
        first = self.seen.setdefault(case, number)
        if first != number:
            found = f"the case of {self.frame.place}/{first}"
            yield told("promptbeat-judgment/case-ids", place, found, "a case of its own")

    def end(self) -> Iterable[Finding]:
        """Nothing is counted in such a file."""
        return ()


def _spelled(record: JSON, names: Iterable[str]) -> tuple[str, JSON]:
    """By which of its names does a record have a field, and what does it say?"""
    for name in names:
        if name in record:
            return name, record[name]
    return "", None
