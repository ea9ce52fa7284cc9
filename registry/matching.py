"""Which tests of a detection rule does a document fail?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from registry.catalog import Rule
from registry.values import JSON, at, same

NOTHING = object()
"""What stands where nothing does; JSON's null is something."""

_KINDS = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def get(document: JSON, place: str) -> Any:
    """What stands at a JSON Pointer? NOTHING when nothing does."""
    try:
        return at(document, place)
    except LookupError:
        return NOTHING


def against(rule: Rule, document: JSON) -> Iterator[str]:
    """What does the rule ask for that the document is not, as the end of "a file of cbl@4 …"?"""
    for place in rule.has:
        if get(document, place) is NOTHING:
            yield f"has {place}"
    for place in rule.lacks:
        if get(document, place) is not NOTHING:
            yield f"has no {place}"
    if rule.any and all(get(document, place) is NOTHING for place in rule.any):
        yield f"has one of {', '.join(rule.any)}"
    for place, kind in rule.types.items():
        if _KINDS.get(type(get(document, place))) != kind:
            yield f"has {'an' if kind[0] in 'aio' else 'a'} {kind} at {place}"
    for place, value in rule.equals.items():
        if not same(get(document, place), value):
            yield f"has {value} at {place}"
