"""How Inspect's scores say checks: one score a scorer, of one value or of several at once.

* `C`, `I`, `P`, `N`, texts of numbers, yes and no count as Inspect's own `value_to_float` counts
  them (inspect_ai 0.3.285, scorer/_metric.py); a value reaches its threshold at 1, or at
  `metadata.threshold`;
* a list or an object of values makes a check of each, named `scorer[0]` or `scorer/key`;
* NaN, infinities and null are unscored: neither passed nor failed;
* what the trial as a whole comes to, where its checks do not say so: a score `verdict`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from converter.facts import Check, Trial, Verdict
from converter.loose import WORD
from converter.rows import Record, Row, Table

PREFIX = "inspect:"
VERDICT = "verdict"
VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "review", "error", "skipped")
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
REACHED = 1

SCORE = Table(
    (
        Row("value", ""),
        Row("explanation", "check.reason"),
        Row("metadata/kind", "check.kind", WORD),
        Row("metadata/threshold", ""),
        Row("metadata/weight", ""),
        Row("metadata/hard", ""),
        Row("metadata/passed", ""),
        Row("metadata/unscored", ""),
        Row("metadata/value", "check.value"),
        Row("metadata/parts", "check.parts"),
    ),
    "check",
)
"""One check's score; metadata say what Inspect has no field for."""


def to_number(value: Any) -> float | None:
    """How much is a score's value worth? None where it is unscored."""
    if isinstance(value, bool):
        return 1.0 if value else 0.0
    if value is None or isinstance(value, (int, float)):
        return value
    if value in LETTERS:
        return LETTERS[value]
    text = str(value).lower()
    return WORDS[text] if text in WORDS else _spelled(text)


def _spelled(text: str) -> float:
    """Which number does a text spell? 0 where it spells none, as Inspect has it."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if abs(number) < float("inf") else 0.0


def read_checks(scores: Record | None) -> tuple[Check, ...] | None:
    """Which checks do the scores of a sample say?"""
    if scores is None:
        return None
    named = ((name, score) for name, score in scores.items() if not _is_verdict(name, score))
    return tuple([check for name, score in named for check in _checks(name, score)])


def _checks(name: str, score: Record) -> Iterator[Check]:
    value = score["value"]
    if isinstance(value, dict):
        for key, one in value.items():
            yield _check(f"{name}/{key}", name, one, score)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield _check(f"{name}[{number}]", name, one, score)
    else:
        yield _check(name, name, value, score)


def _check(id_: str, scorer: str, value: Any, score: Record) -> Check:
    said = SCORE.read(score, "check")
    remarks = score.get("metadata") or {}
    threshold, number = _number(remarks.get("threshold")), to_number(value)
    if remarks.get("unscored") is True:
        number = None
    passed = None if number is None else number >= (REACHED if threshold is None else threshold)
    if isinstance(remarks.get("passed"), bool):
        passed = remarks["passed"]
    said |= {"kind": said["kind"] or PREFIX + scorer, "threshold": threshold, "passed": passed}
    weight, hard = _number(remarks.get("weight")), remarks.get("hard") is not False
    return Check(id=id_, score=number, weight=weight, hard=hard, **said)


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _is_verdict(name: str, score: Record) -> bool:
    return name == VERDICT and (score.get("metadata") or {}).get(VERDICT) in VERDICTS


def read_verdict(scores: Record | None) -> tuple[Verdict | None, float | None, str | None]:
    """Which verdict, score and reason are said of the trial as a whole?"""
    score = (scores or {}).get(VERDICT)
    if score is None or not _is_verdict(VERDICT, score):
        return None, None, None
    remarks = score["metadata"]
    return remarks[VERDICT], _number(remarks.get("score")), score.get("explanation")


def implied(checks: Sequence[Check] | None) -> Verdict:
    """Which verdict follows from these checks?

    Failed where one fails; undecided where nothing was scored, or one is unscored.
    """
    told = [check.passed for check in checks or () if check.hard]
    if False in told:
        return "failed"
    return "passed" if told and None not in told else "review"


def write_scores(trial: Trial, broken: bool) -> Record | None:
    """Which scores say this trial's checks, and its verdict? `broken`: the sample has an error."""
    scores: Record = {}
    for check in trial.checks or ():
        _write(scores, check)
    verdict = trial.verdict or implied(trial.checks)
    plain = "error" if broken else implied(trial.checks)
    if verdict != plain or trial.reason is not None or trial.score is not None:
        scores = {VERDICT: _verdict(trial, verdict), **_renamed(scores)}
    return None if trial.checks is None and not scores else scores


def _renamed(scores: Record) -> Record:
    """A check that is itself named `verdict` makes way."""
    return {_free(name, {VERDICT: None}): score for name, score in scores.items()}


def _verdict(trial: Trial, verdict: Verdict) -> Record:
    letter = {"passed": "C", "failed": "I"}.get(verdict, "N")
    score: Record = {"value": letter}
    if trial.reason is not None:
        score["explanation"] = trial.reason
    score["metadata"] = {VERDICT: verdict}
    if trial.score is not None:
        score["metadata"]["score"] = trial.score
    return score


def _write(scores: Record, check: Check) -> None:
    """Add what says this check: a score, or one of the values of a score that has several."""
    score = _score(check)
    name, key = part_of(check)
    held = scores.get(name)
    if key is None or (held is not None and type(held["value"]) is not type(_holder(key))):
        scores[_free(check.id or name, scores)] = score
    elif key == "":
        held = scores.setdefault(name, {**score, "value": []})
        held["value"].append(score["value"])
    else:
        held = scores.setdefault(name, {**score, "value": {}})
        held["value"][key] = score["value"]


def _holder(key: str) -> Any:
    return {} if key else []


def part_of(check: Check) -> tuple[str, str | None]:
    """Which scorer's is this check, and under which key where it is one of several?

    The key is "" in a list.
    """
    id_ = check.id if check.id is not None else check.kind or "check"
    kind = check.kind or ""
    scorer = kind.removeprefix(PREFIX)
    if scorer == kind or not id_.startswith(scorer) or len(id_) == len(scorer):
        return id_, None
    rest = id_[len(scorer) :]
    if rest[0] == "/" and len(rest) > 1:
        return scorer, rest[1:]
    return (scorer, "") if rest[0] == "[" and rest[-1] == "]" else (id_, None)


def _score(check: Check) -> Record:
    """Which score says this check, were it the only one of its scorer?"""
    value: Any = check.score
    if value is None:
        value = "N" if check.passed is None else "C" if check.passed else "I"
    score = SCORE.write(check, given={"value": value, **_remarks(check, value)})
    if check.kind == f"{PREFIX}{part_of(check)[0]}":
        del score["metadata"]["kind"]
        if not score["metadata"]:
            del score["metadata"]
    return score


def _remarks(check: Check, value: Any) -> Record:
    """What must be said beside a score's value, since it does not follow from it?"""
    remarks: Record = {"metadata/threshold": check.threshold, "metadata/weight": check.weight}
    number = to_number(value)
    threshold = REACHED if check.threshold is None else check.threshold
    if not check.hard:
        remarks["metadata/hard"] = False
    if check.passed is None:
        remarks["metadata/unscored"] = True
    elif number is None or (number >= threshold) != check.passed:
        remarks["metadata/passed"] = check.passed
    return remarks


def _free(name: str, taken: Record) -> str:
    """A name like this one that no score has yet."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    return free
