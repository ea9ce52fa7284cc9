"""The steps of action.yml, run as GitHub runs them, on a scratch repository and a local API."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

from tests.diffruns.documents import FAILED, promptfoo
from tests.scratch import ROOT, Repository, shared

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")

GOOD = promptfoo([{"test": "kept"}, {"test": "other"}])
WORSE = promptfoo([{"test": "kept", **FAILED}, {"test": "other"}])


class Comments(BaseHTTPRequestHandler):
    """The part of GitHub's API that keeps the comments of pull requests, in memory."""

    kept: dict[int, str]

    def do_GET(self) -> None:
        query = dict(re.findall(r"(\w+)=(\d+)", self.path))
        size, page = int(query["per_page"]), int(query["page"])
        held = [{"id": number, "body": body} for number, body in self.kept.items()]
        self._say(held[size * (page - 1) : size * page])

    def do_POST(self) -> None:
        assert self.path == "/repos/we/suite/issues/7/comments"
        self.kept[len(self.kept) + 1] = self._body()
        self._say({})

    def do_PATCH(self) -> None:
        self.kept[int(self.path.removeprefix("/repos/we/suite/issues/comments/"))] = self._body()
        self._say({})

    def _body(self) -> str:
        length = int(self.headers["Content-Length"])
        body: str = json.loads(self.rfile.read(length))["body"]
        return body

    def _say(self, said: Any) -> None:
        told = json.dumps(said).encode()
        self.send_response(200 if self.headers["Authorization"] == "Bearer secret" else 403)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Job:
    """One job of a workflow that uses the action on a pull request to `main`."""

    def __init__(self, repository: Repository, temp: Path, api: str) -> None:
        self.repository = repository
        self.temp = temp
        self.summary = repository.folder / "summary.md"
        self.context = {
            "github.action_path": str(ROOT),
            "github.token": "secret",
            "github.base_ref": "main",
            "github.api_url": api,
            "github.repository": "we/suite",
            "github.event.pull_request.number": "7",
            "runner.temp": str(temp),
            "steps.python.outputs.python-path": sys.executable,
        }

    def run(self, **inputs: str) -> tuple[int, str]:
        """With which code do the steps end, and what do they print?"""
        named = {name.replace("_", "-"): value for name, value in inputs.items()}
        for name, described in ACTION["inputs"].items():
            default = self._filled(described.get("default", ""))
            self.context[f"inputs.{name}"] = named.get(name, default)
        told = ""
        for step in STEPS:
            if "run" not in step or not self._is_wanted(step.get("if", "")):
                continue
            code, said = self._step(step)
            told += said
            if code:
                return code, told
        return 0, told

    def _step(self, step: dict[str, Any]) -> tuple[int, str]:
        output = self.repository.folder / "output.txt"
        output.write_text("")
        env = {name: self._filled(value) for name, value in step.get("env", {}).items()}
        done = self.repository.done(
            step["run"],
            **env,
            GITHUB_OUTPUT=str(output),
            GITHUB_STEP_SUMMARY=str(self.summary),
        )
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.context[f"steps.{step['id']}.outputs.{name}"] = value
        return done.returncode, done.stdout + done.stderr

    def _filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda found: self.context[found[1]], text)

    def _is_wanted(self, condition: str) -> bool:
        """Does the condition hold? Those of this action compare an input, or ask for a value."""
        for part in filter(None, condition.split(" && ")):
            name, operator, value = (*part.split(" "), "!=", "''")[:3]
            if (self.context[name] == value.strip("'")) != (operator == "=="):
                return False
        return True


@pytest.fixture
def comments() -> Iterator[tuple[str, dict[int, str]]]:
    kept: dict[int, str] = {}
    handler = type("Kept", (Comments,), {"kept": kept})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", kept
        server.shutdown()


@pytest.fixture(scope="session")
def temp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner's folder, in which the action's own step has installed evalglot."""
    folder = shared(tmp_path_factory) / "runner-temp"
    (install,) = [step for step in STEPS if step["name"] == "Install evalglot"]
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            folder.mkdir()
            env = {"PYTHON": sys.executable, "ACTION": str(ROOT), "WORK": str(folder)}
            subprocess.run(["bash", "-eo", "pipefail", "-c", install["run"]], env=env, check=True)
    return folder


@pytest.fixture
def job(tmp_path: Path, temp: Path, comments: tuple[str, dict[int, str]]) -> Job:
    """A shallow clone of a pull request's branch, as actions/checkout makes it."""
    (tmp_path / "origin").mkdir()
    origin = Repository(tmp_path / "origin")
    origin.write(GOOD)
    origin.commit()
    origin.run("git checkout -qb topic; git commit -q --allow-empty -m topic")
    (tmp_path / "clone").mkdir()
    clone = Repository(tmp_path / "clone")
    clone.run(f"git remote add origin file://{origin.folder}")
    clone.run("git fetch -q --depth=1 origin topic && git checkout -q FETCH_HEAD 2>/dev/null")
    clone.environment["PYTHONPATH"] = ""
    own = tmp_path / "temp"
    own.mkdir()
    (own / "evalglot").symlink_to(temp / "evalglot")
    return Job(clone, own, comments[0])


@pytest.fixture(autouse=True)
def _installed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    installs = [step for step in STEPS if step.get("name") != "Install evalglot"]
    monkeypatch.setattr(sys.modules[__name__], "STEPS", installs)


def test_what_is_as_good_as_before_passes(job: Job, comments: tuple[str, dict[int, str]]) -> None:
    code, told = job.run(files="results")
    assert code == 0, told
    assert job.summary.read_text().startswith("## evalglot: passed")
    assert comments[1][1].startswith("<!-- evalglot gate -->\n## evalglot: passed")


def test_what_got_worse_is_told_in_every_place_and_stops(
    job: Job, comments: tuple[str, dict[int, str]]
) -> None:
    kept = comments[1]
    kept.update(dict.fromkeys(range(1, 131), "said by somebody"))
    job.repository.write(WORSE)
    code, told = job.run(files="results/*.json\n\nresults")
    assert code == 1, told
    assert "::error file=results/run.json,title=broke kept::" in told
    assert "kept  passed → failed" in told
    assert "origin/main:results/run.json" in job.summary.read_text()
    assert "| `kept` | passed → failed |" in kept[131]
    sarif = json.loads(Path(job.context["steps.gate.outputs.sarif"]).read_text())
    assert sarif["runs"][0]["results"][0]["ruleId"] == "broke"
    job.repository.write(GOOD)
    assert job.run(files="results")[0] == 0
    assert kept[131].startswith("<!-- evalglot gate -->\n## evalglot: passed")
    assert len(kept) == 131


def test_gates_are_handed_on(job: Job) -> None:
    job.repository.write(WORSE)
    assert job.run(files="results", fail_on="regression missing", comment="false")[0] == 0
    assert job.run(files="results", fail_on="regression new-failure", comment="false")[0] == 1
    assert job.run(files="results", max_drop="10pp", comment="false")[0] == 1
    assert job.run(files="results", max_fail_share="0.6", comment="false")[0] == 0


def test_drift_stops_where_it_is_strict(job: Job) -> None:
    job.repository.write(GOOD | {"brand_new": 1}, "results/new.json")
    assert job.run(files="results", comment="false")[0] == 0
    code, told = job.run(files="results", strict="true", comment="false")
    assert code == 1
    assert "::error file=results/new.json" in told


def test_a_token_that_may_not_write_is_a_warning(job: Job) -> None:
    code, told = job.run(files="results", token="of a fork")
    assert code == 0
    assert "::warning title=evalglot gate::The comment could not be written" in told


def test_a_wrong_input_ends_with_what_is_wrong(job: Job) -> None:
    code, told = job.run(files="results", fail_on="worse", comment="false")
    assert code == 2
    assert "'worse' is not one of" in told


def test_names_are_data_and_no_shell(job: Job) -> None:
    job.repository.write(GOOD, "results/$(touch hacked) `touch hacked`;touch hacked.json")
    code, told = job.run(files="results/$(touch hacked) `touch hacked`;touch hacked.json")
    assert code == 0, told
    assert not (job.repository.folder / "hacked").exists()


def test_no_expression_stands_in_a_script() -> None:
    assert [step["name"] for step in STEPS if "${{" in step.get("run", "")] == []


def test_the_action_keeps_to_the_schema_of_actions() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    done = subprocess.run(
        [*check, ROOT / "action.yml"], check=False, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout
