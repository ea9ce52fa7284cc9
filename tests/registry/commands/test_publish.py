"""`registry publish`: the site is complete, the same each time, and what editors expect."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from registry import library
from registry.engine import judge
from registry.publishing import MARK
from registry.shelves import versions_root
from tests.registry import samples
from tests.registry.commands.conftest import Run, change, read

BASE = "https://example.org/schemas"

# The parts of https://json.schemastore.org/schema-catalog.json that say what an entry has.
ENTRY = {
    "type": "object",
    "required": ["name", "description", "url"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "description": {"type": "string"},
        "fileMatch": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
        "url": {"type": "string", "pattern": "^https?://"},
        "versions": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
SCHEMA_STORE = {
    "type": "object",
    "required": ["version", "schemas"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://json.schemastore.org/schema-catalog.json"},
        "version": {"const": 1},
        "schemas": {"type": "array", "items": ENTRY},
    },
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def site(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    done = run("publish", folder, "--base-url", BASE, "--shelves", versions_root())
    assert done.exit_code == 0
    assert done.stdout == ""
    return folder


@pytest.fixture
def served(run: Run, tmp_path: Path) -> Iterator[str]:
    """The address of a site that a server on this machine shows."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    run("publish", folder, "--base-url", address)
    yield address
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_schema_stands_at_the_path_of_its_id(site: Path) -> None:
    held = library.read(versions_root())
    for one in held.all:
        published = read(site / one.format / one.version / "schema.json")
        assert published["$id"] == f"{BASE}/{one.format}/{one.version}/schema.json"
        assert published == held.schema(one) | {"$id": published["$id"]}


def test_catalog_is_what_schema_store_has(site: Path) -> None:
    told = read(site / "catalog.json")
    assert judge(SCHEMA_STORE)(told)
    cbl = told["schemas"][0]
    assert cbl["url"] == f"{BASE}/cbl/4/schema.json"
    assert list(cbl["versions"]) == ["1", "2", "3", "3.1", "4"]
    patterns = [one for entry in told["schemas"] for one in entry["fileMatch"]]
    assert "evaluation_result.json" in patterns
    assert len(patterns) == len({*patterns})
    for entry in told["schemas"]:
        for address in entry["versions"].values():
            assert (site / address.removeprefix(f"{BASE}/")).is_file()


def test_without_an_address_ids_stay_and_links_are_relative(run: Run, tmp_path: Path) -> None:
    done = run("publish", tmp_path / "site")
    assert done.exit_code == 0
    assert "addresses in catalog.json are relative" in done.stderr
    assert read(tmp_path / "site/cbl/4/schema.json")["$id"] == "urn:evalglot:cbl:4"
    assert read(tmp_path / "site/catalog.json")["schemas"][0]["url"] == "cbl/4/schema.json"


class Page(HTMLParser):
    """Which tags and links has a page?"""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def test_page_links_every_schema_and_loads_nothing(site: Path) -> None:
    page = parsed(site / "index.html")
    local = [link for link in page.links if not link.startswith("https://")]
    assert all((site / link).is_file() for link in local)
    assert len(local) == len(library.read(versions_root()).all) + 1
    assert page.tags.isdisjoint({"script", "img", "link", "iframe"})
    text = (site / "index.html").read_text(encoding="utf-8")
    assert "color-scheme: light dark" in text
    assert "prefers-color-scheme: dark" in text


def test_words_of_the_shelves_are_escaped_in_the_page(run: Run, copy: Path, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\"'&"
    change(copy / "cbl/format.json", title=evil, summary=evil, homepage=f"javascript:{evil}")
    change(copy / "cbl/4/schema.json", description=evil)
    assert run("publish", tmp_path / "site", "--shelves", copy).exit_code == 0
    page = parsed(tmp_path / "site/index.html")
    assert "script" not in page.tags
    assert page.text.count("<script>alert(1)</script>") == 3
    assert not [link for link in page.links if link.startswith("javascript")]


def test_published_again_it_is_the_same(run: Run, site: Path, tmp_path: Path) -> None:
    before = files(site)
    done = run("publish", site, "--base-url", f"{BASE}/", "--shelves", versions_root())
    assert done.exit_code == 0
    assert ", 0 written" in done.stderr
    assert files(site) == before
    run("publish", tmp_path / "other", "--base-url", BASE, "--shelves", versions_root())
    assert files(tmp_path / "other") == before


def test_what_is_gone_is_removed_and_what_is_others_stays(run: Run, site: Path, copy: Path) -> None:
    (site / "CNAME").write_text("example.org")
    versions = read(copy / "cbl/format.json")["versions"]
    change(copy / "cbl/format.json", versions=versions[:-1])
    done = run("publish", site, "--base-url", BASE, "--shelves", copy)
    assert "1 removed" in done.stderr
    assert not (site / "cbl/4").exists()
    assert (site / "cbl/3.1/schema.json").exists()
    assert (site / "CNAME").read_text() == "example.org"


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", MARK])
def test_folder_of_others_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text("mine")
    done = run("publish", tmp_path / "mine")
    assert done.exit_code == 2
    assert "a folder with files that are not a published site's" in done.stderr
    assert files(tmp_path / "mine") == {name: b"mine"}


def test_shelves_are_not_published_over(run: Run, copy: Path) -> None:
    before = files(copy)
    assert run("publish", copy, "--shelves", copy).exit_code == 2
    assert files(copy) == before


def test_branch_that_is_empty_but_for_git_is_empty(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pages" / ".git").mkdir(parents=True)
    assert run("publish", tmp_path / "pages").exit_code == 0


def test_mark_that_names_files_elsewhere_removes_none(run: Run, site: Path) -> None:
    outside = site.parent / "catalog.json"
    outside.write_text("mine")
    own = site / "README"
    own.write_text("mine")
    (site / MARK).write_text(
        json.dumps({"files": ["../catalog.json", str(outside), "README", "a/../../catalog.json"]})
    )
    assert run("publish", site, "--base-url", BASE).exit_code == 0
    assert outside.read_text() == "mine"
    assert own.read_text() == "mine"


@pytest.mark.parametrize(
    "address",
    ["", "example.org", "ftp://example.org", "https://", "https://a b", 'https://a/"><script>',
     "javascript:alert(1)", "https://a/?q=1", "https://a/#x", "file:///etc"],
)  # fmt: skip
def test_address_that_is_none_is_refused(run: Run, tmp_path: Path, address: str) -> None:
    done = run("publish", tmp_path / "site", "--base-url", address)
    assert done.exit_code == 2
    assert "expected the address of the folder" in done.stderr
    assert not (tmp_path / "site").exists()


def test_place_that_can_not_be_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        done = run("publish", place)
        assert done.exit_code == 2
        assert "can't be written to" in done.stderr
        assert "Traceback" not in done.output
    assert (tmp_path / "file").read_text() == "mine"


def test_interrupted_publishing_leaves_no_site(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, moved = Path.replace, []

    def replace(self: Path, target: Path) -> Path:
        moved.append(self)
        if len(moved) == 5:
            raise OSError(28, "No space left on device", str(target))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    done = run("publish", tmp_path / "new" / "site")
    assert done.exit_code == 2
    assert "No space left on device" in done.stderr
    assert not (tmp_path / "new").exists()


def checked(address: str, file: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", "--no-cache", "--schemafile", address]
    return subprocess.run(
        [*command, str(file)], check=False, capture_output=True, text=True, cwd=folder
    )


@pytest.mark.parametrize("ref", ["cbl@4", "sandtable@1.1", "promptfoo@3"])
def test_check_jsonschema_validates_by_address(served: str, ref: str, tmp_path: Path) -> None:
    address = f"{served}/{ref.replace('@', '/')}/schema.json"
    good = samples.folder(ref, "valid") / "typical.json"
    bad = next(
        path
        for path in sorted(samples.folder(ref, "invalid").glob("*.json"))
        if not path.name.endswith(".expect.json")
    )
    done = checked(address, good, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    done = checked(address, bad, tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Schema validation errors were encountered." in done.stdout
