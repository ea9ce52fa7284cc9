"""A package that knows evalglot only from outside adds a format, and has all that ours have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from converter.formats import FORMATS
from evalglot import EvalglotError, convert
from registry.values import same
from tests.converter import samples
from tests.plugins.conftest import EXAMPLE, Run

QUIZLOG = EXAMPLE / "evalglot_quizlog/fixtures/quizlog/1/valid/typical.json"
TYPICAL = [path for path in samples.valid() if path.stem == "typical"]


def read(path: Path) -> object:
    return json.loads(bytes(samples.data(path)))


def test_every_law_holds_for_it(run: Run) -> None:
    done = run("pytest", "-q", "-p", "no:cacheprovider", EXAMPLE)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("id_", FORMATS)
def test_it_goes_to_every_other_format_and_comes_home(id_: str, run: Run, tmp_path: Path) -> None:
    there, back = tmp_path / "there.json", tmp_path / "back.json"
    done = run("evalglot", "convert", "--to", id_, QUIZLOG, "-o", there)
    assert done.returncode == 0, done.stderr
    assert "quizlog@1 → " in done.stderr
    done = run("evalglot", "convert", "--to", "quizlog", there, "-o", back)
    assert done.returncode == 0, done.stderr
    assert same(read(back), read(QUIZLOG))


def test_every_other_format_goes_to_it_and_comes_home(run: Run) -> None:
    """The round trip goes to every format, plug-ins' among them."""
    done = run("evalglot", "roundtrip", *TYPICAL)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("path", TYPICAL, ids=samples.name)
def test_a_file_of_another_format_goes_to_it_and_back(path: Path, run: Run, tmp_path: Path) -> None:
    there, back = tmp_path / "there.json", tmp_path / "back.json"
    done = run("evalglot", "convert", "--to", "quizlog", path, "-o", there)
    assert done.returncode == 0, done.stderr
    run("evalglot", "convert", "--to", samples.ref(path), there, "-o", back)
    assert same(read(back), samples.document(path))
    assert run("evalglot", "validate", "--strict", there).returncode == 0


def test_it_is_listed_validated_planned_compared_and_told(run: Run, tmp_path: Path) -> None:
    assert "\nquizlog " in run("evalglot", "convert", "--list").stdout
    assert run("evalglot", "validate", QUIZLOG).stderr == "1 file (1 valid)\n"
    assert (
        "questions/*"
        in run("evalglot", "convert", "--plan", "--from", "quizlog", "--to", "cbl").stdout
    )
    other = tmp_path / "other.json"
    run("evalglot", "convert", "--to", "promptfoo", QUIZLOG, "-o", other)
    done = run("evalglot", "diff", QUIZLOG, other)
    assert done.returncode == 0, done.stderr
    assert "A  quizlog@1" in done.stdout
    assert "quizlog@1" in run("evalglot", "registry", "list").stdout
    matrix = run("converter.generate", "--of", "quizlog").stdout
    assert "## quizlog@1 → cbl@4\n\nNative " in matrix
    assert "## cbl@4 → quizlog@1\n\nNative " in matrix
    assert "→ sandtable@1.1\n" in matrix
    assert "cbl@4 → sandtable" not in matrix
    assert "/questions/*/attempts/*/grade" in run("evalglot", "registry", "show", "quizlog").stdout


def test_a_file_that_went_through_it_is_clear_where_it_is_not_installed(
    run: Run, tmp_path: Path
) -> None:
    there = tmp_path / "there.json"
    run("evalglot", "convert", "--to", "cbl", QUIZLOG, "-o", there)
    with pytest.raises(EvalglotError, match="quizlog"):
        convert(read(there), "quizlog")
    with pytest.raises(EvalglotError, match=r"leads to quizlog@1, .* brought by a plug-in"):
        convert(read(there), "sandtable")
