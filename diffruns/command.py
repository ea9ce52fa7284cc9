"""What `diffruns` does with two inputs: read, compare, tell."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from converter import runs, sidecar, source, target
from diffruns import baselines, gates, inputs, naming, renderers
from diffruns.baselines import Baseline, with_noise
from diffruns.changes import FIELDS
from diffruns.compare import compare
from diffruns.dimensions import DIMENSIONS
from diffruns.entries import Entry
from diffruns.kept import Kept, Places, few_of
from diffruns.keys import key_of
from diffruns.options import Options
from diffruns.renderers import View
from diffruns.sides import KeyOf, Look, Side, look, no_key, seen
from diffruns.transitions import BADGES, WORDS
from registry import catalog, gate, helping, whole
from registry.edges import original
from registry.errors import EvalglotError, InputError
from registry.progress import watched
from registry.reports.harmless import harmless

if TYPE_CHECKING:
    from converter.runs import RunFile
    from diffruns.compare import Comparison
    from registry.catalog import Version
    from registry.lexemes import Nonfinite
    from registry.redaction import Redactor
    from registry.text import Buffer


class Usage(EvalglotError):
    """The options do not fit together, or one has no such value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for on the command line; see `diffruns --help`."""

    baseline: str | None = None
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


def run(a: str | None, b: str, asked: Asked) -> int:
    """Which exit code does `diffruns` end with? Without A, the baseline stands for it.

    Raises EvalglotError.
    """
    _one_case_only(asked)
    reports = [(asked.kind, asked.out), *map(_output, asked.output)]
    view = _view(asked)
    with compared(a, b, asked, [file for _, file in reports]) as comparison:
        if asked.case is not None:
            from diffruns.renderers import case

            _write(asked.out, [case.render(comparison, asked.case, view)])
            return comparison.report.exit_code
        for kind, file in reports:
            _write(file, renderers.parts(kind, comparison, view))
    return comparison.report.exit_code


@contextmanager
def compared(a: str | None, b: str, asked: Asked, outs: Sequence[str] = ()) -> Iterator[Comparison]:
    """What changed from input A, or the baseline, to B? Files are open as long as it is looked at.

    Raises EvalglotError, also where one of `outs` would replace what is read.
    """
    options = _options(asked)
    if a == b == source.STDIN:
        raise Usage("standard input for both", expected="one input that is a file")
    with ExitStack() as stack:
        key = key_of(asked.key) if asked.key else no_key
        one, other, baseline = _both(stack, a, b, key, asked)
        files = [one.source.file, other.source.file]
        beside = [file + sidecar.SUFFIX for file in files]
        maps = [asked.map_file] if asked.map_file is not None else []
        whole.refuse_overwriting([*files, *beside, *maps], outs)
        naming.refuse_unknown(one, other, options)
        comparison = compare(one, other, options)
        yield comparison if baseline is None else with_noise(comparison, baseline)


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


def _write(file: str, told: Iterable[bytes]) -> None:
    if file == target.STDOUT:
        for part in told:
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return
    with target.replacing(file) as stream:
        for part in told:
            stream.write(part)


LARGE = 8 * 2**20
"""bytes from which on an input is worth a process of its own"""
CASE = 1_000
"""about how many bytes a case takes in a file, to tell how many there may be"""


@dataclass(slots=True)
class _Input:
    """One of the two files, open, with nothing yet looked at."""

    name: str
    data: Buffer
    version: Version | None
    nonfinite: Nonfinite
    redactor: Redactor | None = None
    _run: RunFile | None = None

    def run(self) -> RunFile:
        """Which facts does the file hold? It is found out once."""
        if self._run is None:
            with _named(self.name):
                self._run = runs.read(
                    self.data, self.name, self.version, self.nonfinite, self.redactor
                )
        return self._run

    def look(self, key: KeyOf, into: Kept[Entry], *, bar: bool = True) -> Look:
        """What is seen of the file, with a bar if that takes long? Its cases are kept."""
        with _named(self.name):
            run = self.run()
            label, size = f"reading {harmless(self.name)}", len(self.data) if bar else 0
            groups = watched(run.groups(), run.size, label, size)
            sha256 = hashlib.sha256(original(self.data)).hexdigest()
            found = look(run, sha256, into, key, groups)
        self._run = None  # an index of a large file takes memory, and is seldom asked for again
        return found

    def side(self, key: KeyOf) -> Side:
        """Which side of a comparison is it?"""
        cases = Kept(Entry, few_of(len(self.data) // CASE))
        return seen(self.look(key, cases), cases, self.name, self.run)

    def sent(self, key: KeyOf, into: Kept[Entry]) -> tuple[Look, Places]:
        """What is seen of it by a helper? Digests are the same here, since it is a copy."""
        return self.look(key, into, bar=False), into.written()


@contextmanager
def _named(file: str) -> Iterator[None]:
    try:
        yield
    except EvalglotError as error:
        error.file = error.file or file
        raise


def _opened(stack: ExitStack, name: str, version: Version | None, asked: Asked) -> _Input:
    data, file = stack.enter_context(inputs.opened(name))
    return _Input(file, data, version, asked.nonfinite, asked.redactor)


def _both(
    stack: ExitStack, a: str | None, b: str, key: KeyOf, asked: Asked
) -> tuple[Side, Side, Baseline | None]:
    """Which sides are compared, and which baseline, if any, is the first of them?"""
    versions = _versions(asked.sources)
    if a is None:
        opened = _opened(stack, b, versions[1], asked)
        other = opened.side(key)
        baseline = baselines.find(str(asked.baseline), other, key)
        return baseline.side, other, baseline
    read = [
        _opened(stack, name, version, asked) for name, version in zip((a, b), versions, strict=True)
    ]
    return (*_sides(read[0], read[1], key), None)


def _sides(one: _Input, other: _Input, key: KeyOf) -> tuple[Side, Side]:
    """Both sides; of two large files each is looked at by a process of its own."""
    large = min(len(one.data), len(other.data)) >= LARGE and helping.cores() > 1
    if not large or one.redactor is not None:  # one process counts what is masked
        return one.side(key), other.side(key)
    cases = Kept(Entry, few=0)
    with helping.helpers([partial(other.sent, key, cases)]) as helpers:
        here = one.side(key)
        there, places = helpers[0].result()
    cases.adopt(places)
    return here, seen(there, cases, other.name, other.run)


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
            max_drop=None if asked.max_drop is None else share(asked.max_drop, "--max-drop"),
            max_fail_share=None
            if asked.max_fail_share is None
            else share(asked.max_fail_share, "--max-fail-share"),
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


def share(text: str, option: str) -> float:
    """Which share is `2pp`, `2%` or `0.02`, given to an option? Raises Usage."""
    hundredfold = next((unit for unit in ("pp", "%") if text.endswith(unit)), "")
    expected = "a share such as 2pp, 2% or 0.02, and no more than all"
    given = f"{option} {text}"
    value = _number(text.removesuffix(hundredfold), given, expected) / (100 if hundredfold else 1)
    if value > 1:
        raise Usage(given, expected=expected)
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
