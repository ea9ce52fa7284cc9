"""Record by record, and by several processes, a file becomes what it becomes as a whole."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from converter import chain, command, watching
from converter.form import Group
from converter.jobs import Options
from registry import gate, helping
from registry.errors import InvalidDocument
from registry.values import same
from tests.converter import samples
from tests.laws import pairs

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@pytest.fixture(autouse=True)
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is as big as files get."""
    monkeypatch.setattr(command, "CHECKED_BYTES", 0)
    monkeypatch.setattr(command, "SHARED_BYTES", 0)


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize(("path", "id_"), pairs.pairs(), ids=pairs.pair_name)
def test_a_file_becomes_what_its_document_becomes(
    path: Path, id_: str, jobs: int, tmp_path: Path
) -> None:
    there, back = tmp_path / "there.json", tmp_path / f"back{path.suffix}"
    options = Options(target=id_, out=str(there), quiet=True, jobs=jobs)
    assert command.run([str(path)], options) == 0
    whole = chain.convert(samples.staged(path), id_)
    assert same(gate.load(samples.data(there)), whole.document())
    if whole.slot is None:
        return
    options = Options(target=path.parts[-4], out=str(back), quiet=True, jobs=jobs)
    assert command.run([str(there)], options) == 0
    load = gate.load_lines if samples.is_lines(path) else gate.load
    home = load(samples.data(back), nonfinite=samples.nonfinite(path))
    assert same(home, samples.document(path))


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


def _spoilt(tmp_path: Path, *numbers: int) -> Path:
    """A report of nine cases, of which those with these numbers break the schema."""
    path = next(path for path, _ in FLAT if samples.ref(path) == "promptbeat@1")
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
