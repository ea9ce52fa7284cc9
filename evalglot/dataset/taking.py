"""What does one file come to: its tables, an error, or what is known already?"""

from __future__ import annotations

import hashlib
from collections.abc import Container
from dataclasses import dataclass
from typing import TYPE_CHECKING

from converter import runs, sidecar
from evalglot.dataset import places, rows
from evalglot.dataset.places import Source
from registry import names
from registry.errors import EvalglotError, InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from registry.lexemes import Nonfinite
    from registry.text import Buffer


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file to be looked at.

    `known` are digests whose facts are in the dataset already; `before` is what the dataset has of
    this very path.
    """

    source: Source
    known: frozenset[str] = frozenset()
    before: Before | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What did a file hold when it was looked at last? An error of another reader is no answer."""

    digest: str
    etag: str | None


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a file.

    With `tables` its facts are there; with `error` it is set aside; with neither they are in the
    dataset already. Without a digest it could not be read.
    """

    source: Source
    digest: str | None
    tool: str = ""
    month: str = ""
    tables: dict[str, pa.Table] | None = None
    error: EvalglotError | None = None
    unchanged: bool = False


def take(wanted: Wanted, met: Container[str], nonfinite: Nonfinite) -> Taken:
    """What does this file come to? `met` are digests of files that are taken together with it."""
    source, digest = wanted.source, None
    try:
        with places.opened(source.path) as data:
            digest = _digest(data, source.path)
            if wanted.before == Before(digest, source.etag):
                return Taken(source, digest, unchanged=True)
            if digest in wanted.known or digest in met:
                return Taken(source, digest)
            return _facts(data, source, digest, nonfinite)
    except EvalglotError as error:
        return Taken(source, digest, error=error)


def _facts(data: Buffer, source: Source, digest: str, nonfinite: Nonfinite) -> Taken:
    file = runs.read(data, source.path, None, nonfinite)
    try:
        modified = places.modified(source.path)
    except OSError as error:
        raise InputError(found=f"can't be read ({error.strerror})", file=source.path) from None
    moment = rows.when(file.run, modified)
    tables = rows.tables(file, digest, moment)
    return Taken(source, digest, file.ref.partition("@")[0], moment.month, tables)


def _digest(data: Buffer, path: str) -> str:
    """Which content has the file, with the carry that lies beside it?"""
    found = hashlib.sha256(data)
    beside = path + sidecar.SUFFIX
    if not places.is_url(path) and names.is_file(beside):
        with places.opened(beside) as carry:
            found.update(carry)
    return found.hexdigest()
