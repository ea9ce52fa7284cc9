"""A statement tells where a converted file comes from, and `verify` whether that still holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from converter.formats import FORMATS, find
from evalglot.cli import evalglot
from registry import engine, gate
from registry.shelves import versions_root
from registry.values import digest
from tests.converter import samples

CBL = samples.FIXTURES / "cbl/4/valid/typical.json"
SCHEMA = gate.load((versions_root() / "evalglot-provenance/1/schema.json").read_bytes())
WRITTEN = [path for path in samples.valid() if path.name in ("typical.json", "everything.json")]


def run(*arguments: str | Path):
    return CliRunner().invoke(evalglot, [str(one) for one in arguments])


def made(folder: Path, *options: str, source: Path = CBL, to: str = "sandtable") -> Path:
    out = folder / ("out.jsonl" if "lines" in options else "out.json")
    given = [one for one in options if one != "lines"]
    done = run("convert", "--provenance", "--to", to, *given, source, "-o", out)
    assert done.exit_code == 0, done.output
    return out


def statement(out: Path) -> Any:
    return json.loads(out.with_name(out.name + ".intoto").read_bytes())


@pytest.mark.parametrize("path", WRITTEN, ids=samples.name)
def test_every_conversion_can_be_verified(path: Path, tmp_path: Path) -> None:
    for target in FORMATS:
        options = ["--from", samples.ref(path), "--nonfinite", "keep"]
        out = made(tmp_path, *options, source=path, to=target)
        told = statement(out)
        assert engine.judge(SCHEMA)(told)
        assert told["subject"][0]["name"] == out.name
        for subject in told["subject"]:
            written = out.with_name(subject["name"])
            assert subject["digest"]["sha256"] == sha256(written.read_bytes()).hexdigest()
        (origin,) = told["predicate"]["buildDefinition"]["resolvedDependencies"]
        assert origin["digest"]["sha256"] == sha256(path.read_bytes()).hexdigest()
        assert origin["annotations"]["value"] == f"sha256:{digest(samples.document(path))}"
        carries = told["predicate"]["buildDefinition"]["externalParameters"]["carries"]
        assert carries == (find(target).ref != samples.ref(path))
        done = run("verify", out, "--source", path)
        assert (done.exit_code, done.stdout) == (0, ""), done.output


def test_the_schema_keeps_to_the_subset() -> None:
    path = versions_root() / "evalglot-provenance/1/schema.json"
    assert run("registry", "lint", path).exit_code == 0


def test_the_same_conversion_makes_the_same_statement(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = made(tmp_path), made(tmp_path / "other")
    assert statement(one) == statement(other)


@pytest.mark.parametrize("options", [["--carry", "sidecar"], ["lines"]], ids=["sidecar", "lines"])
def test_a_carry_beside_the_file_is_part_of_it(options: list[str], tmp_path: Path) -> None:
    out = made(tmp_path, *options, to="promptbeat-judgment")
    assert [one["name"] for one in statement(out)["subject"]] == [
        out.name, f"{out.name}.carry.json"
    ]  # fmt: skip
    assert run("verify", out).exit_code == 0
    beside = out.with_name(f"{out.name}.carry.json")
    beside.write_bytes(beside.read_bytes().replace(b"4711", b"4712"))
    done = run("verify", out)
    assert done.exit_code == 1
    assert "the carry beside it was changed" in done.stdout
    assert "what it carries home is not what it was made from" in done.stdout
    beside.unlink()
    assert run("verify", out).exit_code == 2


def test_a_clean_file_is_held_to_its_digest_alone(tmp_path: Path) -> None:
    out = made(tmp_path, "--no-carry")
    done = run("verify", out, "--source", CBL)
    assert (done.exit_code, "carries" in done.stderr) == (0, False)


def test_a_redacted_file_comes_home_as_the_masked_source(tmp_path: Path) -> None:
    source = tmp_path / "run.json"
    source.write_bytes(CBL.read_bytes().replace(b"That sounds", b"ghp_" + b"a1B2" * 9))
    out = made(tmp_path, "--redact", source=source)
    assert "ghp_" not in json.dumps(statement(out))
    done = run("verify", out, "--source", source)
    assert (done.exit_code, "with 1 secret masked" in done.stderr) == (0, True)


TAMPERED: dict[str, tuple[Callable[[bytes], bytes], list[str]]] = {
    "space": (lambda data: data + b" ", ["the file was changed"]),
    "native": (
        lambda data: data.replace(b"a helpline", b"a friend"),
        ["the file was changed", "what it carries home is not what it was made from"],
    ),
    "carry": (
        lambda data: data.replace(b"x-evalglot", b"x-elsewhere"),
        ["the file was changed", "carries no way home to cbl@4"],
    ),
    "broken": (lambda data: data[:-9], ["the file was changed", "can't be brought home"]),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_what_was_changed_is_told(name: str, tmp_path: Path) -> None:
    out = made(tmp_path)
    change, told = TAMPERED[name]
    out.write_bytes(change(out.read_bytes()))
    done = run("verify", out)
    assert done.exit_code == 1
    for line, said in zip(done.stdout.splitlines(), told, strict=True):
        assert said in line


def test_a_carry_that_was_changed_with_its_statement_is_told(tmp_path: Path) -> None:
    """Who writes the file's new digest into the statement has not written the source's."""
    out = made(tmp_path)
    out.write_bytes(out.read_bytes().replace(b"a helpline", b"a friend"))
    told = statement(out)
    told["subject"][0]["digest"]["sha256"] = sha256(out.read_bytes()).hexdigest()
    out.with_name("out.json.intoto").write_text(json.dumps(told), "utf-8")
    done = run("verify", out)
    assert (done.exit_code, done.stdout.count("\n")) == (1, 1)
    assert "what it carries home is not what it was made from (typical.json)" in done.stdout


def test_another_source_is_told(tmp_path: Path) -> None:
    out, other = made(tmp_path), tmp_path / "run.json"
    other.write_bytes(CBL.read_bytes() + b"\n")
    done = run("verify", out, "--source", other)
    assert (done.exit_code, f"the source {other} was changed" in done.stdout) == (1, True)


def wrong(told: Any, name: str) -> None:
    definition = told["predicate"]["buildDefinition"]
    if name == "type":
        told["_type"] = "https://in-toto.io/Statement/v0.1"
    elif name == "predicate":
        told["predicateType"] = "https://slsa.dev/provenance/v0.2"
    elif name == "build":
        definition["buildType"] = "https://example.org/build"
    elif name == "no subject":
        told["subject"] = []
    elif name == "two sources":
        definition["resolvedDependencies"] *= 2
    elif name == "digest":
        told["subject"][0]["digest"] = {"sha256": "0"}
    elif name == "version":
        definition["externalParameters"]["target"] = "cbl@99"


@pytest.mark.parametrize(
    "name", ["type", "predicate", "build", "no subject", "two sources", "digest", "missing", "cut"]
)
def test_what_is_no_statement_of_ours_is_refused(name: str, tmp_path: Path) -> None:
    out = made(tmp_path)
    beside = out.with_name("out.json.intoto")
    told = statement(out)
    wrong(told, name)
    beside.write_text(json.dumps(told)[: -5 if name == "cut" else None], "utf-8")
    if name == "missing":
        beside.unlink()
    done = run("verify", out)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"verify: {beside}")
    assert done.stderr.count("\n") == 1


def test_an_unknown_version_in_a_statement_is_a_finding(tmp_path: Path) -> None:
    out = made(tmp_path)
    told = statement(out)
    wrong(told, "version")
    out.with_name("out.json.intoto").write_text(json.dumps(told), "utf-8")
    done = run("verify", out)
    assert (done.exit_code, "can't be brought home" in done.stdout) == (1, True)


def test_a_statement_needs_a_name(tmp_path: Path) -> None:
    done = run("convert", "--provenance", "--to", "sandtable", CBL)
    assert (done.exit_code, "--provenance, and no name" in done.stderr) == (2, True)


def test_no_statement_overwrites_the_source(tmp_path: Path) -> None:
    source = tmp_path / "out.json.intoto"
    source.write_bytes(CBL.read_bytes())
    command = ["convert", "--provenance", "--to", "sandtable", source, "-o", tmp_path / "out.json"]
    assert run(*command).exit_code == 2
    assert source.read_bytes() == CBL.read_bytes()


def test_a_home_that_leads_elsewhere_is_not_claimed(tmp_path: Path) -> None:
    """A file that came from cbl is, in another version of cbl, no more what it was between."""
    between = made(tmp_path)
    out = tmp_path / "older.json"
    assert run("convert", "--provenance", "--to", "cbl@3", between, "-o", out).exit_code == 0
    asked = statement(out)["predicate"]["buildDefinition"]["externalParameters"]
    assert asked == {"source": "sandtable@1.1", "target": "cbl@3", "carries": False}
    assert run("verify", out, "--source", between).exit_code == 0
