"""What is fuzzed: each takes bytes, and holds that they give a result or one of our errors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from tempfile import NamedTemporaryFile
from typing import Any

from converter import chain, runs, source
from converter.delta import Applied, diff
from converter.formats import FORMATS, versions
from diffruns import renderers
from diffruns.compare import Comparison, compare
from diffruns.renderers import View
from diffruns.sides import side
from evalglot.report.page import render
from registry import catalog, checking, detection, gate, reports, slices
from registry.errors import EvalglotError, NotJson
from registry.values import same
from tests.fuzz import draws as drawn
from tests.fuzz.draws import Draws
from tests.test_rendering import DIFF, VALIDATE, page

Target = Callable[[bytes], None]
REFS = [f"{id_}@{version}" for id_ in FORMATS for version in versions(id_)]
NONFINITE = ("reject", "keep", "null")


def gate_(data: bytes) -> None:
    """Any bytes are a value that comes back as it is, or are refused with a place."""
    policy = NONFINITE[data[0] % 3] if data else "reject"
    try:
        value = gate.load(data[1:], nonfinite=policy)  # type: ignore[arg-type]
    except NotJson as error:
        assert str(error)
        return
    assert same(gate.load(gate.dump(value), nonfinite="keep"), value)
    assert same(gate.load(gate.dump(value, indent=2), nonfinite="keep"), value)


def lines(data: bytes) -> None:
    """Lines are the same values, read at once or one by one."""
    refused = []
    values: list[Any] = []
    try:
        values = gate.load_lines(data)
    except NotJson as error:
        refused.append(error)
    try:
        index = slices.index_lines(data)
        records = [index.record(number) for number in range(len(index))]
    except NotJson as error:
        refused.append(error)
    else:
        assert refused or same(records, values)
    assert len(refused) in (0, 2)


def detected(data: bytes) -> None:
    """Any bytes are of a version, or of none."""
    with suppress(EvalglotError):
        assert detection.detect_bytes(data, file="run.json").ref


def detected_spoilt(data: bytes) -> None:
    """What a document is, by its value and by its bytes, is one version."""
    draws = Draws(data)
    _, document = drawn.document(draws)
    spoilt = drawn.spoilt(draws, document)
    with suppress(EvalglotError):
        assert detection.detect_bytes(gate.dump(spoilt), file="run.json").ref


def reader(data: bytes) -> None:
    """A spoilt document is read into facts, goes anywhere, and comes back as it was."""
    draws = Draws(data)
    ref, document = drawn.document(draws)
    target = draws.one(FORMATS)
    spoilt = drawn.spoilt(draws, document)
    taken = _stage(spoilt, ref)
    if taken is None or target == taken.format:
        return
    for _, said in runs.run_file(taken).groups():
        assert all(said)
    try:
        there = chain.convert(taken, target)
        written = gate.load(gate.dump(there.document()), nonfinite="keep")
    except EvalglotError as error:  # what nests too deep with its carry can't be read again
        assert "MAX_DEPTH" in str(error) or "levels deep" in str(error), error
        return
    home = chain.convert(chain.stage(written, there.ref), taken.format, taken.version)
    assert same(home.document(), spoilt)


def carry(data: bytes) -> None:
    """A carry that somebody changed is taken, or told, and never anything else."""
    draws = Draws(data)
    ref, document = drawn.document(draws)
    target = draws.one([one for one in FORMATS if one != ref.partition("@")[0]])
    there = chain.convert(chain.stage(document, ref), target)
    spoilt = drawn.spoilt(draws, there.document())
    taken = _stage(spoilt, there.ref)
    format_, _, version = ref.partition("@")
    if taken is not None:
        with suppress(EvalglotError):
            chain.convert(taken, format_, version).document()


def damaged(data: bytes) -> None:
    """A carry that brings in what it never did is taken, or told, wherever the file then goes."""
    draws = Draws(data)
    ref, document = drawn.document(draws)
    other = draws.one([one for one in REFS if one != ref])
    there = chain.convert(chain.stage(document, ref), *other.split("@")).document()
    there = gate.load(gate.dump(there), nonfinite="keep")
    spoilt = drawn.damaged(draws, there, [*dict.fromkeys(drawn.names(document))])
    for target in (ref, draws.one(FORMATS)):
        taken = _stage(spoilt, other)
        if taken is None:
            return
        with suppress(EvalglotError):
            gate.dump(chain.convert(taken, *target.split("@")).document())
        with suppress(EvalglotError):
            assert list(runs.run_file(taken).groups()) is not None


def delta(data: bytes) -> None:
    """A delta makes of one value the other; a spoilt one is applied, or refused."""
    draws = Draws(data)
    _, document = drawn.document(draws)
    other = drawn.spoilt(draws, gate.load(gate.dump(document), nonfinite="keep"))
    node = diff(document, other)
    if node is None:
        assert same(document, other)
        return
    assert same(Applied().apply(document, node), other)
    with suppress(EvalglotError):
        Applied().apply(document, drawn.spoilt(draws, node))


def compared(data: bytes) -> None:
    """Two spoilt runs of one version are compared."""
    _compared(Draws(data))


def rendered(data: bytes) -> None:
    """Each report of two spoilt runs is one that its readers take, and acts on nothing."""
    comparison = _compared(Draws(data))
    if comparison is not None:
        for kind, hold in DIFF.items():
            hold(renderers.render(kind, comparison, View(rows=None)).decode())
        page(render(comparison.a, ()).decode())


def validated(data: bytes) -> None:
    """Each report on a spoilt file is one that its readers take, and acts on nothing."""
    draws = Draws(data)
    ref, document = drawn.document(draws)
    asked = checking.Asked(version=catalog.parse_ref(ref))
    with NamedTemporaryFile(suffix=".json") as file:
        file.write(gate.dump(drawn.spoilt(draws, document)))
        file.flush()
        report = checking.check([file.name], asked)
    for kind, hold in VALIDATE.items():
        hold(reports.render(kind, report).decode())


def _compared(draws: Draws) -> Comparison | None:
    ref, document = drawn.document(draws)
    text = gate.dump(document)
    sides = []
    for name in "ab":
        spoilt = drawn.spoilt(draws, gate.load(text, nonfinite="keep"), 4)
        taken = _stage(spoilt, ref)
        if taken is None:
            return None
        sides.append(side(runs.run_file(taken), f"{name}.json", name))
    return compare(*sides)


def _stage(document: Any, ref: str) -> chain.Stage | None:
    """The document, when it is one of this version: as any command takes it from a file."""
    try:
        read = source.read(gate.dump(document), "run.json", catalog.parse_ref(ref), "keep")
        return chain.stage(read.document(), read.ref)
    except EvalglotError as error:
        assert str(error)
    return None


TARGETS: dict[str, Target] = {
    "gate": gate_,
    "lines": lines,
    "detection": detected,
    "detection-of-runs": detected_spoilt,
    "readers": reader,
    "carry": carry,
    "carry-damaged": damaged,
    "delta": delta,
    "comparison": compared,
    "renderers": rendered,
    "validation": validated,
}
