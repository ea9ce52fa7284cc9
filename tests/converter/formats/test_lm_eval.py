"""What lm-evaluation-harness samples say, and how other runs are said as samples."""

from __future__ import annotations

from typing import Any

import pytest

from converter import api
from converter.facts import Case, Check, Run, Trial
from converter.form import Context
from converter.formats.lm_eval import read, write
from tests.converter import samples

VALID = samples.FIXTURES / "lm-eval/0.4/valid"
SAMPLE = {
    "doc_id": 3,
    "doc": {"q": "?"},
    "target": "1",
    "arguments": {
        "gen_args_0": {"arg_0": "Q", "arg_1": " yes"},
        "gen_args_1": {"arg_0": "Q", "arg_1": " no"},
    },
    "resps": [],
    "filtered_resps": [["-1.5", "False"], ["-0.5", "True"]],
    "filter": "none",
    "metrics": ["acc", "bleu"],
    "acc": 1.0,
    "bleu": 37.5,
}


def told(**fields: Any) -> tuple[Case, Trial]:
    return read({**SAMPLE, **fields}, None)


def written(trial: Trial) -> dict[str, Any]:
    return write(Case(id="3"), trial, None, Context(Run()))


def test_the_first_metric_is_the_verdict_and_each_is_a_check() -> None:
    case, trial = told()
    assert (case.id, case.group, case.input, case.expected) == ("3", "none", "Q", "1")
    assert (trial.verdict, trial.score) == ("passed", 1.0)
    assert trial.checks == (
        Check(id="acc", passed=True, score=1.0),
        Check(id="bleu", passed=None, score=37.5, hard=False),
    )


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(0, "failed"), (0.4, "review"), (True, "passed"), ([1, 2], "review"), (None, "review")],
)
def test_what_is_neither_all_nor_nothing_is_undecided(value: Any, verdict: str) -> None:
    assert told(acc=value)[1].verdict == verdict


def test_the_output_is_what_was_generated_or_the_likeliest_choice() -> None:
    assert told()[1].output == " no"
    assert told(filtered_resps=["forty-two"])[1].output == "forty-two"
    assert told(filtered_resps=[["a", "False"]])[1].output is None
    assert told(filtered_resps=[])[1].output is None


def test_a_score_that_is_nan_is_kept_and_fails_nothing() -> None:
    path = VALID / "not-a-number.jsonl"
    found = api.convert(samples.document(path), "promptfoo", source="lm-eval")
    assert [row["success"] for row in found["results"]["results"]] == [False, True]


def test_checks_become_metrics_unless_a_field_has_their_name() -> None:
    checks = (
        Check(id="tone", passed=True),
        Check(id="doc", passed=False),
        Check(id="tone", passed=False),
        Check(kind="nameless", passed=True),
        Check(id="soft", passed=False, hard=False),
    )
    made = written(Trial(verdict="failed", score=0.25, checks=checks))
    assert made["metrics"] == ["passed", "score", "tone"]
    assert (made["passed"], made["score"], made["tone"]) == (0.0, 0.25, 1.0)


def test_an_error_is_no_failure() -> None:
    assert written(Trial(verdict="error", error="timed out"))["metrics"] == []
