"""What Inspect logs say, and what is said in them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from converter import chain, source
from converter.facts import Case, Check, Run, Trial
from converter.form import Context, Seat
from converter.formats.inspect import INSPECT, read, write
from converter.formats.inspect_scores import to_number
from converter.formats.inspect_totals import LogTally, mean, stderr
from converter.numbering import Seating
from registry import detection, gate, validation
from registry.checking import Asked, check_file
from registry.errors import NotJson
from registry.values import same
from tests.converter import samples

VALID = samples.FIXTURES / "inspect/2/valid"
REAL = VALID / "real-0.3.285.json"


def said(path: Path) -> list[tuple[Case, Trial]]:
    """What does each epoch of each sample say, as it is read from the file?"""
    parts = source.read(samples.data(path), str(path), None, "reject").parts
    bare = [chain.Reading(INSPECT, parts, chain.find).group(group) for group in parts.groups]
    return [one for group in bare for one in group]


def written(trial: Trial, case: Case | None = None, seat: Seat | None = None) -> Any:
    """Which sample says this trial?"""
    return write(case or Case(id="c"), trial, seat, Context(Run()))


def test_verdicts_and_checks_of_a_real_log() -> None:
    trials = [trial for _, trial in said(REAL)]
    assert Counter(trial.verdict for trial in trials) == {"failed": 14, "error": 2}
    assert Counter(trial.index for trial in trials) == {0: 8, 1: 8}
    assert {trial.error for trial in trials} == {None, "RuntimeError('provider down')"}
    checks = [check for trial in trials for check in trial.checks or ()]
    assert Counter((check.id, check.kind) for check in checks) == {
        ("match", "inspect:match"): 14,
        ("num", "inspect:num"): 14,
        ("multi/a", "inspect:multi"): 14,
        ("multi/b", "inspect:multi"): 14,
    }


def test_what_is_no_number_is_unscored() -> None:
    scores = [check for _, trial in said(REAL) for check in trial.checks or () if check.id == "num"]
    unscored = [check for check in scores if check.score is None]
    assert len(unscored) == 4
    assert {check.passed for check in unscored} == {None}


def test_results_are_recomputed_by_inspects_own_formula() -> None:
    tally = LogTally()
    for case, trial in said(REAL):
        tally.add(case, [trial])
    real = samples.document(REAL)["results"]
    ours = tally.results(Run())
    for key in ("total_samples", "completed_samples"):
        assert ours[key] == real[key]
    figures = {one["name"]: one for one in ours["scores"]}
    for score in real["scores"]:
        own = figures[score["name"]]
        assert own["scorer"] == score["scorer"]
        if score["name"] != "num":  # one value there is infinite, which facts do not hold
            assert own["scored_samples"] == score["scored_samples"]
            ours_by_name = {"mean": own["metrics"].get("accuracy"), **own["metrics"]}
            for name, metric in score["metrics"].items():
                assert ours_by_name[name]["value"] == metric["value"]


def test_epochs_are_reduced_before_samples_are_counted() -> None:
    tally, later = LogTally(), LogTally()
    for number, (case, trial) in enumerate(said(VALID / "epochs.json")):
        (tally if number < 3 else later).add(case, [trial])
    tally.join(later)
    (score,) = tally.results(Run())["scores"]
    assert (tally.samples, score["scored_samples"], score["unscored_samples"]) == (2, 2, 0)
    assert score["metrics"]["accuracy"]["value"] == pytest.approx(2 / 3)
    assert score["metrics"]["stderr"]["value"] == pytest.approx(1 / 3)


def test_means_stay_numbers_that_a_file_can_hold() -> None:
    assert mean([1.7e308, 1.7e308]) == 1.7e308
    assert stderr([1.7e308, -1.7e308]) > 1e308
    assert (mean([]), stderr([1.0])) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("C", 1),
        ("I", 0),
        ("P", 0.5),
        ("N", 0),
        (True, 1),
        ("Yes", 1),
        ("false", 0),
        (7, 7),
        ("0.75", 0.75),
        ("nan", 0),
        ("excellent", 0),
        (None, None),
    ],
)
def test_a_value_is_worth_what_inspect_says(value: Any, number: float | None) -> None:
    assert to_number(value) == number


def test_several_values_of_one_score_are_several_checks() -> None:
    (_, trial), _ = said(VALID / "dict-and-list-scores.json")
    told = {check.id: (check.passed, check.score) for check in trial.checks or ()}
    assert told["rubric/clear"] == (True, 1)
    assert told["rubric/short"] == (False, 0.5)
    assert told["rubric/true"] == (None, None)
    assert (told["pair[0]"], told["pair[1]"]) == ((True, 1), (False, 0))
    assert trial.verdict == "failed"


def test_several_checks_of_one_scorer_are_one_score_again() -> None:
    (_, trial), _ = said(VALID / "dict-and-list-scores.json")
    scores = written(trial)["scores"]
    assert same(scores["rubric"]["value"], {"clear": 1, "short": 0.5, "true": "N"})
    assert same(scores["pair"]["value"], [1, 0])


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error", "skipped"])
def test_every_verdict_comes_back(verdict: Any) -> None:
    trial = Trial(verdict=verdict, reason="so", score=0.25, checks=(Check(id="a", passed=True),))
    _, back = read(written(trial), None)
    assert (back.verdict, back.reason, back.score) == (verdict, "so", 0.25)
    assert [check.id for check in back.checks or ()] == ["a"]


def test_checks_come_back_though_their_names_meet() -> None:
    checks = (
        Check(id="verdict", passed=False, score=0.9, threshold=0.95),
        Check(id="x", kind="equals", passed=True, score=0.2, hard=False, weight=0),
        Check(id="x", kind="equals", reason="unknown"),
    )
    _, back = read(written(Trial(verdict="failed", reason="r", checks=checks)), None)
    told = [(one.passed, one.score, one.hard, one.kind) for one in back.checks or ()]
    assert told[0][:3] == (False, 0.9, True)
    assert told[1] == (True, 0.2, False, "equals")
    assert told[2] == (None, None, True, "equals")


def test_references_to_attachments_are_read_as_what_they_refer_to() -> None:
    (case, trial), (other, _) = said(VALID / "attachments.json")
    assert case.input == "A very long question about the capital of France?"
    assert [event.text for event in trial.transcript or ()] == [case.input, "Paris"]
    assert other.input == "Yes."


def test_calls_of_tools_tell_what_came_of_them() -> None:
    ((_, trial),) = said(VALID / "tools.json")
    tools = [event for event in trial.transcript or () if event.kind == "tool"]
    assert [(one.name, one.ok, one.result, one.error) for one in tools] == [
        ("add", True, "4", None),
        ("boom", False, "", "too slow"),
    ]
    assert tools[0].arguments == {"x": 2, "y": 2}
    _, back = read(written(trial), None)
    assert [event.name for event in back.transcript or () if event.kind == "tool"] == [
        "add",
        "boom",
    ]


def test_a_datasets_columns_of_other_types_are_no_facts() -> None:
    ((case, trial),) = said(VALID / "metadata-of-other-types.json")
    facts = (case.tags, case.severity, case.variables, case.group, case.critical, case.name)
    assert facts == (None,) * 6
    assert {check.weight for check in trial.checks or ()} == {None}


def test_trials_of_several_targets_are_epochs_of_their_own() -> None:
    seating = Seating(INSPECT, ("a", "b"))
    said = [(Case(id="c"), Trial(index=index, provider=to)) for index in (0, 1) for to in "ab"]
    seats = [seating.seat(at, at, [one], 0) for at, one in enumerate(said)]
    epochs = [written(one[1], seat=seat)["epoch"] for one, seat in zip(said, seats, strict=True)]
    assert epochs == [1, 2, 3, 4]


@pytest.mark.parametrize("target", ["promptfoo", "promptbeat"])
def test_an_edited_output_comes_home_edited_wherever_the_log_says_it(target: str) -> None:
    path = VALID / "typical.json"
    there = chain.convert(samples.staged(path), target)
    edited = gate.dump(there.document()).replace(b'"Milan"', b'"Turin"')
    home = chain.convert(chain.stage(gate.load(edited), there.ref), "inspect").document()
    before, after = samples.document(path)["samples"][1], home["samples"][1]
    assert after["output"]["completion"] == "Turin"
    assert after["messages"][1]["content"] == "Turin"
    assert same(
        {**after, "output": None, "messages": None, "scores": None},
        {**before, "output": None, "messages": None, "scores": None},
    )


def test_bare_nan_needs_no_flag_in_a_log() -> None:
    path = VALID / "nan-scores.json"
    assert detection.detect_bytes(path.read_bytes()).ref == "inspect@2"
    assert check_file(str(path), Asked()).outcome == "valid"


def test_bare_nan_is_refused_in_formats_that_never_write_it() -> None:
    report = b'{"eval_id": "e", "status": "completed", "cases": [], "pass_rate": NaN}'
    with pytest.raises(NotJson):
        detection.detect_bytes(report)


def test_nan_comes_home_from_a_format_without_it() -> None:
    path = VALID / "nan-scores.json"
    there = chain.convert(samples.staged(path), "promptfoo")
    bytes_ = gate.dump(there.document())
    assert validation.problems(gate.load(bytes_), "promptfoo@3") == []
    home = chain.convert(chain.stage(gate.load(bytes_), "promptfoo@3"), "inspect")
    assert same(home.document(), samples.document(path))
