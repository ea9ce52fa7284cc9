"""`evalglot new-format` begins a package that installs as it is, and holds to every law."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evalglot.newformat.command import new_format
from evalglot.newformat.scaffold import files
from tests.plugins.conftest import install, runner


def test_a_new_format_installs_and_keeps_every_law(tmp_path: Path) -> None:
    done = CliRunner().invoke(new_format, ["tally-sheet", "--folder", str(tmp_path)])
    assert done.exit_code == 0
    package, library = tmp_path / "evalglot-tally-sheet", tmp_path / "library"
    install(package, library)
    done_laws = runner(library, tmp_path)("pytest", "-q", "-p", "no:cacheprovider", package)
    assert done_laws.returncode == 0, done_laws.stdout
    assert " passed" in done_laws.stdout


def test_nothing_of_the_template_name_is_left() -> None:
    made = files("tally-sheet")
    assert not any("my-tool" in text.lower() or "my_tool" in text for text in made.values())
    assert "evalglot_tally_sheet/versions/tally-sheet/1/schema.json" in made


@pytest.mark.parametrize(
    ("name", "told"),
    [("My_Tool", "is no format's id"), ("cbl", "there is a format cbl"), ("x" * 50, "no format")],
)
def test_a_name_that_can_not_be_one_is_refused(name: str, told: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(new_format, [name, "--folder", str(tmp_path)])
    assert done.exit_code == 2
    assert told in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "evalglot-quiz").mkdir()
    done = CliRunner().invoke(new_format, ["quiz", "--folder", str(tmp_path)])
    assert done.exit_code == 2
    assert "it is there already" in done.stderr
