"""What evalglot is made with is pinned and free, and the same tree makes the same wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from tests import licences

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
UNNAMED = {
    "circuit-breaker-labs": "a reader of theirs that tests ask; never installed with evalglot",
}


def test_the_lock_file_pins_what_is_asked_for() -> None:
    asked = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    names = {re.split(r"[<>=\[; ]", one)[0].replace(".", "-") for one in asked}
    assert names <= set(licences.locked())


def test_every_pin_has_hashes_and_no_host() -> None:
    text = licences.LOCK.read_text("utf-8")
    pins = re.split(r"^(?=[\w.-]+==)", text, flags=re.M)[1:]
    assert all("--hash=sha256:" in pin for pin in pins)
    assert "://" not in text
    assert "-index-url" not in text


def test_the_page_of_licences_is_fresh() -> None:
    assert licences.PAGE.read_text("utf-8") == licences.page()


@pytest.mark.parametrize("package", licences.locked())
def test_every_licence_is_free(package: str) -> None:
    named = licences.licence(package)
    assert licences.FREE.search(named) or (named == licences.NONE and package in UNNAMED), named


def test_evalglot_needs_no_package_without_a_licence() -> None:
    assert licences.needed().isdisjoint(UNNAMED)


def copied(folder: Path, *, late: bool) -> Path:
    """The tree under version control, made in another order, at another time, in other modes."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    for name in sorted((one for one in names if (ROOT / one).is_file()), reverse=late):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
        target.chmod(0o600 if late else 0o664)
        os.utime(target, (1_700_000_000 + 86_400 * late,) * 2)
    return folder


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_two_builds_make_the_same_bytes(kind: str, tmp_path: Path) -> None:
    digests = set()
    for late in (False, True):
        tree = copied(tmp_path / f"tree{late}", late=late)
        environment = {**os.environ, "TZ": "Asia/Tokyo" if late else "UTC", "LC_ALL": "C"}
        environment.pop("SOURCE_DATE_EPOCH", None)
        command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", "out"]
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        (made,) = (tree / "out").iterdir()
        digests.add((made.name, sha256(made.read_bytes()).hexdigest()))
    assert len(digests) == 1
