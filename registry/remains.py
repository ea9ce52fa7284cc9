"""Was a text that is not JSON a result file once, before it was cut, merged or annotated?

Nothing can be asked of its structure, so it is told by the names that stand in it as keys do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from registry.catalog import Rule, Version, catalog
from registry.errors import NotJson
from registry.kinship import FEW
from registry.outlines import folded, is_own, schematic
from registry.text import Buffer, utf8

LOOKED = 1 << 20
"""bytes of a text that are looked at"""

_KEY = re.compile(rb'"([^"\\]{1,60})"[ \t\r\n]*:')


class Telling(NamedTuple):
    """By which names, folded, is a version told where only names are left?

    `rules` are sets of names, each of which its detection rule asks for together; `own` are names
    of more than one word, which other tools hardly use by chance; `named` are these and all that
    must be there.
    """

    rules: tuple[frozenset[str], ...]
    own: frozenset[str]
    named: frozenset[str]


def is_of_result(data: Buffer) -> bool:
    """Do these bytes, which are not JSON, name the telling fields of a version?"""
    keys = named(data)
    return any(_tells(telling(version), keys) for version in catalog().versions)


def _tells(telling: Telling, keys: Collection[str]) -> bool:
    held = telling.named.intersection(keys)
    if len(held) < FEW:
        return False
    return len(telling.own & held) >= FEW or any(names.issubset(keys) for names in telling.rules)


def named(data: Buffer) -> frozenset[str]:
    """Which names, folded, stand in quotes and before a colon? None where there is no text."""
    try:
        text = bytes(utf8(data)[:LOOKED])
    except NotJson:
        return frozenset()
    return folded(key.group(1).decode("utf-8", "replace") for key in _KEY.finditer(text))


@cache
def telling(version: Version) -> Telling:
    """By which names is this version told?"""
    held = schematic(version)
    rule = version.shelf.detect
    rules = tuple(names for one in (rule, rule.first or Rule()) if (names := folded(_asked(one))))
    own = folded(name for one in held for name in one.named if is_own(name))
    must = folded(name for one in held for name in one.required)
    places = folded(name for place in version.containers for name in _tokens(place))
    return Telling(rules, own, own.union(must, places, *rules))


def _asked(rule: Rule) -> frozenset[str]:
    """Which names does a rule ask for, all of them together?"""
    places = (*rule.has, *rule.types, *rule.equals)
    return frozenset(name for place in places for name in _tokens(place))


def _tokens(place: str) -> Iterator[str]:
    return (token for token in place.split("/")[1:] if not token.isdecimal())
