"""What docs/ci.md tells people to put into their pipelines is right, and runs."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import yaml

from tests.diffruns.documents import FAILED, promptfoo
from tests.scratch import ROOT, Repository

PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
GITHUB, GITLAB = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
GOOD = promptfoo([{"test": "kept"}, {"test": "other"}])
WORSE = promptfoo([{"test": "kept", **FAILED}, {"test": "other"}])


@pytest.mark.parametrize(
    ("text", "schema"), [(GITHUB, "github-workflows"), (GITLAB, "gitlab-ci")], ids=["hub", "lab"]
)
def test_snippets_keep_to_their_schemas(text: str, schema: str, tmp_path: Path) -> None:
    file = tmp_path / "pipeline.yml"
    file.write_text(text)
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    extra = ["--data-transform", "gitlab-ci"] if schema == "gitlab-ci" else []
    done = subprocess.run(
        [*check, *extra, file], check=False, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout


def test_the_workflow_gives_only_inputs_that_there_are() -> None:
    (job,) = yaml.safe_load(GITHUB)["jobs"].values()
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert {*job["steps"][-1]["with"]} <= {*inputs}
    for name in inputs:
        if name not in ("python-version", "token", "files"):
            assert re.search(rf"`{name}\b|{name}:", PAGE), name


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    (tmp_path / "origin").mkdir()
    origin = Repository(tmp_path / "origin")
    origin.write(GOOD)
    origin.commit()
    (tmp_path / "clone").mkdir()
    made = Repository(tmp_path / "clone")
    made.run(f"git remote add origin file://{origin.folder}")
    return made


def test_the_script_for_gitlab_stops_what_got_worse(clone: Repository) -> None:
    script = "\n".join(yaml.safe_load(GITLAB)["evals"]["script"])
    branch = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    clone.write(GOOD)
    assert clone.done(script, **branch).returncode == 0
    clone.write(WORSE)
    failing = script.replace("--fail-on regression", "--fail-on new-failure")
    done = clone.done(failing, **branch)
    assert done.returncode == 1, done.stderr
    assert "origin/base:results/run.json" in done.stdout
    assert "<failure" in (clone.folder / "gate.xml").read_text()


def test_the_lines_for_any_other_pipeline_run(clone: Repository) -> None:
    clone.write(GOOD)
    lines = PAGE.split("tests/test_ci_page.py runs such")[1].split("```sh\n")[1].split("```")[0]
    done = clone.done(lines)
    assert done.returncode == 0, done.stderr


def test_the_comment_on_a_merge_request_is_the_report(tmp_path: Path) -> None:
    got: dict[str, str] = {}

    class Notes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers["Content-Length"])).decode()
            got.update(path=self.path, body=parse_qs(said)["body"][0])
            self.send_response(201)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    repository = Repository(tmp_path)
    (tmp_path / "gate.md").write_text("## evalglot: passed & more\n")
    (script,) = yaml.safe_load(GITLAB)["evals"]["after_script"]
    with ThreadingHTTPServer(("127.0.0.1", 0), Notes) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = repository.done(
            script,
            EVALGLOT_TOKEN="t",
            CI_API_V4_URL=f"http://127.0.0.1:{server.server_port}",
            CI_PROJECT_ID="5",
            CI_MERGE_REQUEST_IID="7",
        )
        server.shutdown()
    assert done.returncode == 0, done.stderr
    assert got == {
        "path": "/projects/5/merge_requests/7/notes",
        "body": "## evalglot: passed & more\n",
    }
