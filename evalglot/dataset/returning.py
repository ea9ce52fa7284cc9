"""What did a run say that is in a dataset now? Its facts, as if its file were read again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from converter.facts import Case, Run
from evalglot.dataset import cells
from evalglot.dataset.asking import Dataset

if TYPE_CHECKING:
    from converter.bundling import Said


@dataclass(frozen=True, slots=True)
class Returned:
    """A run's facts, from its rows. It is read as a `converter.runs.RunFile` is."""

    ref: str
    run: Run
    nested: bool
    digest: str
    ran_at: str
    held: Sequence[tuple[Case, Sequence[Said]]]

    def group(self, number: int) -> tuple[Case, Sequence[Said]]:
        """What does group `number` say: its case, and each of its trials?"""
        return self.held[number]

    def groups(self) -> Iterator[tuple[Case, Sequence[Said]]]:
        """What do all groups say, in the file's order?"""
        return iter(self.held)


_ROWS = 'SELECT * FROM "{table}" WHERE digest IN (SELECT unnest($digests)) ORDER BY {order}'
_ORDERS = {
    "run": "ran_at, digest",
    "case": "digest, case_number",
    "trial": "digest, file_order",
    "check": "digest, case_number, trial_number, check_number",
}


def returned(dataset: Dataset, digests: Sequence[str]) -> list[Returned]:
    """What did these runs say, the earliest first?"""
    told = {
        table: dataset.ask(_ROWS.format(table=table, order=order), {"digests": list(digests)})
        for table, order in _ORDERS.items()
    }
    checks = defaultdict(list)
    for row in told["check"].to_pylist():
        place = row["digest"], row["case_number"], row["trial_number"]
        checks[place].append(cells.said("check", row))
    cases: dict[tuple[str, int], Case] = {
        (row["digest"], row["case_number"]): cells.said("case", row)
        for row in told["case"].to_pylist()
    }
    trials: dict[str, list[tuple[tuple[str, int], Any]]] = defaultdict(list)
    for row in told["trial"].to_pylist():
        place = row["digest"], row["case_number"], row["trial_number"]
        trial = cells.said("trial", row, checks=tuple(checks[place]) or None)
        trials[row["digest"]].append((place[:2], trial))
    return [_returned(row, cases, trials[row["digest"]]) for row in told["run"].to_pylist()]


def _returned(
    row: dict[str, Any],
    cases: dict[tuple[str, int], Case],
    trials: Sequence[tuple[tuple[str, int], Any]],
) -> Returned:
    own = {place: case for place, case in cases.items() if place[0] == row["digest"]}
    gather = _nested if row["nested"] else _flat
    return Returned(
        f"{row['tool']}@{row['version']}",
        cells.said("run", row),
        row["nested"],
        row["digest"],
        "" if row["ran_at"] is None else row["ran_at"].isoformat(),
        list(gather(own, trials)),
    )


def _nested(
    cases: dict[tuple[str, int], Case], trials: Sequence[tuple[tuple[str, int], Any]]
) -> Iterator[tuple[Case, Sequence[Said]]]:
    """Each case, with its trials."""
    held: dict[tuple[str, int], list[Said]] = {place: [] for place in cases}
    for place, trial in trials:
        held[place].append((cases[place], trial))
    return ((cases[place], said) for place, said in held.items())


def _flat(
    cases: dict[tuple[str, int], Case], trials: Sequence[tuple[tuple[str, int], Any]]
) -> Iterator[tuple[Case, Sequence[Said]]]:
    """Each trial by itself, with its case, and then the cases that nobody tried."""
    for place, trial in trials:
        yield cases[place], [(cases[place], trial)]
    tried = {place for place, _ in trials}
    yield from ((case, []) for place, case in cases.items() if place not in tried)
