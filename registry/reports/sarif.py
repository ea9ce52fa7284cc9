"""A report as SARIF 2.1.0, as code scanning services take it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from registry.findings import FileReport, Finding, Report
from registry.reports.harmless import harmless
from registry.reports.json import spelled
from registry.reports.paths import uri
from registry.rules import rule as find_rule
from registry.values import JSON

SENTENCES = {
    "file": "A file that is named can be read.",
    "json": "A result file is JSON: UTF-8, each key once, finite numbers, nothing after its end.",
    "format": "A result file has a registered format, in a version that is known.",
    "schema": "A result file keeps to the schema of its version.",
    "unknown-field": "A result file has only fields that the schema of its version names.",
}

MARKUP = str.maketrans({"\\": r"\\", "[": r"\[", "]": r"\]", "{": "{{", "}": "}}"})


def render(report: Report) -> bytes:
    """Which SARIF log tells all findings?"""
    found = [(one, finding) for one in report.files for finding in one.findings]
    rules = {rule: _sentence(rule) for rule in sorted({finding.rule for _, finding in found})}
    places = list(rules)
    results = [_result(one, finding, places.index(finding.rule)) for one, finding in found]
    return spelled(log(rules, report.exit_code, results))


def log(rules: Mapping[str, str], exit_code: int, results: Sequence[JSON]) -> JSON:
    """Which log holds these results of these rules, each of which has a sentence?"""
    run = {
        "tool": {
            "driver": {
                "name": "evalglot",
                "version": tool_version(),
                "rules": [
                    {"id": rule, "shortDescription": {"text": sentence}}
                    for rule, sentence in rules.items()
                ],
            }
        },
        "invocations": [{"executionSuccessful": exit_code < 2, "exitCode": exit_code}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def _sentence(rule: str) -> str:
    kind = rule.partition("/")[0]
    return SENTENCES[kind] if kind in SENTENCES else find_rule(rule).sentence


def tool_version() -> str:
    """Which release of evalglot is this?"""
    try:
        return version("evalglot")
    except PackageNotFoundError:  # a checkout that was never installed
        return "0"


def message(text: str) -> JSON:
    """Which message says this text? Brackets make links in one, and braces stand for arguments."""
    return {"text": text.translate(MARKUP)}


def _result(report: FileReport, finding: Finding, rule: int) -> JSON:
    physical: JSON = {"artifactLocation": {"uri": uri(report.file)}}
    if finding.line is not None:
        physical["region"] = {"startLine": finding.line, "startColumn": finding.column}
    location: JSON = {"physicalLocation": physical}
    if finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": harmless(finding.pointer)}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": message(harmless(finding.message)),
        "locations": [location],
        "occurrenceCount": finding.count,
    }
