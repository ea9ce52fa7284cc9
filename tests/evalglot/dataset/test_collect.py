"""What `evalglot collect` makes of files: each content once, and bad ones set aside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import evalglot
from converter.facts import identity
from converter.formats import FORMATS
from evalglot.dataset import batches, collecting, rewriting
from evalglot.dataset.commands.collect import collect
from evalglot.dataset.manifest import Part
from evalglot.dataset.rewriting import Limit
from evalglot.dataset.rows import case_key
from registry import gate
from tests.evalglot.dataset.held import FIXTURES, RUN, everything, rows, run_of, write_runs


def told(*arguments: str | Path) -> Result:
    return CliRunner().invoke(collect, [str(one) for one in (*arguments, "--jobs", "1")])


def test_any_mix_of_formats_makes_one_dataset(tmp_path: Path) -> None:
    done = told(*FIXTURES, "--into", tmp_path / "d")
    assert done.exit_code == 0
    assert "0 set aside" in done.stderr
    tools = {path.name for path in (tmp_path / "d/run").iterdir()}
    searched = set(FORMATS) - {"junit"}  # folders are not searched for XML
    assert tools == {f"tool={format_}" for format_ in searched}
    held = everything(tmp_path / "d")
    assert held["error"] == []
    assert all(held[name] for name in held if name != "error")
    digests = [row["digest"] for row in held["run"]]
    assert len(digests) == len(set(digests))
    assert {row["digest"] for row in held["file"]} == set(digests)


def test_rows_say_what_the_facts_say(tmp_path: Path) -> None:
    told(RUN, "--into", tmp_path / "d")
    read = evalglot.read_run(evalglot.load(RUN))
    held = everything(tmp_path / "d")
    (run,) = held["run"]
    assert (run["id"], run["version"], run["ran_at_is"]) == (read.run.id, "1", "started")
    assert str(run["ran_at"]) == "2026-06-02 09:15:00"
    assert [row["case_key"] for row in held["case"]] == [case_key(one.case) for one in read.cases]
    assert [row["tags"] for row in held["case"]] == [
        one.case.tags and list(one.case.tags) for one in read.cases
    ]
    trials = [trial for one in read.cases for trial in one.trials]
    assert [row["verdict"] for row in held["trial"]] == [trial.verdict for trial in trials]
    assert [row["evidence"] and gate.load(row["evidence"].encode()) for row in held["trial"]] == [
        trial.evidence for trial in trials
    ]
    assert len(held["check"]) == sum(len(trial.checks or ()) for trial in trials)
    assert len({identity(one.case) for one in read.cases}) == len(
        {row["case_key"] for row in held["case"]}
    )


def test_bad_files_are_set_aside_with_their_error(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 2)
    (runs / "cut.json").write_bytes(RUN.read_bytes()[:1000])
    (runs / "other.json").write_text('{"a": 1}', encoding="utf-8")
    late = run_of(9)
    late["cases"][-1]["score"] = "high"
    (runs / "late.json").write_text(json.dumps(late), encoding="utf-8")
    done = told(runs, "--into", tmp_path / "d")
    assert done.exit_code == 1
    assert "5 files: 2 taken, 0 known, 3 set aside" in done.stderr
    errors = {Path(row["path"]).name: row for row in rows(tmp_path / "d", "error")}
    assert {name: row["kind"] for name, row in errors.items()} == {
        "cut.json": "NotJson",
        "other.json": "UnknownFormat",
        "late.json": "InvalidDocument",
    }
    assert errors["late.json"]["pointer"] == "/cases/7/score"
    assert len(rows(tmp_path / "d", "run")) == 2
    assert {row["taken"] for row in rows(tmp_path / "d", "file")} == {True, False}


def test_a_bad_file_that_was_mended_is_taken(tmp_path: Path) -> None:
    (file,) = write_runs(tmp_path / "runs", 1)
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    assert told(file, "--into", tmp_path / "d").exit_code == 1
    assert told(file, "--into", tmp_path / "d").exit_code == 0  # known to be bad
    file.write_bytes(whole)
    assert told(file, "--into", tmp_path / "d").exit_code == 0
    assert rows(tmp_path / "d", "error") == []
    assert len(rows(tmp_path / "d", "run")) == 1
    assert len(rows(tmp_path / "d", "file")) == 1


def test_no_file_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    assert told(tmp_path / "runs", "--into", tmp_path / "d").exit_code == 4
    gone = told(tmp_path / "nowhere.json", "--into", tmp_path / "d")
    assert gone.exit_code == 1
    (row,) = rows(tmp_path / "d", "error")
    assert row["digest"] is None
    assert "can't be read" in row["found"]


def test_what_is_there_is_not_taken_again(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 3)
    told(tmp_path / "runs", "--into", tmp_path / "d")
    before = everything(tmp_path / "d")
    write_runs(tmp_path / "runs", 2, first=3)
    shutil.copy(tmp_path / "runs/run-0000.json", tmp_path / "runs/copy.json")
    done = told(tmp_path / "runs", "--into", tmp_path / "d")
    assert "6 files: 2 taken, 4 known" in done.stderr
    after = everything(tmp_path / "d")
    assert len(after["run"]) == len(before["run"]) + 2
    assert len(after["file"]) == 6
    assert all(row in after["trial"] for row in before["trial"])


def test_a_changed_file_is_replaced(tmp_path: Path) -> None:
    files = write_runs(tmp_path / "runs", 4)
    told(tmp_path / "runs", "--into", tmp_path / "d")
    files[1].write_text(json.dumps(run_of(99, passed=False)), encoding="utf-8")
    assert "1 taken, 3 known" in told(tmp_path / "runs", "--into", tmp_path / "d").stderr
    fresh = tmp_path / "fresh"
    told(tmp_path / "runs", "--into", fresh)
    assert everything(tmp_path / "d") == everything(fresh)


def test_a_content_stays_while_one_file_holds_it(tmp_path: Path) -> None:
    first, second = write_runs(tmp_path / "runs", 2)
    second.write_bytes(first.read_bytes())
    told(tmp_path / "runs", "--into", tmp_path / "d")
    assert len(rows(tmp_path / "d", "run")) == 1
    first.write_text(json.dumps(run_of(7)), encoding="utf-8")
    told(tmp_path / "runs", "--into", tmp_path / "d")
    assert {row["id"] for row in rows(tmp_path / "d", "run")} == {"run-0", "run-7"}
    second.write_text(json.dumps(run_of(8)), encoding="utf-8")
    told(tmp_path / "runs", "--into", tmp_path / "d")
    assert {row["id"] for row in rows(tmp_path / "d", "run")} == {"run-7", "run-8"}


@pytest.mark.parametrize("files", [1, 2, 1000])
def test_contents_that_move_about_are_kept(tmp_path: Path, files: int) -> None:
    """Each file gets what another held: in small batches, rows go before they are asked for."""
    held = write_runs(tmp_path / "runs", 6)
    asked = collecting.Asked(files=files)
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "d"), asked)
    contents = [file.read_bytes() for file in held]
    for file, content in zip(held, [*contents[3:], *contents[:3]], strict=True):
        file.write_bytes(content)
    held[5].write_text(json.dumps(run_of(50)), encoding="utf-8")
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "d"), asked)
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "fresh"), asked)
    assert everything(tmp_path / "d") == everything(tmp_path / "fresh")


def test_many_small_parts_become_few(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 20)
    asked = collecting.Asked(files=1, limit=Limit(many=3))
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "d"), asked)
    assert len(list((tmp_path / "d/trial").rglob("*.parquet"))) == 1
    assert len(list((tmp_path / "d/file").rglob("*.parquet"))) == 1
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "one"))
    assert everything(tmp_path / "d") == everything(tmp_path / "one")


def test_only_small_parts_go_together_and_never_too_many() -> None:
    parts = [
        Part(f"{table}/{place}/{number}", 1, size)
        for place, count in (("a", 5), ("b", 2))
        for number in range(count)
        for table, size in (("run", 1), ("trial", 29 if number else 1000))
    ]
    assert list(rewriting.small(parts, Limit(small=100, many=2, large=70))) == [
        ["a/1", "a/2"],
        ["a/3", "a/4"],
    ]


def test_batches_are_the_same_for_the_same_files() -> None:
    from evalglot.dataset.places import Source
    from evalglot.dataset.taking import Wanted

    wanted = [Wanted(Source(str(number), number)) for number in range(10)]
    found = list(batches.batched(wanted, files=4, size=12))
    assert [[one.source.size for one in batch] for batch in found] == [
        *([0, 1, 2, 3], [4, 5], [6], [7], [8], [9])
    ]


def test_processes_make_the_same_bytes_as_one(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 12)
    for name, jobs in (("one", 1), ("two", 2)):
        asked = collecting.Asked(jobs=jobs, files=3)
        collecting.collect([str(tmp_path / "runs")], str(tmp_path / name), asked)
    one, two = (
        {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two


def test_awkward_values_are_kept_as_far_as_a_column_can(tmp_path: Path) -> None:
    document = run_of(1)
    first = document["cases"][0]
    first["response"] = "cut inside an emoji \ud83d"
    first["latency_ms"] = 1e308
    first["metadata"]["trace_evidence"] = {"n": 10**30, "s": "\ud83d", "": [0, -0.0, None]}
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert told(file, "--into", tmp_path / "d").exit_code == 0
    row = next(row for row in rows(tmp_path / "d", "trial") if row["file_order"] == 0)
    assert row["output"] == "cut inside an emoji \\ud83d"
    assert gate.load(row["evidence"].encode())["n"] == 10**30


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "manifest.json"),
        (b'{"schema": "evalglot-dataset@999"}', "Collect into a new folder"),
        (b'{"parts": [{"path": "../../x", "rows": 1, "bytes": 1}]}', "a part's name"),
    ],
)
def test_a_damaged_manifest_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    refused = told(RUN, "--into", tmp_path)
    assert refused.exit_code == 2
    assert says in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 1)
    folder = tmp_path / "d"
    (folder / "run/tool=cbl").mkdir(parents=True)
    (folder / "run/notes.txt").write_text("mine", encoding="utf-8")
    orphan = folder / "file/000001-0123456789abcdef.parquet"
    orphan.parent.mkdir()
    orphan.write_bytes(b"half")
    told(tmp_path / "runs", "--into", folder)
    assert (folder / "run/notes.txt").read_text("utf-8") == "mine"
    assert not orphan.exists()


def test_no_path_comes_from_a_file(tmp_path: Path) -> None:
    """Tool and month are made of what is known, whatever a file says of them."""
    document = run_of(1)
    document["started_at"] = "../../../../tmp/x"
    document["completed_at"] = document["eval_id"] = "../../x"
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert told(file, "--into", tmp_path / "d").exit_code == 0
    (part,) = (tmp_path / "d/run").rglob("*.parquet")
    assert part.parent.parent.name == "tool=promptbeat"
    assert rows(tmp_path / "d", "run")[0]["ran_at_is"] == "modified"
