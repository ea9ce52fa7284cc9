"""Each bound lets through what is just within it, and refuses what is just over it by its name."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from converter import source
from converter.delta import Applied
from converter.formats.cbl_versions import LayeredLayout
from converter.seals import seal
from registry import edges, files, gate, limits, slices
from registry.archives import Archive
from registry.errors import EvalglotError
from tests.registry.samples import FIXTURES

RUN = FIXTURES / "cbl/4/valid/typical.json"


class Bound(NamedTuple):
    """What is tried against a bound, with how much; `low` is the bound in its place, if any."""

    name: str
    low: int | None
    tried: Callable[[int], object]


def spaced(size: int) -> bytes:
    return b"[" + b" " * (size - 2) + b"]"


def opened(path: Path, size: int) -> int:
    path.write_bytes(spaced(size))
    with files.opened(str(path)) as data:
        return len(data)


def nested(levels: int) -> Any:
    return gate.load(b"[" * levels + b"]" * levels)


def results(count: int) -> bytes:
    document = json.loads(RUN.read_bytes())
    document["results"] = document["results"][:1] * count
    return json.dumps(document).encode()


def rows(count: int) -> bytes:
    item = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "Status": "PASS", "Passed": True}
    return b"".join(json.dumps(item).encode() + b"\n" for _ in range(count))


def read(data: bytes, file: str) -> object:
    return source.read(data, file, None, "reject").document()


def changes(levels: int) -> object:
    """A change within so many changes."""
    value: Any = 0
    node: Any = {"=": [seal(0), 1]}
    for _ in range(levels):
        value, node = {"a": value}, {"in": {"a": node}}
    return Applied().apply(value, node)


def brought(count: int) -> object:
    return Applied().apply([], {"of": 0, "put": [[at, at] for at in range(count)]})


def archive(*names: str, size: int = 0) -> object:
    """An archive with members of these names; all of them are read."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            packed.writestr(name, b" " * size)
    found = Archive(stream.getvalue(), "x.eval")
    return [found.text(name) for name in found.names]


def directory(size: int) -> object:
    """An archive whose list of members has so many bytes."""
    return archive("n" * (size - 46))


BOUNDS = {
    "depth": Bound("MAX_DEPTH", None, nested),
    "depth-of-objects": Bound(
        "MAX_DEPTH", None, lambda deep: gate.load(b'{"":' * deep + b"0" + b"}" * deep)
    ),
    "depth-where-fast-parsers-give-up": Bound(
        "MAX_DEPTH", None, lambda deep: gate.load(b'["\\ud83d",' * deep + b"1" + b"]" * deep)
    ),
    "digits": Bound("MAX_DIGITS", None, lambda count: gate.load(b"9" * count)),
    "digits-of-a-negative-number": Bound(
        "MAX_DIGITS", None, lambda count: gate.load(b"[-" + b"9" * count + b"]")
    ),
    "string": Bound("MAX_STRING", 10, lambda size: gate.load(b'["' + b"x" * size + b'"]')),
    "string-of-escapes": Bound(
        "MAX_STRING", 10, lambda size: gate.load(b'["' + b"\\ud83d" * size + b'"]')
    ),
    "string-of-other-letters": Bound(
        "MAX_STRING", 10, lambda size: gate.load(f'["{"中" * size}"]'.encode())
    ),
    "key": Bound("MAX_STRING", 10, lambda size: gate.load(b'{"' + b"x" * size + b'":1}')),
    "string-in-a-line": Bound(
        "MAX_STRING", 10, lambda size: gate.load_lines(b'1\n"' + b"x" * size + b'"\n')
    ),
    "bytes": Bound("MAX_BYTES", 10, lambda size: gate.load(spaced(size))),
    "bytes-of-lines": Bound(
        "MAX_BYTES", 10, lambda size: gate.load_lines(b"1\n" * (size // 2) + b"\n" * (size % 2))
    ),
    "lines": Bound("MAX_CASES", 3, lambda count: gate.load_lines(b"1\n" * count)),
    "records-in-an-array": Bound(
        "MAX_CASES", 3, lambda count: list(slices.index(results(count), ("results",)).records)
    ),
    "records-that-are-read-whole": Bound(
        "MAX_CASES",
        3,
        lambda count: slices.index(results(count).replace(b"}", b',"":"\\ud83d"}'), ("results",)),
    ),
    "records-in-lines": Bound("MAX_CASES", 3, lambda count: slices.index_lines(rows(count))),
    "cases": Bound("MAX_CASES", 3, lambda count: read(results(count), "run.json")),
    "cases-in-lines": Bound("MAX_CASES", 3, lambda count: read(rows(count), "run.jsonl")),
    "layers": Bound(
        "MAX_LAYERS", 3, lambda count: LayeredLayout(("failed_results",)).parts({}, [[]] * count)
    ),
    "layers-that-a-carry-says": Bound(
        "MAX_LAYERS",
        3,
        lambda count: [*LayeredLayout(("failed_results",)).records_of([], {"layers": count})],
    ),
    "members": Bound("MAX_MEMBERS", 3, lambda count: archive(*map(str, range(count)))),
    "directory": Bound("MAX_DIRECTORY", 100, directory),
    "name": Bound("MAX_NAME", 10, lambda length: archive("n" * length)),
    "nesting": Bound(
        "MAX_NESTING",
        None,
        lambda deep: edges.turned(b"<testsuite>" * deep + b"</testsuite>" * deep, "x.xml"),
    ),
    "carry-depth": Bound("MAX_CARRY_DEPTH", None, changes),
    "carry-values": Bound("MAX_CARRY_VALUES", 3, brought),
}


@pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS)
def test_bound_holds(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    most = getattr(limits, bound.name)
    if bound.low is not None:
        monkeypatch.setattr(limits, bound.name, most := bound.low)
    bound.tried(most)
    with pytest.raises(EvalglotError, match=rf"\b{bound.name}\b"):
        bound.tried(most + 1)


@pytest.mark.parametrize("large", [1, files.LARGE])
def test_a_file_may_have_so_many_bytes(
    large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is read or mapped."""
    monkeypatch.setattr(files, "LARGE", large)
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 10)
    assert opened(tmp_path / "run.json", 10) == 10
    with pytest.raises(EvalglotError, match=r"MAX_FILE_BYTES"):
        opened(tmp_path / "run.json", 11)


def test_an_archive_may_hold_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    archive("a", size=1 << 16)
    monkeypatch.setattr(limits, "FEW_BYTES", 1000)
    archive("a", size=1000)
    with pytest.raises(EvalglotError, match=r"MAX_SWELLING"):
        archive("a", size=1 << 16)
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 10)
    with pytest.raises(EvalglotError, match=r"MAX_FILE_BYTES"):
        archive("a", "b", size=6)


def test_every_bound_is_tried() -> None:
    named = set(re.findall(r"^(MAX_\w+) =", Path(limits.__file__).read_text("utf-8"), re.MULTILINE))
    assert named == {bound.name for bound in BOUNDS.values()} | {"MAX_FILE_BYTES", "MAX_SWELLING"}


def test_a_bound_is_told_with_what_was_found() -> None:
    with pytest.raises(EvalglotError) as caught:
        nested(limits.MAX_DEPTH + 1)
    assert "expected at most 100 (the limit MAX_DEPTH)" in str(caught.value)
