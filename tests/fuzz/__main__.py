"""Fuzz one target, or all, led by the code that they reach: `pip install -e '.[fuzz]'` first.

    python -m tests.fuzz gate --seconds 600
    python -m tests.fuzz --seconds 60

New inputs stay in `.fuzz/` for the next run. A finding ends the run of its target with a traceback
and the name of the file that holds it: mend its kind, and put the file into `fixtures/fuzz/`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import atheris

KEPT = Path(".fuzz")
SLOWEST = 10
"""seconds that one input may take"""


def main() -> None:
    """Which exit code has the fuzzing? 0 when nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", nargs="?", help="all, one after the other, if left out")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    asked = parser.parse_args()
    if asked.target is not None:
        _fuzz(asked.target, asked.seconds)
    sys.exit(max(_run(name, asked.seconds) for name in _targets()))


def _targets() -> list[str]:
    from tests.fuzz.targets import TARGETS

    return [*TARGETS]


def _run(name: str, seconds: int) -> int:
    command = [sys.executable, "-m", "tests.fuzz", name, "--seconds", str(seconds)]
    return subprocess.run(command, check=False).returncode


def _fuzz(name: str, seconds: int) -> None:
    """Fuzz this target; libFuzzer ends the process."""
    with atheris.instrument_imports(include=["registry", "converter", "diffruns", "evalglot"]):
        from tests.fuzz import CORPUS
        from tests.fuzz.targets import TARGETS
    kept = KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", "-max_len=4096"]
    folders = [str(kept), str(CORPUS / name)]
    atheris.Setup([name, *limits, f"-artifact_prefix={KEPT}/{name}-", *folders], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
