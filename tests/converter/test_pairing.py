"""An aggregate of Every Eval Ever and the rows beside it are one document, read and written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from converter.cli import convert
from converter.formats import FORMATS, find
from diffruns.cli import diffruns
from registry import files, gate
from registry.files import opened
from registry.values import same
from tests.converter import samples

EEE = "every-eval-ever"
REAL = samples.FIXTURES / EEE / "0.3/valid/real-0.3.0.json"
CAPITALS = samples.FIXTURES / EEE / "0.3/valid/typical.json"
PYTHON = os.environ.get("EVERY_EVAL_EVER_PYTHON")
NEEDS = pytest.mark.skipif(
    not PYTHON, reason="$EVERY_EVAL_EVER_PYTHON names no Python with every_eval_ever"
)
NAME = "01234567-89ab-4cde-8f01-23456789abcd"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(convert, [str(one) for one in arguments])


def done(*arguments: str | Path) -> None:
    result = run(*arguments)
    assert result.exit_code == 0, result.output


def document(file: Path) -> Any:
    with opened(str(file)) as data:
        return gate.load(data)


def test_the_rows_beside_an_aggregate_are_its_samples() -> None:
    rows = samples.document(REAL.with_name("real-0.3.0_samples.jsonl"))
    found = document(REAL)
    assert same(found["samples"], rows)
    assert same({**found, "samples": []}, {**gate.load(REAL.read_bytes()), "samples": []})


def test_an_aggregate_is_written_with_its_rows_beside(tmp_path: Path) -> None:
    done(
        "--to",
        EEE,
        "--no-carry",
        samples.FIXTURES / "cbl/4/valid/typical.json",
        "-o",
        tmp_path / "x.json",
    )
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.json", "x_samples.jsonl"]
    assert "samples" not in json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert len((tmp_path / "x_samples.jsonl").read_text("utf-8").splitlines()) == 8


@pytest.mark.parametrize("id_", [id_ for id_ in FORMATS if id_ != EEE])
def test_both_come_home_from_everywhere(id_: str, tmp_path: Path) -> None:
    there = tmp_path / ("there.xml" if id_ == "junit" else "there.json")
    done("--to", id_, "--verify", REAL, "-o", there)
    done("--to", EEE, there, "-o", tmp_path / "back.json")
    for end in (".json", "_samples.jsonl"):
        load = gate.load if end == ".json" else gate.load_lines
        before, after = (path.with_name(path.stem + end) for path in (REAL, tmp_path / "back.json"))
        assert same(load(after.read_bytes()), load(before.read_bytes()))


@pytest.mark.parametrize("id_", [id_ for id_ in FORMATS if id_ != EEE])
def test_others_come_home_from_both(id_: str, tmp_path: Path) -> None:
    (path,) = (samples.FIXTURES / id_ / find(id_).version / "valid").glob("typical.*")
    done("--to", EEE, "--verify", "--provenance", path, "-o", tmp_path / "there.json")
    back = tmp_path / f"back{path.suffix}"
    done("--to", id_, tmp_path / "there.json", "-o", back)
    with opened(str(back)) as home:
        assert same(gate.load(home, nonfinite="keep"), samples.document(path))
    assert CliRunner().invoke(diffruns, [str(path), str(tmp_path / "there.json")]).exit_code == 0


def test_a_line_that_is_no_json_is_told_by_its_own_file(tmp_path: Path) -> None:
    shutil.copy(REAL, tmp_path / "x.json")
    (tmp_path / "x_samples.jsonl").write_text('{}\n1], "evaluation_id": "other", "y": [1\n')
    result = run("--to", "cbl", tmp_path / "x.json")
    assert result.exit_code == 2
    assert "x_samples.jsonl:2:" in result.output


def test_no_file_is_read_that_the_aggregate_names(tmp_path: Path) -> None:
    told = gate.load(REAL.read_bytes())
    told = {**told, "detailed_evaluation_results": {"format": "jsonl", "file_path": "data/y.jsonl"}}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "y.jsonl").write_text("no JSON")
    (tmp_path / "x.json").write_text(json.dumps(told))
    assert "samples" not in document(tmp_path / "x.json")


@pytest.mark.parametrize("end", [".json", "_samples.jsonl"])
def test_neither_input_is_overwritten(end: str, tmp_path: Path) -> None:
    for one in (".json", "_samples.jsonl"):
        shutil.copy(REAL.with_name(REAL.stem + one), tmp_path / f"x{one}")
    before = (tmp_path / f"x{end}").read_bytes()
    result = run(
        "--to", EEE if end == ".json" else "cbl", tmp_path / "x.json", "-o", tmp_path / f"x{end}"
    )
    assert result.exit_code == 2
    assert (tmp_path / f"x{end}").read_bytes() == before


def test_a_folder_means_an_aggregate_and_its_rows_as_one_file(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    for file in (REAL, samples_of(REAL)):
        (tmp_path / "in" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "in" / "alone_samples.jsonl").write_bytes(samples_of(REAL).read_bytes())
    found = [Path(file).name for _, held in files.listed([str(tmp_path / "in")]) for file in held]
    assert found == ["alone_samples.jsonl", REAL.name]
    done(tmp_path / "in", "--to", "ctrf", "--out-dir", tmp_path / "out")
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [
        "alone_samples.json",
        REAL.name,
    ]


def test_rows_that_are_not_its_own_are_no_companions(tmp_path: Path) -> None:
    bare = tmp_path / "bare.json"
    bare.write_bytes(REAL.read_bytes())
    (tmp_path / "x_samples.jsonl").write_text("{}\n")
    done("--to", "promptfoo", bare, "-o", tmp_path / "there.json")
    result = run("--to", EEE, tmp_path / "there.json", "-o", tmp_path / "x.json")
    assert (result.exit_code, (tmp_path / "x.json").exists()) == (2, False)
    assert "would be taken for them" in result.output


def test_in_the_tools_own_store_the_aggregate_tells_of_its_rows(tmp_path: Path) -> None:
    out = stored(tmp_path)
    done("--to", EEE, samples.FIXTURES / "inspect/2/valid/nan-scores.json", "-o", out)
    told = json.loads(out.read_text("utf-8"))["detailed_evaluation_results"]
    assert told["file_path"] == f"data/set/acme/model/{NAME}_samples.jsonl"
    assert told["total_rows"] == len(samples_of(out).read_text("utf-8").splitlines())


def stored(folder: Path) -> Path:
    place = folder / "data/set/acme/model"
    place.mkdir(parents=True)
    return place / f"{NAME}.json"


def samples_of(file: Path) -> Path:
    return file.with_name(f"{file.stem}_samples.jsonl")


TOLD = [
    path
    for path in samples.valid()
    if not samples.ref(path).startswith(EEE) and path.stem != "smallest" and path.suffix != ".jsonl"
]


@NEEDS
@pytest.mark.parametrize("ref", dict.fromkeys(map(samples.ref, TOLD)))
def test_the_tools_own_validation_takes_what_is_written(ref: str, tmp_path: Path) -> None:
    assert PYTHON is not None
    files = []
    for number, path in enumerate(path for path in TOLD if samples.ref(path) == ref):
        out = stored(tmp_path / str(number))
        done("--to", EEE, "--from", ref, path, "-o", out)
        files += [one for one in (out, samples_of(out)) if one.exists() and one.stat().st_size]
    told = subprocess.run(
        [PYTHON, "-m", "every_eval_ever", "validate", "--format", "json", *files],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(told.stdout)
    errors = [error for one in found for error in one["errors"] if not is_excused(error)]
    assert errors == []
    assert len(found) == len(files)


def is_excused(error: Any) -> bool:
    """A run of several models is not parted, and the tool takes one model for each aggregate."""
    return "model_id values must match" in error["msg"]
