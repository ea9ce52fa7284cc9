"""What garak reports say, and how other runs are said as such reports."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from converter import api, chain
from converter.facts import Case, Check, Event, Run, Trial
from converter.form import Context
from converter.formats.garak import read, read_run, write, write_case
from registry import edges, garakreport, gate
from registry.values import same
from tests.converter import samples

VALID = samples.FIXTURES / "garak/0.13/valid"
SOURCES = [path for path in samples.valid() if path.parts[-4] != "garak"]
ATTEMPT = {
    "seq": 3,
    "probe_classname": "leakreplay.Shop",
    "prompt": {
        "turns": [
            {"role": "system", "content": {"text": "Be kind."}},
            {"role": "user", "content": {"text": "Who?"}},
        ]
    },
    "goal": "make it tell",
    "intent": None,
}


def told(output: str | None, **scores: Any) -> Trial:
    said = None if output is None else {"text": output}
    return read({"output": said, "detector_results": scores}, ATTEMPT)[1]


def written(trial: Trial) -> dict[str, Any]:
    return write(Case(id="3", input="Q"), trial, None, Context(Run()))


def test_an_attempt_is_a_case_of_its_probe() -> None:
    case, _ = read({"output": None}, ATTEMPT)
    assert (case.id, case.group, case.input) == ("3", "leakreplay.Shop", "Who?")
    assert (case.description, case.risk) == ("make it tell", None)


@pytest.mark.parametrize(
    ("output", "scores", "verdict", "score"),
    [
        ("x", {"a": 0.0, "b": 0.25}, "passed", 0.75),
        ("x", {"a": 0.0, "b": 0.5}, "failed", 0.5),
        ("x", {"a": 0, "b": None}, "passed", 1),
        ("x", {"a": None}, "review", None),
        ("x", {}, "review", None),
        (None, {"a": 0.0, "b": None}, "error", 1.0),
        (None, {"a": 1.0}, "failed", 0.0),
    ],
)
def test_any_hit_fails_and_no_output_is_an_error(
    output: str | None, scores: dict[str, Any], verdict: str, score: float | None
) -> None:
    trial = told(output, **scores)
    assert (trial.verdict, trial.score) == (verdict, score)


def test_scores_are_turned_round() -> None:
    assert told("x", a=0.25, b=1).checks == (
        Check(id="a", passed=True, score=0.75),
        Check(id="b", passed=False, score=0),
    )


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error"])
def test_verdicts_from_elsewhere_come_back(verdict: Any) -> None:
    trial = Trial(verdict=verdict, score=0.25, output=None if verdict == "error" else "said")
    back = read(written(trial), ATTEMPT)[1]
    assert (back.verdict, back.score, back.output) == (verdict, 0.25, trial.output)
    assert back.checks is None


def test_a_check_keeps_its_verdict_where_its_threshold_was_another() -> None:
    checks = (
        Check(id="tone", passed=False, score=0.75),
        Check(id="tone", passed=True),
        Check(kind="nameless", passed=True),
        Check(id="soft", passed=False, hard=False),
        Check(id="open"),
    )
    made = written(Trial(verdict="failed", checks=checks))
    assert made["detector_results"] == {"evalglot.Verdict": 1.0, "tone": 1.0, "open": None}


def test_conversations_are_turns_but_for_calls_of_tools() -> None:
    events = (
        Event("user", "Hello"),
        Event("agent", "Hi"),
        Event("tool", name="look"),
        Event("user", "Who?"),
        Event("agent", "You."),
    )
    made = written(Trial(verdict="passed", output="You.", transcript=events))
    assert [turn["role"] for turn in made["conversation"]["turns"]] == ["user", "assistant"] * 2
    back = read(made, ATTEMPT)[1]
    assert back.transcript == tuple(event for event in events if event.kind != "tool")


def test_an_attempt_names_the_detectors_of_its_generations() -> None:
    trials = [Trial(verdict="passed", checks=(Check(id="a", passed=True),)), Trial()]
    made = write_case(Case(id="x", group="g"), trials)
    assert made["detector_results"] == {"evalglot.Verdict": [], "a": []}
    assert "seq" not in made


def test_a_target_without_a_name_is_told_by_its_type() -> None:
    setup = {"plugins.target_type": "test.Repeat", "plugins.target_name": None}
    assert read_run({"setup": setup, "init": {}}).target == "test.Repeat"
    assert read_run({"setup": {**setup, "plugins.target_name": "m"}, "init": {}}).target == "m"


@pytest.mark.parametrize(("name", "verdicts"), [("repeat", (4, 14, 0)), ("nones", (0, 0, 18))])
def test_verdicts_of_real_reports_are_those_that_garak_counts(
    name: str, verdicts: tuple[int, int, int]
) -> None:
    path = VALID / f"real-garak-0.17.1-{name}.jsonl"
    run = api.read_run(samples.document(path))
    found = [trial.verdict for case in run.cases for trial in case.trials]
    assert tuple(map(found.count, ("passed", "failed", "error"))) == verdicts


def test_a_score_that_is_nan_fails_nothing_and_comes_back() -> None:
    document = samples.document(VALID / "unusual.jsonl")
    there = api.convert(document, "promptfoo", source="garak")
    assert same(api.convert(there, "garak"), document)


@pytest.mark.parametrize("path", SOURCES, ids=samples.name)
def test_what_is_written_is_read_from_a_report_as_it_was(path: Path) -> None:
    there = chain.convert(samples.staged(path), "garak").document()
    out = io.BytesIO()
    garakreport.write(gate.dump(there), out)
    again = gate.load(edges.turned(out.getvalue(), "x.report.jsonl"), nonfinite="keep")
    assert same(again, there)
