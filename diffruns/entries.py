"""What is kept of one case of a run: enough to compare it, never its texts.

A run of 100,000 cases has to fit in memory twice. So texts are kept as digests, and what a report
shows of a changed case is read again from its file.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Literal, TypeAlias

import msgspec

from converter.facts import Case, Check, Run, Trial, Verdict, fingerprint
from registry.values import canonical

State: TypeAlias = Literal[
    "passed", "failed", "flaky", "review", "error", "skipped", "missing", "unlisted"
]
"""A case's verdict on one side; `flaky` passed some of its trials and failed others."""

Evidence: TypeAlias = Literal["answer only", "answer + trace", "environment-grade"]
Digest: TypeAlias = int

_ENCODER = msgspec.json.Encoder(order="deterministic")
JUDGED: tuple[Verdict, ...] = ("passed", "failed")
_WORST_FIRST: tuple[Verdict, ...] = ("failed", "error", "review", "skipped")

_NETWORK = ("network_events", "network")
_OUTCOME = ("workspace_diff", "hidden_tests", "tests", "artifacts")
_TRACE = ("commands", "files", "tool_calls", "records")


class Attempt(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What is kept of one trial? `group` and `place` say where in its file it stands.

    One that was not judged has no score: what a tool writes in its place is none.
    """

    group: int
    place: int
    verdict: Verdict | None
    score: float | None
    output: Digest | None
    failed: tuple[str, ...]
    """names of the hard checks that failed"""
    broken: tuple[str, ...]
    """names of the soft invariants that were broken"""
    latency_ms: float | None
    tokens: float | None
    cost_usd: float | None
    evidence: Evidence
    workaround: bool | None
    """was the failure an unsafe workaround? None where the file does not say"""


class Entry(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What is kept of one case, against one target?"""

    case: str | None
    """its stable id"""
    dataset: str | None
    group: str | None
    label: str
    """what a report calls it: its id, else its name, description or the start of its input, which
    has its fingerprint then"""
    title: Digest | None
    """its name or description"""
    asked: Digest | None
    """what it was asked: its variables where it has some, else its input; None where its trials
    were asked different things"""
    prompt: Digest | None
    """the text that its variables went into: a variant, as the target is"""
    assertions: Digest | None
    """its checks as configured"""
    keys: tuple[str, ...] | None
    """the values of an explicit key"""
    target: str | None
    risk: str | None
    severity: str | None
    critical: bool
    tags: tuple[str, ...]
    taxonomy: tuple[str, ...]
    metrics: tuple[str, ...]
    """names of all its checks"""
    attempts: tuple[Attempt, ...]

    state: State = "skipped"
    """what its trials come to; a case without trials was skipped"""
    judged: int = 0
    """how many of its trials passed or failed"""
    errors: int = 0
    """how many could not be judged"""
    passes: int = 0
    score: float | None = None
    """the mean score of the trials that have one"""

    def __post_init__(self) -> None:
        """Reckon once what is asked for many times."""
        if len(self.attempts) == 1:
            self._reckon_one(self.attempts[0])
        elif self.attempts:
            self._reckon()

    def _reckon_one(self, only: Attempt) -> None:
        """The same as of several trials, in less time."""
        keep = msgspec.structs.force_setattr
        verdict = only.verdict or "review"
        keep(self, "state", verdict)
        if verdict in JUDGED:
            keep(self, "judged", 1)
            keep(self, "passes", int(verdict == "passed"))
        elif verdict == "error":
            keep(self, "errors", 1)
        if only.score is not None:
            keep(self, "score", only.score + 0.0)

    def _reckon(self) -> None:
        verdicts = [attempt.verdict or "review" for attempt in self.attempts]
        scores = [attempt.score for attempt in self.attempts if attempt.score is not None]
        passes = verdicts.count("passed")
        keep = msgspec.structs.force_setattr
        keep(self, "state", _state(verdicts))
        keep(self, "passes", passes)
        keep(self, "judged", passes + verdicts.count("failed"))
        keep(self, "errors", verdicts.count("error"))
        keep(self, "score", sum(scores) / len(scores) if scores else None)

    @property
    def undecided(self) -> frozenset[Verdict]:
        """Which verdicts, that are no judgement, have its trials?"""
        if self.judged == len(self.attempts):
            return frozenset()
        return frozenset(one.verdict or "review" for one in self.attempts).difference(JUDGED)


def _state(verdicts: Sequence[Verdict]) -> State:
    """The verdict of its judged trials, if there are any: what was not judged has not failed."""
    if "passed" in verdicts:
        return "flaky" if "failed" in verdicts else "passed"
    return next(verdict for verdict in _WORST_FIRST if verdict in verdicts)


def digest(value: Any) -> Digest:
    """Which number stands for a value, whatever the order of its keys? In this process only."""
    if type(value) is str:
        return hash(value)
    try:
        return hash(_ENCODER.encode(value))
    except (UnicodeEncodeError, OverflowError, ValueError):  # half a surrogate pair, a huge number
        return hash(canonical(msgspec.to_builtins(value)))


def digest_of_output(text: str) -> Digest:
    """Which number stands for an output? One that is JSON is the same in any order of its keys."""
    if text.startswith(("{", "[")):
        for parse in (msgspec.json.decode, json.loads):  # the second reads half surrogate pairs
            with suppress(msgspec.DecodeError, ValueError, RecursionError):
                return digest(parse(text))
    return digest(text)


@cache
def _interned(text: str) -> str:
    """The one copy of a text that many cases share."""
    return text


def check_name(check: Check) -> str:
    """Under which name are results of this check counted together?"""
    return _interned(check.id or check.kind or "check")


def failed_checks(trial: Trial) -> tuple[str, ...]:
    """Which hard checks and invariants failed? Each once, in the file's order."""
    named = [check_name(one) for one in trial.checks or () if one.hard and one.passed is False]
    for violation in trial.violations if isinstance(trial.violations, list) else ():
        name = violation.get("invariant") if isinstance(violation, dict) else violation
        if isinstance(name, str):
            named.append(_interned(name))
    return tuple(dict.fromkeys(named)) if named else ()


def evidence_level(evidence: Any) -> Evidence:
    """How much can be seen of what a trial did, beside its answer?

    As Promptbeat's report page has it: environment-grade takes network events and one of workspace
    diff, hidden tests and artifacts.
    """
    if not evidence:
        return "answer only"
    if not isinstance(evidence, dict):
        return "answer + trace"
    if _any(evidence, _NETWORK) and _any(evidence, _OUTCOME):
        return "environment-grade"
    return "answer + trace" if _any(evidence, (*_TRACE, *_NETWORK, *_OUTCOME)) else "answer only"


def _any(evidence: dict[str, Any], keys: Iterable[str]) -> bool:
    return any(evidence.get(key) for key in keys)


def tokens_of(trial: Trial) -> int | None:
    """How many tokens did the target take in and put out? None where the file does not say."""
    if not trial.usage:
        return None
    counts = [
        count
        for usage in trial.usage
        if usage.role == "agent"
        for count in (usage.input, usage.output, usage.cache_read, usage.cache_write)
        if count is not None
    ]
    return sum(counts) if counts else None


LARGEST = 1e150
"""the largest figure that is reckoned with: its square still is a number"""


def figure(value: float | None) -> float | None:
    """Which figure is reckoned with? One beyond all measure is damage, and taken as not said."""
    return value if value is not None and -LARGEST <= value <= LARGEST else None


def attempt_of(trial: Trial, group: int, place: int) -> Attempt:
    """What is kept of this trial, which stands there in its file?"""
    checks = trial.checks or ()
    broken = [check_name(one) for one in checks if not one.hard and one.passed is False]
    return Attempt(
        group,
        place,
        trial.verdict,
        figure(trial.score) if trial.verdict in JUDGED else None,
        None if trial.output is None else digest_of_output(trial.output),
        failed_checks(trial),
        tuple(dict.fromkeys(broken)) if broken else (),
        figure(trial.latency_ms if trial.latency_ms is not None else trial.duration_ms),
        figure(tokens_of(trial)),
        figure(trial.cost_usd),
        evidence_level(trial.evidence),
        None if trial.workaround is None else bool(trial.workaround),
    )


def entry_of(
    case: Case,
    trial: Trial | None,
    run: Run,
    keys: tuple[str, ...] | None,
    attempts: tuple[Attempt, ...] = (),
) -> Entry:
    """What is kept of a case, its first trial known? `keys` are the values of an explicit key."""
    title = case.name or case.description
    return Entry(
        case.id or None,
        case.dataset and _interned(case.dataset),
        case.group and _interned(case.group),
        label_of(case),
        None if title is None else digest(title),
        asked_of(case, run),
        digest(case.input) if case.variables and case.input is not None else None,
        None if case.assertions is None else digest(case.assertions),
        keys,
        _target(trial, run),
        case.risk and _interned(case.risk),
        case.severity and _interned(case.severity),
        bool(case.critical),
        tuple(map(_interned, case.tags)) if case.tags else (),
        _taxonomy(case.taxonomy) if case.taxonomy else (),
        metrics_of(trial) if trial and trial.checks else (),
        attempts,
    )


def identity(entry: Entry) -> tuple[Hashable, ...]:
    """What tells a case from the others of its run? See `converter.facts.identity`."""
    if entry.case is not None:
        return entry.dataset, entry.group, entry.case
    return entry.group, entry.title, entry.asked, entry.prompt, entry.assertions


def metrics_of(trial: Trial) -> tuple[str, ...]:
    """Which checks did a trial go through?"""
    return tuple(dict.fromkeys(map(check_name, trial.checks or ())))


def asked_of(case: Case, run: Run) -> Digest | None:
    """What was a case asked? Its variables, or its input.

    What a simulated user says is another thing every time, so it is no input.
    """
    if case.variables:
        return digest(case.variables)
    return None if case.input is None or run.user is not None else digest(case.input)


def provider_of(trial: Trial) -> str | None:
    """What is the provider called? By its label: one id may be tried in several ways."""
    return trial.provider_label or trial.provider


def _target(trial: Trial | None, run: Run) -> str | None:
    target = (trial and provider_of(trial)) or run.target
    return target and _interned(target)


def label_of(case: Case) -> str:
    """What is a case called: its id, else its name, description or the start of its input?"""
    named = case.id or case.name or case.description
    return named or (_start(case.input) if case.input else "(no id)")


def _start(text: str) -> str:
    """How does a text begin, and which one is it? Not all of it: no text is kept."""
    return text if len(text) <= LABEL else f"{text[: LABEL - 1]}… {fingerprint(text)}"


LABEL = 80
"""how many characters of a case's input name it, if nothing else does"""


def _taxonomy(refs: Any) -> tuple[str, ...]:
    """Which classes is the case in, such as `OWASP LLM01`?"""
    named = []
    for ref in refs if isinstance(refs, list) else ():
        said = [ref[key] for key in sorted(ref)] if isinstance(ref, dict) else [ref]
        named.append(" ".join(text for text in said if isinstance(text, str)))
    return tuple(map(_interned, filter(None, named)))
