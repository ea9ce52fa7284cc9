"""Record by record, and by several processes, a file becomes what it becomes as a whole."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from converter import command, watching
from converter.form import Group
from converter.jobs import Options
from registry import gate, helping
from registry.errors import InvalidDocument
from tests.converter import samples, streams
from tests.laws import pairs

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
    pytest.mark.usefixtures("as_big_as_files_get"),
]


@pytest.mark.parametrize(("path", "id_"), pairs.pairs(), ids=pairs.pair_name)
def test_a_file_becomes_what_its_document_becomes(path: Path, id_: str, tmp_path: Path) -> None:
    streams.becomes_what_its_document_becomes(path, id_, tmp_path, jobs=1)


def _spoilt(tmp_path: Path, *numbers: int) -> Path:
    """A report of nine cases, of which those with these numbers break the schema."""
    path = next(path for path in pairs.NEWEST if samples.ref(path) == "promptbeat@1")
    document = dict(samples.document(path))
    cases = [
        {**document["cases"][0], "metadata": {"recordId": f"r{number}"}} for number in range(9)
    ]
    for number in numbers:
        cases[number]["passed"] = "perhaps"
    file = tmp_path / "spoilt.json"
    file.write_bytes(gate.dump({**document, "cases": cases}))
    return file


@pytest.mark.parametrize("numbers", [(8,), (4, 8), (0, 8), (3,)])
def test_a_helpers_error_is_told_as_ones_own(
    numbers: tuple[int, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, out = [], tmp_path / "out.json"
    for jobs in (1, 3):
        options = Options(target="sandtable", out=str(out), jobs=jobs)
        assert command.run([str(_spoilt(tmp_path, *numbers))], options) == 1
        told.append(capsys.readouterr().err)
    assert told[0] == told[1]
    assert f"/cases/{numbers[0]}/passed" in told[0]
    assert not out.exists()


def test_a_helper_that_dies_is_missed() -> None:
    with (
        helping.helpers([lambda: os.kill(os.getpid(), signal.SIGKILL)]) as (helper,),
        pytest.raises(helping.HelperLost, match="signal 9"),
    ):
        helper.result()


def test_helpers_bring_results_and_errors_and_are_stopped_in_the_end() -> None:
    def fail() -> None:
        raise InvalidDocument(found="this", pointer="/a", line=3)

    def linger() -> None:
        signal.pause()

    with helping.helpers([lambda: {"a": 1}, fail, linger]) as (first, second, _):
        assert first.result() == {"a": 1}
        with pytest.raises(InvalidDocument, match="this") as caught:
            second.result()
    assert caught.value.line == 3


def test_a_progress_bar_watches_the_first_part() -> None:
    class Halves:
        def parts(self, count: int) -> list[object]:
            return [iter([Group(None, [{}])])] * count

        def found(self) -> str:
            return "found"

        def join(self, later: object) -> None:
            assert later == "more"

    watched = []
    shown = watching.Watched(Halves(), lambda groups, parts: watched.append(parts) or groups)
    assert len(shown.parts(2)) == 2
    assert watched == [2]
    assert shown.found() == "found"
    shown.join("more")
