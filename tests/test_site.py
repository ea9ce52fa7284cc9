"""The documentation's site is built without a warning, and asks nobody for anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from tests.scratch import ROOT, shared


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for all tests, in whichever process."""
    folder = shared(tmp_path_factory) / "site"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            done = subprocess.run(
                [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
                cwd=ROOT,
                env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stderr
            assert "WARNING" not in done.stderr
    return folder


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_every_page_is_on_the_site(site: Path) -> None:
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    kept = [page for page in pages if page.parts[0] != "examples"]
    homes = [page.parent if page.stem == "index" else page.with_suffix("") for page in kept]
    assert [home for home in homes if not (site / home / "index.html").is_file()] == []


def article(page: Path) -> str:
    return text(page).partition("<article")[2].partition("</article>")[0]


FETCHED = re.compile(
    r"<(?:script|img|iframe)[^>]* src=\"?(https?:[^\" >]*)"
    r"|<link[^>]*rel=\"?stylesheet[^>]*href=\"?(https?:[^\" >]*)"
)


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    assert {found for page in pages for found in FETCHED.findall(text(page))} == set()


def test_no_markdown_is_left_unread(site: Path) -> None:
    for page in site.rglob("*.html"):
        body = re.sub(r"<(pre|code|script)\b.*?</\1>", "", article(page), flags=re.DOTALL)
        assert re.findall(r"```|^\|.*|^ *[*-] .*|^ *\d\. .*", body, flags=re.MULTILINE) == [], page


def test_contributing_is_the_page_of_the_repository(site: Path) -> None:
    page = article(site / "contributing" / "index.html")
    assert 'id="add-a-format"' in page
    for_formats, for_versions = re.findall(r"<ol.*?</ol>", page, flags=re.DOTALL)
    assert for_formats.count("<li>") == 11
    assert for_versions.count("<li>") == 4
