"""What became of each leaf of one value, when going there and back would change it by a delta?

A leaf is a scalar or an empty container. `native`: it comes back by itself. `shadowed`: something
else comes back, the target says it roughly. `carried`: nothing comes back. Every leaf is in exactly
one of the three.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from converter.delta import Node, arriving
from converter.rows import Record
from converter.seals import seal
from converter.slots import KEY
from registry.values import escape

State: TypeAlias = Literal["native", "shadowed", "carried"]

UNSAID = seal(None)
"""what a delta expects to replace where nothing was said: a writer's blank"""

Names: TypeAlias = Mapping[str, str]


class Leaves:
    """Counts leaves by field and state, and keeps their JSON Pointers where asked to.

    A field is a pointer with `*` for positions in lists. A slot is one field, whatever it holds.
    """

    def __init__(self, *, pointers: bool = False) -> None:
        self.counts: Counter[tuple[str, State]] = Counter()
        self.pointers: dict[tuple[str, State], list[str]] | None = (
            defaultdict(list) if pointers else None
        )
        self.orders: Counter[str] = Counter()
        """objects whose keys came back in another order"""

    def add(
        self, value: Any, node: Node | None, place: str, field: str, names: Names | None = None
    ) -> None:
        """Count the leaves of the value at this place; `names` are how its keys are spelled."""
        if node is None:
            self.whole(value, "native", place, field, names)
        elif "=" in node:
            state: State = "carried" if node["="][0] == UNSAID else "shadowed"
            self.whole(value, state, place, field, names)
        elif not value:
            self._leaf("shadowed", place, field)
        elif type(value) is dict:
            self._object(value, node, place, field, names or {})
        else:
            self._list(value, node, place, field)

    def _object(self, value: Record, node: Node, place: str, field: str, names: Names) -> None:
        if "order" in node:
            self.orders[field] += 1
        added = set(arriving(node))
        changed = node.get("in", {})
        for key, item in value.items():
            if key.startswith("\0") and key not in names:
                continue
            step = "/" + escape(names.get(key, key))
            if key in added:
                self.whole(item, "carried", place + step, field + step)
            else:
                self.add(item, changed.get(key), place + step, field + step)

    def _list(self, value: list[Any], node: Node, place: str, field: str) -> None:
        put = {at for at, _ in node.get("put", ())}
        cut, changed = node.get("cut", {}), node.get("at", {})
        olds = (str(old) for old in range(node["of"]) if str(old) not in cut)
        for at, item in enumerate(value):
            there = f"{place}/{at}"
            if at in put:
                self.whole(item, "carried", there, f"{field}/*")
            else:
                self.add(item, changed.get(next(olds)), there, f"{field}/*")

    def whole(
        self, value: Any, state: State, place: str, field: str, names: Names | None = None
    ) -> None:
        """Count all leaves of the value as one state."""
        if type(value) is dict and value:
            inside = field.endswith("/" + KEY)
            for key, item in value.items():
                if key.startswith("\0") and (names is None or key not in names):
                    continue
                step = "/" + escape(names.get(key, key) if names else key)
                self.whole(item, state, place + step, field if inside else field + step)
        elif type(value) is list and value:
            inner = field if field.endswith("/" + KEY) else f"{field}/*"
            for at, item in enumerate(value):
                self.whole(item, state, f"{place}/{at}", inner)
        else:
            self._leaf(state, place, field)

    def _leaf(self, state: State, place: str, field: str) -> None:
        self.counts[field, state] += 1
        if self.pointers is not None:
            self.pointers[field, state].append(place)

    def total(self, state: State) -> int:
        """How many leaves are in this state?"""
        return sum(count for (_, held), count in self.counts.items() if held == state)


def changed(node: Node | None, place: str = "") -> Iterator[tuple[str, bool]]:
    """Which places does a delta of nested objects touch? True where it brings a value in."""
    if node is None:
        return
    if "=" in node:
        yield place, False
    added = list(arriving(node))
    for key in added:
        yield f"{place}/{escape(key)}", True
    for key, inner in node.get("in", {}).items():
        if key not in added:
            yield from changed(inner, f"{place}/{escape(key)}")
    for at, inner in node.get("at", {}).items():
        yield from changed(inner, f"{place}/{at}")
