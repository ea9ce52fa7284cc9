"""How is the difference between two schemas told, in 80 columns or as JSON?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from textwrap import wrap

from registry.compat import Compatibility, Direction, Judgement
from registry.reports.harmless import harmless
from registry.values import JSON, unescape

WIDTH = 80
SHORT = 140
"""How many characters of a witness are shown before what does not matter is left out."""

LINES = 4
"""How many lines a value takes, at the most."""

DIRECTIONS: tuple[Direction, ...] = ("backward", "forward")
_READS = {"backward": "old documents under the new schema", "forward": "new under old"}


def as_json(found: Compatibility, old: str, new: str) -> JSON:
    """Which JSON tells it all, witnesses whole?"""
    return {
        "$schema": "urn:evalglot:evalglot-schema-diff:1",
        "version": 1,
        "old": old,
        "new": new,
        "backward": found.backward,
        "forward": found.forward,
        "changes": list(map(_change, found.judgements)),
    }


def _change(one: Judgement) -> JSON:
    shown = ((direction, one.witness(direction)) for direction in DIRECTIONS)
    return {
        "rule": one.change.kind,
        "sentence": one.rule.sentence,
        "pointer": one.change.pointer,
        "old": one.change.old,
        "new": one.change.new,
        "backward": one.backward,
        "forward": one.forward,
        "witnesses": {direction: witness.document for direction, witness in shown if witness},
    }


def as_text(found: Compatibility, old: str, new: str) -> str:
    """Which lines tell it, witnesses shortened?"""
    return "\n".join(_lines(found, old, new)) + "\n"


def _lines(found: Compatibility, old: str, new: str) -> Iterator[str]:
    count = len(found.judgements)
    yield from _wrapped(
        f"{harmless(old)} to {harmless(new)}: {count or 'no'} change{'s'[: count != 1]}"
    )
    for direction in DIRECTIONS:
        yield f"  {direction} {found.verdict(direction)} ({_READS[direction]})"
    for one in found.judgements:
        yield ""
        yield from _wrapped(harmless(one.change.pointer) or "(the document)")
        yield from _wrapped(f"{one.change.kind}: {one.rule.sentence}", "  ")
        yield from _said(one)
        for direction in DIRECTIONS:
            yield from _verdict(one, direction)


def _said(one: Judgement) -> Iterator[str]:
    """What does each schema say? Left out where it would only say that a field is required."""
    old, new = one.change.old, one.change.new
    if old is True or new is True:
        return
    for name, said in (("old", old), ("new", new)):
        if said is not None:
            yield from _wrapped(f"{name} {_spelled(said)}", "  ")


def _verdict(one: Judgement, direction: Direction) -> Iterator[str]:
    verdict, witness = one.verdict(direction), one.witness(direction)
    if witness is None:
        yield f"  {direction} {verdict}"
        return
    breaks = "breaks" if verdict == "breaks" else f"{verdict}, would break"
    yield from _wrapped(f"{direction} {breaks}: {shown(witness.document, one)}", "  ")


def shown(document: JSON, one: Judgement) -> str:
    """How is a witness written, shortened to what matters?"""
    tokens = [unescape(token) for token in one.change.pointer.split("/")[1:]]
    whole = _spelled(document)
    return whole if len(whole) <= SHORT else _essence(document, tokens)


def _essence(document: JSON, tokens: Sequence[str]) -> str:
    """What of a document is at a place, or around it where nothing is?"""
    if not tokens:
        return _spelled(document)
    token, *rest = tokens
    if isinstance(document, list) and document:
        return f"[{_essence(document[0], rest)}]"
    if isinstance(document, dict):
        key = list(document)[-1] if token == "*" and document else token
        if key in document:
            others = "..., " if len(document) > 1 else ""
            return f"{{{others}{_spelled(key)}: {_essence(document[key], rest)}}}"
        return f"{{...}} without {_spelled(token)}"
    return _spelled(document)


def _spelled(value: JSON) -> str:
    """How is a value written, with nothing that moves a terminal?"""
    return harmless(json.dumps(value))


def _wrapped(text: str, indent: str = "") -> list[str]:
    lines = wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], f"{indent}  ..."]
