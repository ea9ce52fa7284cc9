"""A result file as it is read: found out, checked, and decoded record by record."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from converter import slots
from converter.chain import Stage
from converter.form import Group, Groups
from converter.formats import find, layout
from registry import detection, gate, limits, slices, validation
from registry.errors import InputError
from registry.files import LINE_SUFFIXES, STDIN, is_lines, opened
from registry.text import utf8

if TYPE_CHECKING:
    from converter.form import Layout, Parts
    from converter.rows import Record
    from registry.catalog import Version
    from registry.scan import Nonfinite
    from registry.slices import Index
    from registry.text import Buffer

NONFINITE = re.compile(rb"NaN|Infinity")
"""what a file holds that has such numbers, and perhaps one that has not"""

__all__ = ["LINE_SUFFIXES", "STDIN", "Checked", "is_lines", "opened", "read", "without_carry"]


@dataclass(slots=True)
class Checked(Sequence["Record"]):
    """The records of a file, each decoded when asked for, and checked when it is first."""

    source: Index
    check: Callable[[Any, int], None]
    seen: bytearray

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, number: Any) -> Any:
        if self.seen[number]:
            return self.source.again(number)
        record = self.source.record(number)
        self.check(record, number)
        self.seen[number] = 1
        return record


def read(data: Buffer, file: str, version: Version | None, nonfinite: Nonfinite) -> Stage:
    """Which document do these bytes hold, in the version given, or the one found out?

    Raises NotJson, UnknownFormat, UnknownVersion or InvalidDocument, with the place. Where records
    are decoded one by one, so are their faults found.
    """
    lines = is_lines(data, file)
    index = None
    if version is None:
        version, index = detection.look(data, file=file, lines=lines, nonfinite=nonfinite)
    nonfinite = detection.accepted(version, nonfinite)
    where = layout(version.format, version.version)
    if lines:
        parts = _lines(data, file, version, nonfinite, where)
    else:
        parts = _parts(data, file, version, nonfinite, where=where, known=index)
    if nonfinite == "keep" and NONFINITE.search(utf8(data, file=file)):
        parts = replace(parts, unspeakable=True)
    return Stage(version.format, version.version, parts)


def without_carry(stage: Stage) -> Stage:
    """The same document, as if it had never been anything else."""
    form = find(stage.format)
    groups = [
        Group(
            group.parent and slots.take(group.parent, form.record_slot)[0],
            [slots.take(record, form.record_slot)[0] for record in group.records],
        )
        for group in stage.parts.groups
    ]
    envelope, _ = slots.take(stage.parts.envelope, form.run_slot)
    return replace(stage, parts=replace(stage.parts, envelope=envelope, groups=groups, raws=None))


def _lines(data: Buffer, file: str, version: Version, nonfinite: Nonfinite, where: Layout) -> Parts:
    index = slices.index_lines(data, file=file, nonfinite=nonfinite)
    try:
        return _with_bytes(where.lines(_checked(index, version, (), file)), index)
    except ValueError as error:
        raise _no_lines(version, file, error) from None


def _parts(
    data: Buffer,
    file: str,
    version: Version,
    nonfinite: Nonfinite,
    *,
    where: Layout,
    known: Index | None,
) -> Parts:
    """Of which parts is a document? Its index may be `known` already."""
    if where.streams:
        index = known
        if index is None or index.path != where.records:
            index = slices.index(data, where.records, file=file, nonfinite=nonfinite)
        if index.found:
            validation.check_envelope(index.envelope, version.ref, file=file)
            checked = _checked(index, version, where.records, file)
            return _with_bytes(where.parts(index.envelope, checked), index)
    document = gate.load(data, file=file, nonfinite=nonfinite)
    validation.check(document, version.ref, file=file)
    parts = where.split(document)
    limits.refuse_many(len(parts.groups), file)
    return parts


def _with_bytes(parts: Parts, index: Index) -> Parts:
    """The parts with their records' bytes at hand."""
    return replace(parts, raws=index.records) if type(parts.groups) is Groups else parts


def _checked(index: Index, version: Version, place: Sequence[str], file: str) -> Checked:
    check = validation.record_checker(version.ref, place, file)
    return Checked(index, check, bytearray(len(index)))


def _no_lines(version: Version, file: str, error: ValueError) -> InputError:
    return InputError(
        found=f"{version.ref} as JSON Lines: {error}",
        expected="one JSON document",
        hint="Give another --from, or leave it out to have the format found out.",
        file=file,
    )
