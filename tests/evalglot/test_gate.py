"""May result files be merged? What `evalglot gate` says in a scratch repository."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

from tests.diffruns.documents import FAILED, promptfoo
from tests.scratch import Repository

ROOT = Path(__file__).parents[2]

GOOD = promptfoo([{"test": "kept"}, {"test": "other"}])
WORSE = promptfoo([{"test": "kept", **FAILED}, {"test": "other"}])


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    for name in ("run", "same", "gone"):
        made.write(GOOD, f"results/{name}.json")
    made.commit()
    return made


def gate(repository: Repository, options: str = "") -> tuple[int, str]:
    done = repository.done(f"evalglot gate --base main {options} results")
    return done.returncode, done.stdout + done.stderr


def test_what_did_not_change_may_be_merged(repository: Repository) -> None:
    code, told = gate(repository)
    assert code == 0
    assert told.splitlines() == [
        "unchanged: results/gone.json, results/run.json, results/same.json",
        "gate: 3 files (3 valid); 0 changed since main",
    ]


def test_a_case_that_got_worse_may_not(repository: Repository) -> None:
    repository.write(WORSE)
    code, told = gate(repository)
    assert code == 1
    assert "broke: passed before, fails now\n  kept  passed → failed" in told
    assert "git:main:results/run.json" in told


def test_what_is_no_gate_stops_nothing_where_there_are_gates(repository: Repository) -> None:
    repository.write(WORSE)
    repository.run("rm results/gone.json")
    assert gate(repository, "--fail-on regression")[0] == 0
    assert gate(repository, "--fail-on new-failure")[0] == 1
    assert gate(repository, "--max-drop 60pp")[0] == 0
    assert gate(repository, "--fail-on regression --fail-on missing")[0] == 1


def test_a_file_that_is_gone_is_a_finding(repository: Repository) -> None:
    repository.run("rm results/gone.json")
    code, told = gate(repository)
    assert code == 1
    assert "gone: results/gone.json\n" in told
    done = repository.done("evalglot gate --base main 'results/*.json' results/gone.json")
    assert (done.returncode, done.stderr) == (1, "")


def test_a_new_file_is_only_checked(repository: Repository) -> None:
    repository.write(WORSE, "results/new.json")
    code, told = gate(repository)
    assert code == 0
    assert "new: results/new.json\n" in told


def test_an_invalid_file_may_not_be_merged(repository: Repository) -> None:
    repository.write({"results": {"version": 3, "results": [{"success": "no"}]}})
    code, told = gate(repository, "--from promptfoo")
    assert code == 1
    assert "results/run.json:1:40: error: /results/results/0: found no 'testIdx'" in told


def test_a_file_that_was_broken_may_be_mended(repository: Repository) -> None:
    repository.run("echo '{' > results/run.json")
    repository.commit()
    repository.write(GOOD)
    code, told = gate(repository)
    assert code == 0
    assert "not compared, as the one before can't be read: git:main:results/run.json" in told


def test_other_runs_end_with_3_whatever_else_there_is(repository: Repository) -> None:
    repository.write(promptfoo([{"test": "of another suite"}]))
    repository.write(WORSE, "results/same.json")
    assert gate(repository)[0] == 3
    assert gate(repository, "no-such-file.json")[0] == 2


def test_a_base_that_git_does_not_know_is_told_with_what_to_do(repository: Repository) -> None:
    done = repository.done("evalglot gate --base origin/main results")
    assert done.returncode == 2
    assert "git knows no commit 'origin/main' here" in done.stderr
    assert "Did you mean main? In CI, fetch it first: git fetch --depth=1 origin" in done.stderr
    done = repository.done("evalglot gate --base mian results")
    assert "Did you mean main?" in done.stderr


def test_outside_of_a_repository_it_says_so(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.write(GOOD)
    repository.run("rm -r .git")
    done = repository.done("evalglot gate --base main results", GIT_CEILING_DIRECTORIES="/")
    assert done.returncode == 2
    assert "this is no git repository" in done.stderr


def test_without_a_base_files_are_only_checked(repository: Repository) -> None:
    done = repository.done("evalglot gate results/*.json")
    assert done.returncode == 0
    assert done.stdout == "gate: 3 files (3 valid); compared with nothing; --base REV compares\n"


def test_paths_are_seen_from_a_subfolder(repository: Repository) -> None:
    repository.write(WORSE)
    repository.run("rm results/gone.json")
    done = repository.done("cd results; evalglot gate --base main .")
    assert done.returncode == 1
    assert "git:main:run.json" in done.stdout
    assert "gone: gone.json" in done.stdout


def outputs(repository: Repository) -> dict[str, str]:
    """What all shapes say of a file that is worse, one that is invalid and one that is gone."""
    repository.write(WORSE)
    repository.write(WORSE | {"evalId": 7}, "results/same.json")
    repository.run("rm results/gone.json")
    wanted = " ".join(f"--output {kind}={kind}" for kind in ("markdown", "sarif", "junit"))
    code, told = gate(repository, f"{wanted} --format github")
    assert code == 1
    names = ("markdown", "sarif", "junit")
    return {"github": told} | {name: (repository.folder / name).read_text() for name in names}


def test_every_shape_tells_all_files(repository: Repository) -> None:
    told = outputs(repository)
    assert "::error file=results/same.json,line=1" in told["github"]
    assert "::error file=results/run.json,title=broke kept::" in told["github"]
    assert "::error title=evalglot gate::results/gone.json is gone" in told["github"]
    markdown = told["markdown"]
    assert markdown.startswith("## evalglot: stopped by findings\n\n2 files (1 invalid, 1 valid)")
    assert "- error in `results/same.json:1:" in markdown
    assert "- `results/gone.json`: gone" in markdown
    assert "| `kept` | passed → failed |" in markdown
    suites = ET.fromstring(told["junit"])
    names = [suite.get("name") for suite in suites]
    assert names == ["evalglot validate", "diffruns", "gates", "files"]
    assert suites.get("failures") == "3"


def test_findings_are_one_run_of_sarif_that_keeps_to_its_schema(repository: Repository) -> None:
    log = json.loads(outputs(repository)["sarif"])
    schema = ROOT / "tests/diffruns/renderers/schemas/sarif-2.1.0.json"
    jsonschema_rs.validator_for(json.loads(schema.read_bytes())).validate(log)
    (run,) = log["runs"]
    assert {"broke", "schema/type"} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} >= {"broke", "schema/type"}
    assert run["automationDetails"] == {"id": "evalglot/gate/"}


def test_a_comment_fits_however_much_there_is_to_tell(repository: Repository) -> None:
    names = [f"results/{'long' * 20}{number}.json" for number in range(60)]
    cases = [{"test": f"case {number} {'x' * 200}"} for number in range(30)]
    for name in names:
        repository.write(promptfoo(cases), name)
    repository.commit()
    for name in names:
        repository.write(promptfoo([{**case, **FAILED} for case in cases]), name)
    gate(repository, "--output markdown=pr.md")
    told = (repository.folder / "pr.md").read_text()
    assert 10_000 < len(told) < 65_000
    assert "B is worse than A" in told


def test_no_input_is_overwritten(repository: Repository) -> None:
    code, told = gate(repository, "-o results/run.json")
    assert code == 2
    assert "this is the input itself" in told
    assert json.loads((repository.folder / "results/run.json").read_text()) == GOOD
