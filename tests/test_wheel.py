"""The wheel works by itself: its schemas come with it."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

from registry.values import same

ROOT = Path(__file__).parents[1]
FIXTURE = ROOT / "fixtures/cbl/4/valid/typical.json"


def run(*command: str | Path, folder: Path) -> str:
    """What does this command print? It must succeed."""
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_wheel_converts_there_and_back(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ".", folder=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    binaries = tmp_path / "env" / "bin"
    run(binaries / "pip", "install", "--quiet", wheel, folder=tmp_path)
    there, back = tmp_path / "there.json", tmp_path / "back.json"
    run(binaries / "convert", "--to", "sandtable", FIXTURE, "-o", there, folder=tmp_path)
    run(binaries / "evalglot", "convert", "--to", "cbl", there, "-o", back, folder=tmp_path)
    assert same(json.loads(back.read_text()), json.loads(FIXTURE.read_text()))
    assert (tmp_path / "env/share/man/man1/evalglot-convert.1").is_file()
    assert "cbl" in run(binaries / "convert", "--list", folder=tmp_path)
    run(binaries / "evalglot", "new-format", "tally-sheet", folder=tmp_path)
    assert (tmp_path / "evalglot-tally-sheet/evalglot_tally_sheet/__init__.py").is_file()
    registry = (binaries / "evalglot", "registry")
    run(*registry, "check", folder=tmp_path)
    run(*registry, "publish", "site", folder=tmp_path)
    assert (tmp_path / "site/cbl/4/schema.json").is_file()
    add = (*registry, "add", "site/cbl/4/schema.json", "--to", "cbl@5")
    refused = subprocess.run(add, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "the shelves of an installed evalglot" in refused.stderr
