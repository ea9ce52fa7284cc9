"""The hooks, as the real pre-commit installs and runs them: bad result files can't be committed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from filelock import FileLock

from registry import generate, lock

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
CBL = (FIXTURES / "cbl/4/valid/typical.json").read_text(encoding="utf-8")
LINES = (FIXTURES / "promptbeat-judgment/1/valid").glob("*.jsonl")
KEPT = {
    name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTEST"))
}
WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "a"), ("EMAIL", "a@example.org"))
}

UNRELATED = {
    "package.json": '{"name": "x", "version": "1.0.0", "scripts": {"test": "jest"}}',
    "tsconfig.json": '{\n  // settings\n  "compilerOptions": {"strict": true},\n}',
    "places.json": '{"type": "FeatureCollection", "features": []}',
    "list.json": "[1, 2, 3]",
    "empty.json": "{}",
    "answer.json": '{"results": [{"status": "ok", "name": "x"}]}',
    "hook.json": '{"id": "1", "type": "charge", "data": {"object": {}}}',
    "events.jsonl": '{"event": "a"}\n{"event": "b"}\n',
    "notes.md": "# results",
}


def changed(**fields: object) -> str:
    return json.dumps(json.loads(CBL) | fields)


def with_row(**fields: object) -> str:
    run = json.loads(CBL)
    run["results"][1] |= fields
    return json.dumps(run, indent=1)


@dataclass(frozen=True)
class Hooked:
    """The repository that offers the hooks, and where pre-commit keeps what it installs."""

    source: Path
    rev: str
    env: dict[str, str]


def run(*command: str | Path, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=cwd, env=env, check=False, capture_output=True, encoding="utf-8"
    )


def git(*arguments: str, cwd: Path, env: dict[str, str]) -> str:
    done = run("git", *arguments, cwd=cwd, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def committed(folder: Path, env: dict[str, str]) -> str:
    """Make a folder a repository of one commit."""
    git("init", "--quiet", "--initial-branch", "main", cwd=folder, env=env)
    git("add", "--all", cwd=folder, env=env)
    git("commit", "--quiet", "--message", "all", cwd=folder, env=env)
    return git("rev-parse", "HEAD", cwd=folder, env=env)


@pytest.fixture(scope="session")
def hooked(tmp_path_factory) -> Hooked:
    """One repository and one installed environment for all tests, in whichever process."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    source, home = shared / "evalglot", shared / "home"
    env = {**KEPT, **WHO, "GIT_CONFIG_GLOBAL": os.devnull, "PRE_COMMIT_HOME": str(home)}
    with FileLock(shared / "hooks.lock"):
        if not (source / ".git").exists():
            _copy(source)
            committed(source, env)
    return Hooked(source, git("rev-parse", "HEAD", cwd=source, env=env), env)


def _copy(folder: Path) -> None:
    """What an installation needs of this repository, as it stands here."""
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = described["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    folder.mkdir()
    for name in (*packages, "versions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, folder / name)


@pytest.fixture
def team(hooked, tmp_path):
    """Somebody's repository, with the hooks installed: which function commits files to it?"""

    def commit(
        files: dict[str, str],
        *,
        args: str | None = None,
        hook: str = "evalglot-validate",
        below: str = "",
    ) -> subprocess.CompletedProcess[str]:
        (tmp_path / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {hooked.source.as_posix()}\n  rev: {hooked.rev}\n"
            f"  hooks:\n  - id: {hook}\n" + (f"    args: {args}\n" if args else "")
        )
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        git("init", "--quiet", cwd=tmp_path, env=hooked.env)
        pre_commit = [sys.executable, "-m", "pre_commit"]
        assert run(*pre_commit, "install", cwd=tmp_path, env=hooked.env).returncode == 0
        git("add", "--all", cwd=tmp_path, env=hooked.env)
        return run("git", "commit", "-m", "results", cwd=tmp_path / below, env=hooked.env)

    return commit


def test_hooks_can_be_tried_without_being_installed(hooked, tmp_path):
    (tmp_path / "run.json").write_text(CBL, encoding="utf-8")
    committed(tmp_path, hooked.env)
    done = run(
        *(sys.executable, "-m", "pre_commit", "try-repo", hooked.source, "evalglot-validate"),
        "--all-files",
        cwd=tmp_path,
        env=hooked.env,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout


def test_good_results_can_be_committed_beside_what_is_none(team):
    rows = next(LINES).read_text(encoding="utf-8")
    done = team({"a/run.json": CBL, "b/rows.jsonl": rows, **UNRELATED}, args="[--strict]")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stderr


@pytest.mark.parametrize(
    ("text", "args", "told"),
    [
        pytest.param(CBL[:-100], None, "[json]", id="broken"),
        pytest.param(
            CBL.replace("{", '{"total_passed": 1,', 1), None, "a second time", id="a-key-twice"
        ),
        pytest.param(
            with_row(passed="no"),
            None,
            "bad.json:23:14: error: /results/1/passed: found 'no', expected boolean",
            id="against-its-schema",
        ),
        pytest.param(with_row(later=1), None, "[unknown-field]", id="drifted"),
        pytest.param(changed(later=1), None, "[unknown-field]", id="drifted-as-a-whole"),
        pytest.param("// note\n" + CBL, None, "JSON has no comments", id="with-a-comment"),
        pytest.param(CBL.replace("evaluation_id", "run_id"), None, "much like cbl@4", id="renamed"),
    ],
)
def test_bad_results_are_refused(team, text, args, told):
    done = team({"results/bad.json": text, "results/good.json": CBL, **UNRELATED}, args=args)
    assert done.returncode == 1
    assert told in done.stderr
    assert "results/bad.json" in done.stderr
    assert "good.json" not in done.stderr


def test_fields_that_are_unknown_may_be_committed_where_they_are_accepted(team):
    assert team({"run.json": with_row(later=1)}, args="[--]").returncode == 0


def test_names_that_look_like_options_are_names(team):
    done = team({"-orun.json": with_row(passed="no"), "--strict.json": CBL, "run.json": CBL})
    assert done.returncode == 1
    assert "-orun.json:23:14" in done.stderr


def test_released_schema_that_vanished_with_its_entry_is_refused(team, hooked, tmp_path):
    root = tmp_path / "versions"
    shutil.copytree(hooked.source / "versions", root)
    _lock(root, lambda held: lock.release(held, "2026-12-01"))
    committed(tmp_path, hooked.env)
    assert team({"x.txt": ""}, hook="evalglot-registry-check").returncode == 0
    shutil.rmtree(root / "ctrf")
    _lock(root, lambda held: {ref: one for ref, one in held.items() if ref != "ctrf@0"})
    done = team({}, hook="evalglot-registry-check")
    assert done.returncode == 1
    assert "[lock/entry-vanished]" in done.stderr


def test_shelves_that_vanished_are_refused(team, hooked, tmp_path):
    shutil.copytree(hooked.source / "versions", tmp_path / "versions")
    committed(tmp_path, hooked.env)
    (tmp_path / "versions").rename(tmp_path / "schemas")
    done = team({}, hook="evalglot-registry-check")
    assert done.returncode == 1
    assert "no shelves" in done.stderr


def _lock(root: Path, changed) -> None:
    """Change a lock, and generate what follows from it."""
    held = lock.parse((root / lock.NAME).read_bytes(), file=lock.NAME)
    (root / lock.NAME).write_bytes(msgspec.json.encode(changed(held)))
    generate.write(generate.outputs(root), root)


def test_commit_from_a_subfolder_is_checked(team):
    done = team({"a/b/run.json": with_row(passed="no"), "c/x.txt": ""}, below="a/b")
    assert done.returncode == 1
    assert "a/b/run.json:23:14" in done.stderr


def test_many_files_are_checked_side_by_side(team):
    files = {f"results/{number}.json": CBL for number in range(60)}
    done = team(files | {"results/bad.json": with_row(passed="no")})
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if "error:" in line] == [
        "results/bad.json:23:14: error: /results/1/passed: found 'no', expected boolean "
        "[schema/type]"
    ]


def test_results_that_come_back_from_every_format_can_be_committed(team):
    done = team({"run.json": CBL, **UNRELATED}, hook="evalglot-convert-roundtrip")
    assert done.returncode == 0, done.stdout + done.stderr


def test_results_that_can_not_be_converted_are_refused(team):
    done = team({"run.json": with_row(passed="no")}, hook="evalglot-convert-roundtrip")
    assert done.returncode == 1
    assert "/results/1/passed" in done.stderr
