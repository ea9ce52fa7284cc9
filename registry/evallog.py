"""How does an Inspect log in its zip form (`.eval`) look as one JSON document, and back?

From inspect_ai 0.3.285 (log/_recorders/eval.py): `header.json` is the log without its samples,
`samples/<id>_epoch_<n>.json` is a sample, `reductions.json` the field of that name;
`summaries.json` has a row for each sample, `_journal/` what was known while it ran. Of members of
one name the last counts. A log that has not ended has no header: `_journal/start.json` tells its
beginning.

The document is the log as Inspect writes it in JSON. What an archive says beyond that, and a writer
could not know, stands under `x-archive`: in the document, members that no other says; in a sample,
its member's name and its row of the summaries, where they are not as usual.

    "x-archive": {"members": {name: value}, "absent": [name], "journal": {name: rows}, "header": {},
                  "of": digest}
    "x-archive": {"name": member, "of": digest, "summary": row}

A log whose fields are in another order than usual has it in a member of its own, `x-evalglot.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TypeGuard
from uuid import uuid4

from registry import gate, slices
from registry.archives import Archive, Packer
from registry.errors import NotJson
from registry.summaries import summary
from registry.text import Buffer
from registry.values import JSON, digest, same

HEADER = "header.json"
START = "_journal/start.json"
JOURNAL = "_journal/summaries/"
SUMMARIES = "summaries.json"
REDUCTIONS = "reductions.json"
OWN = "x-evalglot.json"
SAMPLES = "samples/"
JSON_SUFFIX = ".json"
USUAL = (START, SUMMARIES, HEADER)
"""members that are written unless the document says that they were absent"""

KEY = "x-archive"
SLOT = "x-evalglot"
APART = ("samples", "reductions", KEY)
"""fields of the document that do not stand in the header"""

SEAL = 12
"""hex digits of a digest that tell whether a sample was edited"""

_SAFE = re.compile(r"[^\x00-\x1f\x7f\\:\ud800-\udfff]{1,1000}")


def read(data: Buffer, file: str, out: IO[bytes]) -> None:
    """Write the document that an archive holds. Raises NotJson for any that is no Inspect log."""
    archive = Archive(data, file)
    log = _Log(archive, file)
    hole = uuid4().hex
    before, found, after = gate.dump(log.document(hole)).partition(gate.dump(hole))
    out.write(before + (b"[" if found else b""))
    for number, sample in enumerate(log.samples()):
        out.write((b",\n" if number else b"\n") + sample)
    out.write((b"]" if found else b"") + after + b"\n")


class _Log:
    """An archive as it is read."""

    def __init__(self, archive: Archive, file: str) -> None:
        self._archive, self._file = archive, file
        if HEADER not in archive and START not in archive:
            raise NotJson(
                found=f"a zip archive that has neither {HEADER} nor {START}",
                expected="JSON, or the log of an Inspect run",
                file=file,
            )
        self._names = [name for name in archive.names if _is_sample(name)]
        self._rows: Sequence[JSON] | None = None
        if SUMMARIES in archive:
            rows = archive.value(SUMMARIES)
            if _row_names(rows) == self._names:
                self._rows = rows

    def document(self, samples: JSON) -> JSON:
        """Which document is it, with this in place of its samples?"""
        archive = self._archive
        head = self._head()
        document = {key: value for key, value in head.items() if key not in APART}
        document["samples"] = samples
        if REDUCTIONS in archive:
            document["reductions"] = archive.value(REDUCTIONS)
        kept = self._kept(document, {key: head[key] for key in APART if key in head})
        keys, values = self._own()
        if not self._names and keys and "samples" not in keys:
            del document["samples"]
        if not self._names:
            document |= values
        elif "reductions" not in document:
            document |= {key: value for key, value in values.items() if key == "reductions"}
        return _ordered({**document, **({KEY: kept} if kept else {})}, keys)

    def _own(self) -> tuple[Sequence[str], dict[str, JSON]]:
        """In which order do the fields stand, and which lists are none?"""
        if OWN not in self._archive:
            return (), {}
        own = self._object(OWN)
        keys, values = own.get("keys"), own.get("values", {})
        if not _is_listed(keys) or type(values) is not dict or not set(values) <= {*APART[:2]}:
            raise NotJson(
                found=f"the member {OWN!r} is damaged",
                expected='{"keys": [field, …]}',
                hint="Convert the original file again.",
                file=self._file,
            )
        return keys, values

    def samples(self) -> Iterator[bytes]:
        """Which texts have the samples, one after the other?"""
        naming = _Naming()
        for number, name in enumerate(self._names):
            raw = self._archive.text(name)
            sample = self._archive.value(name, raw)
            if type(sample) is not dict:
                yield raw
                continue
            row = None if self._rows is None else self._rows[number]
            beyond = _beyond(sample, name, naming.next(sample), row)
            yield gate.dump({**sample, KEY: beyond}) if beyond else raw

    def _head(self) -> dict[str, JSON]:
        if HEADER in self._archive:
            return self._object(HEADER)
        return {**self._object(START), "status": "started"}

    def _object(self, name: str) -> dict[str, JSON]:
        value = self._archive.value(name)
        if type(value) is not dict:
            raise NotJson(
                found=f"the member {name!r} is no object", expected="an object", file=self._file
            )
        return value

    def _kept(self, document: JSON, header: JSON) -> JSON:
        """What does the archive say that no other part of the document does?"""
        archive = self._archive
        journal = self._journal()
        said = {HEADER, REDUCTIONS, OWN, *self._names, *journal}
        if self._rows is not None:
            said.add(SUMMARIES)
        if START in archive and same(archive.value(START), _start(document)):
            said.add(START)
        members = {name: self._member(name) for name in archive.names if name not in said}
        absent = [name for name in USUAL if name not in archive]
        of = digest(self._names)[:SEAL] if SUMMARIES in members else ""
        kept = {
            "members": members,
            "absent": absent,
            "journal": journal,
            "header": header,
            "of": of,
        }
        return {key: value for key, value in kept.items() if value}

    def _member(self, name: str) -> JSON:
        if not name.endswith(JSON_SUFFIX):
            raise NotJson(
                found=f"the member {name!r}, which is no JSON",
                expected="the members that Inspect writes",
                file=self._file,
            )
        return self._archive.value(name)

    def _journal(self) -> dict[str, int]:
        """How many rows of the summaries has each journal, if together they are the summaries?"""
        if self._rows is None:
            return {}
        journals = {
            name: self._archive.value(name)
            for name in self._archive.names
            if name.startswith(JOURNAL) and name.endswith(JSON_SUFFIX)
        }
        if not all(type(rows) is list for rows in journals.values()):
            return {}
        rows = [row for one in journals.values() for row in one]
        counts = {name: len(one) for name, one in journals.items()}
        return counts if same(rows, self._rows) else {}


def _is_listed(keys: JSON) -> TypeGuard[list[str]]:
    return type(keys) is list and all(type(key) is str for key in keys)


def _is_sample(name: str) -> bool:
    return name.startswith(SAMPLES) and name.endswith(JSON_SUFFIX)


def _row_names(rows: JSON) -> list[str] | None:
    """Which members are the rows of these summaries of? None if they are no summaries."""
    if type(rows) is not list or not all(type(row) is dict for row in rows):
        return None
    naming = _Naming()
    return [naming.next(row) for row in rows]


def _start(document: JSON) -> JSON:
    """What was known of this log when it started?"""
    return {key: document[key] for key in ("version", "eval", "plan") if key in document}


def _ordered(document: JSON, keys: Sequence[str]) -> JSON:
    """The document with its fields in this order, and its slot and what is beyond it at the end."""
    last = (SLOT, KEY)
    usual = (*(key for key in document if key not in last), *last)
    return {key: document[key] for key in dict.fromkeys((*keys, *usual)) if key in document}


def _beyond(sample: JSON, name: str, usual: str, row: JSON) -> JSON:
    """What does an archive say of a sample that its writer could not know?"""
    beyond = {} if name == usual else {"name": name}
    if row is not None and not same(row, expected := summary(sample)):
        beyond |= {"of": digest(expected)[:SEAL], "summary": row}
    return beyond


@dataclass(slots=True)
class _Naming:
    """Under which names do samples stand, one after the other?"""

    used: set[str] = field(default_factory=set)

    def next(self, sample: Mapping[str, JSON]) -> str:
        """The name for the next sample, which no other one had."""
        stem = f"{sample.get('id')}_epoch_{sample.get('epoch')}"
        if not _is_safe(stem):
            stem = f"{digest(sample.get('id'))[:16]}_epoch_{digest(sample.get('epoch'))[:8]}"
        name, number = f"{SAMPLES}{stem}{JSON_SUFFIX}", 1
        while name in self.used:
            number += 1
            name = f"{SAMPLES}{stem}_again_{number}{JSON_SUFFIX}"
        self.used.add(name)
        return name


def _is_safe(name: str) -> bool:
    """May a member have this name, so that whoever unpacks it gets a file in that folder?"""
    parts = name.split("/")
    return bool(_SAFE.fullmatch(name)) and not any(part in ("", ".", "..") for part in parts)


def write(data: Buffer, out: IO[bytes]) -> None:
    """Write the archive that says a document of inspect@2, which is valid."""
    index = slices.index(data, ("samples",), nonfinite="keep")
    document = index.envelope
    header = {key: value for key, value in document.items() if key not in APART}
    kept = Beyond.said_in(document)
    packer = Packer(out)
    for name, value in kept.first(header):
        packer.put(name, gate.dump(value))
    rows = list(_write_samples(index, packer))
    for name, value in kept.between():
        packer.put(name, gate.dump(value))
    for name, raw in kept.summaries([row for _, row in rows], digest([name for name, _ in rows])):
        packer.put(name, raw)
    for name, value in kept.last(header, document):
        packer.put(name, gate.dump(value))
    packer.close()


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a document says of the archive that it is made of; see above."""

    members: Mapping[str, JSON] = field(default_factory=dict)
    absent: Sequence[str] = ()
    journal: Mapping[str, int] = field(default_factory=dict)
    header: Mapping[str, JSON] = field(default_factory=dict)
    of: str = ""
    """digest of the names of the samples that summaries among the members are of"""

    @classmethod
    def said_in(cls, document: JSON) -> Beyond:
        """What does this document say of it?"""
        said = document.get(KEY) or {}
        known = ("members", "absent", "journal", "header", "of")
        return cls(**{key: said[key] for key in known if said.get(key)})

    def _is_headless(self, header: JSON) -> bool:
        """Has the run not ended?"""
        return HEADER in self.absent and header.get("status") == "started"

    def first(self, header: JSON) -> Iterator[tuple[str, JSON]]:
        """Which members come before the samples?"""
        if self._is_headless(header):
            yield START, {key: value for key, value in header.items() if key != "status"}
        elif START not in self.absent:
            yield START, self.members.get(START, _start(header))

    def between(self) -> Iterator[tuple[str, JSON]]:
        """Which members, that nothing else says, come after the samples?"""
        for name, value in self.members.items():
            usual = name in (*USUAL, REDUCTIONS, OWN) or _is_sample(name)
            if _is_safe(name) and name.endswith(JSON_SUFFIX) and not usual:
                yield name, value

    def summaries(self, rows: Sequence[bytes], of: str) -> Iterator[tuple[str, bytes]]:
        """Which members have the rows of the samples, as long as none has gone or come?"""
        start = 0
        for name, count in self.journal.items() if sum(self.journal.values()) == len(rows) else ():
            if name.startswith(JOURNAL) and _is_safe(name):
                yield name, _list(rows[start : start + count])
            start += count
        if SUMMARIES in self.absent:
            return
        fits = self.of == of[:SEAL] and SUMMARIES in self.members
        yield SUMMARIES, gate.dump(self.members[SUMMARIES]) if fits else _list(rows)

    def last(self, header: JSON, document: JSON) -> Iterator[tuple[str, JSON]]:
        """Which members come at the end?"""
        if type(document.get("reductions")) is list:
            yield REDUCTIONS, document["reductions"]
        if not self._is_headless(header):
            yield HEADER, {**header, **self.header}
        if own := _own(header, document):
            yield OWN, own


def _list(rows: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(rows) + b"]"


def _write_samples(index: slices.Index, packer: Packer) -> Iterator[tuple[str, bytes]]:
    """Write a member for each sample. Which name has it, and which row of the summaries?"""
    naming, written = _Naming(), set[str]()
    for number in range(len(index)):
        sample, raw = index.record(number), bytes(index.records[number])
        name, beyond = naming.next(sample), sample.get(KEY) or {}
        if KEY in sample:
            sample = {key: value for key, value in sample.items() if key != KEY}
            raw = gate.dump(sample)
        own = beyond.get("name", name)
        if _is_safe(own) and _is_sample(own) and own not in written:
            name = own
        written.add(name)
        packer.put(name, raw)
        row = summary(sample)
        edited = beyond.get("of") != digest(row)[:SEAL]
        yield name, gate.dump(row if edited else beyond["summary"])


def _own(header: JSON, document: JSON) -> JSON:
    """What would a reader of the other members get wrong: which fields come in another order?"""
    keys = list(document)
    values = {key: document[key] for key in APART[:2] if type(document.get(key, [])) is not list}
    read = [key for key in (*header, *APART) if key in document or key == "samples"]
    if keys == list(_ordered(dict.fromkeys(read), ())) and not values:
        return {}
    return {"keys": keys, "values": values} if values else {"keys": keys}
