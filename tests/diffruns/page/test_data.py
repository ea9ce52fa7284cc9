"""What the page's script is given: all that there is room for, and how much there is not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from converter.facts import Case, Check, Trial
from diffruns.alignment import Pair
from diffruns.renderers.page import data as module
from diffruns.renderers.page import page
from diffruns.renderers.page.data import Data, Kind, Listed, data
from diffruns.renderers.page.markup import Markup
from tests.diffruns.making import attempt, entry

KINDS = (Kind("broke", "failed", "bad", listed=True), Kind("same", "", "flat", listed=False))


def made(cases: list[Listed], says: Any) -> Data:
    """The data of these cases, each trial of which says this on side A and B."""
    return data(
        cases,
        lambda one, other: (says[0] if one else None, says[1] if other else None),
        sides=("A", "B"),
        kinds=KINDS,
        by={"group": ["x", "y"]},
        more="elsewhere",
    )


def listed(id_: str, kind: str = "same", **said: Any) -> Listed:
    one = entry([attempt("passed")], case=id_, **said)
    other = entry([attempt("failed", failed=("check",))], case=id_, **said)
    return Listed(Pair(one, other, "id"), id_, kind, "")


def block(held: Data, name: str) -> Any:
    return json.loads(dict(held.blocks)[name])


def said(**trial: Any) -> tuple[Case, Trial]:
    return Case(input="asked"), Trial(**trial)


def test_cases_come_in_the_order_of_their_kinds() -> None:
    both = (said(), said())
    held = made([listed("a"), listed("b", "broke"), listed("c")], both)
    assert [row[0] for row in block(held, "rows")] == ["b", "a", "c"]


def test_a_row_says_which_checks_fail_and_which_values_it_has() -> None:
    held = made([listed("a", group="y", tags=("t",))], (said(), said()))
    (row,) = block(held, "rows")
    assert row[3] == "y"
    assert row[5] == ["t"]
    assert (row[6][0], row[7][0]) == ("passed", "failed")
    assert [block(held, "meta")["checks"][number] for number in row[8]] == ["check"]
    assert row[9] == [[1]]


def test_what_both_sides_say_stands_there_once() -> None:
    checks = (Check(id="c", passed=True, reason="why"),)
    a, b = said(output="same", checks=checks), said(output="same", checks=checks, score=1.0)
    (detail,) = block(made([listed("a")], (a, b)), "details-0")
    assert detail["trials"][0][1]["same"] == ["out", "checks"]
    assert "out" not in detail["trials"][0][1]
    assert detail["in"] == ["asked", None]


def test_what_is_cut_is_counted() -> None:
    long = said(output="x" * (module.TEXT + 7))
    (detail,) = block(made([listed("a")], (long, said(output="y"))), "details-0")
    a = detail["trials"][0][0]
    assert a["out"] == "x" * module.TEXT + "…"
    assert detail["cut"] == 7


def test_cases_without_room_are_listed_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    both = (said(output="x" * 100), said(output="y" * 100))
    cases = [listed(f"{number}") for number in range(module.CHUNK * 3)]
    size = len(dict(made(cases, both).blocks)["details-0"])
    monkeypatch.setattr(module, "PAGE", size + size // 2)
    held = made(cases, both)
    assert [name for name, _ in held.blocks] == ["meta", "rows", "details-0"]
    assert held.left_out == module.CHUNK * 2
    assert len(block(held, "rows")) == len(cases)


def test_no_data_end_their_block() -> None:
    hostile = "</script><!--<script>&\u2028\u2029"
    told = page("t", Markup(""), [], made([listed(hostile)], (said(output=hostile),) * 2))
    rest = told.partition(b'id="rows">')[2]
    rows = rest.partition(b"</script>")[0]
    assert json.loads(rows)[0][0] == hostile.replace("\u2028", r"\u2028").replace(
        "\u2029", r"\u2029"
    )
    assert not {b"<", b">", b"&"} & {bytes([code]) for code in rows}
