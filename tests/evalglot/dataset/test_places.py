"""Sources and datasets elsewhere: in memory, in a real S3 server and an HTTP server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import fsspec
import pytest
from click.testing import CliRunner

from evalglot.dataset import asking, collecting, places
from evalglot.dataset.commands.collect import collect
from evalglot.dataset.commands.trend import trend
from evalglot.dataset.tables import TABLES
from registry.errors import EvalglotError
from tests.evalglot.dataset.held import KEYS, run_of, write_runs

BUCKET = "s3://runs"


def held(folder: str) -> dict[str, list[dict[str, object]]]:
    """All rows of all tables, as questions see them, but for where their files are."""
    with asking.opened(folder) as dataset:
        return {
            name: dataset.ask(
                f'SELECT * FROM "{name}" ORDER BY {", ".join(KEYS[name])}'
            ).to_pylist()
            for name in TABLES
            if name != "file"
        }


@pytest.fixture
def local(tmp_path: Path) -> tuple[list[Path], dict[str, list[dict[str, object]]]]:
    files = write_runs(tmp_path / "runs", 12)
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "local"))
    return files, held(str(tmp_path / "local"))


@pytest.fixture
def memory() -> Iterator[str]:
    places.system.cache_clear()
    yield "memory://evals"
    fsspec.filesystem("memory").rm("/", recursive=True)


def copy(files: list[Path], url: str) -> None:
    system, root = places.system(url)
    for file in files:
        system.pipe_file(f"{root}/{file.name}", file.read_bytes())


def test_a_dataset_lies_in_memory(
    local: tuple[list[Path], dict[str, list[dict[str, object]]]], memory: str
) -> None:
    files, wanted = local
    copy(files, f"{memory}/in")
    asked = collecting.Asked(jobs=2, files=5)
    outcome = collecting.collect([f"{memory}/in"], f"{memory}/d", asked)
    assert outcome.counts == {"taken": 12}
    assert held(f"{memory}/d") == wanted
    (changed, *_) = files
    changed.write_text(json.dumps(run_of(77)), encoding="utf-8")
    copy([changed], f"{memory}/in")
    assert collecting.collect([f"{memory}/in"], f"{memory}/d", asked).counts == {
        "taken": 1,
        "known": 11,
    }


def test_local_files_go_elsewhere_and_patterns_are_known_there(
    local: tuple[list[Path], dict[str, list[dict[str, object]]]], memory: str
) -> None:
    files, wanted = local
    copy(files, f"{memory}/in/deep")
    collecting.collect([str(file) for file in files[:6]], f"{memory}/d")
    collecting.collect([f"{memory}/in/**/*.json"], f"{memory}/d")
    assert held(f"{memory}/d") == wanted


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """A real S3 server; the environment leads to it, as it leads users to theirs."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        places.system.cache_clear()
        fsspec.filesystem("s3").mkdir("runs")
        yield BUCKET
        fsspec.filesystem("s3").clear_instance_cache()
    server.stop()


def test_an_object_store_holds_sources_and_dataset(
    local: tuple[list[Path], dict[str, list[dict[str, object]]]], s3: str
) -> None:
    files, wanted = local
    copy(files, f"{s3}/in")
    first = CliRunner().invoke(collect, [f"{s3}/in", "--into", f"{s3}/d", "--jobs", "2"])
    assert first.exit_code == 0, first.output
    assert "12 taken" in first.stderr
    assert held(f"{s3}/d") == wanted
    again = CliRunner().invoke(collect, [f"{s3}/in/*.json", "--into", f"{s3}/d", "--jobs", "1"])
    assert "0 taken, 12 known" in again.stderr
    done = CliRunner().invoke(trend, [f"{s3}/d", "--case", "core-0007"])
    assert done.exit_code == 0, done.output
    assert "12 runs" in done.output


def test_what_a_store_says_is_unchanged_is_not_read(
    tmp_path: Path, s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy(write_runs(tmp_path / "runs", 3), f"{s3}/unread")
    collecting.collect([f"{s3}/unread"], f"{s3}/unread-d")
    monkeypatch.setattr(places, "opened", None)
    outcome = collecting.collect([f"{s3}/unread"], f"{s3}/unread-d")
    assert outcome.counts == {"known": 3}


def test_a_changed_object_is_replaced(tmp_path: Path, s3: str) -> None:
    files = write_runs(tmp_path / "runs", 3)
    copy(files, f"{s3}/changing")
    collecting.collect([f"{s3}/changing"], f"{s3}/changing-d")
    files[1].write_text(json.dumps(run_of(55)), encoding="utf-8")
    copy(files, f"{s3}/changing")
    outcome = collecting.collect([f"{s3}/changing"], f"{s3}/changing-d")
    assert outcome.counts == {"taken": 1, "known": 2}
    with asking.opened(f"{s3}/changing-d") as dataset:
        ids = dataset.ask("SELECT id FROM runs ORDER BY id").column("id").to_pylist()
    assert ids == ["run-0", "run-2", "run-55"]


def test_names_of_objects_lead_nowhere_else(tmp_path: Path, s3: str) -> None:
    """An object may be called anything; no part is called after it."""
    system, _ = places.system(s3)
    (file,) = write_runs(tmp_path / "runs", 1)
    system.pipe_file("runs/odd/..;%2e%2e%2fx' OR 1=1 --.json", file.read_bytes())
    collecting.collect([f"{s3}/odd"], f"{s3}/odd-d")
    assert all(
        set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-=/._")
        for name in system.find("runs/odd-d")
    )


@pytest.fixture
def http(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    folder = tmp_path / "www"
    folder.mkdir()

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Keep standard error clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", folder
    server.shutdown()
    thread.join()
    server.server_close()


def test_files_are_fetched_from_the_web(http: tuple[str, Path], tmp_path: Path) -> None:
    url, folder = http
    write_runs(folder, 2)
    outcome = collecting.collect([f"{url}/run-0000.json"], str(tmp_path / "d"))
    assert outcome.counts == {"taken": 1}


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nowhere://x/y.json", "can't be reached"),
        ("s3://no-such-bucket-here/x", "s3://no-such-bucket-here/x"),
        ("http://127.0.0.1:9/x.json", "http://127.0.0.1:9/x.json"),
    ],
)
def test_what_can_not_be_reached_is_said(s3: str, tmp_path: Path, url: str, says: str) -> None:
    with pytest.raises(EvalglotError) as refused:
        collecting.collect([url], str(tmp_path / "d"))
    assert says in str(refused.value)
    assert s3
    done = CliRunner().invoke(collect, [url, "--into", str(tmp_path / "d"), "--jobs", "1"])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


def test_a_colon_in_a_local_name_is_no_url() -> None:
    assert not places.is_url("runs/a://b.json")
    assert not places.is_url("simplecache::s3://a")
    assert places.is_url("s3://a")
