"""Comparing from Python."""

from __future__ import annotations

from typing import Any

from converter.api import stage
from converter.runs import run_file
from diffruns.compare import compare
from diffruns.keys import key_of
from diffruns.naming import refuse_unknown
from diffruns.options import DEFAULT, Options
from diffruns.report import Report
from diffruns.sides import Side, no_key, side
from registry.values import digest


def diff(
    a: Any,
    b: Any,
    options: Options = DEFAULT,
    *,
    source_a: str | None = None,
    source_b: str | None = None,
    key: str | None = None,
    lines: bool = False,
) -> Report:
    """What changed from run A to run B, whichever tools wrote these documents?

    The sources are such as ``"promptfoo"`` or ``"cbl@3"``, found out if left out; `key` names
    the facts that tell a case, where its id should not; `lines` says that the documents are lists
    of a JSON Lines file's values. The documents are not changed.

    Raises `registry.errors.EvalglotError` subclasses, as `evalglot.convert` does.

    >>> item = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "ActualOutput": "No.",
    ...         "Status": "PASS", "Passed": True}
    >>> report = diff([item], [{**item, "Status": "FAIL", "Passed": False}])
    >>> report.cases[0].bucket, report.exit_code
    ('broke', 1)
    """
    one, other = (
        _side(document, source, key, lines=lines)
        for document, source in ((a, source_a), (b, source_b))
    )
    refuse_unknown(one, other, options)
    return compare(one, other, options).report


def _side(document: Any, source: str | None, key: str | None, *, lines: bool) -> Side:
    file = run_file(stage(document, source, lines=lines))
    return side(file, "", digest(document), key_of(key) if key else no_key)
