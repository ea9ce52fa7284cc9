"""The `diffruns` command: what goes in, what comes out, and with which exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.diffruns.documents import FAILED, promptfoo, sandtable


class Ended:
    """How a command ended: its code, and both of its streams as text."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out, self.err = done.stdout.decode(), done.stderr.decode()


def diffruns(*words: str | Path, stdin: bytes = b"", **environment: str) -> Ended:
    import os

    command = [sys.executable, "-m", "diffruns.cli", *map(str, words)]
    clean = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    return Ended(
        subprocess.run(
            command, input=stdin, capture_output=True, check=False, env={**clean, **environment}
        )
    )


def written(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A run, and another in which one case broke, one is fixed and one moved its score."""
    before = [{"test": "broken"}, {"test": "mended", **FAILED}, {"test": "moved", "score": 0.6}]
    after = [{"test": "broken", **FAILED}, {"test": "mended"}, {"test": "moved", "score": 0.9}]
    return (
        written(tmp_path / "a.json", promptfoo(before)),
        written(tmp_path / "b.json", promptfoo(after)),
    )


def test_a_case_that_broke_is_told_and_ends_with_1(two: tuple[Path, Path]) -> None:
    ended = diffruns(*two)
    assert ended.code == 1
    assert "broke: passed before, fails now\n  broken" in ended.out
    assert ended.err == ""
    assert max(map(len, ended.out.splitlines())) <= 80
    assert len(ended.out.splitlines()) <= 40


def test_a_run_does_not_differ_from_itself(two: tuple[Path, Path]) -> None:
    ended = diffruns(two[0], two[0])
    assert ended.code == 0
    assert "3 cases: 3 unchanged" in ended.out


def test_standard_input_is_an_input(two: tuple[Path, Path]) -> None:
    ended = diffruns("-", two[1], stdin=two[0].read_bytes())
    assert (ended.code, ended.err) == (1, "")


def test_only_one_input_can_be_standard_input() -> None:
    ended = diffruns("-", "-", stdin=b"{}")
    assert ended.code == 2
    assert "standard input" in ended.err


def test_several_reports_of_one_comparison(two: tuple[Path, Path], tmp_path: Path) -> None:
    told = tmp_path / "report.json"
    ended = diffruns(*two, "--output", f"json={told}")
    assert ended.code == 1
    assert "pass rate" in ended.out
    assert json.loads(told.read_text())["buckets"]["broke"] == 1


def test_only_some_buckets_are_listed(two: tuple[Path, Path]) -> None:
    out = diffruns(*two, "--only", "fixed").out
    assert "  mended" in out
    assert "  broken" not in out


def test_a_tolerated_score_and_an_ignored_field_do_not_count(two: tuple[Path, Path]) -> None:
    assert "score-moved" in diffruns(*two).out
    assert "score-moved" not in diffruns(*two, "--tolerance", "score=0.3").out
    assert "score-moved" not in diffruns(*two, "--ignore", "score").out


def test_one_case_in_full(tmp_path: Path) -> None:
    said = [{"response": {"output": f"The answer is {word}."}} for word in ("yes", "no")]
    a = written(tmp_path / "a.json", promptfoo([{"test": "t", **said[0]}]))
    b = written(tmp_path / "b.json", promptfoo([{"test": "t", **said[1], **FAILED}]))
    out = diffruns(a, b, "--case", "t").out
    assert "The answer is [-yes-]{+no+}." in out


def test_cases_can_be_renamed(tmp_path: Path) -> None:
    a = written(tmp_path / "a.json", sandtable({"old": "p"}))
    b = written(tmp_path / "b.json", sandtable({"new": "p"}))
    names = written(tmp_path / "names.json", {"old": "new"})
    assert diffruns(a, b).code == 3
    ended = diffruns(a, b, "--map", names)
    assert ended.code == 0
    assert "1 unchanged" in ended.out


def test_cases_without_a_stable_id_can_be_renamed_too(tmp_path: Path) -> None:
    same = {"vars": {"q": 1}, "testCase": {"vars": {"q": 1}}}
    rows = [{"test": "kept"}, {"test": "old", "testCase": {"description": "old", "vars": {}}}]
    a = written(tmp_path / "a.json", promptfoo(rows))
    new = {"test": "new", **FAILED, **same, "testCase": {"description": "new"}}
    b = written(tmp_path / "b.json", promptfoo([rows[0], new]))
    names = written(tmp_path / "names.json", {"old": "new"})
    told = json.loads(diffruns(a, b, "--map", names, "--format", "json").out)
    assert [(case["id"], case["rung"]) for case in told["cases"]][1:] == [("new", "map")]


@pytest.mark.parametrize("names", [{"brokn": "mended"}, {"broken": "mendd"}])
def test_a_name_that_no_case_has_is_told(
    two: tuple[Path, Path], tmp_path: Path, names: Any
) -> None:
    ended = diffruns(*two, "--map", written(tmp_path / "names.json", names))
    assert ended.code == 2
    assert "Did you mean" in ended.err


def test_ids_are_never_cut_but_for_a_terminal(tmp_path: Path) -> None:
    """Also those that can't be told apart by how they begin."""
    ids = [f"{'x' * 100}{n}" for n in range(3)]
    inputs = [{"test": None, "prompt": {"raw": "y" * 100 + str(n)}} for n in range(2)]
    bare = {"vars": {}, "testCase": {}}
    rows = [{"test": id_} for id_ in ids] + [{**row, **bare} for row in inputs]
    a = written(tmp_path / "a.json", promptfoo(rows))
    b = written(tmp_path / "b.json", promptfoo([rows[0], {**rows[1], **FAILED}, *rows[2:]]))
    ended = diffruns(a, b, "--critical", ids[1])
    assert ended.code == 1
    assert "x1 tripped: 1 of 1 critical cases got" in ended.out
    told = [case["id"] for case in json.loads(diffruns(a, b, "--format", "json").out)["cases"]]
    assert told[:3] == ids
    assert len(set(told)) == 5
    assert diffruns(a, b, "--case", ids[1]).out.startswith(f"{ids[1]}: broke")
    assert diffruns(a, b, "--case", told[4]).code == 1


def test_a_gate_names_its_cases_on_a_line_of_their_own_where_there_is_no_room(
    tmp_path: Path,
) -> None:
    rows = [{"test": f"{'x' * 60}{n}"} for n in range(6)]
    a = written(tmp_path / "a.json", promptfoo(rows))
    b = written(tmp_path / "b.json", promptfoo([{**row, **FAILED} for row in rows]))
    lines = diffruns(a, b, "--fail-on", "regression").out.splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("gate")]
    assert lines[place + 1].startswith("  xxx")
    assert lines[place + 1].endswith("more")


def test_a_key_of_ones_own_tells_cases(tmp_path: Path) -> None:
    a = written(tmp_path / "a.json", promptfoo([{"test": "one", "vars": {"q": 1}}]))
    b = written(tmp_path / "b.json", promptfoo([{"test": "two", "vars": {"q": 1}}]))
    assert diffruns(a, b, "--key", "case.variables/q").code in (0, 3)
    assert json.loads(diffruns(a, b, "--key", "case.name", "--format", "json").out)["rungs"] == {}


def test_colour_is_for_terminals_only(two: tuple[Path, Path]) -> None:
    assert "\x1b[" not in diffruns(*two).out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--by", "tagg"), "Did you mean tag?"),
        (("--only", "brok"), "Did you mean broke?"),
        (("--ignore", "scor"), "Did you mean score?"),
        (("--cluster", "grop"), "Did you mean group?"),
        (("--tolerance", "score=much"), "score=NUMBER"),
        (("--tolerance", "speed=1"), "one of score"),
        (("--max-drop", "two"), "2pp, 2% or 0.02"),
        (("--key", "case.idd"), "a fact such as case.id"),
        (("--pair", "a"), "TARGET_IN_A=TARGET_IN_B"),
        (("--output", "json"), "KIND=FILE"),
        (("--output", "yaml=x"), "KIND=FILE"),
        (("--from", "nope"), "nope"),
        (("--from", "cbl", "--from", "cbl", "--from", "cbl"), "once for both"),
        (("--case", "brokn"), "Did you mean broken?"),
        (("--map", "absent.json"), "absent.json"),
        (("--max-drop", "2"), "2pp, 2% or 0.02"),
        (("--max-drop", "200pp"), "2pp, 2% or 0.02"),
        (("--max-drop", "nan"), "2pp, 2% or 0.02"),
        (("--max-fail-share", "2"), "2pp, 2% or 0.02"),
        (("--max-fail-share", "nan"), "2pp, 2% or 0.02"),
        (("--alpha", "nan"), "between 0 and 1"),
        (("--alpha", "1"), "between 0 and 1"),
        (("--ignore", "verdict"), "one of score, checks, soft, output, input, prompt"),
        (("--case", "broken", "--format", "json"), "--case with --format"),
        (("--case", "broken", "--output", "sarif=x"), "--case with --output"),
        (("--case", "broken", "--by", "tag", "--only", "fixed"), "--case with --by, --only"),
        (("--critical", "brokn"), "Did you mean broken?"),
        (("--pair", "ech=echo"), "a target of A: echo"),
        (("--pair", "echo=ech"), "a target of B: echo"),
        (("--format", "yaml"), "yaml"),
        (("--fail-on", "bad-luck"), "bad-luck"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_do(
    two: tuple[Path, Path], words: tuple[str, ...], told: str
) -> None:
    ended = diffruns(*two, *words)
    assert ended.code == 2
    assert told in ended.err
    assert "Traceback" not in ended.err
    assert ended.out == ""


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty"),
        (b"{", "a.json"),
        (b"\xff\xfe\xfd", "a.json"),
        (b'{"a": NaN}', "--nonfinite"),
        (b'{"results": 3}', "a.json"),
        (b"[]", "--from"),
    ],
)
def test_a_file_that_can_not_be_read_ends_with_2_and_is_named(
    two: tuple[Path, Path], content: bytes, told: str
) -> None:
    two[0].write_bytes(content)
    ended = diffruns(*two)
    assert ended.code == 2
    assert told in ended.err
    assert ended.err.startswith("diffruns: ")
    assert "Traceback" not in ended.err


def test_a_report_is_written_whole_or_not_at_all(two: tuple[Path, Path], tmp_path: Path) -> None:
    ended = diffruns(*two, "-o", tmp_path / "absent" / "report.txt")
    assert ended.code == 2
    assert "absent" in ended.err


def test_an_input_is_never_written_over(two: tuple[Path, Path]) -> None:
    before = two[1].read_bytes()
    ended = diffruns(*two, "-o", two[1])
    assert ended.code == 2
    assert two[1].read_bytes() == before


def test_tools_of_two_makers_are_compared(tmp_path: Path) -> None:
    a = written(tmp_path / "a.json", sandtable({"x": "p", "y": "f"}))
    import evalglot

    b = written(tmp_path / "b.json", evalglot.convert(json.loads(a.read_text()), "promptbeat"))
    ended = diffruns(a, b)
    assert ended.code == 0
    assert "2 cases: 2 unchanged" in ended.out
    assert "promptbeat@1" in ended.out


HEAVY = ("jsonschema", "deepdiff", "rich", "scipy", "numpy", "hypothesis")


@pytest.mark.parametrize("words", [("--help",), ()])
def test_comparing_imports_nothing_heavy(two: tuple[Path, Path], words: tuple[str, ...]) -> None:
    """deepdiff is for a case in full only, jsonschema for explaining only."""
    program = (
        "import sys; from diffruns.cli import diffruns\n"
        f"try: diffruns({[*map(str, two), *words]!r})\n"
        "except SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stderr.strip() == "[]"


def test_two_processes_see_what_one_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large inputs are looked at by a process each, and counted by one: the report is the same."""
    from diffruns import command, compare
    from registry.errors import InvalidDocument

    rows = [{"test": f"t{n}", "score": n / 50} for n in range(50)]
    a = written(tmp_path / "a.json", promptfoo(rows))
    b = written(tmp_path / "b.json", promptfoo([{**row, "score": 0.5} for row in reversed(rows)]))
    told = []
    for large in (1 << 30, 0):
        monkeypatch.setattr(command, "LARGE", large)
        monkeypatch.setattr(compare, "MANY", large)
        out = tmp_path / f"{large}.json"
        command.run(str(a), str(b), command.Asked(kind="json", out=str(out)))
        told.append(out.read_bytes())
    assert told[0] == told[1]
    broken = promptfoo(rows)
    broken["results"]["results"][40]["success"] = "yes"
    written(b, broken)
    with pytest.raises(InvalidDocument) as caught:
        command.run(str(a), str(b), command.Asked())
    assert caught.value.file == str(b)
