"""What a file is called, which language is spoken and what time it is changes no result."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from diffruns import renderers
from registry import reports
from tests.faults.running import ROOT, RUN, beside, refused, run

NAMES = [
    b"latin-\xe9.json",
    b"new\nline.json",
    b"\x1b[31m.json",
    b"-dash.json",
    b"x" * 250 + b".json",
]
COMMANDS = {
    "convert": ["convert", "--to", "sandtable"],
    "diff": ["diff", RUN],
    "report": ["report"],
    "cases": ["cases"],
    "validate": ["validate"],
    "infer": ["registry", "infer"],
}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        *((command, NAMES[0]) for command in COMMANDS),
        *(("convert", name) for name in NAMES[1:]),
        ("validate", NAMES[2]),
    ],
)
def test_any_name_is_read_and_written(command: str, name: bytes, tmp_path: Path) -> None:
    source = os.path.join(os.fsencode(tmp_path), name)  # noqa: PTH118 - bytes
    Path(os.fsdecode(source)).write_bytes(RUN.read_bytes())
    out = os.path.join(os.fsencode(tmp_path), b"out-" + name[-200:])  # noqa: PTH118
    plain = run(*COMMANDS[command], RUN)
    told = run(*COMMANDS[command], source)
    assert told.returncode == plain.returncode in (0, 1)
    assert b"Traceback" not in told.stderr
    assert not {*b"\x1b\xe9"} & {*told.stderr}
    if command != "cases":
        done = run(*COMMANDS[command], source, "-o", out)
        assert done.returncode == plain.returncode
        assert Path(os.fsdecode(out)).stat().st_size == len(told.stdout)
        assert len(beside(tmp_path)) == 2


@pytest.mark.parametrize(
    "kind",
    [*(f"diff {one}" for one in renderers.KINDS), *(f"validate {one}" for one in reports.KINDS)],
)
def test_a_name_that_is_no_text_fits_every_report(kind: str, tmp_path: Path) -> None:
    source = os.path.join(os.fsencode(tmp_path), NAMES[0])  # noqa: PTH118 - bytes
    Path(os.fsdecode(source)).write_bytes(
        RUN.read_bytes().replace(b'"passed": true', b'"passed": 1')
    )
    command, shape = kind.split()
    given = [source, RUN] if command == "diff" else [source]
    options = ["--from", "cbl@4"] if command == "diff" else []
    done = run(command, *options, *given, "--format", shape)
    assert b"Traceback" not in done.stderr
    (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("name", ["x" * 300, "d/" * 3000, "\udcff" * 300, "a\0b"])
def test_a_name_that_no_file_has_is_told(name: str) -> None:
    from click.testing import CliRunner

    from evalglot.cli import evalglot

    for command in (*COMMANDS.values(), ["roundtrip"], ["diff", "cbl@4"]):
        done = CliRunner().invoke(evalglot, [*map(str, command), name])
        assert isinstance(done.exception, SystemExit), done.exception
        assert done.exit_code == 2
        assert done.stderr.strip()


def test_a_path_as_long_as_paths_may_be_is_read(tmp_path: Path) -> None:
    folder = tmp_path
    while len(str(folder)) < 3700:
        folder /= "d" * 200
    folder.mkdir(parents=True)
    (folder / "run.json").write_bytes(RUN.read_bytes())
    assert (
        run(
            "convert", "-q", "--to", "sandtable", folder / "run.json", "-o", folder / "o"
        ).returncode
        == 0
    )
    assert "File name too long" in refused(run("cases", folder / ("e" * 250) / ("f" * 250) / "x"))


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which every text has letters that locales treat in their own ways."""
    document = json.loads(RUN.read_bytes())
    for row in document["results"]:
        row["user_input"] = "I\u0131\u0130i titlE ß 😀 中"
        row["model_response"] = "\u0130stanbul, \u0131l\u0131k: 1,5 ≠ 1.5"
    path = tmp_path_factory.mktemp("spoken") / "run.json"
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    return path


def _locales(folder: Path, name: str) -> dict[str, str]:
    """A locale's environment; it is made here, since few systems have it."""
    made = subprocess.run(
        ["localedef", "-i", name, "-f", "ISO-8859-9", str(folder / name)],
        capture_output=True,
        check=False,
    )
    assert made.returncode in (0, 1), made.stderr
    return {"LOCPATH": str(folder), "LC_ALL": name, "PYTHONUTF8": "0"}


PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("language", "command"),
    [*(("C", command) for command in COMMANDS), ("tr_TR", "convert"), ("tr_TR", "report")],
)
def test_a_language_changes_no_result(
    language: str, command: str, spoken: Path, tmp_path: Path
) -> None:
    if language == "tr_TR" and not Path("/usr/share/i18n/locales/tr_TR").exists():
        pytest.skip("this system cannot make a Turkish locale: it has no /usr/share/i18n")
    env = PLAIN if language == "C" else _locales(tmp_path, language)
    asked = [spoken if one == RUN else one for one in COMMANDS[command]]
    usual = run(*asked, spoken)
    done = run(*asked, spoken, env=env)
    assert done.returncode == usual.returncode in (0, 1), done.stderr
    assert done.stdout == usual.stdout


@pytest.mark.parametrize("command", ["convert", "diff", "report"])
def test_no_clock_is_read(command: str, tmp_path: Path) -> None:
    """A clock far from now, in a zone far from here, gives the same bytes."""
    (tmp_path / "sitecustomize.py").write_text(
        "import time\ntime.time = lambda: -1e11\ntime.time_ns = lambda: -10**20\n", "utf-8"
    )
    ways = os.pathsep.join([str(tmp_path), str(ROOT)])
    usual = run(*COMMANDS[command], RUN)
    done = run(*COMMANDS[command], RUN, env={"PYTHONPATH": ways, "TZ": "Pacific/Kiritimati"})
    assert (done.returncode, done.stdout) == (usual.returncode, usual.stdout)
