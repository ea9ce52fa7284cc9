"""Several processes make of a file what one makes of it. `tests/test_shared_work.py` runs this."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter import command
from converter.jobs import Options
from tests.converter import streams
from tests.laws import pairs

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
    pytest.mark.usefixtures("as_big_as_files_get"),
]


@pytest.mark.parametrize(("path", "id_"), pairs.pairs(), ids=pairs.pair_name)
def test_a_file_becomes_what_its_document_becomes(path: Path, id_: str, tmp_path: Path) -> None:
    streams.becomes_what_its_document_becomes(path, id_, tmp_path, jobs=3)


FLAT = [(path, id_) for path, id_ in pairs.pairs() if id_ in ("sandtable", "promptfoo", "cbl")]


@pytest.mark.parametrize(("path", "id_"), FLAT, ids=pairs.pair_name)
def test_the_account_is_the_same_whoever_did_the_work(
    path: Path, id_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for jobs in (1, 2, 7):
        out = tmp_path / f"{jobs}.json"
        options = Options(target=id_, out=str(out), jobs=jobs)
        assert command.run([str(path)], options) == 0
        told.append((out.read_bytes(), capsys.readouterr().err))
    assert told[0] == told[1] == told[2]
