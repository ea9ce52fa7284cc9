"""Where a format keeps its runs, cases and trials, and how they are said in facts.

A document is taken apart into an *envelope* (everything but the records, with an empty array in
their place) and a stream of *groups*: a flat format's group is one record, which is one trial; a
nested format's group is one case with its trials' records. A `shape` keeps what one format
allows several ways of (the container's key, the spelling of names).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

from converter.blanks import Blank
from converter.facts import Case, Run, Trial
from converter.rows import Record, Row, Table

Path: TypeAlias = tuple[str, ...]


class Group(NamedTuple):
    """One case of a document: its own record (nested formats only) and its trials' records."""

    parent: Record | None
    records: Sequence[Record]


@dataclass(frozen=True, slots=True)
class Parts:
    """A document taken apart. `groups` can be gone through more than once.

    `unspeakable` says that it holds what JSON can't say, such as NaN. Facts are then read as if
    null stood there, and the originals are carried. `raws` are each group's bytes, where they are
    at hand.
    """

    envelope: Any
    groups: Sequence[Group]
    shape: Mapping[str, Any] = field(default_factory=dict)
    unspeakable: bool = False
    raws: Sequence[Any] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Where are the records, and are trials nested in them?

    `records` is the path of the array of records; () where the document itself is that array.
    `nested` is the key, in each record, of the array of its trials.
    """

    records: Path
    nested: str | None = None

    @property
    def streams(self) -> bool:
        """May records be taken from the array at `records` one by one?"""
        return True

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?

        `lines` says that it is the list of values of a JSON Lines file.
        """
        if lines:
            return self.lines(document)
        records = reach(document, self.records)
        if type(records) is not list:
            return self.parts(document, [])
        return self.parts(replaced(document, self.records, []), records)

    @property
    def has_lines(self) -> bool:
        """May the records be written as JSON Lines?"""
        return type(self).lines is not Layout.lines

    def parts(self, envelope: Any, records: Sequence[Record]) -> Parts:
        """Which groups do these records make? They may be decoded one by one, when asked for."""
        return Parts(envelope, Groups(self, records))

    def lines(self, records: Sequence[Record]) -> Parts:
        """Which parts do the lines of a JSON Lines file make? ValueError where that is no form."""
        raise ValueError("this version is never written as JSON Lines")

    def join(self, parts: Parts) -> Any:
        """Which document do these parts make?"""
        records = list(self.records_of(parts.groups, parts.shape))
        if not records and not self.holds_records(parts.envelope):
            return parts.envelope
        return self.frame(parts.envelope, parts.shape, records)

    def holds_records(self, envelope: Any) -> bool:
        """Is there a place for records in this envelope, be it empty?"""
        return type(reach(envelope, self.records)) is list

    def frame(self, envelope: Any, shape: Mapping[str, Any], records: Any) -> Any:
        """How does the document look around its records?"""
        del shape
        return replaced(envelope, self.records, records)

    def group(self, record: Record) -> Group:
        """Which case and trials does one record of the document hold?"""
        if self.nested is None:
            return Group(None, [record])
        return Group({**record, self.nested: []}, record[self.nested])

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Record]:
        """Which records of the document do these groups make?"""
        del shape
        for group in groups:
            if self.nested is None or group.parent is None:
                yield from group.records
            else:
                yield {**group.parent, self.nested: list(group.records)}


@dataclass(frozen=True, slots=True)
class Groups(Sequence[Group]):
    """The groups of a document's records, each made when it is asked for."""

    layout: Layout
    records: Sequence[Record]

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, number: Any) -> Any:
        return self.layout.group(self.records[number])


def reach(document: Any, path: Path) -> Any:
    """What does the document hold at this path? None where it does not lead anywhere."""
    for key in path:
        if type(document) is not dict:
            return None
        document = document.get(key)
    return document


def replaced(document: Any, path: Path, value: Any) -> Any:
    """How does the document look with another value at this path? It is not changed itself."""
    if not path:
        return value
    inner = document.get(path[0]) if type(document) is dict else None
    return {**(document or {}), path[0]: replaced(inner, path[1:], value)}


class Survey(msgspec.Struct, frozen=True):
    """What must be known of all cases before the first can be written?"""

    k: int = 1
    """most trials of one case"""
    targets: tuple[str, ...] = ()
    multi_turn: bool = False
    """does any case have more than one exchange"""

    def target_number(self, provider: str | None) -> int:
        """Which number does this target have in the run? It counts from 0."""
        return self.targets.index(provider) if provider in self.targets else 0


class Seat(msgspec.Struct, frozen=True):
    """Which number does a record get? All count from 0.

    A record that is written in order to see what comes back has no seat: what depends on its
    position is then left to the carry, which brings it back wherever the record has moved to.
    """

    row: int
    case: int
    trial: int
    first: str | None = None
    """the id of the first trial of its case"""
    last: bool = True
    """is it the last trial of its case?"""
    test: int = 0
    """the test that a row is of: those of several targets may share one; see `shares_tests`"""


class Context(msgspec.Struct, frozen=True):
    """What is known around a record while it is written?"""

    run: Run
    survey: Survey = Survey()
    shape: Mapping[str, Any] = {}


class Tally(Protocol):
    """What do all cases come to, by a format's own formulas?"""

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in."""

    def join(self, later: Any) -> None:
        """Count in what another tally of the same kind has counted of the cases that follow."""


class NoTally:
    """Counts nothing: the file has no totals."""

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in."""

    def join(self, later: NoTally) -> None:
        """Count in what was counted of the cases that follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How does one format, in its newest version, say facts?

    `rows` are all its plain correspondences. `tables` says where each table of rows stands; `*` is
    a position in a list, or a key that is a name. `read` and `write` turn one trial's record into
    facts and back. `read_case` reads a case from its own record where trials are nested in it, from
    the trial's record elsewhere; nested formats have `write_case` too.
    `blanks` says what stands in for required fields that nothing is known of. `carried` names
    each documented field that has no row, with the reason. `glimpsed` are further parts of a
    record, by path, that `read_case` needs to know which case it is, each with its type.
    """

    id: str
    version: str
    layout: Layout
    run_slot: Path
    record_slot: Path
    rows: tuple[Row, ...]
    tables: tuple[tuple[str, Table], ...]
    carried: Mapping[str, str]
    run_blanks: tuple[Blank, ...] = ()
    record_blanks: tuple[Blank, ...] = ()
    read_run: Callable[[Record], Run]
    write_run: Callable[[Context, Any], Record]
    read: Callable[[Record, Record | None], tuple[Case, Trial]]
    write: Callable[[Case, Trial, Seat | None, Context], Record]
    tally: Callable[[], Tally]
    read_case: Callable[[Record], Case]
    write_case: Callable[[Case, Sequence[Trial]], Record] | None = None
    glimpsed: Mapping[str, Any] = field(default_factory=dict)
    numbered_by: Callable[[tuple[Case, Trial]], Any] | None = None
    """what do the records of a flat format have in common that its `write` tells apart by the
    trial's number in their seats? All are 0 without it"""
    shares_tests: bool = False
    """does a flat format's `write` ask of which test a record is? Each has its own otherwise"""
    numbers_cases: bool = False
    """is that test the case, whatever target it is of and however often it was tried?"""
    shape: Callable[[Survey], Mapping[str, Any]] | None = None
    """which of several shapes does a new document get? Formats with one shape have none"""

    def target_of(self) -> Callable[[Record], str | None]:
        """Which function tells the target that a trial's record is of?"""
        row = next((row for row in self.rows if row.fact == "trial.provider"), None)
        if row is None:
            return lambda record: None
        path, read = tuple(row.path.split("/")), row.codec.read

        def target(record: Record) -> str | None:
            value: str | None = reach(record, path)
            return value if value is None or read is None else read(value)

        return target

    @property
    def ref(self) -> str:
        """How is this version of the format named, such as `cbl@4`?"""
        return f"{self.id}@{self.version}"
