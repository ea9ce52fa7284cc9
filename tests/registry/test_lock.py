"""What is released stays; what is generated is fresh."""

import json

import msgspec
import pytest

from registry import generate, lock
from registry.catalog import catalog, parse_ref
from registry.gate import load
from registry.shelves import versions_root
from registry.values import digest

DRAFT = lock.Entry("aa", None, "draft", "backward", "tool/CHANGELOG.md")
OTHER = lock.Entry("bb", None, "draft", "backward", "tool/CHANGELOG.md")
RELEASED = lock.Entry("aa", "2026-12-01", "released", "backward", "tool/CHANGELOG.md")


def _rules(*arguments):
    return [(finding.ref, finding.rule) for finding in lock.check_lock(*arguments)]


def test_draft_follows_its_shelf():
    assert lock.updated({"tool@1": DRAFT}, {"tool@1": OTHER}) == {"tool@1": OTHER}
    assert _rules({"tool@1": DRAFT}, {"tool@1": OTHER}) == []


def test_draft_that_left_its_shelf_leaves_the_lock():
    assert lock.updated({"tool@1": DRAFT}, {}) == {}


def test_released_entry_stays_whatever_the_shelf_says():
    assert lock.updated({"tool@1": RELEASED}, {"tool@1": OTHER}) == {"tool@1": RELEASED}
    assert lock.updated({"tool@1": RELEASED}, {}) == {"tool@1": RELEASED}


def test_release_dates_drafts_and_leaves_the_rest():
    earlier = msgspec.structs.replace(RELEASED, released="2026-01-01")
    assert lock.release({"tool@1": earlier, "tool@2": DRAFT}, "2026-12-01") == {
        "tool@1": earlier,
        "tool@2": RELEASED,
    }


def test_edited_released_schema_is_found():
    assert _rules({"tool@1": RELEASED}, {"tool@1": OTHER}) == [("tool@1", "digest-changed")]
    assert _rules({"tool@1": RELEASED}, {"tool@1": DRAFT}) == []


def test_released_version_without_a_shelf_is_found():
    assert _rules({"tool@1": RELEASED}, {}) == [("tool@1", "version-vanished")]


def test_vanished_entry_is_found_against_an_earlier_lock():
    shelves = {"tool@1": DRAFT}
    assert _rules({}, shelves, {"tool@1": RELEASED}) == [("tool@1", "entry-vanished")]
    assert _rules({}, {}, {"tool@1": DRAFT}) == []


def test_entry_that_was_released_and_is_another_now_is_found():
    shelves = {"tool@1": DRAFT}
    assert _rules({"tool@1": DRAFT}, shelves, {"tool@1": RELEASED}) == [("tool@1", "entry-changed")]


def test_released_schemas_are_what_they_were():
    assert lock.check_lock() == []


def test_lock_has_every_schema_with_its_digest():
    entries = lock.read()
    assert {version.ref for version in catalog().versions} <= entries.keys()
    for version in catalog().versions:
        assert entries[version.ref].digest == digest(version.schema)


def test_status_and_date_agree():
    for entry in lock.read().values():
        assert (entry.status == "released") == bool(entry.released)


@pytest.mark.parametrize("path", [path for path, _ in generate.OUTPUTS])
def test_generated_file_is_fresh(path):
    assert path not in generate.stale(generate.OUTPUTS, versions_root())


def test_catalog_file_says_what_the_shelves_say():
    described = load((versions_root() / "catalog.json").read_bytes())["formats"]
    for format_, one in zip(catalog().formats, described, strict=True):
        assert (one["id"], one["title"]) == (format_.id, format_.title)
        for version in one["versions"]:
            held = load((versions_root() / version["schema"]).read_bytes())
            assert held["$id"] == parse_ref(version["ref"]).schema["$id"]


def test_stale_file_is_named_and_written_anew(tmp_path, capsys):
    outputs = (("a.json", lambda: b"1\n"), ("b.json", lambda: b"2\n"))
    (tmp_path / "a.json").write_bytes(b"1\n")
    assert generate.run(outputs, tmp_path, check=True) == 1
    assert capsys.readouterr().err == f"{tmp_path / 'b.json'} is stale; generate it anew\n"
    assert generate.run(outputs, tmp_path, check=False) == 0
    assert generate.run(outputs, tmp_path, check=True) == 0


@pytest.fixture
def shelves(tmp_path, monkeypatch):
    """A registry of one draft, in a folder of its own."""
    folder = tmp_path / "report" / "1"
    folder.mkdir(parents=True)
    (folder / "schema.json").write_text('{"type": "object"}')
    monkeypatch.setattr(lock, "versions_root", lambda: tmp_path)
    monkeypatch.setattr(generate, "versions_root", lambda: tmp_path)
    monkeypatch.setattr(generate, "OUTPUTS", (("lock.json", generate.lock_json),))
    return tmp_path


def test_released_schema_can_not_be_generated_over(shelves, capsys):
    assert generate.main([]) == 0
    assert generate.main(["--release", "2026-12-01"]) == 0
    assert generate.main(["--check"]) == 0
    (entry,) = json.loads((shelves / "lock.json").read_text()).values()
    assert (entry["status"], entry["released"]) == ("released", "2026-12-01")
    (shelves / "report" / "1" / "schema.json").write_text('{"type": "array"}')
    assert generate.main([]) == 1
    assert "report@1: digest-changed" in capsys.readouterr().err


def test_key_order_and_spacing_of_a_released_schema_are_free(shelves):
    path = shelves / "report" / "1" / "schema.json"
    path.write_text('{"type": "object", "title": "a"}')
    assert generate.main(["--release", "2026-12-01"]) == 0
    path.write_text('{"title":"a",\n"type":"object"}')
    assert generate.main(["--check"]) == 0


def test_draft_is_stale_once_its_schema_changed(shelves):
    assert generate.main([]) == 0
    (shelves / "report" / "1" / "schema.json").write_text("{}")
    assert generate.main(["--check"]) == 1
