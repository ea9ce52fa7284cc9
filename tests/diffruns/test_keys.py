"""A key of one's own: which facts it may name, and which cases it tells."""

from __future__ import annotations

import pytest

from converter.facts import Case, Trial
from diffruns.keys import BadKey, key_of

CASE = Case(id="7", group="g", variables={"q": 1, "a/b": {"deep": "1"}})
TRIAL = Trial(provider="m")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("case.id", ('"7"',)),
        ("case.group, case.id", ('"g"', '"7"')),
        ("case.variables/q", ("1",)),
        ("case.variables/a~1b/deep", ('"1"',)),
        ("trial.provider", ('"m"',)),
        ("case.name", None),
        ("case.variables/absent", None),
        ("case.id,case.name", None),
    ],
)
def test_a_key_gives_the_values_of_its_facts(
    expression: str, expected: tuple[str, ...] | None
) -> None:
    assert key_of(expression)(CASE, TRIAL) == expected


def test_one_and_the_text_one_are_two_keys() -> None:
    key = key_of("case.variables/q")
    assert key(CASE, None) != key(Case(variables={"q": "1"}), None)


@pytest.mark.parametrize("expression", ["", "id", "case.", "case.idd", "run.id", "case.id,"])
def test_a_key_that_names_no_fact_is_refused(expression: str) -> None:
    with pytest.raises(BadKey, match=r"a fact such as case\.id"):
        key_of(expression)
