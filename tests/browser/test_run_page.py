"""What a person can do with the page about one run, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import making
from tests.browser.conftest import Open
from tests.browser.test_diff_page import QUIET, VIEWS
from tests.converter import samples

SAMPLES = [path for path in samples.valid() if path.name == "everything.json"]


@pytest.mark.parametrize("view", VIEWS)
def test_nobody_is_kept_out(look: Open, run_page: Path, view: str) -> None:
    seen = look(run_page, **VIEWS[view])
    seen.items.first.click()
    assert seen.barriers() == []
    assert seen.page.evaluate(QUIET)


def test_the_verdict_has_both_denominators(look: Open, run_page: Path) -> None:
    seen = look(run_page)
    assert seen.page.locator("h1").inner_text().endswith("% pass")
    assert "errors in and out [" in seen.page.locator(".evidence").inner_text()


def test_failing_cases_are_listed_and_can_be_searched(look: Open, run_page: Path) -> None:
    seen = look(run_page)
    assert seen.kinds() == {"failed"} or seen.kinds() == {"failed", "error"}
    seen.page.locator("#search").fill("r-17")
    seen.page.locator("#list b", has_text="r-17").first.wait_for()


def test_a_group_lists_its_cases(look: Open, run_page: Path) -> None:
    seen = look(run_page)
    seen.page.locator("#where .facet").first.click()
    assert seen.status == "100 of 400 cases"


@pytest.mark.parametrize("path", SAMPLES, ids=samples.ref)
def test_every_format_has_a_page(look: Open, path: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.html"
    told = making.CliRunner().invoke(making.report_command, [str(path), "-o", str(out)])
    assert told.exit_code in (0, 4), told.output
    seen = look(out)
    if seen.items.count():
        seen.items.first.click()
    assert seen.barriers() == []
