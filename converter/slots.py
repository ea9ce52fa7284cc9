"""What travels in a format's slot: the carry of a run, and of each record.

A run's slot says where the file came from and what its envelope needs on the way back:

    {"evalglot": 1, "from": "cbl@4", "to": "sandtable@1.1", "run": delta, ...}

A record's slot holds that record's own delta. Records can then be deleted, copied and reordered,
and each still finds its way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from converter import formats
from converter.delta import Node
from converter.facts import Run, Trial, Verdict
from converter.form import Path, reach
from converter.rows import Record, Row
from registry import limits
from registry.errors import BadCarry, NotJson
from registry.gate import dump, load
from registry.lexemes import Nonfinite

KEY = "x-evalglot"
Delta: TypeAlias = Node | str | None
"""A delta; one that holds what JSON can't say, such as NaN, is the text of its JSON."""
CARRY_VERSION = 1

Position: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=limits.MAX_CARRY_VALUES)]


class Lost(msgspec.Struct, frozen=True, omit_defaults=True):
    """A case or record that the target has no place for, whole, and where it stood."""

    at: Position
    record: dict[str, Any] | str
    """the text of its JSON where it holds what JSON can't say"""


class Shape(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which shapes may a slot say that a file had? Each format knows some of these words."""

    container: (
        Literal["array", "lines", "items", "Items", "results", "Results", "samples", "testRunData"]
        | None
    ) = None
    spelling: Literal["pascal", "snake", "camel"] | None = None
    turns: Literal["multi", "mixed"] | None = None
    own: bool | None = None
    layers: Annotated[int, msgspec.Meta(ge=0)] | None = None
    models: dict[str, Shape] | None = None


class Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which facts of a run may a slot say, since its format has no field for them?"""

    unlisted_passed: int | None = None
    unlisted_failed: int | None = None
    k: int | None = None


class StatedOfTrial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which facts of a trial may a record's slot say, since its version has no word for them?

    A verdict, and the error that goes with it, hold as long as the record says what it said
    `instead` when they were stated: who edits that has decided.
    """

    provider: str | None = None
    verdict: Verdict | None = None
    error: str | None = None
    instead: Verdict | None = None


class RunSlot(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which facts about the way back does the run's slot hold?"""

    evalglot: int
    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    shape: dict[str, Any] = {}
    run: Delta = None
    cases: dict[str, Delta] = {}
    """deltas of the cases' own records, by the number that each record's slot names"""
    lost: list[Lost] = []
    derived: list[str] = []
    facts: dict[str, Any] = {}
    chain: list[str] = []
    """what the source itself came from, nearest first"""
    unspeakable: bool = False
    """does the source hold NaN or infinities?"""
    document: Delta = None
    """what all other deltas missed; see `chain`"""
    redacted: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """how many secrets of the source were masked before it was converted"""


class RecordSlot(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which facts about the way back does a record's slot hold?"""

    delta: Delta = None
    case: int | None = None
    at: Position | None = None
    """the record's position in the source, where the target's order is another"""
    derived: list[str] = []
    facts: dict[str, Any] = {}
    made: bool | None = None
    """the slot's parent was made for it: True where it was absent, False where it was null"""


NOTHING = RecordSlot()
STATED = Stated.__struct_fields__
UNDECIDED = ("error", "review", "skipped")
"""verdicts for which not every format has a word"""


def spoken(delta: Node | None, *, unspeakable: bool) -> Delta:
    """How does this delta stand in a slot?"""
    if not unspeakable or delta is None:
        return delta
    text = dump(delta).decode()
    return text if "NaN" in text or "Infinity" in text else delta


def heard(delta: Delta, *, unspeakable: bool) -> Node | None:
    """Which delta stands in a slot?

    Raises BadCarry when it is text that is no JSON, or brings NaN where the run's slot says that
    the source has none.
    """
    if not isinstance(delta, str):
        return delta
    try:
        kept: Nonfinite = "keep" if unspeakable else "reject"
        node = load(delta.encode("utf-8", "surrogatepass"), nonfinite=kept)
    except NotJson as error:
        raise damaged(error.found) from None
    return node if isinstance(node, dict) else {}


def lost(at: int, record: Record, *, unspeakable: bool) -> Lost:
    """How does a record that the target has no place for stand in a slot?"""
    said = spoken(record, unspeakable=unspeakable)
    return Lost(at, record if said is None else said)


def found(lost: Lost, *, unspeakable: bool) -> Record:
    """Which record was that? Raises BadCarry when it is text that is no JSON."""
    return heard(lost.record, unspeakable=unspeakable) or {}


def chain_of(slot: RunSlot | None) -> list[str]:
    """Which versions did a file come through, nearest first?"""
    return [] if slot is None else [slot.source, *slot.chain]


def put(record: Record, path: Path, slot: Any) -> Record:
    """How does the record look with this in its slot, be it a carry or somebody else's data?

    The record is not changed itself.
    """
    value = msgspec.to_builtins(slot) if isinstance(slot, msgspec.Struct) else slot
    if type(value) is dict and not value:
        return record
    if len(path) == 1:
        return {**record, path[0]: value}
    inner = record.get(path[0])
    if type(inner) is dict:
        return {**record, path[0]: {**inner, path[1]: value}}
    if type(value) is dict:
        value = {**value, "made": path[0] not in record}
    return {**record, path[0]: {path[1]: value}}


def take(record: Record, path: Path) -> tuple[Record, Any]:
    """What is in the record's slot, and how does the record look without it?"""
    held = reach(record, path)
    if held is None:
        return record, None
    if len(path) == 1:
        return {key: value for key, value in record.items() if key != path[0]}, held
    inner = {key: value for key, value in record[path[0]].items() if key != path[1]}
    made = held.get("made") if type(held) is dict else None
    if made is None or inner:
        return {**record, path[0]: inner}, held
    if made:
        return {key: value for key, value in record.items() if key != path[0]}, held
    return {**record, path[0]: None}, held


def run_slot(held: Any) -> RunSlot | None:
    """Is this the carry of a run? None where the slot holds somebody else's data.

    Raises `BadCarry` when it is a carry, but damaged, or of a version unknown here.
    """
    if type(held) is not dict or type(held.get("evalglot")) is not int:
        return None
    if held["evalglot"] != CARRY_VERSION:
        raise BadCarry(
            found=f"a carry of version {held['evalglot']}",
            expected=f"version {CARRY_VERSION}",
            hint="A newer evalglot wrote it: update, or give --ignore-carry to read without it.",
        )
    held = {key: value for key, value in held.items() if key != "made"}
    slot: RunSlot = converted(held, RunSlot)
    _refuse_odd(slot.shape)
    converted(slot.facts, Stated)
    for ref in chain_of(slot):
        if not formats.knows(ref):
            raise damaged(f"it leads to {ref}, which is not known here, or brought by a plug-in")
    return slot


def _refuse_odd(shape: Mapping[str, Any]) -> None:
    """Raise BadCarry for a shape that no file has: a word that is there is never null."""
    converted(shape, Shape)
    within = shape.get("models", {})
    if None in shape.values() or any(None in one.values() for one in within.values()):
        raise damaged("it says null for a part of the file's shape")


def of_run(envelope: Any, path: Path) -> RunSlot | None:
    """Which carry does this envelope hold, if any?"""
    return run_slot(reach(envelope, path))


def redactions(envelope: Any, path: Path) -> int | None:
    """How many secrets of this document were masked? None where it does not say that any were.

    A document that carries nothing says so alone: {"redacted": 3}.
    """
    held = reach(envelope, path)
    count = held.get("redacted") if type(held) is dict else None
    return count if type(count) is int else None


def marked(envelope: Record, path: Path, count: int | None) -> Record:
    """The envelope of a document of which so many secrets were masked."""
    if not count:
        return envelope
    held = reach(envelope, path)
    before = held if type(held) is dict else {}
    return put(envelope, path, {**before, "redacted": count})


def stated(run: Run, rows: Iterable[Row]) -> dict[str, Any]:
    """Which facts of a run stand in the slot, since the format of these rows has no field for them?

    Only those that totals are counted by: they are counted anew on the way home.
    """
    said = {row.fact for row in rows}
    facts = {name: getattr(run, name) for name in STATED if f"run.{name}" not in said}
    return {name: value for name, value in facts.items() if value is not None}


def verdict(trial: Trial, said: Trial) -> dict[str, Any]:
    """Which verdict is to be stated, where a record's own words say another one?"""
    if trial.verdict == said.verdict or trial.verdict not in UNDECIDED:
        return {}
    facts = {"verdict": trial.verdict, "instead": said.verdict}
    return facts if trial.error == said.error else {**facts, "error": trial.error}


def record_slot(held: Any) -> RecordSlot:
    """What does this record's slot say? Raises `BadCarry` when it is damaged."""
    if held is None:
        return NOTHING
    slot: RecordSlot = converted(held, RecordSlot)
    if slot.facts:
        converted(slot.facts, StatedOfTrial)
    return slot


def unstated(run: Run, rows: Iterable[Row]) -> Run:
    """What is said of a run without the facts that only a slot can state?"""
    return msgspec.structs.replace(run, **dict.fromkeys(stated(run, rows)))


def converted(held: Any, kind: Any) -> Any:
    """What is held, as a value of this kind. Raises BadCarry where it is of another."""
    try:
        return msgspec.convert(held, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half a pair as a key
        raise damaged(str(error)) from None


def damaged(why: str) -> BadCarry:
    """Which error says that a carry can't be followed?"""
    return BadCarry(
        found=f"the carry is damaged: {why}",
        hint="Convert the original file again, or give --ignore-carry to read without it.",
    )
