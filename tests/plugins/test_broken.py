"""A plug-in that can't be used is told once, clearly, and everything else works."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.converter import samples
from tests.plugins.conftest import Run, runner

CBL = samples.FIXTURES / "cbl/4/valid/typical.json"
MODULE = "evalglot_quizlog/__init__.py"
SHELF = "evalglot_quizlog/versions/quizlog"


def emptied(file: str) -> Callable[[Path], None]:
    return lambda library: (library / file).write_text("", encoding="utf-8") and None


def gone(file: str) -> Callable[[Path], None]:
    return lambda library: (library / file).unlink()


def replaced(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(library: Path) -> None:
        text = (library / file).read_text(encoding="utf-8")
        assert old in text
        (library / file).write_text(text.replace(old, new), encoding="utf-8")

    return change


def renamed(library: Path) -> None:
    """The plug-in brings a format that is evalglot's own."""
    (points,) = library.glob("evalglot_quizlog-*/entry_points.txt")
    replaced(str(points.relative_to(library)), "quizlog = ", "cbl = ")(library)


def twice(library: Path) -> None:
    """Another package brings the same."""
    (info,) = library.glob("evalglot_quizlog-*")
    other = library / "evalglot_other-0.2.0.dist-info"
    shutil.copytree(info, other)
    replaced(f"{other.name}/METADATA", "Name: evalglot-quizlog", "Name: evalglot-other")(library)


SHELVES = {
    "no shelf": (gone(f"{SHELF}/format.json"), "it has no shelf"),
    "half a shelf": (emptied(f"{SHELF}/format.json"), "format.json"),
    "no schema": (gone(f"{SHELF}/1/schema.json"), "a version has no schema"),
    "no package": (shutil.rmtree, "no package evalglot_quizlog is installed"),
    "our id": (renamed, "evalglot itself bring it, too"),
    "one id twice": (twice, "bring it, too"),
}
MODULES = {
    "not Python": (replaced(MODULE, "FORMAT =", "FORMAT ="[:-1] + "= ="), "SyntaxError"),
    "an error": (replaced(MODULE, "FORMAT = ", "1 / 0\nFORMAT = "), "ZeroDivisionError"),
    "no FORMAT": (replaced(MODULE, "FORMAT = ", "FORM = "), "has no FORMAT"),
    "another version": (replaced(MODULE, 'version="1"', 'version="2"'), "reads quizlog@2"),
}


def broken(how: Callable[[Path], None], library: Path, tmp_path: Path) -> Run:
    copy = tmp_path / "library"
    shutil.copytree(library, copy)
    how(copy / "evalglot_quizlog" if how is shutil.rmtree else copy)
    return runner(copy, tmp_path)


@pytest.mark.parametrize("kind", SHELVES)
def test_a_broken_shelf_is_told_in_one_line_and_the_rest_works(
    kind: str, library: Path, tmp_path: Path
) -> None:
    how, told = SHELVES[kind]
    run = broken(how, library, tmp_path)
    done = run("evalglot", "convert", "--quiet", "--to", "sandtable", CBL, "-o", "there.json")
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == (2 if kind == "one id twice" else 1)
    assert all(line.startswith("warning: format ") and told in line for line in lines)
    assert "Mend or uninstall evalglot-" in lines[0]
    done = run("evalglot", "convert", "--to", "quizlog", CBL)
    assert done.returncode == 2
    assert "there is no format 'quizlog'" in done.stderr


@pytest.mark.parametrize("kind", MODULES)
def test_a_broken_module_is_told_when_it_is_asked_for_and_the_rest_works(
    kind: str, library: Path, tmp_path: Path
) -> None:
    how, told = MODULES[kind]
    run = broken(how, library, tmp_path)
    done = run("evalglot", "convert", "--quiet", "--to", "sandtable", CBL, "-o", "there.json")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("evalglot", "convert", "--to", "quizlog", CBL)
    assert done.returncode == 2
    assert done.stderr.startswith("convert: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    done = run("evalglot", "roundtrip", CBL)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: ")
    assert done.stderr.count("\n") == 1
    assert json.loads((tmp_path / "there.json").read_text())["version"] == 1
