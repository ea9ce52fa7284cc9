"""Whatever the shelves and the arguments are, commands end with a message, and write nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from registry.shelves import versions_root
from tests.registry.commands.conftest import Run, change, read
from tests.registry.samples import FIXTURES

Break = Callable[[Path], object]


def text(name: str, said: bytes | str) -> Break:
    return lambda root: (root / name).write_bytes(said.encode() if isinstance(said, str) else said)


def folder(name: str) -> Break:
    """A folder where a file should be."""

    def broken(root: Path) -> None:
        (root / name).unlink()
        (root / name).mkdir()

    return broken


def described(**changed: Any) -> Break:
    return lambda root: change(root / "cbl/format.json", **changed)


def versioned(version: str) -> Break:
    def broken(root: Path) -> None:
        path = root / "cbl/format.json"
        versions = read(path)["versions"]
        change(path, versions=[*versions, versions[-1] | {"version": version, "predecessor": "4"}])

    return broken


UNREADABLE: dict[str, Break] = {
    "format-not-json": text("cbl/format.json", "{"),
    "format-a-list": text("cbl/format.json", "[]"),
    "format-not-utf-8": text("cbl/format.json", b'{"id": "\xff"}'),
    "format-too-deep": text("cbl/format.json", '{"id":' + "[" * 20_000),
    "format-a-folder": folder("cbl/format.json"),
    "format-named-elsewhere": described(id="sandtable"),
    "format-up-and-away": described(id="../../away"),
    "format-without-versions": described(versions=[]),
    "format-with-unknown-key": described(surprise=1),
    "version-up-and-away": versioned("../../../away"),
    "version-of-dots": versioned(".."),
    "version-with-new-line": versioned("5\n"),
    "lock-not-json": text("lock.json", "{"),
    "lock-a-list": text("lock.json", "[]"),
    "lock-not-utf-8": text("lock.json", b'{"\xff": {}}'),
    "lock-a-folder": folder("lock.json"),
}

DAMAGED: dict[str, Break] = {
    "schema-not-json": text("cbl/4/schema.json", "{"),
    "schema-empty": text("cbl/4/schema.json", ""),
    "schema-not-utf-8": text("cbl/4/schema.json", b'{"\xff": 1}'),
    "schema-key-twice": text("cbl/4/schema.json", '{"a": 1, "a": 2}'),
    "schema-a-folder": folder("cbl/4/schema.json"),
    "schema-a-list": text("cbl/4/schema.json", "[]"),
    "schema-null": text("cbl/4/schema.json", "null"),
    "schema-true": text("cbl/4/schema.json", "true"),
    "schema-of-nonsense": text("cbl/4/schema.json", '{"properties": {"a": 7}, "type": 1}'),
    "schema-in-a-circle": text(
        "cbl/4/schema.json",
        '{"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/a"}}}',
    ),
    "schema-elsewhere": text("cbl/4/schema.json", '{"$ref": "http://127.0.0.1:9/x"}'),
    "schema-too-deep": text("cbl/4/schema.json", '{"items":' * 90 + "{}" + "}" * 90),
    "schema-gone": lambda root: (root / "cbl/4/schema.json").unlink(),
}

COMMANDS = ("list", "show", "check", "lint", "diff", "publish", "add")


def arguments(command: str, root: Path) -> list[str | Path]:
    draft = root.parent / "draft.json"
    return {
        "show": ["show", "cbl@4"],
        "diff": ["diff", "cbl@3", "cbl@4"],
        "publish": ["publish", root.parent / "site"],
        "add": ["add", draft, "--to", "cbl@5"],
    }.get(command, [command])


def files(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.parent.rglob("*") if path.is_file()}


def tried(run: Run, root: Path, command: str, broken: Break) -> Any:
    (root.parent / "draft.json").write_bytes((root / "cbl/4/schema.json").read_bytes())
    broken(root)
    before = files(root)
    done = run(*arguments(command, root), "--shelves", root, wide=True)
    assert "Traceback" not in done.output
    assert done.exit_code == 0 or done.stderr.strip()
    if done.exit_code:
        assert files(root) == before
        assert not (root.parent / "site").exists()
    return done


@pytest.mark.parametrize("command", [one for one in COMMANDS if one != "lint"])
@pytest.mark.parametrize("broken", UNREADABLE)
def test_shelves_that_can_not_be_read_end_with_2(
    run: Run, copy: Path, command: str, broken: str
) -> None:
    done = tried(run, copy, command, UNREADABLE[broken])
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(f"{command}: ")
    assert done.stderr.count("\n") == 1
    assert ("lock.json" if broken.startswith("lock") else "format.json") in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("broken", DAMAGED)
def test_damaged_schema_ends_with_a_message(
    run: Run, copy: Path, command: str, broken: str
) -> None:
    done = tried(run, copy, command, DAMAGED[broken])
    needless = command == "list" or (command, broken) == ("lint", "schema-gone")
    assert needless or done.exit_code in (1, 2), done.output


def test_words_of_the_shelves_act_on_no_terminal(run: Run, copy: Path) -> None:
    evil = "\x1b[2J\u202e"
    change(copy / "cbl/format.json", title=evil)
    evil += "\ud83d"
    path = copy / "cbl/4/schema.json"
    path.write_text(json.dumps(read(path) | {"title": evil, "description": evil}))
    for command in ("list", "show", "check", "lint", "diff", "publish"):
        done = run(*arguments(command, copy), "--shelves", copy, wide=True)
        assert done.exit_code in (0, 1)
        assert not {*"\x1b\u202e"} & {*done.output}


@pytest.mark.parametrize(
    "words",
    [
        ("list", "--shelves", "x" * 5000),
        ("show", "x" * 5000),
        ("show", "../../../etc/passwd"),
        ("diff", "x" * 5000, "cbl@4"),
        ("diff", ".", "cbl@4"),
        ("diff", "/", "cbl@4"),
        ("lint", "x" * 5000),
        ("lint", "."),
        ("check", "--base", ""),
        ("check", "--base", "x" * 5000),
        ("check", "--fixtures", "no-such-folder"),
        ("check", "--fixtures", "x" * 5000),
        ("infer", "x" * 5000),
        ("infer", "/dev/null"),
        ("publish", "x" * 5000),
        ("publish", "/dev/null"),
        ("add", "x" * 5000, "--to", "cbl@5"),
        ("add", ".", "--to", "cbl@5"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_odd_arguments_end_with_2(
    run: Run, copy: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(copy.parent)
    before = files(copy)
    done = run(*words, wide=True)
    assert done.exit_code == 2
    assert done.output.strip()
    assert files(copy) == before


@pytest.mark.parametrize(
    "words",
    [
        ("infer", "run.json", "-o", "run.json"),
        ("infer", "run.json", "-o", "link.json"),
        ("infer", "run.json", "-o", "new.json", "--report", "./run.json"),
        ("infer", "run.json", "-o", "new.json", "--report", "new.json"),
        ("diff", "schema.json", "cbl@4", "-o", "schema.json"),
        ("diff", "cbl@4", "schema.json", "-o", "schema.json"),
        ("lint", "schema.json", "-o", "schema.json"),
    ],
    ids=" ".join,
)
def test_input_is_never_overwritten(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    inputs = {
        "run.json": FIXTURES / "cbl/4/valid/typical.json",
        "schema.json": versions_root() / "cbl/4/schema.json",
    }
    for name, source in inputs.items():
        shutil.copy(source, tmp_path / name)
    (tmp_path / "link.json").symlink_to("run.json")
    done = run(*words)
    assert done.exit_code == 2
    assert "this is the input itself; expected another file" in done.stderr
    for name, source in inputs.items():
        assert (tmp_path / name).read_bytes() == source.read_bytes()


@pytest.mark.parametrize("words", [("infer", "run.json"), ("diff", "cbl@3", "cbl@4"), ("lint",)])
def test_report_is_written_whole_or_not_at_all(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def replace(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.chdir(tmp_path)
    shutil.copy(FIXTURES / "cbl/4/valid/typical.json", tmp_path / "run.json")
    (tmp_path / "out").write_text("mine")
    (tmp_path / "out").chmod(0o640)
    assert run(*words, "-o", "out").exit_code == 0
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o640
    held = files(tmp_path / "any")
    monkeypatch.setattr(Path, "replace", replace)
    done = run(*words, "-o", "out")
    assert done.exit_code == 2
    assert "out: can't be written (No space left on device)" in done.stderr
    assert files(tmp_path / "any") == held
    assert run(*words, "-o", "/dev/null").exit_code == 0


def test_source_of_a_version_writes_one_line(run: Run, copy: Path) -> None:
    shutil.copytree(FIXTURES / "cbl", copy.parent / "fixtures" / "cbl")
    (copy.parent / "draft.json").write_bytes((copy / "cbl/4/schema.json").read_bytes())
    source = "a\n\n## 9\n\x1b\ud83d"
    rule = '{"has": ["/never-there"]}'
    words = [*arguments("add", copy), "--source", source, "--detect", rule, "--shelves", copy]
    assert run(*words).exit_code == 0
    history = (copy / "cbl/CHANGELOG.md").read_text(encoding="utf-8")
    assert "\nSource: a ## 9 \\u001b\\ud83d\n" in history
