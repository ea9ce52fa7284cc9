"""What `diffruns` does with two inputs: read, compare, tell."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from converter import helping, runs, sidecar, source, target
from diffruns import gates, inputs, naming, renderers
from diffruns.changes import FIELDS
from diffruns.compare import Options, compare
from diffruns.dimensions import DIMENSIONS
from diffruns.entries import Entry
from diffruns.keys import key_of
from diffruns.renderers import View
from diffruns.sides import KeyOf, Side, entries, no_key, side
from diffruns.transitions import BADGES, WORDS
from registry import catalog, gate, whole
from registry.errors import EvalglotError, InputError

if TYPE_CHECKING:
    from converter.runs import RunFile
    from registry.catalog import Version
    from registry.lexemes import Nonfinite
    from registry.redaction import Redactor
    from registry.text import Buffer


class Usage(EvalglotError):
    """The options do not fit together, or one has no such value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for on the command line; see `diffruns --help`."""

    sources: Sequence[str] = ()
    nonfinite: Nonfinite = "reject"
    key: str | None = None
    map_file: str | None = None
    pairs: Sequence[str] = ()
    by: Sequence[str] = ()
    ignore: Sequence[str] = ()
    tolerance: Sequence[str] = ()
    alpha: float = 0.05
    correct: str = "holm"
    cluster: str | None = None
    only: str | None = None
    case: str | None = None
    all: bool = False
    fail_on: Sequence[gates.FailOn] = ()
    max_drop: str | None = None
    max_fail_share: str | None = None
    critical: Sequence[str] = ()
    kind: str = "text"
    out: str = target.STDOUT
    output: Sequence[str] = ()
    width: int = 80
    colour: bool = False
    redactor: Redactor | None = None


def run(a: str, b: str, asked: Asked) -> int:
    """Which exit code does `diffruns` end with? Raises EvalglotError."""
    options = _options(asked)
    view = _view(asked)
    _one_case_only(asked)
    reports = [(asked.kind, asked.out), *map(_output, asked.output)]
    if a == b == source.STDIN:
        raise Usage("standard input for both", expected="one input that is a file")
    with ExitStack() as stack:
        key = key_of(asked.key) if asked.key else no_key
        opened = [
            _opened(stack, name, version, asked)
            for name, version in zip((a, b), _versions(asked.sources), strict=True)
        ]
        one, other = _sides(opened[0], opened[1], key)
        files = [one.source.file, other.source.file]
        beside = [file + sidecar.SUFFIX for file in files]
        maps = [asked.map_file] if asked.map_file is not None else []
        whole.refuse_overwriting([*files, *beside, *maps], [file for _, file in reports])
        naming.refuse_unknown(one, other, options)
        comparison = compare(one, other, options)
        if asked.case is not None:
            from diffruns.renderers import case

            _write(asked.out, case.render(comparison, asked.case, view))
            return comparison.report.exit_code
        for kind, file in reports:
            _write(file, renderers.render(kind, comparison, view))
    return comparison.report.exit_code


def _one_case_only(asked: Asked) -> None:
    """A case in full is text for a terminal, and all that is told. Raises Usage."""
    beside = {
        "--format": asked.kind != "text",
        "--output": asked.output,
        "--by": asked.by,
        "--only": asked.only,
    }
    given = [option for option, value in beside.items() if value]
    if asked.case is not None and given:
        raise Usage(f"--case with {', '.join(given)}", expected="the case alone, as text")


def _write(file: str, told: bytes) -> None:
    if file == target.STDOUT:
        sys.stdout.buffer.write(told)
        sys.stdout.buffer.flush()
        return
    with target.replacing(file) as stream:
        stream.write(told)


LARGE = 8 * 2**20
"""bytes from which on an input is worth a process of its own"""


@dataclass(frozen=True, slots=True)
class _Input:
    """One of the two files, open, with its cases not yet looked at."""

    name: str
    data: Buffer
    run: RunFile

    def look(self, key: KeyOf) -> tuple[str, list[Entry]]:
        """What is the digest of the file, and which cases does it have?"""
        with _named(self.name):
            return hashlib.sha256(self.data).hexdigest(), list(entries(self.run, key))


@contextmanager
def _named(file: str) -> Iterator[None]:
    try:
        yield
    except EvalglotError as error:
        error.file = error.file or file
        raise


def _opened(stack: ExitStack, name: str, version: Version | None, asked: Asked) -> _Input:
    data, file = stack.enter_context(inputs.opened(name))
    with _named(file):
        return _Input(file, data, runs.read(data, file, version, asked.nonfinite, asked.redactor))


def _sides(one: _Input, other: _Input, key: KeyOf) -> tuple[Side, Side]:
    """Both sides; of two large files each is looked at by a process of its own."""
    large = min(len(one.data), len(other.data)) >= LARGE and helping.cores() > 1
    with helping.helpers([partial(other.look, key)] if large else []) as helpers:
        looks = [one.look(key), helpers[0].result() if large else other.look(key)]
    a, b = (
        side(read.run, read.name, sha256, key, known)
        for read, (sha256, known) in zip((one, other), looks, strict=True)
    )
    return a, b


def _versions(sources: Sequence[str]) -> tuple[Version | None, Version | None]:
    """--from once is for both, twice is for A and for B."""
    if len(sources) > 2:
        raise Usage(f"--from {len(sources)} times", expected="once for both, or once for each")
    found = [catalog.parse_ref(one) for one in sources]
    return (found[0], found[-1]) if found else (None, None)


def _options(asked: Asked) -> Options:
    return Options(
        by=tuple(_known(name, DIMENSIONS, "--by") for name in asked.by),
        alpha=_level(asked.alpha),
        correct=asked.correct,
        cluster=asked.cluster and _known(asked.cluster, DIMENSIONS, "--cluster"),
        tolerance=_tolerance(asked.tolerance),
        ignore=frozenset(_known(name, FIELDS, "--ignore") for name in asked.ignore),
        explicit=asked.key is not None,
        targets=dict(_pair(one) for one in asked.pairs),
        renames=_renames(asked.map_file),
        asked=gates.Asked(
            fail_on=tuple(asked.fail_on),
            max_drop=None if asked.max_drop is None else share(asked.max_drop),
            max_fail_share=None if asked.max_fail_share is None else share(asked.max_fail_share),
            critical=tuple(asked.critical),
        ),
    )


def _known(name: str, known: Collection[str], option: str) -> str:
    if name in known:
        return name
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    raise Usage(
        f"{option} {name}",
        expected=f"one of {', '.join(known)}",
        hint=f"Did you mean {near[0]}?" if near else "",
    )


def _tolerance(given: Sequence[str]) -> float:
    """How far may a score move, by `score=0.01`?"""
    found = 0.0
    for one in given:
        field, _, value = one.partition("=")
        _known(field, ("score",), "--tolerance")
        found = _number(value, f"--tolerance {one}", "score=NUMBER")
    return found


def _number(text: str, option: str, expected: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise Usage(option, expected=expected)
    return value


def _level(alpha: float) -> float:
    """Which level have the tests? Not a number is between any bounds, to who asks the wrong way."""
    if not 0 < alpha < 1:
        raise Usage(f"--alpha {alpha}", expected="a number between 0 and 1")
    return alpha


def share(text: str) -> float:
    """Which share is `2pp`, `2%` or `0.02`? Raises Usage."""
    hundredfold = next((unit for unit in ("pp", "%") if text.endswith(unit)), "")
    expected = "a share such as 2pp, 2% or 0.02, and no more than all"
    value = _number(text.removesuffix(hundredfold), text, expected) / (100 if hundredfold else 1)
    if value > 1:
        raise Usage(text, expected=expected)
    return value


def _pair(given: str) -> tuple[str, str]:
    a, equals, b = given.partition("=")
    if not equals or not a or not b:
        raise Usage(f"--pair {given}", expected="TARGET_IN_A=TARGET_IN_B")
    return a, b


def _renames(file: str | None) -> Mapping[str, str]:
    """Which cases have another id in B? A JSON object, from A's ids to B's."""
    if file is None:
        return {}
    with source.opened(file) as data:
        document = gate.load(data, file=file)
    try:
        return msgspec.convert(document, dict[str, str])
    except msgspec.ValidationError as error:
        raise InputError(
            found=str(error), expected='{"id in A": "id in B", …}', file=file
        ) from None


def _view(asked: Asked) -> View:
    only = None
    if asked.only is not None:
        names = [name.strip() for name in asked.only.split(",")]
        only = frozenset(
            BADGES[name] if name in BADGES else _known(name, WORDS, "--only") for name in names
        )
    rows = None if asked.all else 40
    return View(only=only, rows=rows, width=asked.width, colour=asked.colour)  # type: ignore[arg-type]


def _output(given: str) -> tuple[str, str]:
    """Which shape and which file does KIND=FILE name?"""
    kind, _, file = given.partition("=")
    if kind not in renderers.KINDS or not file:
        raise Usage(
            f"--output {given}",
            expected=f"KIND=FILE, where KIND is one of {', '.join(renderers.KINDS)}",
        )
    return kind, file
