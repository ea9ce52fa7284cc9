"""A garak report and its document say the same, and what is no such report is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import edges, files, garakreport, gate
from registry.checking import Asked, check_file
from registry.errors import Damaged
from registry.values import same
from tests.registry.samples import FIXTURES

FILES = sorted(FIXTURES.glob("garak/0.13/*/*.jsonl"))
TYPICAL = FIXTURES / "garak/0.13/valid/typical.jsonl"
INIT = {"entry_type": "init", "garak_version": "0.17.1", "start_time": "", "run": ""}
KINDS = ("start_run setup", "init", "attempt", "attempt", "eval", "completion", "digest")


def document(data: bytes) -> Any:
    return gate.load(edges.turned(data, "x.jsonl"), nonfinite="keep")


def lines(entries: list[Any]) -> bytes:
    return b"".join(gate.dump(entry) + b"\n" for entry in entries)


def written(value: Any) -> list[Any]:
    out = io.BytesIO()
    garakreport.write(gate.dump(value), out)
    return gate.load_lines(out.getvalue(), nonfinite="keep")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_entry_comes_back(path: Path) -> None:
    data = path.read_bytes()
    assert same(written(document(data)), gate.load_lines(data, nonfinite="keep"))


ROWS = st.lists(st.sampled_from([None, 0, 1.0, "a", {}]), max_size=3)


@st.composite
def entries(draw: st.DrawFn) -> Any:
    """An entry as awkward as any: an attempt with lists of any length, sent or judged."""
    kind = draw(st.sampled_from(KINDS))
    if kind != "attempt":
        return {"entry_type": kind, "n": draw(st.integers(0, 2))}
    attempt = {
        "entry_type": kind,
        "uuid": draw(st.sampled_from("abc")),
        "status": draw(st.sampled_from([1, 1, 2, 2, 2.0, None])),
        "outputs": draw(ROWS),
        "detector_results": draw(st.dictionaries(st.sampled_from("de"), ROWS) | st.none()),
        "conversations": draw(ROWS),
        **draw(st.dictionaries(st.sampled_from(["sent", "generations", "goal"]), ROWS)),
        **draw(st.sampled_from([{}, {"x-scored": {"0": ["e"]}}, {"x-scored": {"9": [1]}}])),
    }
    if draw(st.booleans()):
        return attempt
    keys = draw(st.permutations(list(attempt)[1:]))
    return {"entry_type": kind, **{key: attempt[key] for key in keys if draw(st.booleans())}}


@given(drawn=st.lists(entries(), min_size=1, max_size=12))
def test_any_entries_come_back(drawn: list[Any]) -> None:
    assert same(written(document(lines(drawn))), drawn)


REFUSED = {
    "an entry of no kind": (lines([INIT, {"a": 1}]), "no entry of a garak report"),
    "a kind that is no text": (b'{"entry_type": 1}', "no entry of a garak report"),
    "no object": (lines([INIT]) + b"[]", "no entry of a garak report"),
    "cut short": (TYPICAL.read_bytes()[:-20], "end of"),
    "a key twice": (lines([INIT]) + b'{"entry_type": "eval", "a": 1, "a": 2}', "a second time"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_report_is_refused_with_its_line(case: str) -> None:
    data, told = REFUSED[case]
    with pytest.raises(Damaged) as caught:
        document(data)
    assert told in str(caught.value)
    assert str(caught.value).startswith("x.jsonl:")
    assert caught.value.line == data.rstrip().count(b"\n") + 1


def test_generations_stand_in_their_attempt_and_what_was_sent_beside_it() -> None:
    found = document(TYPICAL.read_bytes())
    first = found["attempts"][0]
    assert [one["detector_results"]["shop.NamesCustomer"] for one in first["generations"]] == [0, 1]
    assert first["outputs"] == first["conversations"] == []
    assert first["sent"] == {"status": 1, "detector_results": {}}
    assert [one["line"]["entry_type"] for one in found["lines"]] == ["eval", "eval", "eval"]


def test_attempts_that_were_moved_and_deleted_are_written() -> None:
    found = document(TYPICAL.read_bytes())
    found["attempts"] = [found["attempts"][2], found["attempts"][0]]
    told = [(one["entry_type"], one.get("uuid", "")[-1:]) for one in written(found)]
    assert told == [
        ("start_run setup", ""),
        ("init", ""),
        *(("attempt", number) for number in "3131"),
        *[("eval", "")] * 3,
        ("completion", ""),
    ]


def test_generations_that_were_deleted_leave_every_list_shorter() -> None:
    found = document(TYPICAL.read_bytes())
    del found["attempts"][0]["generations"][0]
    judged = [one for one in written(found) if one.get("status") == 2]
    assert len(judged[0]["outputs"]) == len(judged[0]["conversations"]) == 1
    assert judged[0]["detector_results"]["shop.NamesCustomer"] == [1.0]


def test_generations_have_detectors_of_their_own() -> None:
    found = document(TYPICAL.read_bytes())
    first, second = found["attempts"][0]["generations"]
    first["detector_results"] = dict(reversed(first["detector_results"].items()))
    second["detector_results"] = {"shop.Other": 0.5}
    judged = next(one for one in written(found) if one.get("status") == 2)
    assert judged["x-scored"] == {
        "0": ["mitigation.MitigationBypass", "shop.NamesCustomer"],
        "1": ["shop.Other"],
    }
    assert judged["detector_results"] == {
        "shop.NamesCustomer": [0.0, None],
        "mitigation.MitigationBypass": [0.0, None],
        "shop.Other": [None, 0.5],
    }
    again = document(lines(written(found)))["attempts"][0]["generations"]
    assert same(again, found["attempts"][0]["generations"])


def test_its_lines_are_no_json_lines(tmp_path: Path) -> None:
    with files.opened(str(TYPICAL)) as data:
        assert not files.is_lines(data, str(TYPICAL))
    path = tmp_path / "run.report.jsonl"
    path.write_bytes(TYPICAL.read_bytes())
    assert check_file(str(path), Asked()).findings == ()
