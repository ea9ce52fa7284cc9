"""Are old documents valid under a new schema, and new ones under the old schema?

The differences come first, typed; here each is judged by its row in the table. What a row says
breaks does so only with a witness, a document that one schema accepts and the other refuses for
the sake of that very place, by both engines; without one the verdict is undecided.

One policy stands in the table. Where an object is open, a field that gets a name may already have
been used for anything by somebody. No schema can tell, only files can; so that is undecided, and a
mode takes it for no violation. Otherwise no version of an open format could ever name a new field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from registry.differences import Change, differences
from registry.values import JSON
from registry.witnesses import Search, Witness

Verdict: TypeAlias = Literal["ok", "undecided", "breaks"]
Direction: TypeAlias = Literal["backward", "forward"]

VERDICTS: tuple[Verdict, ...] = ("ok", "undecided", "breaks")
"""From good to bad."""

MODES: dict[str, tuple[Direction, ...]] = {
    "none": (),
    "backward": ("backward",),
    "forward": ("forward",),
    "full": ("backward", "forward"),
}
"""Which directions does a mode promise? Each may be `-transitive`: to all versions before."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of change: what it is, and what it does to documents of the other version."""

    id: str
    sentence: str
    backward: Verdict
    forward: Verdict


RULES: tuple[Rule, ...] = (
    Rule("type-widened", "A value may have more types.", "ok", "breaks"),
    Rule("type-narrowed", "A value may have fewer types.", "breaks", "ok"),
    Rule("type-changed", "A value has other types.", "breaks", "breaks"),
    Rule("shape-given", "What was free now has a shape.", "breaks", "ok"),
    Rule("shape-dropped", "What had a shape is now free.", "ok", "breaks"),
    Rule("enum-member-added", "One more value is listed.", "ok", "breaks"),
    Rule("enum-member-removed", "A value is no longer listed.", "breaks", "ok"),
    Rule("enum-closed", "Only listed values are left of a type.", "breaks", "ok"),
    Rule("enum-opened", "Values of a type need not be listed any more.", "ok", "breaks"),
    Rule("const-changed", "The one value became another one.", "breaks", "breaks"),
    Rule("minimum-raised", "The least number is higher, or there now is one.", "breaks", "ok"),
    Rule("minimum-lowered", "The least number is lower, or gone.", "ok", "breaks"),
    Rule("maximum-raised", "The largest number is higher, or gone.", "ok", "breaks"),
    Rule("maximum-lowered", "The largest number is lower, or there now is one.", "breaks", "ok"),
    Rule("min-length-raised", "A text must be longer.", "breaks", "ok"),
    Rule("min-length-lowered", "A text may be shorter.", "ok", "breaks"),
    Rule("pattern-added", "A text must fit a pattern.", "breaks", "ok"),
    Rule("pattern-removed", "A text need not fit a pattern any more.", "ok", "breaks"),
    Rule("pattern-changed", "A text must fit another pattern.", "breaks", "breaks"),
    Rule(
        "property-added",
        "An open object names a field that could hold anything before.",
        "undecided",
        "ok",
    ),
    Rule(
        "property-removed",
        "An open object no longer names a field, so it may hold anything.",
        "ok",
        "undecided",
    ),
    Rule("property-added-required", "A field without a name before is required.", "breaks", "ok"),
    Rule("property-added-closed", "A closed object has one more field.", "ok", "breaks"),
    Rule("property-removed-closed", "A closed object has one field less.", "breaks", "ok"),
    Rule(
        "property-named",
        "A field gets a name; other rules say what changes in it, if anything.",
        "ok",
        "ok",
    ),
    Rule(
        "property-unnamed",
        "A field loses its name; other rules say what changes in it, if anything.",
        "ok",
        "ok",
    ),
    Rule("required-added", "A known field is required.", "breaks", "ok"),
    Rule("required-removed", "A field may be left out.", "ok", "breaks"),
    Rule("additional-properties-closed", "Unnamed fields are refused.", "breaks", "ok"),
    Rule("additional-properties-opened", "Unnamed fields are allowed.", "ok", "breaks"),
    Rule("union-branch-added", "A value may have one more form.", "ok", "breaks"),
    Rule("union-branch-removed", "A value may have one form less.", "breaks", "ok"),
    Rule("union-added", "A value must also have one of several forms.", "breaks", "ok"),
    Rule("union-removed", "A value need not have one of several forms any more.", "ok", "breaks"),
    Rule(
        "exclusive-union-changed",
        "Something differs in forms of which a value must have exactly one.",
        "breaks",
        "breaks",
    ),
)
"""The whole truth about each kind of change. `breaks` is searched for a witness."""

_BY_ID = {rule.id: rule for rule in RULES}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is the verdict on one change? Witnesses break, or would where it is undecided."""

    change: Change
    backward: Verdict
    forward: Verdict
    backward_witness: Witness | None = None
    forward_witness: Witness | None = None

    @property
    def rule(self) -> Rule:
        """By which row was it judged?"""
        return _BY_ID[self.change.kind]

    def verdict(self, direction: Direction) -> Verdict:
        """What is the verdict in one direction?"""
        return self.backward if direction == "backward" else self.forward

    def witness(self, direction: Direction) -> Witness | None:
        """Which document shows it in one direction?"""
        return self.backward_witness if direction == "backward" else self.forward_witness


@dataclass(frozen=True, slots=True)
class Compatibility:
    """What becomes of documents between two schemas, change by change and in all?"""

    judgements: tuple[Judgement, ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """In what do the schemas differ?"""
        return tuple(judgement.change for judgement in self.judgements)

    @property
    def backward(self) -> Verdict:
        """What becomes of old documents under the new schema?"""
        return self.verdict("backward")

    @property
    def forward(self) -> Verdict:
        """What becomes of new documents under the old schema?"""
        return self.verdict("forward")

    def verdict(self, direction: Direction) -> Verdict:
        """What is the worst verdict in one direction?"""
        verdicts = [judgement.verdict(direction) for judgement in self.judgements]
        return max(verdicts, key=VERDICTS.index, default="ok")


@dataclass(frozen=True, slots=True)
class Violation:
    """Which change breaks a mode, between which two of the schemas (by position)?"""

    older: int
    newer: int
    direction: Direction
    judgement: Judgement


def compatibility(old: JSON, new: JSON) -> Compatibility:
    """What becomes of old documents under the new schema, and of new ones under the old one?

    Raises OutsideSubset when one of them uses more than the keyword subset.
    """
    changes = differences(old, new)
    back, forth = Search(old, new), Search(new, old)
    return Compatibility(tuple(_judged(change, back, forth) for change in changes))


def _judged(change: Change, back: Search, forth: Search) -> Judgement:
    rule = _BY_ID[change.kind]
    backward, shown = _searched(rule.backward, change, back)
    forward, returned = _searched(rule.forward, change, forth)
    return Judgement(change, backward, forward, shown, returned)


def _searched(verdict: Verdict, change: Change, search: Search) -> tuple[Verdict, Witness | None]:
    """Is there a witness to what the table says? Without one, nothing is said to break."""
    if verdict == "ok":
        return verdict, None
    witness = search.witness(change)
    return (verdict if witness else "undecided"), witness


def holds(mode: str, schemas: Sequence[JSON]) -> list[Violation]:
    """What breaks a mode (`backward`, `full-transitive`, …) among schemas, oldest first?

    Undecided changes are no violation. Raises KeyError for a mode that there is not.
    """
    directions = MODES[mode.removesuffix("-transitive")]
    numbered = range(len(schemas))
    pairs = combinations(numbered, 2) if mode.endswith("-transitive") else pairwise(numbered)
    return [
        Violation(older, newer, direction, judgement)
        for older, newer in (pairs if directions else ())
        for judgement in compatibility(schemas[older], schemas[newer]).judgements
        for direction in directions
        if judgement.verdict(direction) == "breaks"
    ]
