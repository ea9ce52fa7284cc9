"""How is told whether files may be merged? All that the reports of each file say, in one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from diffruns import renderers
from diffruns.renderers import View, listed, markdown, words
from diffruns.renderers.markdown import code, plain
from evalglot.gate.gating import Gated
from registry import reports
from registry.findings import Finding
from registry.reports import text
from registry.reports.github import command
from registry.reports.harmless import harmless
from registry.reports.json import spelled
from registry.reports.paths import relative
from registry.values import JSON

LINES = 100
"""findings, and files that are not compared, that are told in a comment"""
ROOM = 1_000
"""characters of a comment that are left for what others put around it"""
COUNTED = ("tests", "failures", "errors")
"""what a JUnit report counts in all of its suites"""


def as_text(gated: Gated, view: View) -> bytes:
    """Which lines tell it on a terminal?"""
    parts = [text.render(gated.checked)]
    parts += [renderers.render("text", one, view) for one in gated.comparisons]
    parts.append("".join(f"{harmless(line)}\n" for line in _outcome(gated)).encode())
    return b"\n".join(filter(None, parts))


def as_markdown(gated: Gated, view: View) -> bytes:
    """A comment on a pull request: as much of all files as fits one."""
    blocks = [*_verdict(gated), *_findings(gated), *_apart(gated)]
    room = markdown.LIMIT - ROOM - sum(map(len, blocks))
    return "\n\n".join([*blocks, *_comparisons(gated, view, room)]).encode() + b"\n"


def as_github(gated: Gated, view: View) -> bytes:
    """Workflow commands that annotate the files of a pull request."""
    parts = [reports.render("github", gated.checked)]
    parts += [renderers.render("github", one, view) for one in gated.comparisons]
    for file in gated.gone:
        level = "error" if gated.forbids_gone else "warning"
        said = command(level, {"title": "evalglot gate"}, f"{file} is gone")
        parts.append(f"{said}\n".encode())
    return b"".join(parts)


def as_sarif(gated: Gated, view: View) -> bytes:
    """One log with one run: services take no second one of the same tool."""
    log = json.loads(reports.render("sarif", gated.checked))
    (run,) = log["runs"]
    runs = [run, *(_sarif_run(renderers.render("sarif", one, view)) for one in gated.comparisons)]
    rules = {rule["id"]: rule for one in runs for rule in one["tool"]["driver"]["rules"]}
    run["tool"]["driver"]["rules"] = list(rules.values())
    run["results"] = [_free(result) for one in runs for result in one["results"]]
    run["automationDetails"] = {"id": "evalglot/gate/"}
    code_ = gated.exit_code
    run["invocations"] = [{"executionSuccessful": code_ < 2, "exitCode": code_}]
    return spelled(log)


def _sarif_run(log: bytes) -> JSON:
    (run,) = json.loads(log)["runs"]
    return run


def _free(result: JSON) -> JSON:
    """The result without the places of its rule and file in the lists of its own run."""
    result.pop("ruleIndex", None)
    for location in result["locations"]:
        location["physicalLocation"]["artifactLocation"].pop("index", None)
    return result


def as_junit(gated: Gated, view: View) -> bytes:
    """The suites of all reports, and one of the files that are gone."""
    parts = [reports.render("junit", gated.checked)]
    parts += [renderers.render("junit", one, view) for one in gated.comparisons]
    roots = [ET.fromstring(part) for part in parts]
    root = ET.Element("testsuites")
    root.extend(suite for one in roots for suite in one)
    if gated.gone and gated.forbids_gone:
        root.append(_gone_suite(gated.gone))
    for name in COUNTED:
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _gone_suite(gone: Sequence[str]) -> ET.Element:
    count = str(len(gone))
    suite = ET.Element("testsuite", name="files", tests=count, failures=count, errors="0")
    for file in gone:
        case = ET.SubElement(suite, "testcase", name=harmless(file), classname="gone")
        ET.SubElement(case, "failure", message="the file is gone", type="missing")
    return suite


KINDS: Mapping[str, Callable[[Gated, View], bytes]] = {
    "text": as_text,
    "markdown": as_markdown,
    "github": as_github,
    "sarif": as_sarif,
    "junit": as_junit,
}


def _outcome(gated: Gated) -> Iterator[str]:
    """What came out, in few lines?"""
    for reason, files in groupby(gated.apart, key=lambda one: one.reason):
        yield f"{reason}: {', '.join(relative(one.file) for one in files)}"
    if gated.gone:
        yield f"gone: {', '.join(gated.gone)}"
    yield f"gate: {_sentence(gated)}"


def _sentence(gated: Gated) -> str:
    said = text.summary(gated.checked)
    if gated.base is None:
        return f"{said}; compared with nothing; --base REV compares"
    return f"{said}; {len(gated.comparisons):,} changed since {gated.base}"


VERDICTS = {
    0: "passed",
    1: "stopped by findings",
    2: "stopped: a file can't be read",
    3: "stopped: runs may not be compared",
    4: "stopped: nothing could be assessed",
}


def _verdict(gated: Gated) -> Iterator[str]:
    yield f"## evalglot: {VERDICTS[gated.exit_code]}"
    yield plain(_sentence(gated))


def _findings(gated: Gated) -> Iterator[str]:
    found = ((file, one) for file in gated.checked.files for one in file.findings)
    yield from _bounded(_finding(file.file, one) for file, one in found)


def _finding(file: str, one: Finding) -> str:
    place = ":".join(str(part) for part in (relative(file), one.line, one.column) if part)
    return f"- {one.severity} in {code(place)}: {code(one.message)} ({code(one.rule)})"


def _apart(gated: Gated) -> Iterator[str]:
    lines = [f"- {code(relative(one.file))}: {plain(one.reason)}" for one in gated.apart]
    yield from _bounded([*(f"- {code(file)}: gone" for file in gated.gone), *lines])


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    """The lines as a list, of which there is one or none, and how many more there were."""
    held = [*lines]
    more = [f"- +{len(held) - LINES:,} more"] if len(held) > LINES else []
    if held:
        yield "\n".join([*held[:LINES], *more])


def _comparisons(gated: Gated, view: View, room: int) -> Iterator[str]:
    """As many rows of each file's tables as there is room for; at last only the verdicts."""
    held = [(one.report, [*listed(one, view)]) for one in gated.comparisons]
    for rows in markdown.ROWS:
        told = [markdown.told(report, cases, rows) for report, cases in held]
        if sum(map(len, told)) + 2 * len(told) <= room:
            yield from (one.rstrip() for one in told)
            return
    lines = [f"- {code(one.b.file)}: {plain(words.verdict(one))}" for one, _ in held]
    while sum(map(len, lines)) + len(lines) > room and lines:
        lines.pop()
    hidden = len(held) - len(lines)
    yield "\n".join([*lines, *([f"+{hidden:,} more files"] if hidden else [])])
