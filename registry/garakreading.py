"""Which document do the lines of a garak report say? Attempts are written as they are judged."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import IO

from registry import gate, limits
from registry.errors import Damaged, NotJson
from registry.garakcolumns import OWN, SENT, Entry, parted
from registry.text import Buffer, Origin, utf8
from registry.values import JSON, same

JUDGED = 2
"""the status of an attempt that detectors have looked at"""

_LINE = re.compile(rb"[^\n]*(?:\n|\Z)")

FIRST = {"start_run setup": "setup", "init": "init"}
"""entries that come first, in this order, and their names in the document"""


def entries(data: Buffer, file: str) -> Iterator[Entry]:
    """Which entries has a report, blank lines left out? NaN is kept: policy comes later."""
    raw = utf8(data, file=file)
    mark = len(data) - len(raw)
    for number, found in enumerate(_LINE.finditer(raw), start=1):
        line = bytes(found[0])
        if line.strip(b" \t\r\n"):
            yield _entry(line, file, Origin(mark + found.start(), line=number))


def _entry(line: bytes, file: str, origin: Origin) -> Entry:
    try:
        entry = gate.decode(line, file=file, nonfinite="keep", origin=origin)
    except NotJson as error:
        raise Damaged(**vars(error)) from None
    if not isinstance(entry, dict) or not isinstance(entry.get("entry_type"), str):
        raise Damaged(
            found="a line that is no entry of a garak report",
            expected='an object with "entry_type"',
            file=file,
            line=origin.line,
        )
    return entry


class Reader:
    """Makes the document while it hears one entry after the other."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._count = 0
        self._named: dict[str, JSON] = {}
        self._lines: list[JSON] = []
        self._last: list[Entry] = []
        """the completion, if that was heard, and what came after it"""
        self._waiting: deque[Entry] = deque()
        """attempts that were sent, since the last line of another kind, and not yet judged"""
        self._run: int | None = None
        """behind how many attempts those began that follow one another now"""

    def hear(self, entry: Entry) -> None:
        """Take in the next line."""
        kind = entry["entry_type"]
        if self._is_first(kind):
            self._named[FIRST[kind]] = entry
        elif kind == "attempt" and OWN.isdisjoint(entry):
            self._go_on()
            if same(entry.get("status"), JUDGED):
                self._judged(entry)
            elif self._run is not None:
                self._other(entry)
            else:
                self._waiting.append(entry)
        elif self._last or kind == "completion":
            self._last.append(entry)
        else:
            self._other(entry)

    def _is_first(self, kind: str) -> bool:
        begun = self._count or self._lines or self._last or self._waiting
        return not begun and kind in FIRST and self._named.keys().isdisjoint(("init", FIRST[kind]))

    def _go_on(self) -> None:
        """What was taken for the end is in the midst of attempts."""
        last, self._last = self._last, []
        for entry in last:
            self._other(entry)

    def _judged(self, attempt: Entry) -> None:
        if self._run is None:
            self._run = self._count
        record = parted(attempt)
        if self._waiting and _is_same(self._waiting[0], attempt):
            sent = self._waiting.popleft()
            said = {key: sent[key] for key in sent if not same(sent[key], attempt[key])}
            record[SENT] = said
        else:
            self._leave()
        self._out.write((b",\n" if self._count else b"\n") + gate.dump(record))
        self._count += 1
        limits.refuse_many(self._count, "")

    def _leave(self) -> None:
        """Those that wait are not judged where they should be."""
        at = self._count if self._run is None else self._run
        late = {} if self._run is None else {"late": True}
        self._lines += [{"at": at, **late, "line": entry} for entry in self._waiting]
        self._waiting.clear()

    def _other(self, entry: Entry) -> None:
        self._leave()
        self._run = None
        self._lines.append({"at": self._count, "line": entry})

    def close(self) -> None:
        """Write what is around the attempts."""
        self._leave()
        if self._last:
            self._named["completion"], *epilog = self._last
        else:
            epilog = []
        first = {key: self._named[key] for key in FIRST.values() if key in self._named}
        document = {
            **first,
            "lines": self._lines,
            "completion": self._named.get("completion"),
            "epilog": epilog,
        }
        said = {key: value for key, value in document.items() if value}
        self._out.write(b"]" + (b"," + gate.dump(said)[1:] if said else b"}") + b"\n")


def _is_same(sent: Entry, judged: Entry) -> bool:
    """Is it the same attempt, and does it say the same fields?"""
    return same(sent.get("uuid"), judged.get("uuid")) and list(sent) == list(judged)
