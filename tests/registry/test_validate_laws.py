"""Whatever bytes a file holds, validate tells what is wrong with them, in every shape of report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import reports
from registry.checking import Asked, check
from registry.findings import OUTCOMES, Report
from tests.registry import samples
from tests.registry.test_locating import VALUES

SMALL = [path for path in samples.files("valid") if path.stat().st_size < 6_000]
TOKENS = [
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"NaN",
    b"1e400",
    b"\xff",
    b"\x00",
    b"\n",
]
ASKED = [Asked(), Asked(strictness="strict"), Asked(ignore_unknown=True), Asked(nonfinite="keep")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("laws")


def hold(file: Path, content: bytes, asked: Asked) -> None:
    file.write_bytes(content)
    report = check([str(file)], asked)
    (one,) = report.files
    assert one.outcome in OUTCOMES
    assert (one.outcome == "invalid") == (report.exit_code == 1)
    assert all(found.line for found in one.findings if found.rule.startswith("schema"))
    for kind in reports.KINDS:
        reports.render(kind, Report(report.files)).decode("utf-8")


@given(
    path=st.sampled_from(SMALL),
    damage=st.tuples(st.floats(0, 1), st.integers(0, 30)),
    token=st.sampled_from(TOKENS) | st.binary(max_size=4),
    asked=st.sampled_from(ASKED),
)
def test_damaged_file_is_told(folder, path, damage, token, asked):
    content, (at, cut) = path.read_bytes(), damage
    start = int(at * len(content))
    hold(folder / path.name, content[:start] + token + content[start + cut :], asked)


@given(path=st.sampled_from(SMALL), value=VALUES, data=st.data(), asked=st.sampled_from(ASKED))
def test_file_with_another_value_somewhere_is_told(folder, path, value, data, asked):
    if samples.is_lines(path):
        return
    document = json.loads(bytes(samples.data(path)))
    holder = document
    while True:
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(holder[key], (dict, list)) or not holder[key] or data.draw(st.booleans()):
            break
        holder = holder[key]
    holder[key] = value
    hold(folder / f"{path.stem}.json", json.dumps(document).encode(), asked)


@given(
    content=st.binary(max_size=40),
    asked=st.sampled_from(ASKED),
    suffix=st.sampled_from([".json", ".jsonl"]),
)
def test_any_bytes_are_told(folder, content, asked, suffix):
    hold(folder / f"any{suffix}", content, asked)
