"""A run comes back from a dataset as its file says it, so far as a comparison can see."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from converter import runs
from diffruns.entries import Entry
from diffruns.sides import entries
from evalglot.dataset import asking, collecting
from evalglot.dataset.returning import returned
from registry.files import opened
from tests.evalglot.dataset.held import ROOT

FILES = sorted((ROOT / "fixtures").glob("*/*/valid/*.json*"))
TORN = {"cut-inside-emoji.json"}
"""Half a surrogate pair is an escape in a column, and so another text."""


@pytest.mark.parametrize(
    "file",
    [file for file in FILES if file.name not in TORN and not file.name.endswith(".carry.json")],
    ids=[
        str(file.relative_to(ROOT / "fixtures"))
        for file in FILES
        if file.name not in TORN and not file.name.endswith(".carry.json")
    ],
)
def test_entries_come_back(file: Path, tmp_path: Path) -> None:
    collecting.collect([str(file)], str(tmp_path / "d"))
    with opened(str(file)) as data:
        read = runs.read(data, str(file), None, "reject")
        wanted = list(entries(read))
        with asking.opened(str(tmp_path / "d")) as dataset:
            (digest,) = dataset.ask("SELECT digest FROM runs").column("digest").to_pylist()
            (run,) = returned(dataset, [digest])
        assert run.ref == read.ref
        assert run.run == read.run
        assert list(map(plain, entries(run))) == list(map(plain, wanted))


def plain(entry: Entry) -> dict[str, object]:
    """The entry, but for where its trials stand: a flat file's groups may hold several."""
    told = msgspec.structs.asdict(entry)
    told["attempts"] = [
        msgspec.structs.replace(attempt, group=0, place=0) for attempt in entry.attempts
    ]
    return told
