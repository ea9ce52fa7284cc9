"""What docs/git.md says works with the real git."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diffruns.documents import FAILED, promptfoo
from tests.scratch import Repository

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "git.md").read_text(encoding="utf-8")


def lines(name: str) -> list[str]:
    """The commands of the page's block of that name."""
    inner = PAGE.split(f"<!-- {name} -->")[1].split("<!-- end -->")[0]
    return [line for line in inner.strip().splitlines() if not line.startswith("```")]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.write(promptfoo([{"test": "kept"}, {"test": "broken"}]))
    made.write({"no": "run"}, "results/other.json")
    made.run("git add results; git commit -qm first")
    made.write(promptfoo([{"test": "broken", **FAILED}, {"test": "kept"}]))
    made.write({"no": "run at all"}, "results/other.json")
    return made


def test_git_diff_shows_cases(repository: Repository) -> None:
    for line in lines("textconv"):
        repository.run(line)
    shown = repository.run("git diff -U0 -- results/run.json")
    changed = [
        line for line in shown.splitlines() if line[0] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == ["-broken [echo]: passed, score 1", "+broken [echo]: failed, score 0"]


def test_git_diff_shows_what_is_no_run_as_it_is(repository: Repository) -> None:
    for line in lines("textconv"):
        repository.run(line)
    assert '+{"no": "run at all"}' in repository.run("git diff -- results/other.json")


def test_git_difftool_shows_the_whole_comparison(repository: Repository) -> None:
    for line in lines("difftool"):
        repository.run(line)
    shown = repository.run("git difftool -t diffruns HEAD -- results/run.json")
    assert "broke: passed before, fails now\n  broken" in shown
