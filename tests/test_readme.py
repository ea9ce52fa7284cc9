"""What the README shows is what happens."""

from __future__ import annotations

import itertools
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from registry.values import same

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(name: str) -> list[str]:
    """The lines of the README's block between `<!-- name -->` and `<!-- end -->`."""
    inner = README.split(f"<!-- {name} -->")[1].split("<!-- end -->")[0]
    return [line for line in inner.strip().splitlines() if not line.startswith("```")]


def convert(*arguments: str, folder: Path, module: str = "converter.cli") -> str:
    """What does the command print, output and account together?"""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def test_the_transcript_is_what_the_commands_print(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes((ROOT / "fixtures/cbl/4/valid/typical.json").read_bytes())
    shown = block("transcript")
    printed: list[str] = []
    for line in shown:
        if line.startswith("$ convert "):
            printed.append(line)
            printed += convert(*shlex.split(line)[2:], folder=tmp_path).splitlines()
    assert printed == shown


def test_two_models_are_compared_as_shown(tmp_path: Path) -> None:
    pair = ROOT / "tests" / "diffruns" / "behaviours" / "two-models-on-one-suite"
    shutil.copy(pair / "a.json", tmp_path / "large.json")
    shutil.copy(pair / "b.json", tmp_path / "small.json")
    command, *shown = block("diff")
    printed = convert(*shlex.split(command)[2:], folder=tmp_path, module="diffruns.cli")
    assert printed.splitlines() == shown


def test_what_validate_is_shown_to_print_is_what_it_prints(tmp_path: Path) -> None:
    run = json.loads((ROOT / "fixtures/cbl/4/valid/typical.json").read_text(encoding="utf-8"))
    run["results"][0]["latency_s"] = 1.5
    for result in run["results"][1:]:
        result["passed"] = "no"
    results = tmp_path / "results"
    results.mkdir()
    (results / "run.json").write_text(json.dumps(run, indent=2), encoding="utf-8")
    rehearsal = (ROOT / "fixtures/sandtable/1.1/valid/typical.json").read_bytes()
    (results / "rehearsal.json").write_bytes(rehearsal)
    command, *shown = block("check")
    printed = convert(*shlex.split(command)[2:], folder=tmp_path, module="evalglot")
    assert sorted(printed.splitlines()) == sorted(shown)


def test_what_a_recount_is_shown_to_find_is_what_it_finds(tmp_path: Path) -> None:
    run = json.loads((ROOT / "fixtures/cbl/4/valid/typical.json").read_text(encoding="utf-8"))
    run["total_passed"] += 2
    (tmp_path / "miscounted.json").write_text(json.dumps(run, indent=2), encoding="utf-8")
    command, *shown = block("recount")
    assert convert(*shlex.split(command)[2:], folder=tmp_path, module="evalglot").splitlines() == (
        shown
    )


def month_of_runs(folder: Path) -> None:
    """40 runs of two models, one a day; a case fails on one of them from some day on."""
    folder.mkdir()
    known = json.loads((ROOT / "fixtures/promptbeat/1/valid/typical.json").read_text("utf-8"))
    for model, number in itertools.product(("large", "small"), range(40)):
        case = dict(known["cases"][0], provider=model, latency_ms=800)
        case["passed"] = model == "large" or number < 24
        case["score"] = float(case["passed"])
        case["metadata"] = {**case["metadata"], "recordId": "refund-17"}
        started = f"2026-0{1 + number // 31}-{1 + number % 31:02}T06:00:00Z"
        run = known | {"eval_id": f"{model}-{number}", "started_at": started, "cases": [case]}
        (folder / f"{model}-{number}.json").write_text(json.dumps(run), encoding="utf-8")


def test_many_runs_are_collected_and_asked_as_shown(tmp_path: Path) -> None:
    month_of_runs(tmp_path / "runs")
    shown = block("trend")
    printed: list[str] = []
    for line in shown:
        if line.startswith("$ evalglot "):
            printed.append(line)
            words = shlex.split(line)[2:]
            printed += convert(*words, folder=tmp_path, module="evalglot").splitlines()
    assert printed == shown


def test_what_the_registry_is_shown_to_print_is_what_it_prints(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "versions", tmp_path / "versions")
    valid = Path("fixtures", "cbl", "4", "valid")
    (tmp_path / valid).mkdir(parents=True)
    for name in ("smallest.json", "typical.json"):
        shutil.copy(ROOT / valid / name, tmp_path / valid / name)
    run = json.loads((ROOT / "fixtures/cbl/4/valid/typical.json").read_text(encoding="utf-8"))
    (tmp_path / "run.json").write_text(json.dumps(run | {"suite": "nightly"}), encoding="utf-8")
    schema = json.loads((ROOT / "versions/cbl/4/schema.json").read_text(encoding="utf-8"))
    schema["properties"]["suite"] = {"type": "string"}
    schema["required"].append("suite")
    (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    shown = block("registry")
    printed: list[str] = []
    for line in shown:
        if line.startswith("$ evalglot "):
            printed.append(line)
            words = shlex.split(line)[2:]
            printed += convert(*words, folder=tmp_path, module="evalglot").splitlines()
    assert printed == shown


def test_the_four_lines_for_pre_commit_name_a_hook_that_exists() -> None:
    (repository,) = yaml.safe_load("\n".join(block("hook")))
    (hook,) = repository["hooks"]
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] in [one["id"] for one in manifest]


def test_the_first_command_goes_there_and_back(tmp_path: Path) -> None:
    (command,) = block("try")
    fixture = next(word for word in command.split() if word.startswith("fixtures/"))
    there, back = tmp_path / "sandtable.json", tmp_path / "cbl.json"
    convert(
        "--from", "cbl", "--to", "sandtable", str(ROOT / fixture), "-o", str(there), folder=ROOT
    )
    convert("--to", "cbl", str(there), "-o", str(back), folder=ROOT)
    assert same(json.loads(back.read_text()), json.loads((ROOT / fixture).read_text()))


@pytest.mark.parametrize("name", ["try", "tests"])
def test_each_of_the_two_commands_is_one_line(name: str) -> None:
    (command,) = block(name)
    assert command.startswith("python3 -m venv .venv && .venv/bin/pip install")
