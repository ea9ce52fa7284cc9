"""Which hops lead from one version of a format to another, and which lead home again?

    cbl@2 → cbl@3 → cbl@3.1 → cbl@4 → sandtable@1.1 → sandtable@1.0

Older versions are reached over the steps beside them; between formats the newest versions meet.
Every hop carries what its target can't say, and what the source carried is part of that source: so
carries nest, and going back takes them apart again, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from converter import slots
from converter.crossing import Crossing, Listener
from converter.delta import Applied, diff
from converter.form import Group, Layout, Parts
from converter.formats import age, find, layout, steps, versions
from converter.homing import Homing
from converter.ordering import Torn, order_of
from converter.reading import Reading
from converter.returning import Return
from converter.slots import RunSlot
from converter.stepping import Hop, StepHome, Stepping
from registry import validation
from registry.errors import InvalidDocument
from registry.gate import finite
from registry.values import same


@dataclass(frozen=True, slots=True)
class Stage:
    """A document at one station of its way."""

    format: str
    version: str
    parts: Parts
    stale: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        """How is the version at this station named?"""
        return f"{self.format}@{self.version}"

    @property
    def slot(self) -> RunSlot | None:
        """Which carry does the document hold?"""
        return slots.of_run(self.parts.envelope, find(self.format).run_slot)

    def document(self) -> Any:
        """Which document is it, put together?"""
        return layout(self.format, self.version).join(self.parts)


def stage(document: Any, ref: str, *, lines: bool = False) -> Stage:
    """Take a document of this version apart; `lines` says that it is a JSON Lines file's values."""
    id_, _, version = ref.partition("@")
    parts = layout(id_, version).split(document, lines=lines)
    if not finite(document):
        parts = replace(parts, unspeakable=True)
    return Stage(id_, version, parts)


class Shared(Protocol):
    """A result's groups in parts, each of which another process may make. See `Crossing`."""

    def parts(self, count: int) -> Sequence[Iterator[Group]]:
        """Which parts, as many as `count` at most?"""

    def found(self) -> Any:
        """What has this process found out while making a part?"""

    def join(self, later: Any) -> None:
        """Go on with what the process found out that made the next part."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A conversion's result as it comes: its groups, and then its envelope.

    `envelope` may be asked for only when all groups have been taken.
    """

    format: str
    version: str
    shape: Mapping[str, Any]
    groups: Iterator[Group]
    envelope: Callable[[], Any]
    told_stale: Callable[[], Sequence[str]] = tuple
    returned: bool = False
    shared: Shared | None = None
    """its groups in parts that can be made at the same time"""
    speakable: bool = False
    """Is it known that no number in its groups is one that JSON can't say, such as NaN?"""

    @property
    def ref(self) -> str:
        """How is the result's version named?"""
        return f"{self.format}@{self.version}"

    @property
    def stale(self) -> tuple[str, ...]:
        """Where did the carry give way to an edit? To be asked after the envelope."""
        return tuple(self.told_stale())

    @property
    def layout(self) -> Layout:
        """Where does the result keep its records?"""
        return layout(self.format, self.version)

    def stage(self) -> Stage:
        """The result as a whole, taken in at once."""
        groups = list(self.groups)
        parts = Parts(self.envelope(), groups, self.shape)
        return Stage(self.format, self.version, parts, self.stale)


def _flow_of(done: Stage, *, returned: bool = False) -> Flow:
    parts = done.parts
    groups, envelope = iter(parts.groups), parts.envelope
    return Flow(
        done.format,
        done.version,
        parts.shape,
        groups,
        lambda: envelope,
        lambda: done.stale,
        returned,
    )


def newest(id_: str) -> str:
    """Which version of the format do facts speak?"""
    return find(id_).version


def convert(
    source: Stage,
    format_: str,
    version: str | None = None,
    listener: Listener | None = None,
    *,
    carry: bool = True,
) -> Stage:
    """What is this document in another format or version?

    Where the document came from there, it goes home: the carry is taken apart, and edits made since
    win. Without a version, home is where it first was in that format; elsewhere the newest version.
    """
    return flow(source, format_, version, listener, carry=carry, check=True).stage()


def flow(
    source: Stage,
    format_: str,
    version: str | None = None,
    listener: Listener | None = None,
    *,
    carry: bool = True,
    check: bool = False,
) -> Flow:
    """The same conversion, record by record as it is asked for.

    `check` goes home again from the result, and carries whatever that would get wrong; the result
    is then there only as a whole.
    """
    if not check and (homing := _homing(source, format_, version)) is not None:
        return homing
    if (back := homeward(source, format_, version)) is not None:
        _check_home(back)
        return _flow_of(back, returned=True)
    target = version or newest(format_)
    if source.format == format_:
        return _flow_of(_climb(source, target, listener, carry=carry))
    top = _climb(source, newest(source.format), listener, carry=carry)
    if (before := known(top, format_, newest(format_))) is not None:
        return _flow_of(_climb(before, target, listener, carry=carry))
    crossed = _cross(top, format_, listener, carry=carry)
    if target == newest(format_) and not (check and carry):
        return crossed
    whole = completed(top, crossed.stage()) if check and carry else crossed.stage()
    return _flow_of(_climb(whole, target, listener, carry=carry))


def _homing(source: Stage, format_: str, version: str | None) -> Flow | None:
    """The way home record by record, where it is one hop between formats and open."""
    slot = source.slot
    if slot is None or source.parts.raws is None or slot.document is not None:
        return None
    origin, _, before = slot.source.partition("@")
    if _hops_home(source, format_, version) != 1 or origin == source.format:
        return None
    if before != newest(origin) or source.version != newest(source.format):
        return None
    a, b = find(origin), find(source.format)
    try:
        order = order_of(a, b, slot, source.parts)
    except Torn:
        return None
    contained = "container" in slot.shape
    place = () if contained else a.layout.records
    check = _coming_home(validation.record_checker(a.ref, place))
    way = Homing(a, b, slot, source.parts, order, check=check)

    def envelope() -> Any:
        found = way.envelope()
        if not contained:
            _coming_home(validation.check_envelope)(found, a.ref)
        return found

    return Flow(
        origin,
        before,
        slot.shape,
        way.groups(),
        envelope,
        lambda: way.stale,
        returned=True,
        shared=way,
    )


def _check_home(back: Stage) -> None:
    """Raise InvalidDocument when an edit, or a tampered carry, made what comes home invalid."""
    _coming_home(validation.check)(back.document(), back.ref)


def _coming_home(check: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The same check, for what comes home."""

    def checked(value: Any, what: Any) -> None:
        try:
            check(value, what)
        except InvalidDocument as error:
            error.found = error.found.replace("this is", "what comes home is", 1)
            error.hint = "An edit made it so, or a damaged carry: --ignore-carry reads without it."
            raise

    return checked


def completed(source: Stage, target: Stage) -> Stage:
    """The target, with whatever the way home would still get wrong in its carry.

    The deltas of records and envelope leave nothing over as long as taking documents apart and
    putting them together are each other's inverse. No promise rests on that: here it is tried.
    """
    if target.slot is None:
        return target
    delta = diff(home(target).document(), source.document())
    if delta is None:
        return target
    path = find(target.format).run_slot
    bare, held = slots.take(target.parts.envelope, path)
    said = slots.spoken(delta, unspeakable=source.parts.unspeakable)
    envelope = slots.put(bare, path, {**held, "document": said})
    return replace(target, parts=replace(target.parts, envelope=envelope))


def homeward(source: Stage, format_: str, version: str | None) -> Stage | None:
    """What was this document when it was last in that format and version? None if it never was."""
    hops = _hops_home(source, format_, version)
    if not hops:
        return None
    back = _go_home(source, hops)
    if not _is(back.ref, format_, version):
        raise slots.damaged(f"it leads to {back.ref}, and says that it leads to {format_}")
    return back


def _hops_home(source: Stage, format_: str, version: str | None) -> int:
    """How many hops ago was this document last in that format and version? 0 if it never was."""
    chain = slots.chain_of(source.slot)
    wanted = [at for at, ref in enumerate(chain) if _is(ref, format_, version)]
    if source.format == format_ and version is None:
        return wanted[-1] + 1 if wanted else 0
    if not wanted or _is(source.ref, format_, version):
        return 0
    last = wanted[0]
    while version is None and last + 1 in wanted:
        last += 1
    return last + 1


def _is(ref: str, format_: str, version: str | None) -> bool:
    id_, _, found = ref.partition("@")
    return id_ == format_ and version in (None, found)


def _go_home(source: Stage, hops: int) -> Stage:
    for _ in range(hops):
        source = home(source)
    return source


def home(source: Stage) -> Stage:
    """What was this document one hop before? Raises BadCarry when it carries no way back."""
    slot = source.slot
    if slot is None:
        raise slots.damaged("it ends before it is back where it says that it came from")
    id_, _, version = slot.source.partition("@")
    if id_ == source.format and version != source.version:
        hop = _hop(id_, version, source.version)
        way = StepHome(hop, slot)
        parts = way.parts(source.parts)
        return Stage(id_, version, parts, (*source.stale, *way.stale))
    if version != newest(id_) or source.version != newest(source.format):
        raise slots.damaged(f"{slot.source} and {source.ref} are not where formats meet")
    back = Return(find(id_), find(source.format), slot, source.parts.envelope)
    groups = back.groups(source.parts.groups)
    envelope = back.envelope(groups)
    parts = Parts(envelope, groups, slot.shape, slot.unspeakable)
    before = Stage(id_, version, parts, (*source.stale, *back.stale))
    missed = slots.heard(slot.document)
    if missed is None:
        return before
    applied = Applied()
    whole = applied.apply(before.document(), missed)
    lines = slot.shape.get("container") == "lines"
    parts = layout(id_, version).split(whole, lines=lines)
    return Stage(id_, version, parts, (*before.stale, *applied.stale))


def _hop(id_: str, here: str, there: str) -> Hop:
    for step in steps(id_):
        if (step.lower.version, step.upper.version) == (here, there):
            return Hop(step, up=True)
        if (step.upper.version, step.lower.version) == (here, there):
            return Hop(step, up=False)
    raise slots.damaged(f"no step leads from {id_}@{here} to {id_}@{there}")


def _climb(source: Stage, version: str, listener: Listener | None, *, carry: bool) -> Stage:
    known_versions = versions(source.format)
    at, goal = age(source.format, source.version), age(source.format, version)
    way = known_versions[at + 1 : goal + 1] if goal > at else known_versions[goal:at][::-1]
    for next_version in way:
        source = _step(source, next_version, listener, carry=carry)
    return source


def _step(source: Stage, version: str, listener: Listener | None, *, carry: bool) -> Stage:
    if (before := known(source, source.format, version)) is not None:
        return before
    hop = _hop(source.format, source.version, version)
    parts = Stepping(hop, source.parts, listener, carry=carry).parts()
    return Stage(source.format, version, parts)


def known(source: Stage, format_: str, version: str) -> Stage | None:
    """Was the document in this version before, and does it still follow from what it was there?

    Where it does, going home is as good as going on, and keeps carries from piling up. Where it
    does not, it was edited, and the edits are part of what has to be carried.
    """
    before = homeward(source, format_, version)
    if before is None:
        return None
    again = convert(before, source.format, source.version)
    return before if same(again.document(), source.document()) else None


def _cross(source: Stage, format_: str, listener: Listener | None, *, carry: bool) -> Flow:
    reading = Reading(find(source.format), source.parts, find)
    crossing = Crossing(
        find(source.format), find(format_), source.parts, reading, listener, carry=carry
    )
    return Flow(
        format_,
        newest(format_),
        crossing.shape,
        crossing.groups(),
        crossing.envelope,
        shared=crossing,
        speakable=not source.parts.unspeakable and not reading.carries,
    )
