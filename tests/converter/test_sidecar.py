"""A carry in a file of its own brings a clean file home, as the same carry inside it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from converter import chain, cli, sidecar, source
from converter.formats import FORMATS
from converter.runs import with_sidecar
from converter.sidecar import Sidecar
from registry import gate
from registry.values import same
from tests.converter import samples

SMALL = [path for path in samples.valid() if path.stem in ("smallest", "typical", "array-snake")]


CBL = samples.FIXTURES / "cbl" / "4" / "valid" / "typical.json"
OTHER = samples.FIXTURES / "promptbeat" / "1" / "valid" / "typical.json"


def convert(*arguments: object) -> Result:
    return CliRunner().invoke(cli.convert, [str(one) for one in arguments])


@pytest.mark.parametrize("path", SMALL, ids=samples.name)
def test_a_clean_file_comes_home_with_its_sidecar(path: Path, tmp_path: Path) -> None:
    stage = samples.staged(path)
    out = str(tmp_path / "out.json")
    for id_ in FORMATS:
        if id_ == stage.format:
            continue
        flow = chain.flow(stage, id_)
        beside = Sidecar(id_, flow.version, records=True, lines=False)
        clean = gate.dump(beside.flow(flow).stage().document())
        Path(out + sidecar.SUFFIX).write_bytes(gate.dump(beside.document()))
        if clean == b"[]":
            continue  # of no format that could be told
        again = with_sidecar(source.read(clean, out, None, "keep"), out)
        assert again.ref == flow.ref
        home = chain.convert(again, stage.format, stage.version)
        assert same(home.document(), stage.document()), id_


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """A sandtable file that was cbl's, with its carry beside it."""
    out = tmp_path / "out.json"
    ended = convert("--carry", "sidecar", "--to", "sandtable", CBL, "-o", out)
    assert ended.exit_code == 0
    return out


@pytest.mark.parametrize("option", [(), ("--no-carry",)])
def test_no_carry_of_a_replaced_file_is_left_beside_the_new_one(
    clean: Path, option: tuple[str, ...]
) -> None:
    before = clean.read_bytes()
    ended = convert(*option, "--to", "sandtable", OTHER, "-o", clean)
    assert ended.exit_code == 2
    assert "a carry that would be taken for that of the new file" in ended.stderr
    assert clean.read_bytes() == before


HELD = {
    "a list": [],
    "nothing": {},
    "no run": {"evalglot": 1, "records": []},
    "a record that is a text": {"evalglot": 1, "run": None, "records": ["abc"]},
    "a case that is a list": {"evalglot": 1, "run": None, "records": [[[], 0, {}]]},
    "an envelope": {
        "evalglot": 1,
        "run": None,
        "envelope": {"results": {"results": []}},
        "records": [],
    },
    "an envelope that is a text": {"evalglot": 1, "run": None, "envelope": "a", "records": []},
    "other records": {"evalglot": 1, "run": None, "records": [["abc", 0, {"delta": {}}]]},
    "a later version": {"evalglot": 1, "run": {"evalglot": 9}, "records": []},
}


@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
@pytest.mark.parametrize("name", ["cbl/1", "promptbeat/1", "promptfoo/3", "inspect/2"])
def test_what_is_no_carry_of_a_file_is_refused(held: object, name: str, tmp_path: Path) -> None:
    path = samples.FIXTURES / name / "valid" / "smallest.json"
    file = tmp_path / "run.json"
    file.write_bytes(path.read_bytes())
    Path(f"{file}.carry.json").write_bytes(gate.dump(held))
    ended = convert("--to", "promptbeat-judgment", file)
    empty = not source.read(path.read_bytes(), "", None, "keep").parts.groups
    assert ended.exit_code == (0 if held == HELD["other records"] and empty else 2), ended.output
    assert ended.stdout or "run.json.carry.json" in ended.stderr or "version 9" in ended.stderr


@pytest.mark.parametrize("envelope", [{}, {"results": 5}, {"results": {"results": [], "stats": 1}}])
def test_an_envelope_beside_lines_is_checked(envelope: object, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    real = samples.FIXTURES / "promptfoo" / "3" / "valid" / "typical.json"
    assert convert("--to", "promptbeat", real, "-o", tmp_path / "a.json").exit_code == 0
    assert convert("--to", "promptfoo", tmp_path / "a.json", "-o", rows).exit_code == 0
    carry = Path(f"{rows}.carry.json")
    held = gate.load(carry.read_bytes()) if carry.exists() else {"run": None, "records": []}
    carry.write_bytes(gate.dump({"evalglot": 1, **held, "envelope": envelope}))
    ended = convert("--to", "sandtable", rows)
    assert ended.exit_code == 2
    assert "an envelope that is none of promptfoo@3" in ended.stderr


def test_two_carries_of_one_file_are_refused(clean: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    assert convert("--to", "sandtable", CBL, "-o", other).exit_code == 0
    clean.write_bytes(other.read_bytes())
    ended = convert("--to", "cbl", clean)
    assert ended.exit_code == 2
    assert "a carry beside a result that holds one itself" in ended.stderr
    assert convert("--ignore-carry", "--to", "cbl", clean).exit_code == 0
