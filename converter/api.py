"""Converting and reading from Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import msgspec

from converter import chain
from converter import source as sources
from converter.facts import Case, Run, Trial
from converter.frames import Columns, Tabular, fields
from converter.runs import run_file
from registry import catalog, detection, gate, validation
from registry.reports.cells import cell, table

if TYPE_CHECKING:
    from converter.chain import Stage
    from registry.scan import Nonfinite


class CaseRead(msgspec.Struct, frozen=True):
    """One case with its trials, in the file's order."""

    case: Case
    trials: list[Trial]


SHOWN = 20
"""cases that a notebook shows"""


class RunRead(Tabular, msgspec.Struct, frozen=True):
    """What a result file says, in facts: the run, and its cases with their trials.

    As a table (`to_pandas`, `to_polars`, `to_arrow`) it has a row for each trial, and one for a
    case without trials; its columns are the facts of both, such as ``case.id``, ``trial.score``.
    """

    ref: str
    """the version that the file has, such as cbl@4"""
    run: Run
    cases: Sequence[CaseRead]

    def columns(self) -> Columns:
        """Which columns has the table of trials?"""
        rows = [(one.case, trial) for one in self.cases for trial in one.trials or (None,)]
        cases = fields(Case, "case", [case for case, _ in rows])
        return {**cases, **fields(Trial, "trial", [trial for _, trial in rows])}

    def _repr_html_(self) -> str:
        """How does a notebook show the run?"""
        verdicts = Counter(trial.verdict for one in self.cases for trial in one.trials)
        counted = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items())
        head = f"{self.ref}: {len(self.cases):,} cases; trials: {counted or 'none'}"
        rows = [_row(one) for one in self.cases[:SHOWN]]
        shown = table(("case", "verdicts", "score", "output"), rows, len(self.cases) - len(rows))
        return f"<p>{cell(head)}</p>{shown}"


def _row(one: CaseRead) -> Sequence[object]:
    """What is shown of a case, and of its first trial?"""
    case, first = one.case, one.trials[0] if one.trials else Trial()
    name = case.id or case.name or case.description or case.input or ""
    verdicts = ", ".join(trial.verdict or "" for trial in one.trials)
    return name, verdicts, "" if first.score is None else f"{first.score:.4g}", first.output or ""


def load(path: str | PathLike[str], *, nonfinite: Nonfinite = "reject") -> Any:
    """Which JSON value does this file hold? The list of its values for JSON Lines.

    Raises `registry.errors.NotJson` with line, column and JSON Pointer where it breaks the gate's
    policy: wrong encoding, duplicate keys, trailing data, bare NaN, too deep.
    """
    file = fspath(path)
    with sources.opened(file) as data:
        read = gate.load_lines if sources.is_lines(data, file) else gate.load
        return read(data, file=file, nonfinite=nonfinite)


def convert(
    document: Any, to: str, *, source: str | None = None, lines: bool = False, carry: bool = True
) -> Any:
    """What is this document in another format or version?

    `to` and `source` are such as ``"sandtable"`` or ``"cbl@3"``; the source is found out if left
    out. `lines` says that the document is the list of a JSON Lines file's values. Without `carry`
    what the target can't say is dropped. The document is not changed.

    Raises `registry.errors.EvalglotError` subclasses: UnknownFormat, UnknownVersion,
    InvalidDocument, BadCarry.

    >>> run = {"evaluation_id": 7, "total_passed": 0, "total_failed": 1, "results": [
    ...     {"test_result_id": 1, "iteration": 0, "user_input": "Hi", "conversation_id": 2,
    ...      "model_response": "No.", "safe_response_score": 0.25, "passed": False}]}
    >>> other = convert(run, "sandtable")
    >>> other["tasks"][0]["trials"][0]["events"][0]
    {'type': 'user', 'text': 'Hi'}
    >>> convert(other, "cbl") == run
    True
    """
    from_ = stage(document, source, lines=lines)
    wanted = catalog.parse_ref(to)
    version = wanted.version if "@" in to else None
    return chain.convert(from_, wanted.format, version, carry=carry).document()


def read_run(document: Any, *, source: str | None = None, lines: bool = False) -> RunRead:
    """What does this document say, in facts that are the same for every format?

    A converted file is read through its carry: it says what its origin said.

    >>> item = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "ActualOutput": "No.",
    ...         "Status": "REVIEW", "Passed": False}
    >>> read = read_run([item])
    >>> read.ref, read.cases[0].case.id, read.cases[0].trials[0].verdict
    ('promptbeat-judgment@1', '1', 'review')
    """
    run = run_file(stage(document, source, lines=lines))
    gathered: dict[Any, CaseRead] = {}
    for number, (case, said) in enumerate(run.groups()):
        known = gathered.setdefault(run.key(number, case), CaseRead(case, []))
        known.trials.extend(trial for _, trial in said)
    return RunRead(run.ref, run.run, list(gathered.values()))


def detect(document: Any, *, lines: bool = False) -> str:
    """Which version of which format is this document?

    Raises UnknownFormat with the reason against each candidate, UnknownVersion for a newer one.

    >>> detect({"evaluation_id": 7, "total_passed": 0, "total_failed": 0, "results": []})
    'cbl@4'
    """
    return detection.detect_document(document, lines=lines).ref


def validate(document: Any, ref: str | None = None) -> list[validation.Problem]:
    """What is wrong with this document in its version, or in the one given? Empty: nothing.

    >>> [problem.pointer for problem in validate({"evaluation_id": "x", "total_passed": 0,
    ...                                           "total_failed": 0})]
    ['/evaluation_id']
    """
    return validation.problems(document, catalog.parse_ref(ref).ref if ref else detect(document))


def stage(document: Any, ref: str | None, *, lines: bool) -> Stage:
    """Which version has this document, taken apart, in the one given or found out?

    Raises UnknownFormat, UnknownVersion or InvalidDocument.
    """
    version = catalog.parse_ref(ref) if ref else detection.detect_document(document, lines=lines)
    if lines:
        check = validation.record_checker(version.ref, ())
        for number, record in enumerate(document):
            check(record, number)
    else:
        validation.check(document, version.ref)
    return chain.stage(document, version.ref, lines=lines)
