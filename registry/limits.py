"""How much is too much? Every bound that input is held to, and the error that names it."""

from __future__ import annotations

from registry.errors import NotJson
from registry.values import JSON

MAX_DEPTH = 100
"""How many containers may be nested in one another."""

MAX_DIGITS = 4300
"""How many digits an integer may have: what Python converts without being told otherwise."""

MAX_STRING = 1 << 28
"""How many characters one string, or one key, may have."""

MAX_BYTES = 1 << 30
"""How many bytes one document, or one record, may have that is held whole; a pipe's content is."""

MAX_FILE_BYTES = 1 << 36
"""How many bytes a file may have that is read record by record."""

MAX_CASES = 10_000_000
"""How many records one file may have."""

MAX_LAYERS = 1_000_000
"""How many lists, empty ones among them, the results of one file may be spread over."""

MAX_MEMBERS = 2_000_000
"""How many members an archive may have."""

MAX_DIRECTORY = 1 << 27
"""How many bytes the list of an archive's members may have."""

MAX_NAME = 4096
"""How many characters the name of an archive's member may have."""

MAX_SWELLING = 250
"""How many bytes an archive may hold for each of its own, once it holds more than a few."""

FEW_BYTES = 1 << 24
"""bytes up to which an archive may hold any number for each of its own"""

MAX_NESTING = 40
"""How many XML elements may be nested in one another."""

MAX_CARRY_DEPTH = 100
"""How many changes within changes a carry may have."""

MAX_CARRY_VALUES = 50_000_000
"""How many values the carry of one file may bring in."""


def refuse_large(size: int, file: str) -> None:
    """Raise NotJson when one document has more bytes than may be."""
    if size > MAX_BYTES:
        raise _over(f"{size:,} bytes", MAX_BYTES, "MAX_BYTES", file)


def refuse_long_file(size: int, file: str) -> None:
    """Raise NotJson when a file has more bytes than may be."""
    if size > MAX_FILE_BYTES:
        raise _over(f"{size:,} bytes", MAX_FILE_BYTES, "MAX_FILE_BYTES", file)


def refuse_many(records: int, file: str) -> None:
    """Raise NotJson when a file has more records than may be."""
    if records > MAX_CASES:
        raise _over(f"{records:,} records", MAX_CASES, "MAX_CASES", file)


def refuse_layers(layers: int, file: str) -> None:
    """Raise NotJson when results are spread over more lists than may be."""
    if layers > MAX_LAYERS:
        raise _over(f"{layers:,} lists of results", MAX_LAYERS, "MAX_LAYERS", file)


def refuse_members(members: int, file: str) -> None:
    """Raise NotJson when an archive has more members than may be."""
    if members > MAX_MEMBERS:
        raise _over(f"{members:,} members", MAX_MEMBERS, "MAX_MEMBERS", file)


def refuse_directory(size: int, file: str) -> None:
    """Raise NotJson when the list of an archive's members has more bytes than may be."""
    if size > MAX_DIRECTORY:
        raise _over(f"{size:,} bytes of names", MAX_DIRECTORY, "MAX_DIRECTORY", file)


def refuse_long_name(length: int, file: str) -> None:
    """Raise NotJson when a member's name has more characters than may be."""
    if length > MAX_NAME:
        raise _over(f"a name of {length:,} characters", MAX_NAME, "MAX_NAME", file)


def refuse_swelling(unpacked: int, packed: int, file: str) -> None:
    """Raise NotJson when an archive of so many bytes holds out of all proportion more."""
    if unpacked > FEW_BYTES and unpacked > MAX_SWELLING * packed:
        found = f"{unpacked:,} bytes out of {packed:,}"
        raise NotJson(
            found=found,
            expected=f"at most {MAX_SWELLING} for each (the limit MAX_SWELLING)",
            file=file,
        )


def refuse_nesting(depth: int, file: str) -> None:
    """Raise NotJson when more XML elements are nested in one another than may be."""
    if depth > MAX_NESTING:
        raise _over(f"{depth:,} elements in one another", MAX_NESTING, "MAX_NESTING", file)


def refuse_long_strings(size: int, value: JSON, file: str) -> None:
    """Raise NotJson when a value, of so many bytes as JSON, holds a string that is too long."""
    if size > MAX_STRING and (longest := _longest(value)) > MAX_STRING:
        raise _over(f"a string of {longest:,} characters", MAX_STRING, "MAX_STRING", file)


def _longest(value: JSON) -> int:
    """How many characters has the longest string or key in a value?"""
    longest = 0
    waiting: list[JSON] = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is str:
            longest = max(longest, len(item))
        elif type(item) is dict:
            waiting += item
            waiting += item.values()
        elif type(item) is list:
            waiting += item
    return longest


def _over(found: str, most: int, name: str, file: str) -> NotJson:
    return NotJson(found=found, expected=f"at most {most:,} (the limit {name})", file=file)
