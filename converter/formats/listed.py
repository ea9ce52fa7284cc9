"""Where formats keep their records that are a plain list, most often as JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from converter.form import Layout, Parts
from converter.rows import Record


class ListedLayout(Layout):
    """A list, or its values as lines; where the run has something to carry, in an object."""

    @property
    def streams(self) -> bool:
        """May records be taken one by one? They stand in more than one place."""
        return False

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?"""
        if lines:
            return self.lines(document)
        (key,) = self.records
        if type(document) is list:
            return replace(self.parts({key: []}, document), shape={"container": "array"})
        held = document.get(key)
        parts = self.parts({**document, key: []}, held if type(held) is list else [])
        return replace(parts, shape={"container": key})

    def lines(self, records: Sequence[Record]) -> Parts:
        """Which parts do the lines of a JSON Lines file make?"""
        (key,) = self.records
        return replace(self.parts({key: []}, records), shape={"container": "lines"})

    def frame(self, envelope: Any, shape: Mapping[str, Any], records: Any) -> Any:
        """How does the document look around its records?"""
        (key,) = self.records
        container = shape.get("container", "array")
        if container == "lines" or (container == "array" and envelope.keys() <= {key}):
            return records
        return {name: records if name == key else value for name, value in envelope.items()}
