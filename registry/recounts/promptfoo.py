"""Do the figures of a promptfoo evaluation agree with a recount?

Seen in files that real releases wrote (`fixtures/promptfoo`): in version 3 `stats` count successes,
failures and errors apart, and each prompt's metrics count its rows; in version 2 failures count
errors too. `failureReason` is 0 for none, 1 for a failed assertion, 2 for an error. A repeat has a
`testIdx` of its own, so a test meets a prompt once. A row whose score is no number is missing from
the file although it is counted; the score in its prompt's metrics is null then. From promptfoo's
documentation of assertions: a row passes if each of its assertions does, unless a threshold or a
scoring function decides; functions of a configuration in JavaScript are not written, so it warns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from registry.findings import Finding
from registry.matching import get
from registry.recounts import Frame, Recounter, counted, is_number, shown, told
from registry.recounts.promptfoo_sums import Sums
from registry.values import JSON

PASSED, FAILED, ERRORS, UNSURE = range(4)
"""The last: not passed, and nothing says whether by an error."""

Counts = list[int]

ERROR = 2
NOT_A_NUMBER = "Rows whose score was not a number are counted, but not written"
OLD = "2"
OLD_PROMPTS, PROMPTS = "/results/table/head/prompts", "/results/prompts"
OVERRIDING = ("human", "guardrails")
"""Which assertions may decide a row whatever the others say?"""

STATS = {"successes": PASSED, "failures": FAILED, "errors": ERRORS}
METRICS = {"testPassCount": PASSED, "testFailCount": FAILED, "testErrorCount": ERRORS}


def recounter(frame: Frame) -> Recounter:
    """What recounts an evaluation?"""
    return _Rows(frame)


class _Rows:
    """Recounts an evaluation."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.old = frame.version == OLD
        prompts = get(frame.envelope, OLD_PROMPTS if self.old else PROMPTS)
        self.prompts: list[JSON] = prompts if isinstance(prompts, list) else []
        self.lost = any(_lost(one) for one in self.prompts)
        """Is anything known of rows that were counted and not written?"""
        self.counts: Counts = [0, 0, 0, 0]
        self.by_prompt: dict[JSON, Counts] = {}
        self.sums: defaultdict[JSON, Sums] = defaultdict(Sums)
        self.ids: dict[str, int] = {}
        self.cells: dict[tuple[JSON, JSON], int] = {}
        self.chosen = False
        """Do tests choose their prompts or providers?"""

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Does it agree with itself, and is it there once?"""
        outcome = _outcome(record)
        self.counts[outcome] += 1
        found: list[Finding] = []
        if _is_contradictory(record):
            found += _contradictions(record, f"{self.frame.place}/{number}")
        if self.old:
            return found
        found += _unheeded(record, f"{self.frame.place}/{number}")
        prompt, test = record["promptIdx"], record.get("testCase") or {}
        try:
            self.by_prompt[prompt][outcome] += 1
        except KeyError:
            self.by_prompt[prompt] = [0, 0, 0, 0]
            self.by_prompt[prompt][outcome] = 1
        self.sums[prompt].add(record)
        if not self.chosen and (test.get("prompts") or test.get("providers")):
            self.chosen = True
        id_ = record.get("id")
        if id_ and (first := self.ids.setdefault(id_, number)) != number:
            there = f"{shown(id_)}, as at {self.frame.place}/{first}"
            place = f"{self.frame.place}/{number}/id"
            found.append(told("promptfoo/row-ids", place, there, "an id of its own"))
        first = self.cells.setdefault((record["testIdx"], prompt), number)
        if first != number:
            there = f"the test and the prompt of {self.frame.place}/{first}"
            place = f"{self.frame.place}/{number}"
            found.append(told("promptfoo/grid", place, there, "a row for each test and prompt"))
        return found

    def end(self) -> Iterator[Finding]:
        """Do the figures agree with the rows, and is there a row for each test and prompt?"""
        stats = get(self.frame.envelope, "/results/stats")
        if isinstance(stats, dict):
            yield from self._miscounts("promptfoo/stats", "/results/stats", stats, self.counts)
        if self.old:
            return
        for number, prompt in enumerate(self.prompts):
            if isinstance(metrics := prompt.get("metrics"), dict):
                place = f"{PROMPTS}/{number}/metrics"
                counts = self.by_prompt.get(number, [0, 0, 0, 0])
                yield from self._miscounts("promptfoo/metrics", place, metrics, counts)
                because = NOT_A_NUMBER if self.lost else ""
                yield from self.sums[number].amiss(metrics, place, because)
        yield from self._gaps()

    def _miscounts(
        self, rule: str, place: str, figures: Mapping[str, JSON], counts: Counts
    ) -> Iterator[Finding]:
        names = STATS if rule == "promptfoo/stats" else METRICS
        fits = _fits(counts, figures, old=self.old)
        for key, outcome in names.items():
            stated, (low, high) = figures.get(key), fits[outcome]
            if is_number(stated) and not low <= stated <= high:
                because = NOT_A_NUMBER if self.lost and stated > high else ""
                wanted = f"{low if low == high else f'{low} to {high}'}, as are listed"
                yield told(rule, f"{place}/{key}", shown(stated), wanted, because)

    def _gaps(self) -> Iterator[Finding]:
        tests = len({test for test, _ in self.cells})
        prompts = len(self.prompts) or len(self.by_prompt)
        missing = tests * prompts - len(self.cells)
        if missing > 0 and not self.chosen and not self.frame.converted:
            found = f"{counted(len(self.cells), 'row')} of different test and prompt"
            wanted = f"{tests * prompts}, for {counted(tests, 'test')} with {prompts} each"
            because = NOT_A_NUMBER if self.lost else ""
            yield told("promptfoo/grid", self.frame.place, found, wanted, because)


def _lost(prompt: JSON) -> bool:
    """Did a row of this prompt have a score that is no number?"""
    metrics = prompt.get("metrics")
    return isinstance(metrics, dict) and metrics.get("score", 0) is None


def _outcome(record: JSON) -> int:
    if record["success"]:
        return PASSED
    reason = record.get("failureReason")
    if reason is None:
        return UNSURE
    return ERRORS if reason == ERROR else FAILED


def _fits(counts: Counts, figures: Mapping[str, JSON], *, old: bool) -> dict[int, tuple[int, int]]:
    """From how many to how many may be said to have come out so?"""
    passed, failed, errors, unsure = counts
    failures = (failed, failed + unsure)
    if old:
        all_ = failed + errors + unsure
        apart = figures.get("errors")
        failures = (failed if is_number(apart) and apart > 0 else all_, all_)
    return {PASSED: (passed, passed), FAILED: failures, ERRORS: (errors, errors + unsure)}


def _is_contradictory(record: JSON) -> bool:
    """Does what a row says of its outcome disagree?"""
    success, reason = record["success"], record.get("failureReason")
    if reason is not None and success is not (reason == 0):
        return True
    grading = record.get("gradingResult")
    return grading is not None and reason != ERROR and grading["pass"] is not success


def _contradictions(record: JSON, place: str) -> Iterator[Finding]:
    """Where does it?"""
    success, reason = record["success"], record.get("failureReason")
    if reason is not None and success is not (reason == 0):
        wanted = f"{shown(not success)}, by its failureReason {shown(reason)}"
        yield told("promptfoo/outcome", f"{place}/success", shown(success), wanted)
        return
    found, wanted = shown(record["gradingResult"]["pass"]), f"{shown(success)}, by success"
    yield told("promptfoo/outcome", f"{place}/gradingResult/pass", found, wanted)


def _unheeded(record: JSON, place: str) -> Iterator[Finding]:
    """Did an assertion fail that counts for the row's passing, and the row passed all the same?"""
    grading = record.get("gradingResult")
    if not grading or not grading["pass"]:
        return
    results = grading.get("componentResults") or ()
    if all(one["pass"] for one in results) or _is_decided_otherwise(record, results):
        return
    for position in _own(results):
        if not results[position]["pass"] and _counts(results[position]):
            where = f"{place}/gradingResult/componentResults/{position}/pass"
            yield told("promptfoo/components", where, "false", "true, as the row passed")
            return


def _own(results: Sequence[JSON]) -> Iterator[int]:
    """At which positions are results of the row's own assertions, not parts of the one before?"""
    position = 0
    while position < len(results):
        yield position
        position += 1 + len(results[position].get("componentResults") or ())


def _counts(result: JSON) -> bool:
    """Does a row fail with this result? Not without a reason, and not where it only measures."""
    assertion = _assertion(result)
    measures = assertion.get("metricOnly") or assertion.get("weight") == 0
    return bool(result.get("reason")) and not measures


def _is_decided_otherwise(record: JSON, results: Sequence[JSON]) -> bool:
    """Does a threshold, a function, a person or a guardrail decide whether the row passed?"""
    test = record.get("testCase") or {}
    if test.get("threshold") is not None or test.get("assertScoringFunction") is not None:
        return True
    return any(_assertion(one).get("type") in OVERRIDING for one in results)


def _assertion(result: JSON) -> Mapping[str, JSON]:
    return result.get("assertion") or {}
