"""`DIR@last5`: the last five runs of a dataset that tried the cases of another run, as one side."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diffruns.baselines import Baseline
from diffruns.sides import KeyOf, Side, entries, side
from evalglot.dataset import asking
from evalglot.dataset.asking import Dataset
from evalglot.dataset.needed import need
from evalglot.dataset.returning import Returned, returned
from registry.errors import InputError

if TYPE_CHECKING:
    from converter.bundling import Said
    from converter.facts import Case, Run

NAME = re.compile(r"(?P<folder>.+)@last(?P<count>[1-9][0-9]{0,2})", re.DOTALL)

_LAST = """
SELECT digest, max(ran_at) AS at_last FROM trials
WHERE case_label IN (SELECT unnest($labels)) AND digest <> $own
  AND (len($targets) = 0 OR target_name IN (SELECT unnest($targets)))
GROUP BY digest HAVING at_last IS NOT NULL ORDER BY at_last DESC, digest LIMIT {count}
"""


@dataclass(frozen=True, slots=True)
class Pooled:
    """Several runs, one after the other, as what one run says: that of the last."""

    runs: Sequence[Returned]

    @property
    def ref(self) -> str:
        """Which version has the file of the last run?"""
        return self.runs[-1].ref

    @property
    def run(self) -> Run:
        """What is said of the last run?"""
        return self.runs[-1].run

    @property
    def nested(self) -> bool:
        """No: a case of several runs is told by its name, as that of several records is."""
        return False

    def group(self, number: int) -> tuple[Case, Sequence[Said]]:
        """What does group `number`, counted through all runs, say?"""
        for run in self.runs:
            if number < len(run.held):
                return run.held[number]
            number -= len(run.held)
        raise IndexError(number)

    def groups(self) -> Iterator[tuple[Case, Sequence[Said]]]:
        """What do all groups of all runs say?"""
        return (group for run in self.runs for group in run.held)


def baseline(name: str, other: Side, key: KeyOf) -> Baseline:
    """Which runs does `DIR@last5` mean, for a run that is to be compared with them?

    Those of its targets, if there are any; else of all. Raises EvalglotError.
    """
    found = NAME.fullmatch(name)
    if found is None:
        raise InputError(found=f"--baseline {name}", expected="DIR@lastN, such as dataset@last5")
    need("pyarrow", "duckdb", "fsspec")
    with asking.opened(found["folder"]) as dataset:
        notes, digests = _last(dataset, other, int(found["count"]))
        if not digests:
            raise InputError(
                found="no run that tried these cases",
                hint="Collect earlier runs of the same suite.",
                file=name,
            )
        runs = returned(dataset, digests)
    pooled = Pooled(runs)
    known = hashlib.sha256("".join(run.digest for run in runs).encode())
    one = side(pooled, name, known.hexdigest(), key)
    notes += [f"A is {len(runs):,} runs, {runs[0].ran_at} to {runs[-1].ran_at}, as one"]
    return Baseline(one, [list(entries(run, key)) for run in runs], notes)


def _last(dataset: Dataset, other: Side, count: int) -> tuple[list[str], list[str]]:
    """Which runs are the last ones, and what is to be said of them?"""
    labels = sorted({_spelled(entry.label) for entry in other.entries})
    targets = sorted({_spelled(entry.target) for entry in other.entries if entry.target})
    given = {"labels": labels, "own": other.source.sha256}
    for wanted in (targets, []) if targets else ([],):
        rows = dataset.ask(_LAST.format(count=count), {**given, "targets": wanted})
        if rows.num_rows:
            other_targets = bool(targets) and not wanted
            notes = ["no earlier run has B's targets: A is of others"] if other_targets else []
            return notes, rows.column("digest").to_pylist()
    return [], []


def _spelled(text: str) -> str:
    """The text as a column has it."""
    return text.encode("utf-8", "backslashreplace").decode()
