"""Which fields does a stream of deltas touch, and how often? Counted without building paths.

Most records of a file lack the same fields, so the counts sit in a tree of the fields' names, and
a path is spelled only when the tree is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, TypeAlias

from converter.delta import Node, arriving

Loss: TypeAlias = Literal["rough", "unsaid"]


class Lossy:
    """How often was this field, and each inside it, said roughly or not at all?

    Elements of a list count as the list.
    """

    __slots__ = ("_inner", "_rough", "_unsaid")

    def __init__(self) -> None:
        self._rough = 0
        self._unsaid: dict[str, int] = {}
        self._inner: dict[str, Lossy] = {}

    def hear(self, node: Node) -> None:
        """Count what this delta of a value of the field changes or brings in."""
        if "in" in node:
            inner = self._inner
            named = [name for _, name, _ in node.get("as", ())]
            for key, change in node["in"].items():
                if key in named:
                    continue
                field = inner.get(key) or inner.setdefault(key, Lossy())
                if "=" in change:
                    field._rough += 1
                else:
                    field.hear(change)
        if "add" in node or "as" in node:
            unsaid = self._unsaid
            for key in arriving(node):
                unsaid[key] = unsaid.get(key, 0) + 1
        elif "at" in node:
            for change in node["at"].values():
                self.hear(change)
        elif "=" in node:
            self._rough += 1
        if "put" in node:
            self._unsaid[""] = self._unsaid.get("", 0) + len(node["put"])

    def join(self, later: Lossy) -> None:
        """Count in what another has heard."""
        self._rough += later._rough
        for key, count in later._unsaid.items():
            self._unsaid[key] = self._unsaid.get(key, 0) + count
        for key, field in later._inner.items():
            self._inner.setdefault(key, Lossy()).join(field)

    def counts(self, loss: Loss) -> Counter[str]:
        """How often is each field lost so? Paths have dots between names."""
        return Counter(dict(self._told(loss, "")))

    def _told(self, loss: Loss, path: str) -> Iterator[tuple[str, int]]:
        if loss == "rough" and self._rough:
            yield path, self._rough
        if loss == "unsaid":
            for key, count in self._unsaid.items():
                yield _joined(path, key), count
        for key, field in self._inner.items():
            yield from field._told(loss, _joined(path, key))


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path and key else path or key
