"""Pairs of runs in fixtures/diff, what each report of them has to be, and hostile text in them.

EVALGLOT_GOLDEN=write writes the expected files anew; look at what changed before you commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from hypothesis import strategies as st

from converter import chain
from converter.runs import run_file
from diffruns import renderers
from diffruns.cli import diffruns
from diffruns.compare import Comparison, compare
from diffruns.gates import FAIL_ON, Asked
from diffruns.options import Options
from diffruns.renderers import View
from diffruns.sides import side
from registry.values import digest
from tests.converter import samples
from tests.strategies import runs

ROOT = Path(__file__).parents[3] / "fixtures" / "diff"
CASES = sorted(path.name for path in ROOT.iterdir() if (path / "a.json").is_file())
SCHEMAS = Path(__file__).parent / "schemas"
PACKAGES = os.environ.get("NPM_PACKAGES")
"""node_modules of the tools that read our reports; see .ci/run"""

ACTIVE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufff9-\uffff]|##\\[|::error"
)
ASKED = Asked(fail_on=FAIL_ON, max_drop=0.1, max_fail_share=0.5, critical=("id-1",))


def told(name: str, kind: str, monkeypatch: Any, *options: str) -> Result:
    """What does the command say of this pair?"""
    monkeypatch.chdir(ROOT / name)
    given = ROOT / name / "options"
    said = given.read_text(encoding="utf-8").rstrip("\n").split("\n") if given.is_file() else []
    return CliRunner().invoke(
        diffruns, ["a.json", "b.json", *said, *options, "--format", kind], catch_exceptions=False
    )


def hold(name: str, file: str, report: bytes) -> None:
    """The report has to be what is in that file, whatever our version is."""
    path = ROOT / name / file
    plain = re.sub(rb'("name": "evalglot",\s+"version"): "[^"]*"', rb'\1: "0"', report)
    if os.environ.get("EVALGLOT_GOLDEN") == "write":
        path.write_bytes(plain)
    assert plain == path.read_bytes()


def texts(value: Any) -> Iterator[str]:
    """Which texts does a JSON value hold, keys among them?"""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, held in value.items():
            yield key
            yield from texts(held)
    elif isinstance(value, list):
        for held in value:
            yield from texts(held)


@cache
def _versions() -> list[Any]:
    return samples.versions()


def drawn(data: st.DataObject) -> tuple[Comparison, Comparison]:
    """Any two runs of one version, compared twice with all gates."""
    version = data.draw(st.sampled_from(_versions()))
    documents = data.draw(runs.pairs(version))

    def again() -> Comparison:
        a, b = (
            side(run_file(chain.stage(one, version.ref)), f"{name}.json", digest(one))
            for name, one in zip("ab", documents, strict=True)
        )
        return compare(a, b, Options(asked=ASKED))

    return again(), again()


def rendered(kind: str, data: st.DataObject) -> tuple[Comparison, bytes]:
    """A report of two drawn runs, which is the same when it is made anew."""
    one, other = drawn(data)
    report = renderers.render(kind, one, View())
    assert renderers.render(kind, other, View()) == report
    return one, report


def gates(comparison: Comparison) -> int:
    """How many gates are told?"""
    return len(comparison.report.gates)
