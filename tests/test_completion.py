"""What each shell offers, by the script that docs/terminal.md sets up."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scratch import Repository

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def scratch(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    return made


def offered(scratch: Repository, line: str, shell: str = "bash") -> list[str]:
    """What is offered for the last word of a line, as the shell is told of it?"""
    words = line.split(" ")
    program = words[0].upper()
    variables = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        "fish": {"COMP_WORDS": " ".join(words[:-1]), "COMP_CWORD": words[-1]},
    }
    asked = variables[shell] | {f"_{program}_COMPLETE": f"{shell}_complete"}
    told = scratch.done(words[0], **asked)
    assert told.stderr == ""
    if shell == "zsh":
        return told.stdout.splitlines()[1::3]
    separator = "," if shell == "bash" else "\t"
    return [item.split(separator)[1 if shell == "bash" else 0] for item in told.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("evalglot va", ["validate"]),
        ("evalglot registry s", ["show"]),
        ("evalglot convert --to sand", ["sandtable", "sandtable@1.0", "sandtable@1.1"]),
        ("convert --carry s", ["sidecar"]),
        ("diffruns --by ev", ["evidence_level"]),
        ("diffruns --only br", ["broke"]),
        ("diffruns --format h", ["html"]),
        ("diffruns --fail-on r", ["regression"]),
        ("evalglot validate --ignore cbl/t", ["cbl/threshold", "cbl/totals"]),
        ("evalglot gate --format m", ["markdown"]),
    ],
)
def test_words_are_completed(scratch: Repository, line: str, words: list[str]) -> None:
    assert sorted(offered(scratch, line)) == words


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_is_told_in_its_own_way(scratch: Repository, shell: str) -> None:
    assert offered(scratch, "evalglot va", shell)[0].split(",")[-1] in ("validate", "plain")


@pytest.mark.parametrize("line", ["evalglot validate r", "diffruns a.json r", "convert r"])
def test_files_are_left_to_the_shell(scratch: Repository, line: str) -> None:
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    told = scratch.done(words[0], **{f"_{words[0].upper()}_COMPLETE": "bash_complete"}, **asked)
    assert told.stdout == "file,r\n"


def test_bash_itself_completes(scratch: Repository) -> None:
    done = scratch.done(
        'eval "$(_EVALGLOT_COMPLETE=bash_source evalglot)"\n'
        "COMP_WORDS=(evalglot convert --to prom) COMP_CWORD=3\n"
        "_evalglot_completion evalglot prom --to\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert done.stderr == ""
    assert [word for word in done.stdout.split() if "@" not in word] == [
        "promptbeat",
        "promptbeat-judgment",
        "promptfoo",
    ]


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_in_the_shell_s_language(scratch: Repository, shell: str) -> None:
    done = scratch.done(f"_EVALGLOT_COMPLETE={shell}_source evalglot")
    assert done.returncode == 0
    assert "_EVALGLOT_COMPLETE=" in done.stdout
    if shutil.which(shell):
        read = subprocess.run([shell, "-n"], input=done.stdout, text=True, check=False)
        assert read.returncode == 0
