"""How does a garak report (`garak.RUN.report.jsonl`) look as one JSON document, and back?

From garak 0.13.0 to 0.17.1 (attempt.py, command.py, harnesses/base.py, evaluators/base.py): each
line is an entry. An attempt stands there twice, when the target has answered (`status` 1) and when
detectors have judged (`status` 2); its outputs, conversations and scores are lists beside each
other, of one entry for each generation.

    {"attempts": [attempt, ...], "setup": entry, "init": entry, "lines": [line, ...],
     "completion": entry, "epilog": [entry, ...]}

An attempt is the judged one; those lists are empty there, and its `generations` say, each for
itself, `output`, `detector_results`, `conversation` and `reverse_translation_output`. A list of
another length stays where it was. `sent` is what the attempt said otherwise when it was sent. Where
generations of an attempt have other detectors than their neighbours, which no garak writes, its
line says so under `x-scored`.

`setup` and `init` come first and `completion` last, but for the entries of `epilog`; every other
line is `{"at": behind how many attempts, "line": entry}`. An attempt that was sent and never judged
is such a line; with `late`, it stands behind what its neighbours said when they were sent.
"""

from __future__ import annotations

from typing import IO

from registry import slices
from registry.garakreading import Reader, entries
from registry.garakwriting import pieces
from registry.text import Buffer


def read(data: Buffer, file: str, out: IO[bytes]) -> None:
    """Write the document that a report holds.

    Raises Damaged, with its line, where one is no JSON, or no entry.
    """
    reader = Reader(out)
    out.write(b'{"attempts":[')
    for entry in entries(data, file):
        reader.hear(entry)
    reader.close()


def write(data: Buffer, out: IO[bytes]) -> None:
    """Write the lines that say a document of garak, which is valid."""
    for piece in pieces(slices.index(data, ("attempts",), nonfinite="keep")):
        out.write(piece + b"\n")
