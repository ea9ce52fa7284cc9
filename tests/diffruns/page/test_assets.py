"""The page's own files are in the wheel, and its policy is of them."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from diffruns.renderers.page import page
from diffruns.renderers.page.data import Data
from diffruns.renderers.page.markup import Markup

ROOT = Path(__file__).parents[3]
ASSETS = ROOT / "diffruns/renderers/page"


def test_the_wheel_has_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("page.html", "page.css", "page.js"):
        assert f"diffruns/renderers/page/{name}" in names


def test_the_policy_allows_the_pages_own_style_and_script_only() -> None:
    told = page("t", Markup(""), [], Data([], 0)).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', told)
    assert policy
    assert "default-src &#x27;none&#x27;" in policy[1]
    for name, opening, closing in (
        ("page.css", "<style>", "</style>"),
        ("page.js", "<script>", "</script>"),
    ):
        inside = told.partition(opening)[2].partition(closing)[0]
        assert inside == (ASSETS / name).read_text("utf-8")
        assert b64encode(sha256(inside.encode()).digest()).decode() in policy[1]


def test_the_script_writes_no_markup() -> None:
    script = (ASSETS / "page.js").read_text("utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(", script
    )
