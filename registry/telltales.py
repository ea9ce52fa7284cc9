"""By what are files of a new version told from all others, as far as schemas say so?"""

from __future__ import annotations

from collections.abc import Iterator

from registry import seating
from registry.errors import InputError
from registry.values import JSON, escape


def grown(rule: JSON, old: JSON, new: JSON) -> JSON:
    """How is the new version told from the one before, as far as its schema says so?

    By the same rule with the constants of the new schema, and by what it requires that the old one
    did not name; where there is such a field, `any` has nothing left to tell.
    """
    equals = {
        place: _constant(new, place, value) for place, value in rule.get("equals", {}).items()
    }
    named = {name for part in seating.parts(old, "") for name in part.get("properties", ())}
    added = [f"/{escape(name)}" for name in _required(new) if name not in named]
    has = [*dict.fromkeys([*rule.get("has", ()), *added])]
    kept = {name: said for name, said in rule.items() if name != "any" or not added}
    return {**kept, **_said("has", has), **_said("equals", equals)}


def telling(schema: JSON) -> JSON:
    """By what are files of a new format told, as far as its schema says so? Raises InputError."""
    required = list(_required(schema))
    constants = {
        place: value
        for name in required
        if (value := _constant(schema, (place := f"/{escape(name)}"), None)) is not None
    }
    if not required:
        raise InputError(
            found="the schema requires nothing at the top, so nothing tells its files",
            expected="required fields",
            hint="""Say --detect RULE, such as '{"has": ["/runs"]}'.""",
        )
    return {"has": [f"/{escape(name)}" for name in required], **_said("equals", constants)}


def _said(name: str, value: JSON) -> JSON:
    return {name: value} if value else {}


def _required(schema: JSON) -> Iterator[str]:
    """Which fields has every document? Of a union, none are counted."""
    yield from schema.get("required", ())


def _constant(schema: JSON, place: str, otherwise: JSON) -> JSON:
    """Which one plain value may stand at a place of documents?"""
    for part in seating.parts(schema, place):
        listed = [part["const"]] if "const" in part else part.get("enum", ())
        if len(listed) == 1 and not isinstance(listed[0], (dict, list)):
            return listed[0]
    return otherwise
