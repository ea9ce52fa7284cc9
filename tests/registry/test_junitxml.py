"""JUnit XML and its document say the same, and what is no such XML is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import canonicalize
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import edges, gate, junitxml
from registry.checking import Asked, check, check_file
from registry.errors import EvalglotError, NotJson, OutputError, UnknownFormat
from registry.junitwords import ROOTS
from registry.values import same
from tests.registry.samples import FIXTURES

FILES = sorted(FIXTURES.glob("junit/1/valid/*.xml"))
TYPICAL = FIXTURES / "junit/1/valid/typical.xml"


def document(data: bytes) -> Any:
    return gate.load(edges.turned(data, "x.xml"))


def written(value: Any) -> bytes:
    out = io.BytesIO()
    junitxml.write(gate.dump(value), out)
    return out.getvalue()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_comes_back_in_its_canonical_form(path: Path) -> None:
    data = path.read_bytes()
    again = written(document(data))
    assert canonicalize(again.decode(), strip_text=True) == canonicalize(
        data.decode(), strip_text=True
    )
    assert same(document(again), document(data))


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff")
    | st.sampled_from("\n\t &<>\"'"),
    max_size=6,
)
NAMES = st.sampled_from(["name", "classname", "time", "message", "type", "xml:lang", "é"])
TAGS = (
    *("testsuite", "testcase", "properties", "property", "failure", "error", "skipped"),
    *("system-out", "flakyFailure", "flakyError", "rerunFailure", "rerunError", "other"),
)


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> str:
    """An element as awkward as any: tests in properties, texts between suites."""
    tag = draw(st.sampled_from(TAGS)) if depth else draw(st.sampled_from(ROOTS))
    names = ["name", "value"] if tag == "property" else draw(st.lists(NAMES, unique=True))
    said = "".join(
        f" {one}={quoteattr(draw(TEXTS), {chr(10): '&#10;', chr(9): '&#9;'})}" for one in names
    )
    count = draw(st.integers(0, 4 if depth < 3 else 0))
    inner = "".join(
        draw(st.one_of(elements(depth + 1), elements(depth + 1), TEXTS.map(escape)))
        for _ in range(count)
    )
    return f"<{tag}{said}>{inner}</{tag}>"


@given(text=elements())
def test_any_elements_come_back(text: str) -> None:
    first = document(text.encode())
    again = written(first)
    assert same(document(again), first)
    bare = canonicalize(again.decode(), strip_text=True)
    assert bare == canonicalize(text, strip_text=True)


REFUSED = {
    "another root": (b"<html><body/></html>", "XML whose root is html"),
    "a document type": (b'<!DOCTYPE a SYSTEM "http://x/a.dtd"><testsuite/>', "a document type"),
    "entities": (
        b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><testsuite name="&c;"/>',
        "a document type",
    ),
    "an unknown entity": (b"<testsuite>&b;</testsuite>", "broken XML (undefined entity)"),
    "cut short": (TYPICAL.read_bytes()[:300], "broken XML"),
    "nothing in it": (b"<", "broken XML"),
    "two roots": (b"<testsuite/><testsuite/>", "broken XML"),
    "an attribute twice": (b'<testsuite name="a" name="b"/>', "broken XML (duplicate attribute)"),
    "an unknown encoding": (b'<?xml version="1.0" encoding="x-no"?><testsuite/>', "broken XML"),
    "a character that is none": (b"<testsuite>\x01</testsuite>", "broken XML"),
    "too deep": (b"<testsuite>" * 41 + b"</testsuite>" * 41, "MAX_NESTING"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_junit_is_refused_with_its_place(case: str) -> None:
    data, told = REFUSED[case]
    with pytest.raises((NotJson, UnknownFormat)) as caught:
        document(data)
    assert told in str(caught.value)
    assert str(caught.value).startswith("x.xml: " if caught.value.line is None else "x.xml:")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings_are_those_that_xml_has(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><testsuite name="é"/>'
    assert document(text.encode(encoding))["root"]["attributes"] == {"name": "é"}


def test_reruns_stand_beside_their_test() -> None:
    found = document((FIXTURES / "junit/1/valid/surefire-reruns.xml").read_bytes())
    told = [
        (one["attributes"]["name"], one["content"][0]["tag"] if one.get("content") else "")
        for one in found["testcases"][2:7]
    ]
    assert told == [
        ("answers in time", "flakyFailure"),
        ("answers in time", ""),
        ("never names another customer", "failure"),
        ("never names another customer", "rerunFailure"),
        ("never names another customer", "rerunFailure"),
    ]


def test_a_rerun_whose_test_is_gone_is_a_test() -> None:
    found = document((FIXTURES / "junit/1/valid/surefire-reruns.xml").read_bytes())
    found["testcases"] = [one for one in found["testcases"] if "rerun" in one]
    again = document(written(found))
    assert [one["content"][0]["tag"] for one in again["testcases"]] == ["failure"] * 3
    assert all("rerun" not in one for one in again["testcases"])


def test_tests_that_were_moved_and_deleted_are_written() -> None:
    found = document(TYPICAL.read_bytes())
    found["testcases"] = found["testcases"][::-1][:3]
    again = document(written(found))
    assert [one["attributes"]["name"] for one in again["testcases"]] == [
        one["attributes"]["name"] for one in found["testcases"]
    ]


def test_what_names_no_suite_stands_in_the_root() -> None:
    test = {"suite": 7, "attributes": {"name": "a"}}
    loops = [{"tag": "testsuite", "suite": 1}, {"tag": "testsuite", "suite": 0}]
    found = {"testcases": [test], "root": {"tag": "testsuites"}, "suites": loops}
    again = document(written(found))
    assert again["testcases"] == [{"attributes": {"name": "a"}}]
    assert len(again["suites"]) == 2


@pytest.mark.parametrize("name", ["", "a b", "<x", "1", "a=", "\ud83d", "a\x00"])
def test_a_name_that_xml_does_not_take_is_refused(name: str) -> None:
    found = {"testcases": [{"attributes": {"name": "a", name: "b"}}], "root": {"tag": "testsuite"}}
    with pytest.raises(OutputError):
        written(found)


def test_characters_that_xml_has_not_are_replaced() -> None:
    text = "\x1b[31m\ud83d\ufffe\r\n"
    found = {"testcases": [{"attributes": {"name": text}}], "root": {"tag": "testsuite"}}
    again = document(written(found))["testcases"][0]["attributes"]["name"]
    assert again == "\ufffd[31m\ufffd\ufffd\r\n"


def test_a_slot_may_hold_any_text() -> None:
    slot = {"a": "\x1b\ud83d\x00<&\"'", "b": [1.5, None]}
    found = {
        "testcases": [{"attributes": {"name": "a"}, "x-evalglot": slot}],
        "root": {"tag": "testsuite"},
        "x-evalglot": slot,
    }
    assert same(document(written(found)), found)


def test_somebody_elses_property_of_that_name_is_a_property() -> None:
    for value in ("no JSON", "[]", "{}", '{"a":1,"a":2}'):
        inner = f'<properties><property name="x-evalglot" value={quoteattr(value)}/></properties>'
        found = document(f'<testsuite><testcase name="a">{inner}</testcase></testsuite>'.encode())
        assert found["testcases"][0]["properties"] == {"x-evalglot": value}


def test_faults_have_a_pointer_and_no_line(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_bytes(b"<testsuite>\n<testcase/></testsuite>")
    (finding,) = check_file(str(tmp_path / "x.xml"), Asked()).findings
    assert (finding.pointer, finding.line) == ("/testcases/0", None)


def test_a_folder_is_not_searched_for_xml(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_bytes(b"<project/>")
    (tmp_path / "run.json").write_bytes(gate.dump(document(TYPICAL.read_bytes())))
    assert [Path(one.file).name for one in check([str(tmp_path)], Asked()).files] == ["run.json"]
    (one,) = check([str(tmp_path / "pom.xml")], Asked(ignore_unknown=True)).files
    assert one.outcome == "skipped"


def test_a_result_that_was_cut_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "cut.xml").write_bytes(TYPICAL.read_bytes()[:400])
    (tmp_path / "page.xml").write_bytes(b"<!DOCTYPE html><html>")
    found = check([str(tmp_path / "*.xml")], Asked(ignore_unknown=True)).files
    assert [one.outcome for one in found] == ["invalid", "skipped"]


@given(data=st.data())
def test_any_bytes_are_a_file_or_refused(data: st.DataObject) -> None:
    real = bytearray(TYPICAL.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(real) - 1))
        real[at] = data.draw(st.integers(0, 255))
    try:
        if bytes(real).startswith(b"<"):
            document(bytes(real))
    except EvalglotError as error:
        assert str(error)
