"""Which draft-07 keywords may a schema of the registry use, and where do they hold schemas?

A small subset, so that every engine reads it alike and every difference between two schemas has
a name. `format` is no part of it: some engines hold values to it, others do not. `oneOf` and
`minLength` are in no shelf yet, but obvious.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from registry.errors import InputError
from registry.values import JSON, at, escape

KINDS = ("null", "boolean", "integer", "number", "string", "array", "object")
"""Which types does draft-07 know? 1.0 is an integer, and each integer is a number."""

DRAFT = "http://json-schema.org/draft-07/schema#"

DEEPEST = 16
"""How many schemas may lie in one another? The code that an engine makes of them has a limit."""

LONGEST = 60
"""How many characters of what a schema says does a message show?"""

NUMERIC = frozenset(("integer", "number"))


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword: which types it speaks of (none: it asserts nothing), which schemas it holds."""

    name: str
    kinds: frozenset[str]
    holds: Literal["nothing", "a schema", "a list", "a map"] = "nothing"


_NONE: frozenset[str] = frozenset()
_ALL = frozenset(KINDS)

KEYWORDS: tuple[Keyword, ...] = (
    Keyword("$schema", _NONE),
    Keyword("$id", _NONE),
    Keyword("title", _NONE),
    Keyword("description", _NONE),
    Keyword("definitions", _NONE, "a map"),
    Keyword("$ref", _ALL),
    Keyword("type", _ALL),
    Keyword("enum", _ALL),
    Keyword("const", _ALL),
    Keyword("anyOf", _ALL, "a list"),
    Keyword("oneOf", _ALL, "a list"),
    Keyword("minimum", NUMERIC),
    Keyword("maximum", NUMERIC),
    Keyword("minLength", frozenset(("string",))),
    Keyword("pattern", frozenset(("string",))),
    Keyword("items", frozenset(("array",)), "a schema"),
    Keyword("properties", frozenset(("object",)), "a map"),
    Keyword("required", frozenset(("object",))),
    Keyword("additionalProperties", frozenset(("object",)), "a schema"),
)

_BY_NAME = {keyword.name: keyword for keyword in KEYWORDS}
_EXPECTED = "a keyword of the subset that the registry compares"
_UNIONS = ("anyOf", "oneOf")


class OutsideSubset(InputError):
    """A schema says something that the registry does not compare, such as an unknown keyword."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is outside of the subset, and where in the schema?"""

    pointer: str
    found: str
    expected: str


def asserts(schema: JSON, kinds: frozenset[str] = _ALL) -> bool:
    """Does a schema, its `$ref` aside, ask anything of values of these types?"""
    return any(name in _BY_NAME and _BY_NAME[name].kinds & kinds for name in schema)


def restricted(schema: JSON, kind: str) -> JSON:
    """What of a schema speaks of one type, as a schema for that type alone?"""
    kept = {name: said for name, said in schema.items() if kind in _BY_NAME[name].kinds}
    return {**kept, "type": kind}


def inside(schema: JSON) -> Iterator[tuple[str, JSON]]:
    """Which schemas does one hold directly, and at which pointer from it?"""
    for name, said in schema.items():
        holds = _BY_NAME[name].holds if name in _BY_NAME else "nothing"
        if holds == "a schema":
            yield f"/{name}", said
        elif holds == "a list" and isinstance(said, list):
            yield from ((f"/{name}/{number}", one) for number, one in enumerate(said))
        elif holds == "a map" and isinstance(said, dict):
            yield from ((f"/{name}/{escape(key)}", one) for key, one in said.items())


def outside(schema: JSON) -> list[Fault]:
    """What in a schema is outside of the subset, or no schema at all? In document order."""
    from jsonschema import Draft7Validator

    from registry.explanation import explain

    if deep := _too_deep(schema):
        return [deep]
    ill = [
        Fault(problem.pointer, problem.found, problem.expected)
        for problem in explain(Draft7Validator.META_SCHEMA, schema)
    ]
    return ill or list(_outside(schema, schema, ""))


def _too_deep(schema: JSON) -> Fault | None:
    """Where, if anywhere, do schemas lie in one another deeper than an engine follows?"""
    pending = [("", schema, 0)]
    while pending:
        place, one, depth = pending.pop()
        if depth > DEEPEST:
            shown = place if len(place) <= LONGEST else f"{place[:LONGEST]}..."
            return Fault(
                shown,
                f"more than {DEEPEST} schemas in one another",
                "a $ref to definitions instead",
            )
        if isinstance(one, dict):
            for step, inner in inside(one):
                further = 0 if step.startswith("/definitions/") else depth + 1
                pending.append((place + step, inner, further))
    return None


def check(schema: JSON, file: str = "") -> None:
    """Raise OutsideSubset, with the first fault, unless a schema keeps to the subset."""
    for fault in outside(schema):
        raise OutsideSubset(
            found=fault.found,
            expected=fault.expected,
            hint="Other schemas can't be compared yet.",
            file=file,
            pointer=fault.pointer,
        )


def _outside(root: JSON, schema: JSON, place: str) -> Iterator[Fault]:
    if isinstance(schema, bool) and place.endswith("/additionalProperties"):
        return
    if not isinstance(schema, dict):
        yield Fault(place, f"the schema {str(schema).lower()}", "an object")
        return
    for name in schema:
        if name not in _BY_NAME:
            yield Fault(f"{place}/{escape(name)}", f"the keyword {name}", _EXPECTED)
        elif fault := _misused(root, schema, name):
            yield Fault(f"{place}/{name}", *fault)
    for step, inner in inside(schema):
        yield from _outside(root, inner, place + step)


def _misused(root: JSON, schema: JSON, name: str) -> tuple[str, str] | None:
    """Is a known keyword used in a way that the engines do not read alike, or at all?"""
    for use in USES:
        if use.keyword == name and not use.sound(root, schema):
            return f"{use.found} {_short(schema[name])}", use.expected
    return None


def _short(said: JSON) -> str:
    text = said if isinstance(said, str) else json.dumps(said)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _lost(schema: JSON) -> list[str]:
    """Which required fields has a closed object no name for?"""
    if schema.get("additionalProperties", True) not in (False, {}):
        return []
    return [name for name in schema["required"] if name not in schema.get("properties", {})]


def _is_alone(_: JSON, schema: JSON) -> bool:
    return not asserts({name: said for name, said in schema.items() if name != "$ref"})


def _has_room(_: JSON, schema: JSON) -> bool:
    return not schema.get("minimum", schema["maximum"]) > schema["maximum"]


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _leads_on(root: JSON, schema: JSON) -> bool:
    """Does a reference lead to a schema, and never back to itself for one and the same value?"""
    path: list[JSON] = []
    pending = [(schema, path)]
    while pending:
        one, path = pending.pop()
        if not isinstance(one, dict):
            return False
        if any(one is earlier for earlier in path):
            return False
        if "$ref" in one:
            try:
                pending.append((target(root, one["$ref"]), [*path, one]))
            except KeyError:
                return False
            continue
        branches = [branch for union in _UNIONS for branch in one.get(union, ())]
        pending.extend((branch, [*path, one]) for branch in branches)
    return True


def target(root: JSON, reference: str) -> JSON:
    """Which schema does a local `$ref` lead to? Raises KeyError when to none of this document."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        raise KeyError(reference)
    return at(root, reference[1:])


@dataclass(frozen=True, slots=True)
class Use:
    """When is a keyword used soundly, and what is said where it is not?"""

    keyword: str
    sound: Callable[[JSON, JSON], bool]
    found: str
    expected: str


USES: tuple[Use, ...] = (
    Use(
        "$schema",
        lambda _, schema: schema["$schema"].rstrip("#") == DRAFT.rstrip("#"),
        "the schema language",
        f"draft-07 ({DRAFT})",
    ),
    Use("oneOf", lambda _, schema: "anyOf" not in schema, "anyOf beside", "one union, not two"),
    Use(
        "$ref",
        _is_alone,
        "beside other keywords, which draft-07 ignores, the reference",
        "it alone",
    ),
    Use("$ref", _leads_on, "the reference", "#/definitions/... of this schema, and no circle"),
    Use(
        "items", lambda _, schema: isinstance(schema["items"], dict), "the schemas", "a single one"
    ),
    Use("enum", lambda _, schema: schema["enum"] != [], "no value that may be, in", "one at least"),
    Use("maximum", _has_room, "below the minimum, the maximum", "one that is not"),
    Use("pattern", lambda _, schema: _is_pattern(schema["pattern"]), "the pattern", "a regex"),
    Use(
        "required",
        lambda _, schema: not _lost(schema),
        "the required fields",
        "only named ones, where unnamed ones may not be or are {}",
    ),
)
"""Root and schema are asked. The last: fastjsonschema takes such a schema for impossible."""
