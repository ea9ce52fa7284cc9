"""The identity ladder: which rung tells what, and what it must not guess."""

from __future__ import annotations

from typing import Any

from diffruns.alignment import REPEATED, Pair, align
from diffruns.entries import Entry
from tests.diffruns.making import asked, attempt, entry


def content(one: Entry) -> Any:
    return one.attempts


def aligned(a: list[Entry], b: list[Entry], **options: Any) -> list[Pair]:
    return align(a, b, (content, content), **options)


def rungs(a: list[Entry], b: list[Entry], **options: Any) -> list[str]:
    return [pair.rung for pair in aligned(a, b, **options)]


def test_one_id_is_one_case_whatever_its_input() -> None:
    a, b = entry(case="1", asked=asked("x")), entry(case="1", asked=asked("y"))
    assert rungs([a], [b]) == ["id"]


def test_an_id_that_groups_share_is_told_by_its_group() -> None:
    a = [entry(case="1", group="g"), entry(case="1", group="h")]
    assert rungs(a, a[::-1]) == ["id in group"] * 2
    assert [pair.b for pair in aligned(a, a[::-1])] == a


def test_without_ids_the_input_tells() -> None:
    a = [entry(asked=asked("x"), group="g"), entry(asked=asked("y"), group="g")]
    assert rungs(a, a) == ["input in group"] * 2


def test_an_input_tells_also_where_the_group_is_called_otherwise() -> None:
    assert rungs([entry(asked=asked("x"), group="g")], [entry(asked=asked("x"), group="h")]) == [
        "input"
    ]


def test_variables_tell_where_the_prompt_changed() -> None:
    a = entry(asked=asked("vars"), prompt=asked("one prompt"))
    b = entry(asked=asked("vars"), prompt=asked("another"))
    assert rungs([a], [b]) == ["variables"]


def test_a_description_is_the_last_resort() -> None:
    assert rungs([entry(title="adds", asked=asked("1"))], [entry(title="adds", asked=asked("2"))])[
        0
    ].startswith("description")


def test_a_stable_id_that_only_one_run_has_is_still_told_by_its_input() -> None:
    a, b = entry(case="old", asked=asked("x")), entry(case="new", asked=asked("x"))
    assert rungs([a], [b])[0].startswith("input")


def test_what_is_named_twice_and_says_the_same_is_paired() -> None:
    twins = [
        entry(case="1", attempts=[attempt("passed")]),
        entry(case="1", attempts=[attempt("failed")]),
    ]
    pairs = aligned(twins, twins[::-1])
    assert [pair.rung for pair in pairs] == [REPEATED] * 2
    assert all(pair.a is pair.b for pair in pairs)


def test_what_is_named_twice_and_says_something_else_is_ambiguous_and_never_guessed() -> None:
    a = [
        entry(case="1", attempts=[attempt("passed")]),
        entry(case="1", attempts=[attempt("failed")]),
    ]
    b = [entry(case="1", attempts=[attempt("passed")])]
    pairs = aligned(a, b)
    assert [pair.ambiguous for pair in pairs] == [True] * 3
    assert all(pair.both is None for pair in pairs)


def test_targets_tell_cases_apart_only_where_a_run_has_several() -> None:
    one, other = entry(case="1", target="m1"), entry(case="1", target="m2")
    assert rungs([one], [other]) == ["id"]
    assert rungs([one, other], [other, one]) == ["id", "id"]
    assert [pair.rung for pair in aligned([one], [one, other])] == ["id", ""]


def test_targets_of_other_names_are_paired_when_asked() -> None:
    a, b = (
        [entry(case="1", target="m1")],
        [entry(case="1", target="m2"), entry(case="1", target="m3")],
    )
    pairs = aligned(a, b, targets={"m1": "m3"})
    assert [(pair.a, pair.b) for pair in pairs] == [(a[0], b[1]), (None, b[0])]


def test_an_explicit_key_is_the_only_rung() -> None:
    a, b = entry(case="1", keys=("x",)), entry(case="2", keys=("x",))
    assert rungs([a], [b], explicit=True) == ["key"]
    assert rungs([entry(case="1")], [entry(case="1")], explicit=True) == ["", ""]


def test_renamed_cases_are_paired_by_whatever_they_are_called() -> None:
    a = [entry(case="1", label="1"), entry(label="t", title=asked("t")), entry(label="swap")]
    b = [entry(label="swap"), entry(label="u", asked=asked("u")), entry(title=asked("named"))]
    pairs = aligned(a, b, renames={"1": "named", "t": "swap", "swap": "u"})
    assert [(pair.b, pair.rung) for pair in pairs] == [
        (b[2], "map"),
        (b[0], "map"),
        (b[1], "map"),
    ]


def test_a_renamed_case_that_groups_share_is_told_by_its_group() -> None:
    a = [entry(case="1", group="g"), entry(case="1", group="h")]
    b = [entry(case="2", group="h"), entry(case="2", group="g")]
    assert rungs(a, b, renames={"1": "2"}) == ["map in group"] * 2


def test_ids_that_only_look_alike_stay_apart() -> None:
    assert rungs([entry(case="1"), entry(case="01")], [entry(case="01"), entry(case="1")]) == [
        "id",
        "id",
    ]
