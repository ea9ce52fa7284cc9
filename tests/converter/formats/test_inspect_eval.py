"""Inspect logs in their zip form come back member by member, wherever they have been."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from converter.cli import convert
from converter.formats import FORMATS
from diffruns.cli import diffruns
from evalglot.testing import documents as drawn
from registry import edges, evallog, gate
from registry.archives import Archive
from registry.catalog import Version
from registry.errors import EvalglotError
from registry.values import same
from tests.converter import samples

REAL = samples.FIXTURES / "inspect/2/valid/real-0.3.285.eval"
INSPECT = os.environ.get("INSPECT_PYTHON")
NEEDS = pytest.mark.skipif(not INSPECT, reason="$INSPECT_PYTHON names no Python with inspect_ai")
DOCUMENTS = [path for path in samples.valid() if samples.ref(path) == "inspect@2"]


def members(data: bytes) -> dict[str, Any]:
    archive = Archive(data, "x.eval")
    return {name: archive.value(name) for name in archive.names}


def written(document: Any) -> bytes:
    out = io.BytesIO()
    evallog.write(gate.dump(document), out)
    return out.getvalue()


def read(data: bytes) -> Any:
    return gate.load(edges.turned(data, "x.eval"), nonfinite="keep")


def run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(convert, [str(one) for one in arguments])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("id_", [id_ for id_ in FORMATS if id_ != "inspect"])
def test_every_member_comes_home(id_: str, tmp_path: Path) -> None:
    there, back = tmp_path / "there.json", tmp_path / "back.eval"
    run("--to", id_, REAL, "-o", there)
    run("--to", "inspect", there, "-o", back)
    home, before = members(back.read_bytes()), members(REAL.read_bytes())
    assert list(home) == list(before)
    assert same(home, before)


def test_the_document_is_the_log_that_inspect_writes_as_json() -> None:
    found, beside = read(REAL.read_bytes()), samples.document(REAL.with_suffix(".json"))
    assert [*found] == [*beside, "x-archive"]
    assert same(found["x-archive"], {"journal": {"_journal/summaries/1.json": 16}})
    assert all("x-archive" not in sample for sample in found["samples"])
    for key in ("results", "samples", "reductions", "stats"):
        assert same(found[key], beside[key])


@pytest.mark.parametrize("path", DOCUMENTS, ids=samples.name)
def test_a_document_comes_back_from_an_archive(path: Path) -> None:
    document = samples.document(path)
    if path.stem == "everything":  # says what no archive says, so that all fields are there
        document = {key: value for key, value in document.items() if key != "x-archive"}
    again = written(document)
    if path.stem != "everything":
        assert same(read(again), document)
    assert same(members(written(read(again))), members(again))
    assert written(document) == again


def _bare(document: Any) -> Any:
    """The document as if it had never been an archive."""
    document = {key: value for key, value in document.items() if key != "x-archive"}
    if isinstance(document.get("samples"), list):
        document["samples"] = [
            {key: value for key, value in sample.items() if key != "x-archive"}
            for sample in document["samples"]
        ]
    return document


@given(data=st.data())
def test_any_document_comes_back_from_an_archive(data: st.DataObject) -> None:
    document = _bare(data.draw(drawn.documents(Version("inspect", "2"))))
    assert same(read(written(document)), document)


@given(data=st.data())
def test_any_document_that_says_more_is_written(data: st.DataObject) -> None:
    document = data.draw(drawn.documents(Version("inspect", "2")))
    again = _bare(read(written(document)))
    assert same(again.get("samples"), _bare(document).get("samples"))


def spoilt(name: str, change: Any) -> bytes:
    """The real archive with one member changed, or without it."""
    out = io.BytesIO()
    found = members(REAL.read_bytes())
    found[name] = change(found.get(name))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for key, value in found.items():
            if value is not None:
                archive.writestr(key, gate.dump(value))
    return out.getvalue()


def gone(value: Any) -> Any:
    return None


ODD = {
    "no start": spoilt("_journal/start.json", gone),
    "another start": spoilt("_journal/start.json", lambda start: {**start, "plan": {"a": 1}}),
    "no summaries": spoilt("summaries.json", gone),
    "summaries of other samples": spoilt("summaries.json", lambda rows: rows[1:]),
    "a row that says more": spoilt(
        "summaries.json", lambda rows: [{**rows[0], "more": 1}, *rows[1:]]
    ),
    "summaries that are none": spoilt("summaries.json", lambda rows: {"a": rows[:1]}),
    "another journal": spoilt("_journal/summaries/1.json", lambda rows: rows[2:]),
    "no reductions": spoilt("reductions.json", gone),
    "not ended": spoilt("header.json", gone),
    "a retuned run": spoilt("_journal/config_updates/1.json", lambda _: {"max_samples": 3}),
    "samples in the header": spoilt("header.json", lambda head: {**head, "samples": None}),
    "a sample of another name": spoilt(
        "samples/odd.json", lambda _: {"id": "x", "epoch": 1, "input": "", "target": ""}
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_an_odd_archive_comes_back(case: str) -> None:
    before = members(ODD[case])
    assert same(members(written(read(ODD[case]))), before, key_order=False)


def test_samples_of_one_name_are_all_kept() -> None:
    document = json.loads((REAL.parent / "smallest.json").read_bytes())
    sample = {"epoch": 1, "input": "q", "target": "t"}
    ids = [1, "1", 1, "a/b", "a//b", "../c", "\ud83d", "C:d", ""]
    document["samples"] = [{"id": one, **sample} for one in ids]
    data = written(document)
    names = [name for name in Archive(data, "").names if name.startswith("samples/")]
    assert len(set(names)) == len(ids)
    assert names[:4] == [
        "samples/1_epoch_1.json",
        "samples/1_epoch_1_again_2.json",
        "samples/1_epoch_1_again_3.json",
        "samples/a/b_epoch_1.json",
    ]
    assert same(read(data), document)


def test_an_edited_sample_has_an_edited_row() -> None:
    document = read(ODD["a row that says more"])
    document["samples"][0]["error"] = {"message": "late", "traceback": "", "traceback_ansi": ""}
    row = members(written(document))["summaries.json"][0]
    assert row["error"] == "late"
    assert "more" not in row


def test_a_deleted_sample_leaves_no_row() -> None:
    document = read(REAL.read_bytes())
    del document["samples"][3]
    found = members(written(document))
    assert len(found["summaries.json"]) == 15
    assert "_journal/summaries/1.json" not in found


def test_only_inspect_has_archives(tmp_path: Path) -> None:
    arguments = ["--to", "cbl", str(REAL), "-o", str(tmp_path / "x.eval")]
    done = CliRunner().invoke(convert, arguments)
    assert done.exit_code == 2
    assert "cbl is never written as .eval" in done.output
    assert not list(tmp_path.iterdir())


def test_a_folder_of_archives_becomes_json(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in/a.eval").write_bytes(REAL.read_bytes())
    run("--to", "cbl", tmp_path / "in", "--out-dir", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.json"]
    run("--to", "inspect", tmp_path / "in", "--out-dir", tmp_path / "out", "--verify")
    assert (tmp_path / "out/a.eval").read_bytes()[:2] == b"PK"


def test_a_log_is_compared_with_its_archive(tmp_path: Path) -> None:
    run("--to", "inspect", REAL, "-o", tmp_path / "a.json")
    done = CliRunner().invoke(diffruns, [str(REAL), str(tmp_path / "a.json"), "--format", "json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["comparable"]["verdict"] == "comparable"
    assert told["a"]["sha256"] == hashlib.sha256(REAL.read_bytes()).hexdigest()


def inspect(*arguments: str | Path) -> str:
    """What does a program of Inspect's say?"""
    assert INSPECT is not None
    done = subprocess.run(
        [INSPECT, *map(str, arguments)], capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


READ = """
import sys
from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries
from inspect_ai.log import write_eval_log
for path in sys.argv[1:]:
    log = read_eval_log(path)
    rows = read_eval_log_sample_summaries(path)
    samples = {(str(one.id), one.epoch): one for one in reversed(log.samples)}
    assert len(rows) == len(samples)
    for sample in samples.values():
        assert read_eval_log_sample(path, sample.id, sample.epoch).input == sample.input
    write_eval_log(log, path + ".theirs.eval")
    write_eval_log(log, path + ".theirs.json")
"""


def _told(document: Any) -> list[Any]:
    """What is said of each sample? Events are kept in other words in an archive."""
    keys = ("input", "target", "messages", "scores", "error", "metadata", "uuid")
    last = {(str(one["id"]), one["epoch"]): one for one in document["samples"]}
    return [[last[key].get(name) for name in keys] for key in sorted(last)]


@NEEDS
def test_inspect_reads_our_archives_and_we_read_its(tmp_path: Path) -> None:
    sources = [path for path in samples.valid() if path.name in ("typical.json", REAL.name)]
    ours = [tmp_path / f"{number}.eval" for number in range(len(sources))]
    for source, out in zip(sources, ours, strict=True):
        run("--to", "inspect", source, "-o", out)
    inspect("-c", READ, *ours)
    for out in ours:
        theirs = Path(f"{out}.theirs.eval")
        back, beside = (
            read(theirs.read_bytes()),
            gate.load(Path(f"{out}.theirs.json").read_bytes(), nonfinite="keep"),
        )
        assert same(_told(back), _told(beside))
        assert same(members(written(back)), members(theirs.read_bytes()))


@NEEDS
def test_inspect_dumps_our_archives(tmp_path: Path) -> None:
    run("--to", "inspect", REAL, "-o", tmp_path / "ours.eval")
    script = "import sys; from inspect_ai._cli.main import main; sys.argv[0] = 'inspect'; main()"
    dumped = [
        json.loads(inspect("-c", script, "log", "dump", path))
        for path in (REAL, tmp_path / "ours.eval")
    ]
    for one in dumped:
        one.pop("location", None)
    assert same(dumped[0], dumped[1])


def test_a_damaged_archive_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(REAL.read_bytes()[:-1000])
    done = CliRunner().invoke(convert, ["--to", "cbl", str(tmp_path / "x.eval")])
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    with pytest.raises(EvalglotError):
        read(REAL.read_bytes()[:-1000])
