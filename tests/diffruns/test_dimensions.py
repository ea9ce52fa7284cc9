"""By what cases can be grouped, and what a case without a value is grouped under."""

from __future__ import annotations

import pytest

import evalglot
from diffruns.dimensions import DIMENSIONS, NONE, values
from diffruns.entries import Entry
from evalglot import DiffOptions
from tests.diffruns.documents import sandtable
from tests.diffruns.making import attempt, entry

ASKED_FOR = {
    "target", "provider", "scenario", "risk_type", "dataset", "assertion_metric", "evidence_level",
    "direct_failure_vs_unsafe_workaround", "tag", "severity", "group", "taxonomy",
}  # fmt: skip
"""the dimensions of the tools' own pages"""


def test_every_dimension_of_the_tools_is_there() -> None:
    assert set(DIMENSIONS) == ASKED_FOR


def failed(workaround: bool | None) -> Entry:
    return entry([attempt("failed", workaround=workaround)])


@pytest.mark.parametrize(
    ("case", "dimension", "expected"),
    [
        (entry(target="m"), "target", ("m",)),
        (entry(target="m"), "provider", ("m",)),
        (entry(group="g"), "scenario", ("g",)),
        (entry(group="g"), "group", ("g",)),
        (entry(risk="r"), "risk_type", ("r",)),
        (entry(dataset="d"), "dataset", ("d",)),
        (entry(metrics=("a", "b")), "assertion_metric", ("a", "b")),
        (entry(tags=("x", "x", "y")), "tag", ("x", "y")),
        (entry(severity="high"), "severity", ("high",)),
        (entry(taxonomy=("OWASP LLM01",)), "taxonomy", ("OWASP LLM01",)),
        (entry([attempt("passed")]), "evidence_level", ("answer only",)),
        (
            entry([attempt("passed", evidence="environment-grade"), attempt("passed")]),
            "evidence_level",
            ("answer only",),
        ),
        (failed(True), "direct_failure_vs_unsafe_workaround", ("unsafe workaround",)),
        (failed(False), "direct_failure_vs_unsafe_workaround", ("direct failure",)),
        (failed(None), "direct_failure_vs_unsafe_workaround", ("unknown",)),
        (entry([attempt("passed")]), "direct_failure_vs_unsafe_workaround", (NONE,)),
        *((entry(), name, (NONE,)) for name in sorted(ASKED_FOR)),
    ],
)
def test_the_values_of_a_case(case: Entry, dimension: str, expected: tuple[str, ...]) -> None:
    assert values(case, dimension) == expected


def test_each_value_is_compared_by_itself_and_the_family_is_corrected() -> None:
    a = sandtable({f"t{n}": "p" for n in range(12)})
    b = sandtable({f"t{n}": "f" if n < 6 else "p" for n in range(12)})
    for run in (a, b):
        for number, task in enumerate(run["tasks"]):
            task["tags"] = ["money" if number < 6 else "chat"]
    chat, money = evalglot.diff(a, b, DiffOptions(by=("tag",))).by["tag"]
    assert (chat.value, money.value) == ("chat", "money")
    assert chat.delta["rate"].finding == "~"
    assert money.delta["rate"].finding == "worse"
    assert money.delta["rate"].p == pytest.approx(2 * 0.5**6 - 0.5**6)
    assert money.delta["rate"].corrected == pytest.approx(2 * money.delta["rate"].p)
    uncorrected = evalglot.diff(a, b, DiffOptions(by=("tag",), correct="none")).by["tag"][1]
    assert uncorrected.delta["rate"].corrected == money.delta["rate"].p


def test_a_difference_is_of_the_cases_that_have_the_value_on_both_sides() -> None:
    a, b = sandtable({"x": "p", "y": "p", "z": "p"}), sandtable({"x": "f", "y": "f", "z": "f"})
    for run, tags in ((a, "kkg"), (b, "khh")):
        for task, tag in zip(run["tasks"], tags, strict=True):
            task["tags"] = [tag]
    there, back = (
        {one.value: one for one in evalglot.diff(*runs, DiffOptions(by=("tag",))).by["tag"]}
        for runs in ((a, b), (b, a))
    )
    compared = {value: [*group.delta] for value, group in there.items()}
    assert compared == {"g": [], "h": [], "k": ["rate"]}
    assert there["k"].delta["rate"].n == 1
    assert there["k"].delta["rate"].value == -back["k"].delta["rate"].value == -1


def test_the_order_of_a_references_keys_does_not_matter() -> None:
    def run(ref: dict[str, str]) -> dict[str, object]:
        case = {
            "case_id": "1",
            "content": "Hi",
            "passed": True,
            "metadata": {"taxonomy_refs": [ref]},
        }
        counts = {"total_cases": 1, "pass_rate": 1.0}
        return {"eval_id": "e", "status": "completed", **counts, "cases": [case]}

    a, b = run({"framework": "OWASP", "id": "LLM01"}), run({"id": "LLM01", "framework": "OWASP"})
    (group,) = evalglot.diff(a, b, DiffOptions(by=("taxonomy",))).by["taxonomy"]
    assert group.value == "OWASP LLM01"
