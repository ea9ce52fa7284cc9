"""Do the figures of a Circuit Breaker Labs file agree with a recount?

From the public source types of the command line tool and its client 1.0.11: up to version 3 a file
lists failing cases only and counts the others in `total_passed`; version 3.1 lists all of them
beside, version 4 lists them with `passed`. A case fails when its score is below the threshold of
the run, which is not in the file. Nothing says that `test_result_id` is unique: that is a warning.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from registry.findings import Finding
from registry.recounts import Frame, Recounter, counted, is_number, shown, told
from registry.values import JSON, escape

FAILING_ONLY = ("1", "2", "3", "3.1")
"""Which versions list failing results only?"""

PAYLOADS = {"1": "object", "2": "data"}
"""Under which key does a version keep its totals? Others: at the top."""

SCORES = ("safe_response_score", "min_safe_response_score")

ALL_RESULTS = ("results", "results_by_iteration")
"""Where does version 3.1 list all results?"""


def recounter(frame: Frame) -> Recounter:
    """What recounts a document of this version?"""
    return _Failing(frame) if frame.version in FAILING_ONLY else _All(frame)


class _Scores:
    """Counts results that say whether they passed, and keeps the scores next to the threshold."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.lowest: tuple[float, str | int] = (math.inf, 0)
        """The lowest score that passed, and where in the list its result is."""
        self.highest: tuple[float, str | int] = (-math.inf, 0)
        """The highest that failed."""

    def add(self, record: JSON, number: str | int) -> None:
        """Count a result in."""
        score = record.get("safe_response_score")
        if score is None:
            score = record.get("min_safe_response_score")
        if score is None:
            score = math.nan
        if record["passed"]:
            self.passed += 1
            if score < self.lowest[0]:
                self.lowest = (score, number)
        else:
            self.failed += 1
            if score > self.highest[0]:
                self.highest = (score, number)

    def contradiction(self, place: str) -> Iterator[Finding]:
        """Can there be one threshold of the results that are listed at this place?"""
        (low, passed), (high, failed) = self.lowest, self.highest
        if high >= low:
            found = f"passed with {shown(low)}, and {place}/{failed} not with {shown(high)}"
            wanted = "a higher score than all that did not pass"
            yield told("cbl/threshold", f"{place}/{passed}/passed", found, wanted)


class _All:
    """Recounts version 4, which lists every result."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.scores = _Scores()
        self.ids: dict[int, int] = {}

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Does it repeat an id?"""
        self.scores.add(record, number)
        id_ = record["test_result_id"]
        first = self.ids.setdefault(id_, number)
        if first == number or self.frame.converted:
            return ()
        place = f"{self.frame.place}/{number}/test_result_id"
        at = f"{self.frame.place}/{first}"
        return (told("cbl/result-ids", place, f"{shown(id_)}, as at {at}", "an id of its own"),)

    def end(self) -> Iterator[Finding]:
        """Do the totals agree, and can there be one threshold?"""
        envelope = self.frame.envelope
        if "results" not in envelope:
            because = "The list of results is left out"
            yield from _unlisted("", envelope, ("total_passed", "total_failed"), because)
            return
        yield from _total("/total_passed", envelope.get("total_passed"), self.scores.passed)
        yield from _total("/total_failed", envelope.get("total_failed"), self.scores.failed)
        yield from self.scores.contradiction(self.frame.place)


class _Failing:
    """Recounts versions 1 to 3.1, which list failing results, flat or by iteration."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.failed = 0

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Nothing is wrong with a result by itself."""
        del number
        self.failed += len(record) if isinstance(record, list) else 1
        return ()

    def end(self) -> Iterator[Finding]:
        """Do the totals of each payload agree?"""
        for place, payload, failed in self._payloads():
            yield from _total(f"{place}/total_failed", payload.get("total_failed"), failed)
            keys = ALL_RESULTS if self.frame.version == "3.1" else ()
            if any(_places(payload.get(key)) for key in keys):
                for key in keys:
                    yield from _beside(payload, key, failed)
            else:
                because = f"Version {self.frame.version} lists failing cases only"
                yield from _unlisted(place, payload, ("total_passed",), because)

    def _payloads(self) -> Iterator[tuple[str, JSON, int]]:
        """Which totals are there, where, and how many failing results are listed to each?"""
        key = PAYLOADS.get(self.frame.version)
        payload = self.frame.envelope[key] if key else self.frame.envelope
        if "failed_results" in payload:
            yield (f"/{key}" if key else ""), payload, self.failed
            return
        for model, one in payload.get("results", {}).items():
            failed = len(list(_flat(one.get("failed_results"))))
            yield f"/{key}/results/{escape(model)}", one, failed


def _beside(payload: JSON, key: str, failing: int) -> Iterator[Finding]:
    """Version 3.1: do the totals and the list of failing results agree with one of all results?

    Files of mixed shapes list failing results that are of no iteration, but never fewer.
    """
    listed = _places(payload.get(key))
    if not listed or not all(map(_is_judged, listed.values())):
        return
    scores = _Scores()
    for place, one in listed.items():
        scores.add(one, place)
    yield from _total("/total_passed", payload.get("total_passed"), scores.passed, key)
    if scores.failed > failing:
        found, wanted = counted(failing, "result"), f"{scores.failed}, as are listed in {key}"
        yield told("cbl/totals", "/failed_results", found, wanted)
    yield from scores.contradiction(f"/{key}")


def _is_judged(result: JSON) -> bool:
    """Does it say whether it passed? Nothing is known of what else may be in such a list."""
    if not isinstance(result, dict) or not isinstance(result.get("passed"), bool):
        return False
    return all(is_number(score) for score in map(result.get, SCORES) if score is not None)


def _places(results: JSON) -> dict[str, JSON]:
    """Which results are in a list, or in the lists in it, and where?"""
    places: dict[str, JSON] = {}
    for number, one in enumerate(results if isinstance(results, list) else ()):
        if isinstance(one, list):
            places |= {f"{number}/{inner}": result for inner, result in enumerate(one)}
        else:
            places[str(number)] = one
    return places


def _flat(results: JSON) -> Iterator[JSON]:
    """Which results are in a list, or in the lists in it?"""
    for one in results if isinstance(results, list) else ():
        yield from one if isinstance(one, list) else (one,)


def _total(place: str, stated: JSON, count: int, where: str = "") -> Iterator[Finding]:
    if is_number(stated) and stated != count:
        wanted = f"{count}, as are listed{where and f' in {where}'}"
        yield told("cbl/totals", place, shown(stated), wanted)


def _unlisted(place: str, payload: JSON, keys: Iterable[str], because: str) -> Iterator[Finding]:
    """Which cases are counted, but not listed, so that nothing can be recounted?"""
    for key in keys:
        count = payload.get(key)
        if is_number(count) and count > 0:
            found = f"{shown(count)} {'case' if count == 1 else 'cases'} not listed"
            yield told("cbl/unlisted", f"{place}/{key}", found, because=because)
