"""Archives are unpacked member by member, within bounds, and refused with one clear error."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import edges, files, gate, limits
from registry.archives import Archive
from registry.checking import Asked, check_file
from registry.errors import EvalglotError, NotJson
from registry.values import same
from tests.registry.samples import FIXTURES

REAL = FIXTURES / "inspect/2/valid/real-0.3.285.eval"
HEADER = (FIXTURES / "inspect/2/valid/smallest.json").read_bytes()
SAMPLE = b'{"id": 1, "epoch": 1, "input": "q", "target": "a"}'


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these members, of which several may have one name."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.filelist.clear()
        for name, raw in members:
            archive.NameToInfo.pop(name, None)
            archive.writestr(name, raw)
    return stream.getvalue()


def document(data: bytes) -> Any:
    return gate.load(edges.turned(data, "x.eval"), nonfinite="keep")


def log(*members: tuple[str, bytes]) -> bytes:
    return packed(("header.json", HEADER), *members)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_log_is_one_document(method: int) -> None:
    data = packed(("samples/1_epoch_1.json", SAMPLE), ("header.json", HEADER), method=method)
    found = document(data)
    assert same(found.pop("x-archive"), {"absent": ["_journal/start.json", "summaries.json"]})
    assert same(found, {**gate.load(HEADER), "samples": [gate.load(SAMPLE)]})


def test_of_members_of_one_name_the_last_counts() -> None:
    later = SAMPLE.replace(b'"q"', b'"later"')
    found = document(log(("samples/1_epoch_1.json", SAMPLE), ("samples/1_epoch_1.json", later)))
    assert [one["input"] for one in found["samples"]] == ["later"]


def test_a_run_that_has_not_ended_is_told_by_its_start() -> None:
    start = b'{"version": 2, "eval": {"task": "t", "model": "m"}, "plan": {}}'
    found = document(packed(("_journal/start.json", start), ("samples/1_epoch_1.json", SAMPLE)))
    assert (found["status"], found["eval"]["task"], len(found["samples"])) == ("started", "t", 1)


INJECTED = (b'{"id": 1}, {"id": 2}', b'{"id": 1}], "eval": {}, "more": [1', b"", b"1 2")


@pytest.mark.parametrize("text", INJECTED)
def test_a_member_is_one_value(text: bytes) -> None:
    with pytest.raises(NotJson, match=r"in the member 'samples/1_epoch_1\.json'"):
        document(log(("samples/1_epoch_1.json", text)))


def flagged(data: bytes) -> bytes:
    """The same archive with its members marked as encrypted."""
    marked = data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")
    return marked.replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01")


REFUSED = {
    "no log": (packed(("a.json", b"{}")), "neither header.json nor _journal/start.json"),
    "a header that is no object": (packed(("header.json", b"[]")), "'header.json' is no object"),
    "cut short": (REAL.read_bytes()[:-100], "a damaged zip archive"),
    "damaged within": (
        REAL.read_bytes()[:200] + b"\0" * 300 + REAL.read_bytes()[500:],
        "a damaged zip archive at the member '_journal/start.json'",
    ),
    "encrypted": (flagged(log()), "'header.json' is encrypted"),
    "packed otherwise": (
        packed(("header.json", HEADER), method=zipfile.ZIP_BZIP2),
        "'header.json' is encrypted, or packed in an unusual way",
    ),
    "a member that is no JSON": (log(("logo.png", b"\x89PNG")), "'logo.png', which is no JSON"),
    "UTF-32": (log(("samples/a.json", "{}".encode("utf-32"))), "in the member 'samples/a.json'"),
    "an order that is none": (log(("x-evalglot.json", b'{"keys": 1}')), "is damaged"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_log_is_refused(case: str) -> None:
    data, told = REFUSED[case]
    with pytest.raises(NotJson) as caught:
        document(data)
    assert told in str(caught.value)
    assert str(caught.value).startswith("x.eval: ")


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = log(("samples/1_epoch_1.json", b'{"a": "' + b"0" * (1 << 20) + b'"}'))
    monkeypatch.setattr(limits, "FEW_BYTES", 1 << 16)
    (tmp_path / "x.eval").write_bytes(bomb)
    report = check_file(str(tmp_path / "x.eval"), Asked())
    assert report.outcome == "invalid"
    assert "MAX_SWELLING" in str(report.findings[0])


def test_a_long_directory_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = log(*((f"samples/{number}.json", SAMPLE) for number in range(30)))
    monkeypatch.setattr(limits, "MAX_DIRECTORY", 1000)
    with pytest.raises(NotJson, match="MAX_DIRECTORY"):
        document(data)


def test_names_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    evil = ("../../evil.json", "/etc/evil.json", "samples/../../evil.json")
    found = document(log(*((name, SAMPLE) for name in evil)))
    assert not list(tmp_path.iterdir())
    out = io.BytesIO()
    found["samples"].append({**gate.load(SAMPLE), "id": "../../../up"})
    edges.EDGES[0].write(gate.dump(found), out)
    names = zipfile.ZipFile(out).namelist()
    assert not any(".." in name or name.startswith("/") for name in names)
    assert sum(name.startswith("samples/") for name in names) == 2


def test_faults_in_an_archive_have_no_line(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(log(("samples/1_epoch_1.json", b'{"id": 1}')))
    report = check_file(str(tmp_path / "x.eval"), Asked())
    assert [one.pointer for one in report.findings] == ["/samples/0"] * 3
    assert {(one.line, one.column) for one in report.findings} == {(None, None)}
    (tmp_path / "x.eval").write_bytes(log(("samples/1_epoch_1.json", SAMPLE[:-1] + b',"id": 2}')))
    (finding,) = check_file(str(tmp_path / "x.eval"), Asked()).findings
    assert "the member 'samples/1_epoch_1.json'" in finding.found


def test_a_pipe_may_hold_an_archive(tmp_path: Path) -> None:
    with files.opened(str(REAL)) as data:
        assert files.is_turned(data)
    assert check_file(str(REAL), Asked()).outcome == "valid"


@given(data=st.data())
def test_any_bytes_are_a_log_or_refused(data: st.DataObject) -> None:
    real = bytearray(log(("samples/1_epoch_1.json", SAMPLE)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(4, len(real) - 1))
        real[at] = data.draw(st.integers(0, 255))
    try:
        document(bytes(real))
    except EvalglotError as error:
        assert str(error)


def test_members_come_in_order() -> None:
    archive = Archive(log(("samples/2.json", SAMPLE), ("samples/1.json", SAMPLE)), "x.eval")
    assert archive.names == ("header.json", "samples/2.json", "samples/1.json")
