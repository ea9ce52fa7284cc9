"""A report as JUnit XML: each file is a test case."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from registry.findings import FileReport, Report
from registry.reports.harmless import harmless
from registry.reports.paths import relative
from registry.reports.text import lines

_FAULTS = {"invalid": "failure", "unreadable": "error"}


def render(report: Report) -> bytes:
    """Which XML tells what became of each file?"""
    counts = {
        "tests": len(report.files),
        "failures": report.count("invalid"),
        "errors": report.count("unreadable"),
        "skipped": report.count("skipped"),
    }
    attributes = {name: str(count) for name, count in counts.items()}
    root = ET.Element("testsuites", attributes)
    suite = ET.SubElement(root, "testsuite", {"name": "evalglot validate", **attributes})
    for one in report.files:
        _case(suite, one)
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _case(suite: ET.Element, report: FileReport) -> None:
    name = harmless(relative(report.file))
    case = ET.SubElement(suite, "testcase", {"name": name, "classname": report.format or "unknown"})
    told = "\n".join(lines(report))
    if report.outcome == "skipped":
        ET.SubElement(case, "skipped", {"message": "of no known format"})
    elif report.outcome in _FAULTS:
        first = report.findings[0]
        fault = {"message": harmless(first.message), "type": first.rule}
        ET.SubElement(case, _FAULTS[report.outcome], fault).text = told
    elif told:
        ET.SubElement(case, "system-out").text = told
