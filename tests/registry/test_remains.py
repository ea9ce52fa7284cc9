"""Text that is not JSON any more is told from settings by the names that still stand in it."""

import json

import pytest

from registry.remains import is_of_result
from tests.registry import samples

TYPICAL = [
    path
    for path in samples.files("valid")
    if path.stem.startswith("typical") and not samples.is_xml(path)
]
LONGEST_HEAD = 1_500
"""bytes after which every format has named its telling fields"""


@pytest.mark.parametrize("path", TYPICAL, ids=samples.name)
def test_result_that_was_cut_or_annotated_is_still_told(path):
    text = path.read_bytes()
    for remains in (text[:LONGEST_HEAD], b"// note\n" + text, b"<<<<<<< HEAD\n" + text):
        assert is_of_result(remains)


def test_result_in_utf_16_is_told():
    text = (samples.FIXTURES / "cbl/4/valid/typical.json").read_text(encoding="utf-8")
    assert is_of_result(f"// note\n{text}".encode("utf-16"))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\x1f\x8b\x08",
        b'{"version": "2.0.0", "tasks": [{"label": "a", "type": "b", "id": 1}], "inputs": []}',
        b'{"name": "x", "version": "1.0.0", "results": {}, "description": ""}',
        b'{"compilerOptions": {"target": "es5"}, "version": 3}',
        b'{"loss": NaN, "epoch": 3}',
        b'{"type": "message", "object": "x", "id": 1, "status": "ok", "model": ""}',
        json.dumps({"text": '"evaluation_id": "total_passed": "total_failed": 1'}).encode(),
        b"evaluation_id: total_passed: total_failed:",
    ],
)
def test_anything_else_is_not(text):
    assert not is_of_result(text)
