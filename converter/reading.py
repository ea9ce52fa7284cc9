"""What does a document say? Its facts, read through its carry where it has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from converter import slots
from converter.bundling import Said
from converter.facts import Case, Run
from converter.form import Format, Group, Parts
from converter.returning import Return, bare_record, bare_run, with_facts, without_nonfinite
from registry.values import nulled


class Reading:
    """The facts of one document in the newest version of its format.

    A file that was converted carries what its format can't say; reading goes through the carry to
    the file's origin, so that nothing is lost on the way to a third format either. `find` gives the
    format with that id.
    """

    def __init__(self, form: Format, parts: Parts, find: Callable[[str], Format]) -> None:
        self._form, self._parts = form, parts
        self._slot = slots.of_run(parts.envelope, form.run_slot)
        self._home: Return | None = None
        self._inner: Reading | None = None
        if self._slot is None or self._slot.source.partition("@")[0] == form.id:
            return
        origin = find(self._slot.source.partition("@")[0])
        self._home = Return(origin, form, self._slot, parts)
        homes = self._home.groups(parts.groups)
        envelope = self._home.envelope(homes)
        parts = Parts(envelope, homes, self._slot.shape, self._home.unspeakable)
        self._inner = Reading(origin, parts, find)

    @property
    def carries(self) -> bool:
        """Does the document carry what it came from?"""
        return self._slot is not None

    def run(self) -> Run:
        """What is said of the run?"""
        if self._inner is not None:
            return self._inner.run()
        envelope = self._parts.envelope
        if self._parts.unspeakable:
            envelope = nulled(envelope)
        if self._slot is not None:
            return bare_run(self._form, envelope, self._slot)
        return self._form.read_run(envelope)

    def speakable(self, group: Group) -> Group:
        """The group with null for what JSON can't say."""
        return without_nonfinite(group) if self._parts.unspeakable else group

    def group(self, group: Group) -> Sequence[Said]:
        """What is said of each trial of a group?"""
        group = self.speakable(group)
        if self._home is not None and self._inner is not None:
            homes = [self._home.record(record, group.parent) for record in group.records]
            parent = self._home.parent(homes[0]) if homes else None
            return self._inner.group(Group(parent, [home.record for home in homes]))
        if self._slot is None:
            return [self._form.read(record, group.parent) for record in group.records]
        return [self._bare(record, group) for record in group.records]

    def number(self, group: Group) -> int | None:
        """Which case of a nested origin is this trial of? None where the carry names none."""
        if self._home is None or self._inner is None:
            return None
        home = self._home.record(group.records[0], group.parent)
        if home.slot.case is not None:
            return home.slot.case
        return self._inner.number(Group(None, [home.record]))

    def _bare(self, record: dict[str, object], group: Group) -> Said:
        bare, slot = bare_record(self._form, record)
        return with_facts(self._form.read(bare, group.parent), slot.facts)

    def case(self, group: Group) -> Case:
        """What is said of a case that has no trials?"""
        return self._form.read_case(self.speakable(group).parent or {})

    def groups(self) -> Iterator[Sequence[Said]]:
        """What do all groups say, in order?"""
        if self._slot is not None or self._parts.unspeakable:
            return map(self.group, self._parts.groups)
        return map(self._plainly, self._parts.groups)

    def _plainly(self, group: Group) -> Sequence[Said]:
        """What is said of a group of a document that carries nothing?"""
        read, parent = self._form.read, group.parent
        return [read(record, parent) for record in group.records]
