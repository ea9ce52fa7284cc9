"""What will become of each field of a source in a target? Known before there is any data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Literal, TypeAlias

from converter.formats import find
from converter.rows import Row
from converter.saying import Saying, sayings

Outlook: TypeAlias = Literal["native", "folded", "structural", "carried"]

OUTLOOKS: dict[Saying, Outlook] = {"native": "native", "folded": "folded", "unsaid": "carried"}
MEANINGS: dict[Outlook, str] = {
    "native": "said in full",
    "folded": "said where it can be; where not in full, the original is carried",
    "structural": "counted, or built from other fields; carried where that differs",
    "carried": "the target has no field for it; it travels in the slot",
}
WIDTH = 80


@dataclass(frozen=True, slots=True)
class Planned:
    """What will become of one field? `path` has `*` for positions in lists."""

    place: str
    name: str
    outlook: Outlook
    why: str

    @property
    def path(self) -> str:
        """Where does the field stand, from the document's top?"""
        return f"{self.place}/{self.name}" if self.place else self.name


@dataclass(frozen=True, slots=True)
class Plan:
    """What will become of each documented field of a source?"""

    source: str
    target: str
    fields: tuple[Planned, ...]

    def having(self, outlook: Outlook) -> tuple[Planned, ...]:
        """Which fields have this outlook?"""
        return tuple(field for field in self.fields if field.outlook == outlook)

    def lines(self) -> Iterator[str]:
        """The plan as a table, in lines of at most 80 characters."""
        counts = Counter(field.outlook for field in self.fields)
        told = ", ".join(f"{counts[outlook]} {outlook}" for outlook in MEANINGS)
        yield from _wrapped(f"{self.source} → {self.target}: ", told)
        id_, _, version = self.source.partition("@")
        if version != (newest := find(id_).version):
            yield f"(fields under their names in {id_}@{newest})"
        place = None
        names = max((len(field.name) for field in self.fields), default=0)
        for field in self.fields:
            if field.place != place:
                place = field.place
                yield ""
                yield place or "the document"
            yield from _wrapped(f"  {field.name:{names}}  {field.outlook:10}  ", field.why)
        yield ""
        for outlook, meaning in MEANINGS.items():
            yield f"{outlook:10}  {meaning}"


def _wrapped(start: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start)) or [
        start.rstrip()
    ]


def plan(source: str, target: str) -> Plan:
    """What will become of each field of `source`, such as `cbl@4`, in `target`?"""
    id_, _, version = source.partition("@")
    said = sayings(id_, version)
    heard = sayings(*target.partition("@")[::2])
    fields: dict[str, Planned] = {}
    for place, table in find(id_).tables:
        for row in table.rows:
            if not row.fact or said.get(row.fact, "unsaid") != "unsaid":
                planned = _planned(place, row, heard)
                fields.setdefault(planned.path, planned)
    tables = [place for place, _ in find(id_).tables]
    for path, reason in find(id_).carried.items():
        place = _place(path, tables)
        name = path.removeprefix(place).removeprefix("/")
        fields[path] = Planned(place, name, "carried", reason)
    order = {place: at for at, place in enumerate(tables)}
    ranked = sorted(fields.values(), key=lambda field: order[field.place])
    return Plan(source, target, tuple(ranked))


def _planned(place: str, row: Row, heard: dict[str, Saying]) -> Planned:
    if not row.fact:
        return Planned(place, row.path, "structural", "")
    outlook = OUTLOOKS[heard.get(row.fact, "unsaid")]
    if outlook == "native" and row.codec.claim == "folds":
        outlook = "folded"
    why = f"no field for {row.fact}" if outlook == "carried" else row.fact
    return Planned(place, row.path, outlook, why)


def _place(path: str, places: Sequence[str]) -> str:
    """Which table's record holds this field? The innermost one."""
    inside = [place for place in places if not place or path.startswith(f"{place}/")]
    return max(inside, key=len, default=places[0])
