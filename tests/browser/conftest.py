"""A real browser that looks at our pages: headless Chromium, driven by Playwright.

Locally a missing browser skips these tests and says so; in CI it fails them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import making
from tests.browser.watching import Watched

CHROMIUM = os.environ.get("CHROMIUM_BIN") or which("chromium") or which("google-chrome")
Open = Callable[..., Watched]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = "Chromium is missing: install it, or name it in CHROMIUM_BIN"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM)
        yield chromium
        chromium.close()


@pytest.fixture
def look(browser: Browser) -> Iterator[Open]:
    """Opens a page, and holds it to being quiet when the test ends."""
    opened: list[tuple[Page, Watched]] = []

    def look(file: Path, fragment: str = "", **context: object) -> Watched:
        quiet = {"reduced_motion": "reduce", **context}
        page = browser.new_context(**quiet).new_page()  # type: ignore[arg-type]
        watched = Watched(page)
        opened.append((page, watched))
        page.goto(f"{file.as_uri()}{fragment}")
        return watched

    yield look
    for page, watched in opened:
        page.context.close()
        assert watched.said == []
        assert watched.asked_elsewhere == []


@pytest.fixture(scope="session")
def diff_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of two runs of 400 cases, some of which changed."""
    return making.diff_page(tmp_path_factory.mktemp("diff"))


@pytest.fixture(scope="session")
def trials_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of two runs with several trials a case."""
    return making.trials_page(tmp_path_factory.mktemp("trials"))


@pytest.fixture(scope="session")
def run_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page about one run of 400 cases."""
    return making.run_page(tmp_path_factory.mktemp("run"))
