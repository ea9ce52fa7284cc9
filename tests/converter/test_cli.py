"""The command as a user meets it: output, account, exit code, and nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from converter.formats import FORMATS
from registry import gate
from registry.values import same, whole
from tests.converter import samples

ROOT = Path(__file__).parents[2]
FIXTURE = samples.FIXTURES / "cbl/4/valid/typical.json"
OTHER = samples.FIXTURES / "promptbeat/1/valid/typical.json"
DOCUMENT = samples.document(FIXTURE)


def convert(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command, run to its end."""
    return subprocess.run(
        [sys.executable, "-m", "converter.cli", *map(str, arguments)],
        input=stdin,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )


def refused(done: subprocess.CompletedProcess[bytes], code: int) -> str:
    """The one message of a run that failed as it should."""
    message = done.stderr.decode()
    assert done.returncode == code, message
    assert message.startswith("convert: ")
    assert message.count("\n") == 1
    assert done.stdout == b""
    return message


def test_data_goes_to_standard_output_and_one_line_to_standard_error() -> None:
    there = convert("--to", "sandtable", stdin=FIXTURE.read_bytes())
    assert there.returncode == 0
    assert there.stderr.decode().startswith("cbl@4 → sandtable@1.1: 8 records; ")
    assert there.stderr.count(b"\n") == 1
    home = convert("--to", "cbl", "-", "--quiet", stdin=there.stdout)
    assert home.stderr == b""
    assert same(gate.load(home.stdout), DOCUMENT)


@pytest.mark.parametrize("option", ["--verify", "--carry=sidecar"])
def test_options_that_keep_everything_come_home(option: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert convert("--to", "promptbeat", FIXTURE, "-o", out, option).returncode == 0
    home = convert("--to", "cbl", out)
    assert same(gate.load(home.stdout), DOCUMENT)


def test_a_sidecar_keeps_the_file_itself_clean(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    convert("--to", "promptbeat", FIXTURE, "-o", out, "--carry=sidecar")
    assert b"x-evalglot" not in out.read_bytes()
    assert (tmp_path / "out.json.carry.json").is_file()


@pytest.mark.parametrize("carry", ["inline", "sidecar"])
def test_json_lines_are_read_and_written_with_the_runs_carry_beside(
    carry: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    done = convert("--to", "promptfoo", FIXTURE, "-o", out, "--carry", carry)
    assert b"its carry is in " in done.stderr
    assert len(out.read_bytes().splitlines()) == 8
    assert same(gate.load(convert("--to", "cbl", out).stdout), DOCUMENT)


def test_a_folder_is_converted_file_by_file(tmp_path: Path) -> None:
    done = convert("--to", "sandtable", FIXTURE.parent, "--out-dir", tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        path.name for path in FIXTURE.parent.iterdir()
    }


def test_what_javascript_wrote_again_comes_home(tmp_path: Path) -> None:
    there, again = tmp_path / "there.json", tmp_path / "again.json"
    for to in ("cbl", "promptfoo", "sandtable"):
        convert("--to", to, OTHER, "-o", there)
        again.write_bytes(gate.dump(whole(gate.load(there.read_bytes()))))
        done = convert("--to", "promptbeat", again)
        assert b"edited" not in done.stderr
        assert same(whole(gate.load(done.stdout)), whole(gate.load(OTHER.read_bytes())))


@pytest.mark.parametrize("to", ["cbl", "promptfoo"])
def test_a_way_home_through_two_formats_needs_no_check(to: str, tmp_path: Path) -> None:
    there, further = tmp_path / "there.json", tmp_path / "further.json"
    convert("--to", "sandtable", OTHER, "-o", there)
    convert("--to", to, there, "-o", further)
    done = convert("--to", "promptbeat", further, "--verify")
    assert same(gate.load(done.stdout), gate.load(OTHER.read_bytes())), done.stderr


def test_an_edit_that_does_not_come_home_is_told_and_refused_by_strict(tmp_path: Path) -> None:
    over, there = tmp_path / "over.json", tmp_path / "there.json"
    convert("--to", "cbl", OTHER, "-o", over)
    convert("--to", "promptfoo", over, "-o", there)
    document = gate.load(there.read_bytes())
    document["results"]["results"][2]["latencyMs"] = 5
    there.write_bytes(gate.dump(document))
    assert b"edits of latencyMs did not" in convert("--to", "promptbeat", there).stderr
    assert "latencyMs" in refused(convert("--strict", "--to", "promptbeat", there), 1)


def test_a_folder_is_searched_deep_and_kept_as_it_is(tmp_path: Path) -> None:
    rows = samples.FIXTURES / "promptfoo/3/valid/typical-rows.jsonl"
    held, out, home = tmp_path / "in", tmp_path / "out", tmp_path / "home"
    for name, file in (("a/run.json", FIXTURE), ("b/run.json", OTHER), ("rows.jsonl", rows)):
        (held / name).parent.mkdir(parents=True, exist_ok=True)
        (held / name).write_bytes(file.read_bytes())
    out.mkdir()
    home.mkdir()
    done = convert("--to", "sandtable", held, "--out-dir", out)
    assert done.returncode == 0, done.stderr
    made = sorted(str(path.relative_to(out)) for path in out.rglob("*.*"))
    assert made == ["a/run.json", "b/run.json", "rows.json"]
    assert convert("--to", "promptfoo", out / "rows.json", "-o", home / "rows.json").returncode == 0


def test_a_folder_without_results_is_told(tmp_path: Path) -> None:
    message = refused(convert("--to", "sandtable", tmp_path, "--out-dir", tmp_path), 2)
    assert "holds no .json" in message


def test_a_clean_file_says_what_was_dropped(tmp_path: Path) -> None:
    out, report = tmp_path / "out.json", tmp_path / "report.json"
    done = convert("--to", "sandtable", FIXTURE, "-o", out, "--no-carry", "--report", report)
    assert b"dropped" in done.stderr
    assert b"x-evalglot" not in out.read_bytes()
    assert json.loads(report.read_bytes())["leaves"]["dropped"] > 0


def test_strict_refuses_a_loss_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    message = refused(convert("--to", "sandtable", FIXTURE, "-o", out, "--strict"), 1)
    assert "test_result_id" in message
    assert list(tmp_path.iterdir()) == []


def test_plan_and_list_need_no_input() -> None:
    assert b"safe_response_score" in convert("--plan", "--from", "cbl", "--to", "promptbeat").stdout
    assert convert("--list").stdout.count(b"\n") == len(FORMATS)


NAN = FIXTURE.read_bytes().replace(b"0.92", b"NaN", 1)


def test_bare_nan_is_refused_kept_or_made_null() -> None:
    message = refused(convert("--to", "sandtable", stdin=NAN), 2)
    assert "--nonfinite" in message
    assert "/results/0/safe_response_score" in message
    kept = convert("--to", "promptbeat", "--nonfinite", "keep", "--from", "cbl", stdin=NAN)
    assert b"NaN" in convert("--to", "cbl", stdin=kept.stdout).stdout, kept.stderr


BAD: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", 2, "an empty file"),
    "cut off": (FIXTURE.read_bytes()[:200], 2, "end of the file"),
    "a key twice": (
        FIXTURE.read_bytes().replace(b"{", b'{"evaluation_id": 1, ', 1),
        2,
        "second time",
    ),
    "trailing data": (FIXTURE.read_bytes() + b"]", 2, ""),
    "Latin-1": ('{"a": "é"}'.encode("latin-1"), 2, "UTF-8"),
    "a number no double holds": (b'{"evaluation_id": 1e400}', 2, "1e400"),
    "a nesting bomb": (b"[" * 100_000, 2, "100 nested"),
    "no known format": (b'{"hello": 1}', 2, "no registered format fits"),
    "an empty array": (b"[]", 2, "--from"),
    "empty results": (b'{"results": []}', 2, "--from"),
    "a newer version": (b'{"results": {"version": 4, "results": []}}', 2, "newer"),
    "against its schema": (
        FIXTURE.read_bytes().replace(b"true", b'"yes"', 1),
        1,
        "/results/0/passed",
    ),
}


@pytest.mark.parametrize(("data", "code", "told"), BAD.values(), ids=BAD.keys())
def test_bad_input_gets_one_clear_message(data: bytes, code: int, told: str) -> None:
    assert told in refused(convert("--to", "sandtable", stdin=data), code)


WRONG: dict[str, tuple[list[Any], str]] = {
    "no target": ([FIXTURE], "no --to"),
    "misspelt": (["--to", "sandtabel", FIXTURE], "Did you mean sandtable?"),
    "newer": (["--to", "cbl@9", FIXTURE], "newest"),
    "no such input": (["--to", "cbl", "nix.json"], "No such file"),
    "two inputs": (["--to", "cbl", FIXTURE, OTHER], "--out-dir"),
    "lines": (["--to", "sandtable", FIXTURE, "-o", "out.jsonl"], "never written as JSON Lines"),
    "a carry or none": (
        ["--to", "sandtable", FIXTURE, "--no-carry", "--carry", "sidecar"],
        "one of them",
    ),
    "an older version in lines": (
        ["--to", "promptfoo@2", FIXTURE, "-o", "out.jsonl"],
        "never written as JSON Lines",
    ),
    "no such folder": (["--to", "sandtable", FIXTURE, "-o", "/nix/out.json"], "can't be written"),
    "no such out-dir": (["--to", "sandtable", FIXTURE, "--out-dir", "/nix"], "mkdir"),
    "sidecar of nothing": (["--to", "sandtable", FIXTURE, "--carry", "sidecar"], "-o FILE"),
    "half a plan": (["--plan", "--to", "cbl"], "--from"),
    "full": (["--to", "sandtable", FIXTURE, "-o", "/dev/full"], "No space left"),
}


@pytest.mark.parametrize(("arguments", "told"), WRONG.values(), ids=WRONG.keys())
def test_wrong_usage_gets_one_clear_message(arguments: list[Any], told: str) -> None:
    assert told in refused(convert(*arguments), 2)


def test_the_input_is_never_overwritten_not_even_through_a_link(tmp_path: Path) -> None:
    held, link = tmp_path / "run.json", tmp_path / "link.json"
    held.write_bytes(FIXTURE.read_bytes())
    link.symlink_to(held)
    for out in (held, link):
        assert "input itself" in refused(convert("--to", "sandtable", held, "-o", out), 2)
    assert held.read_bytes() == FIXTURE.read_bytes()


def test_inputs_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    message = refused(convert("--to", "sandtable", FIXTURE, OTHER, "--out-dir", tmp_path), 2)
    assert "would both become" in message


def test_a_failed_run_leaves_an_earlier_output_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_text("old")
    refused(convert("--to", "sandtable", "-o", out, stdin=b"{"), 2)
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_an_output_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    out, link = tmp_path / "out.json", tmp_path / "link.json"
    out.write_text("old")
    out.chmod(0o640)
    link.symlink_to(out)
    assert convert("--to", "sandtable", FIXTURE, "-o", link).returncode == 0
    assert link.is_symlink()
    assert out.stat().st_mode & 0o777 == 0o640
    assert out.read_text().startswith('{"version":1')


def test_a_damaged_carry_is_refused_and_may_be_ignored() -> None:
    there = gate.load(convert("--to", "sandtable", stdin=FIXTURE.read_bytes()).stdout)
    there["tasks"][0]["trials"][0]["x-evalglot"]["delta"] = {"in": 1}
    data = gate.dump(there)
    assert "carry is damaged" in refused(convert("--to", "cbl", stdin=data), 2)
    assert convert("--to", "cbl", "--ignore-carry", stdin=data).returncode == 0


@pytest.mark.parametrize(
    "damage", [{"lost": [{"at": -4, "record": {}}]}, {"lost": [{"at": 0, "record": 3}]}]
)
def test_a_carry_of_records_that_are_none_is_damaged(damage: dict[str, object]) -> None:
    there = gate.load(convert("--to", "sandtable", stdin=FIXTURE.read_bytes()).stdout)
    there["x-evalglot"] |= damage
    assert "carry is damaged" in refused(convert("--to", "cbl", stdin=gate.dump(there)), 2)


HEAVY = ("jsonschema", "fastjsonschema", "jsonschema_rs", "deepdiff", "rich", "hypothesis", "scipy")


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['convert', '--help']\n"
        "from converter.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert done.stderr.strip() == "[]"


def test_the_account_names_fields_of_the_source_alone(tmp_path: Path) -> None:
    source = samples.FIXTURES / "cbl/3/valid/typical.json"
    told = convert("--to", "promptbeat", source, "-o", tmp_path / "out.json").stderr.decode()
    assert "conversation_id" in told
    assert "evaluation_id" not in told
    assert "test_result_id" not in told
    refused(convert("--to", "promptbeat", source, "--strict"), 1)
