"""Formats, versions and references to them."""

import json
import subprocess
import sys

import pytest

from registry.catalog import catalog, find, parse_ref, read
from registry.errors import UnknownFormat, UnknownVersion
from registry.shelves import versions_root
from registry.values import at

REFS = [version.ref for version in catalog().versions]
FORMAT = {
    "id": "tool",
    "title": "Tool",
    "homepage": "https://example.org",
    "summary": "A tool.",
    "nonfinite": False,
    "case_key": "id",
    "slot": {"run": "/x", "record": "/x"},
    "compat": "none",
    "versions": [{"version": "1", "records": "/cases", "record": "case", "detect": {}}],
}


def _shelf(root, **changed):
    folder = root / "tool"
    folder.mkdir(exist_ok=True)
    (folder / "format.json").write_text(json.dumps(FORMAT | changed))
    return root


def test_format_without_a_version_means_its_newest():
    assert parse_ref("cbl").ref == "cbl@4"


def test_reference_names_one_version():
    version = parse_ref("cbl@3.1")
    assert (version.format, version.version, version.ref) == ("cbl", "3.1", "cbl@3.1")


@pytest.mark.parametrize(
    ("ref", "before"), [("cbl@4", "cbl@3.1"), ("cbl@3.1", "cbl@3"), ("cbl@1", None)]
)
def test_predecessor_is_the_version_before(ref, before):
    assert parse_ref(ref).predecessor == (before and parse_ref(before))


def test_unknown_format_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownFormat) as caught:
        parse_ref("Promptfo")
    assert caught.value == UnknownFormat(
        found="there is no format 'Promptfo'",
        expected=f"one of {', '.join(format_.id for format_ in catalog().formats)}",
        hint="Did you mean promptfoo?",
    )


def test_unknown_format_like_no_other_points_to_the_list():
    with pytest.raises(UnknownFormat, match="--list"):
        find("zzz")


def test_unknown_version_is_refused_with_those_that_exist():
    with pytest.raises(UnknownVersion) as caught:
        parse_ref("cbl@3.0")
    assert caught.value.found == "cbl has no version '3.0'"
    assert caught.value.expected == "one of 1, 2, 3, 3.1, 4; the newest known is 4"


@pytest.mark.parametrize("version", ["5", "4.1", "10"])
def test_newer_version_is_refused_with_the_newest_known(version):
    with pytest.raises(UnknownVersion) as caught:
        parse_ref(f"cbl@{version}")
    assert caught.value.found == (
        f"cbl@{version} is newer than the newest version known here, cbl@4"
    )


@pytest.mark.parametrize("version", ["", "x", "³", "4@4", "9" * 5000])
def test_odd_version_is_refused(version):
    with pytest.raises(UnknownVersion):
        parse_ref(f"cbl@{version}")


def test_shelf_is_read(tmp_path):
    (version,) = read(_shelf(tmp_path)).versions
    assert version.ref == "tool@1"


@pytest.mark.parametrize("changed", [{"case-key": "id"}, {"nonfinite": 0}, {"compat": "some"}])
def test_format_file_that_says_something_else_is_refused_with_its_name(tmp_path, changed):
    with pytest.raises(ValueError, match=r"tool/format\.json"):
        read(_shelf(tmp_path, **changed))


def test_misspelt_key_of_a_rule_is_refused(tmp_path):
    shelf = FORMAT["versions"][0] | {"detect": {"hsa": ["/cases"]}}
    with pytest.raises(ValueError, match="hsa"):
        read(_shelf(tmp_path, versions=[shelf]))


@pytest.mark.parametrize("ref", REFS)
def test_schema_names_its_version_and_its_records(ref):
    version = parse_ref(ref)
    assert version.schema["$id"] == f"urn:evalglot:{version.format}:{version.version}"
    assert at(version.schema, f"/definitions/{version.shelf.record}")


@pytest.mark.parametrize("format_", catalog().formats, ids=lambda format_: format_.id)
def test_every_folder_of_a_format_is_a_version(format_):
    folders = {path.name for path in (versions_root() / format_.id).iterdir() if path.is_dir()}
    assert folders == {shelf.version for shelf in format_.versions}


@pytest.mark.parametrize("format_", catalog().formats, ids=lambda format_: format_.id)
def test_format_says_which_releases_write_which_version(format_):
    assert (versions_root() / format_.id / "CHANGELOG.md").read_text().strip()


def test_reading_the_catalog_imports_nothing_heavy():
    heavy = ("jsonschema", "fastjsonschema", "jsonschema_rs", "referencing", "difflib", "click")
    code = (
        "import sys, registry.detection, registry.validation\n"
        "from registry.catalog import catalog; catalog()\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert printed.stdout.decode().strip() == "[]"
