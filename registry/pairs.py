"""Which two files say one document: an aggregate of Every Eval Ever, and its rows beside it?

The rows of `NAME.json` are in `NAME_samples.jsonl`, in the same folder, as the tool itself asks. An
aggregate names that file, too, but no name that stands in a file is ever followed.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable

from registry import gate, names
from registry.edges import Turned
from registry.errors import NotJson
from registry.text import Buffer, utf8
from registry.values import JSON

FORMAT = "every-eval-ever"
MAIN, ROWS = ".json", "_samples.jsonl"
SAMPLES = "samples"
"""where the rows are in the one document"""

TELLING = frozenset(("schema_version", "evaluation_id", "evaluation_results"))
"""what tells an aggregate from other files of such a name"""


def beside(file: str) -> str | None:
    """Which file would have the rows, were this an aggregate? None where its name is of none."""
    return file.removesuffix(MAIN) + ROWS if file.endswith(MAIN) else None


def is_part(file: str, read: Callable[[str], Buffer]) -> bool:
    """Is this the file of rows of an aggregate that lies beside it, and is read with it?"""
    main = file.removesuffix(ROWS) + MAIN
    return file.endswith(ROWS) and names.is_file(main) and _is_aggregate(read(main))


def joined(data: Buffer, file: str, read: Callable[[str], Buffer]) -> Buffer:
    """The bytes of the aggregate with the rows that lie beside it, or the same bytes.

    Raises NotJson, with the name of the rows' file, where a line of it is no JSON.
    """
    rows = beside(file)
    if rows is None or not names.is_file(rows) or not _is_aggregate(data):
        return data
    lines = utf8(read(rows), file=rows)
    gate.load_lines(lines, file=rows, nonfinite="keep")
    values = b",\n".join(line for line in bytes(lines).split(b"\n") if line.strip())
    around = bytes(utf8(data, file=file)).rstrip().removesuffix(b"}")
    with tempfile.TemporaryFile() as out:
        out.write(b"".join((around, b',"samples":[', values, b"]}\n")))
        out.flush()
        document = Turned(out.fileno(), 0, access=mmap.ACCESS_READ)
        document.source = data
        return document


def _is_aggregate(data: Buffer) -> bool:
    """Is this an aggregate without its rows?"""
    try:
        document: JSON = gate.load(data, nonfinite="keep")
    except NotJson:
        return False
    return type(document) is dict and document.keys() >= TELLING and SAMPLES not in document
