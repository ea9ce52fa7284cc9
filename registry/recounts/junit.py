"""Do the figures of a JUnit XML file agree with a recount?

From the files of pytest 9.2.0 and Maven Surefire 3.2.5, and the published schema of the latter: a
suite counts its tests, those with a failure, those with an error and those that were skipped; a
rerun is no test of its own. Tools differ on whether a suite counts tests of suites within it, so
any of the two fits; a root of suites may count all tests, or leave its figures out. pytest lists a
test twice that failed and then broke down, and counts it once: so all this is no error, but a
warning.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from registry.findings import Finding
from registry.recounts import Frame, Recounter, shown, told
from registry.values import JSON

ENDINGS = {"error": "errors", "failure": "failures", "skipped": "skipped"}
"""which figure counts tests with this element; pytest counts a test once, by the first of these"""

ROOT = -1
RERUN = "Tests were run again, and Maven Surefire counts those of the last round"
DIGITS = 18
"""how long a figure is that is looked at"""


def recounter(frame: Frame) -> Recounter:
    """What recounts a file?"""
    return _Suites(frame)


class _Suites:
    """Recounts a file's suites."""

    def __init__(self, frame: Frame) -> None:
        self.suites = frame.envelope.get("suites") or ()
        self.root = frame.envelope["root"]
        self.counts: dict[int, Counter[str]] = defaultdict(Counter)
        self.because = ""

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Count one test."""
        del number
        if "rerun" in record:
            self.because = RERUN
        else:
            mine = self.counts[record.get("suite", ROOT)]
            tags = {one["tag"] for one in record.get("content", ()) if isinstance(one, dict)}
            mine["tests"] += 1
            mine.update(figure for tag, figure in ENDINGS.items() if tag in tags)
        return ()

    def end(self) -> Iterator[Finding]:
        """Does each suite agree with its tests?"""
        whole = {number: Counter(self.counts[number]) for number in range(ROOT, len(self.suites))}
        for number in reversed(range(len(self.suites))):
            parent = self.suites[number].get("suite", ROOT)
            if parent < number:
                whole[parent].update(whole[number])
        for number, suite in enumerate((self.root, *self.suites), ROOT):
            place = "/root" if number == ROOT else f"/suites/{number}"
            own = whole if suite["tag"] == "testsuites" else self.counts
            yield from _miscounts(suite, place, own[number], whole[number], self.because)


def _miscounts(
    suite: JSON, place: str, own: Counter[str], all_: Counter[str], because: str
) -> Iterator[Finding]:
    attributes = suite.get("attributes", {})
    for figure in ("tests", *ENDINGS.values()):
        stated = attributes.get(figure, "").strip()
        if not stated.isdecimal() or len(stated) > DIGITS:
            continue
        if int(stated) not in (own[figure], all_[figure]):
            wanted = f"{all_[figure]}, as are listed"
            yield told(
                "junit/totals", f"{place}/attributes/{figure}", shown(stated), wanted, because
            )
