"""Which pages of the documentation are written from what the registry knows?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from registry import catalog
from registry.rules import RULES, Rule

RULES_PAGE = "../docs/rules.md"
"""Where is the page of the rules? From the shelves."""

HEAD = """# Rules beyond shape

What `evalglot validate` holds a result file to once it keeps to its schema. Written by
`python -m registry.generate`; do not edit.

* A figure may be rounded to the digits in which it is written, two at least.
* Where a format knows an exception (errored trials, cases that are only counted, rows lost because
  their score was not a number, a run that was not completed), what breaks a rule by it is a warning
  that says so. In a converted file every such finding is a warning: its source may count otherwise.
* `--select` and `--ignore` take ids, or a format for all its rules. `--strict` fails on warnings.
* A file that breaks its schema is not recounted.
"""


def rules_page() -> bytes:
    """What does the page of the rules say?"""
    return ("\n".join(_rules_page()) + "\n").encode()


def _rules_page() -> Iterator[str]:
    yield HEAD
    for id_, group in groupby(RULES, key=_format):
        yield f"## {catalog.find(id_).title}\n"
        yield "| rule | breaking it is | what is true |\n|---|---|---|"
        yield from (f"| `{one.id}` | {_severity(one)} | {one.sentence} |" for one in group)
        yield ""


def _format(one: Rule) -> str:
    return one.format


def _severity(one: Rule) -> str:
    return "an error" if one.severity == "error" else "a warning"
