"""Runs and comparisons as tables, and in notebooks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import evalglot
from converter.facts import Case, Run, Trial
from converter.formats import FORMATS, find
from converter.frames import MissingLibrary, Tabular
from tests.diffruns.documents import FAILED, promptfoo

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = [
    file
    for id_ in FORMATS
    for file in sorted((FIXTURES / id_ / find(id_).version / "valid").glob("*.json"))
]


def tables(held: Tabular) -> tuple[list[dict[str, Any]], ...]:
    """The rows of the table that each library makes."""
    frame: Any = held.to_pandas()
    rows = [
        {name: _plain(value) for name, value in row.items()} for row in frame.to_dict("records")
    ]
    return rows, held.to_polars().to_dicts(), held.to_arrow().to_pylist()


def _plain(value: Any) -> Any:
    """What pandas calls missing is None elsewhere."""
    return None if repr(value) in ("<NA>", "nan") else value


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-4]}-{file.stem}")
def test_every_library_holds_the_same_rows(file: Path) -> None:
    run = evalglot.read_run(evalglot.load(file, nonfinite="keep"))
    pandas, polars, arrow = tables(run)
    assert polars == arrow
    assert pandas == arrow
    assert len(arrow) == sum(max(1, len(one.trials)) for one in run.cases)


def test_a_comparison_is_a_table_of_its_cases() -> None:
    before = promptfoo([{"test": "kept"}, {"test": "broken"}, {"test": "gone"}])
    after = promptfoo([{"test": "kept"}, {"test": "broken", **FAILED}])
    pandas, polars, arrow = tables(evalglot.diff(before, after))
    assert pandas == polars == arrow
    told = [(row["id"], row["bucket"], row["a.verdict"], row["b.verdict"]) for row in arrow]
    assert told == [
        ("kept", "unchanged", "passed", "passed"),
        ("broken", "broke", "passed", "failed"),
        ("gone", "removed", "passed", None),
    ]


def run_of(*trials: Trial) -> evalglot.RunRead:
    case = Case(id="a\ud83d", tags=("x", "\udc00"))
    return evalglot.RunRead("cbl@4", Run(), [evalglot.CaseRead(case, list(trials))])


def test_what_a_table_can_not_hold_is_told_as_text() -> None:
    held = run_of(Trial(index=2**70, score=1.0, transcript=()), Trial(index=0))
    for rows in tables(held):
        assert [row["trial.index"] for row in rows] == [str(2**70), "0"]
        assert [row["trial.score"] for row in rows] == [1.0, None]
        assert [row["trial.transcript"] for row in rows] == ["[]", None]
        assert rows[0]["case.id"] == r"a\ud83d"
        assert [*rows[0]["case.tags"]] == ["x", r"\udc00"]


def test_a_case_without_trials_is_a_row() -> None:
    for rows in tables(run_of()):
        assert [(row["case.id"], row["trial.verdict"]) for row in rows] == [(r"a\ud83d", None)]


def test_a_run_without_cases_has_all_columns() -> None:
    empty = evalglot.read_run(promptfoo([]))
    full = evalglot.read_run(promptfoo([{"test": "x"}]))
    assert list(empty.to_polars().schema) == list(full.to_polars().schema)
    assert empty.to_polars().schema == full.to_polars().schema
    assert empty.to_arrow().schema == full.to_arrow().schema


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_a_library_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)  # what Python does where there is none
    method = {"pyarrow": "to_arrow"}.get(name, f"to_{name}")
    with pytest.raises(MissingLibrary, match=f"{name} is not installed. Install it: pip install"):
        getattr(run_of(), method)()


HOSTILE = "</td><script>alert(1)</script>\x1b[2J"


def test_nothing_of_a_file_acts_on_a_notebook() -> None:
    document = promptfoo([{"test": HOSTILE, "response": {"output": HOSTILE}}])
    worse = promptfoo([{"test": HOSTILE, "response": {"output": HOSTILE}, **FAILED}])
    for shown in (
        evalglot.read_run(document)._repr_html_(),
        evalglot.diff(document, worse)._repr_html_(),
    ):
        assert "<script" not in shown
        assert "\x1b" not in shown
        assert "&lt;script&gt;" in shown


def test_a_notebook_shows_some_cases_and_says_how_many_more() -> None:
    cases = [{"test": f"case {number}"} for number in range(50)]
    worse = [{**case, **FAILED} for case in cases]
    run = evalglot.read_run(promptfoo(cases))._repr_html_()
    assert "promptfoo@3: 50 cases; trials: 50 passed" in run
    assert "+30 more" in run
    report = evalglot.diff(promptfoo(cases), promptfoo(worse))._repr_html_()
    assert "B is worse than A" in report
    assert "+30 more" in report
    assert report.count("<td>broke</td>") == 20
