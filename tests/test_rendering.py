"""Whatever a file says acts in no report: each is read by a real parser of its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from lxml import etree
from lxml import html as pages

from diffruns import renderers
from evalglot.cli import evalglot
from registry import catalog, gate, reports
from tests.converter import samples
from tests.diffruns.test_markdown import acts_on_nothing
from tests.hostile import ACTIVE, TEXTS, UNSEEN, filled, turned

NAMES = {
    "a": "a::error title=x::%0A,]]> `|[x](y) \x1b[31m\u202e&<b>",
    "b": "b##[error] '\" onload=x \u2028{0}<!--\ud83d\udcff",
}
NAMES = {key: name.encode("utf-8", "replace").decode() + ".json" for key, name in NAMES.items()}
EVERYTHING = {
    name: path
    for path in samples.valid()
    if path.name == "everything.json"
    and (name := path.parts[-4]) == catalog.find(name).id
    and catalog.find(name).newest.version == path.parts[-3]
}
TURNS = [
    *((name, turn * 5) for turn, name in enumerate(EVERYTHING)),
    *(("promptfoo", turn) for turn in range(1, len(TEXTS), 6)),
]


def texts(value: Any) -> Iterator[str]:
    """Which texts does a JSON value hold, keys among them?"""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from (text for held in value.values() for text in texts(held))
    elif isinstance(value, list):
        yield from (text for held in value for text in texts(held))


def plain_lines(told: str) -> None:
    """A terminal and a log of any CI: no escapes, and no commands of GitHub's or Azure's."""
    assert not ACTIVE.search(told)
    assert not re.search(r"^\s*::[a-z-]", told, re.MULTILINE)


def commands(told: str) -> None:
    """Every line is one workflow command of ours, with its properties' values escaped."""
    assert not ACTIVE.search(told)
    for line in told.splitlines():
        found = re.fullmatch(r"::(error|warning|notice) ((?:[a-z]+=[^,:\s][^,:]*,?)*)::(.*)", line)
        assert found, line
        keys = [one.partition("=")[0] for one in found[2].split(",")]
        assert set(keys) <= {"file", "line", "col", "title"}
        assert len(keys) == len(set(keys))
        assert not re.search(r"::[a-z-]", found[3])


def markdown(told: str) -> None:
    assert not ACTIVE.search(told)
    acts_on_nothing(told)


def page(told: str) -> None:
    """One script and one style of ours, nothing that loads, and nothing that links elsewhere."""
    assert not ACTIVE.search(told)
    root = pages.document_fromstring(told)
    tags = [one.tag for one in root.iter() if isinstance(one.tag, str)]
    assert not {*tags} & {"img", "iframe", "object", "embed", "link", "base", "video", "audio"}
    assert [tags.count(one) for one in ("style", "title", "head", "body")] == [1, 1, 1, 1]
    assert [one.get("type") for one in root.iter("script")].count(None) == 1
    assert [one.get("http-equiv") for one in root.iter("meta")].count(None) == tags.count(
        "meta"
    ) - 1
    for one in root.iter():
        if isinstance(one.tag, str):
            assert not any(name.startswith("on") for name in one.attrib)
            assert not {"src", "srcset", "action", "formaction", "srcdoc"} & {*one.attrib}
            assert one.get("href", "#").startswith("#")
    for held in root.iter("script"):
        if held.get("type"):
            assert not any(UNSEEN.search(text) for text in texts(json.loads(held.text or "null")))


def xml(told: str) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(told.encode(), parser)
    assert root.getroottree().docinfo.internalDTD is None
    assert {one.tag for one in root.iter()} <= {
        "testsuites", "testsuite", "testcase", "failure", "flakyFailure", "flakyError",
        "error", "skipped",
        "properties", "property", "system-out", "system-err",
    }  # fmt: skip
    for one in root.iter():
        said = [one.text or "", one.tail or "", *map(str, one.attrib.values())]
        assert not any(ACTIVE.search(text) for text in said)


def shown(told: str) -> None:
    """JSON whose texts others show as they are."""
    assert told.isascii()
    assert not any(ACTIVE.search(text) for text in texts(json.loads(told)))


def sarif(told: str) -> None:
    """Its messages are Markdown-like: no links, and no places to fill."""
    shown(told)
    for run in json.loads(told)["runs"]:
        for one in run["results"]:
            assert not re.search(r"(?<!\\)(\\\\)*[][]", one["message"]["text"])
            assert not re.search(r"(?<!\{)(\{\{)*\{\d", one["message"]["text"])
            for location in one["locations"]:
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                assert re.fullmatch(r"(file://)?[\w.%~/-]+", uri)


def exact(told: str) -> None:
    """JSON for programs, which keeps texts as they are: as escapes where they would act."""
    assert json.loads(told) is not None
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", told)


Held = Callable[[str], None]
DIFF: dict[str, Held] = {
    "text": plain_lines,
    "json": exact,
    "junit": xml,
    "sarif": sarif,
    "ctrf": shown,
    "markdown": markdown,
    "github": commands,
    "html": page,
}
VALIDATE: dict[str, Held] = {
    "text": plain_lines,
    "json": exact,
    "github": commands,
    "sarif": sarif,
    "junit": xml,
}


def test_every_kind_of_report_is_held() -> None:
    assert set(DIFF) == set(renderers.KINDS)
    assert set(VALIDATE) == set(reports.KINDS)


@pytest.fixture(params=TURNS, ids=lambda turn: f"{turn[0]}-{turn[1]}")
def ref(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which version have the runs that lie here? Texts, keys and their own names are hostile."""
    name, turn = request.param
    path = EVERYTHING[name]
    version = samples.ref(path)
    a = filled(samples.document(path), version, turn)
    for key, document in (("a", a), ("b", turned(a, version))):
        (tmp_path / NAMES[key]).write_bytes(gate.dump(document))
    monkeypatch.chdir(tmp_path)
    return version


def told(*arguments: str) -> tuple[str, str]:
    """What a command tells on standard output, and on standard error."""
    done = CliRunner().invoke(evalglot, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 3, 4), done.stderr
    return done.stdout_bytes.decode(), done.stderr_bytes.decode()


def test_comparison_acts_on_nothing(ref: str) -> None:
    options = ["--by", "tag", "--all", "--fail-on", "new-failure", "--fail-on", "missing"]
    for kind, hold in DIFF.items():
        out, err = told("diff", "--from", ref, *NAMES.values(), *options, "--format", kind)
        hold(out)
        plain_lines(err)


def test_validation_acts_on_nothing(ref: str) -> None:
    """Of a file with a key of each text, and with faults that quote what they found."""
    document = gate.load(Path(NAMES["a"]).read_bytes(), nonfinite="keep")
    first = document[0] if isinstance(document, list) else document
    for key in [*first]:
        first.setdefault(f"{len(first)} {[*TEXTS.values()][len(first) % len(TEXTS)]}", key)
    broken = {**first, **{text: [text] for text in TEXTS.values()}}
    for made in (first, broken):
        Path(NAMES["b"]).write_bytes(gate.dump(made))
        for kind, hold in VALIDATE.items():
            out, err = told("validate", "--from", ref, *NAMES.values(), "--format", kind)
            hold(out)
            plain_lines(err)


def test_run_acts_on_nothing(ref: str) -> None:
    out, err = told("report", "--from", ref, NAMES["b"])
    page(out)
    plain_lines(err)
    out, err = told("cases", "--from", ref, NAMES["b"])
    plain_lines(out)
    plain_lines(err)


def test_what_conversion_says_acts_on_nothing(ref: str) -> None:
    target = "cbl" if ref.startswith("sandtable") else "sandtable"
    _, err = told("convert", "--from", ref, "--to", target, NAMES["a"], "-o", "out")
    plain_lines(err)
