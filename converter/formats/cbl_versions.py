"""The older versions of the Circuit Breaker Labs file, each beside the next.

Versions 1 to 3.1 list failing results only. In a single-turn file of versions 2 to 3.1 the list is
two-dimensional, one inner list per iteration; here its results are kept flat, and each remembers
its layer under a key that no file has.

What was not listed is counted: the upper version's slot states how many, since version 4 has no
field for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from converter.blanks import Blank
from converter.form import Group, Groups, Layout, Parts
from converter.formats.cbl import CblLayout
from converter.rows import Record
from converter.slots import KEY
from converter.stepping import Shape, Side, Step

LAYER = "\0layer"
MODEL = "\0model"
MAX_LAYERS = 1000
"""iterations that get a layer of their own; more are not plausible, and would make a huge list"""


class LayeredLayout(Layout):
    """Failing results in a flat list, or in one inner list per iteration."""

    @property
    def streams(self) -> bool:
        """May records be taken one by one? They stand in more than one place."""
        return False

    def parts(self, envelope: Any, records: Sequence[Any]) -> Parts:
        """Which groups do these records, or layers of records, make?"""
        layered = bool(records) and all(type(one) is list for one in records)
        if not layered:
            first = records[0] if records else {}
            return Parts(envelope, Groups(self, records), CblLayout.shape_of(first))
        groups = [
            Group(None, [{**record, LAYER: layer}])
            for layer, inner in enumerate(records)
            for record in inner
        ]
        first = groups[0].records[0] if groups else {}
        return Parts(envelope, groups, {**CblLayout.shape_of(first), "layers": len(records)})

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Any]:
        """Which elements of the list do these groups make?"""
        records = [record for group in groups for record in group.records]
        if "layers" not in shape:
            yield from (_bare(record) for record in records)
            return
        highest = max((record.get(LAYER, 0) for record in records), default=-1)
        layers: list[list[Record]] = [[] for _ in range(max(shape["layers"], highest + 1))]
        for record in records:
            layers[record.get(LAYER, 0)].append(_bare(record))
        yield from layers


def _bare(record: Record) -> Record:
    return {key: value for key, value in record.items() if key not in (LAYER, MODEL)}


def _layered(shape: Shape) -> Shape:
    """Which shape does a file of versions 2 to 3.1 get? Single-turn ones have layers."""
    return {**shape} if shape.get("turns") == "multi" else {**shape, "layers": 0}


def _flat(shape: Shape) -> Shape:
    return {key: value for key, value in shape.items() if key != "layers"}


def _layer(record: Record) -> int:
    layer = record.get(LAYER, 0)
    return layer if type(layer) is int else 0


def _renamed(record: Record, old: str, new: str) -> Record:
    return {new if key == old else key: value for key, value in record.items()}


def _without(record: Record, *gone: str) -> Record:
    return {key: value for key, value in record.items() if key not in gone}


# 3.1 ↔ 4


def _failing(record: Record, shape: Shape) -> Record | None:
    """How does version 3.1 list a result of version 4? A passing one, not at all."""
    if record.get("passed") is True:
        return None
    record = _without(record, "passed")
    iteration = record.get("iteration")
    if "layers" not in shape or type(iteration) is not int or not 0 <= iteration < MAX_LAYERS:
        return record
    return {**_without(record, "iteration"), LAYER: iteration}


def _listed(record: Record, shape: Shape) -> Record:
    """How does version 4 say a result that version 3.1 lists? It failed."""
    del shape
    gone = [key for key in ("test_result_id", "test_case_id") if record.get(key, 0) is None]
    iteration = {"iteration": record[LAYER]} if LAYER in record else {}
    return {**_without(record, LAYER, *gone), **iteration, "passed": False}


def _run_31(envelope: Record, shape: Shape) -> Record:
    del shape
    return _renamed(envelope, "results", "failed_results")


def _run_4(envelope: Record, shape: Shape) -> Record:
    del shape
    return _renamed(_without(envelope, "results"), "failed_results", "results")


def _unlisted(envelope: Record, groups: Sequence[Group]) -> dict[str, Any]:
    """How many results does a file count that it does not list?"""
    counted = {
        "unlisted_passed": envelope.get("total_passed", 0),
        "unlisted_failed": envelope.get("total_failed", 0) - len(groups),
    }
    return {name: int(number) for name, number in counted.items() if number > 0}


# 3 ↔ 3.1

IDS = ("test_result_id", "test_case_id")


def _run_3(envelope: Record, shape: Shape) -> Record:
    del shape
    return _without(envelope, "evaluation_id", "results")


def _record_3(record: Record, shape: Shape) -> Record:
    del shape
    return _without(record, *IDS)


# 2 ↔ 3


def _run_2(envelope: Record, shape: Shape) -> Record:
    payload = {
        key: envelope[key]
        for key in ("total_passed", "total_failed", "failed_results")
        if key in envelope
    }
    return {"type": f"{shape.get('turns', 'single')}_turn_response", "data": payload}


def _run_3_of_2(envelope: Record, shape: Shape) -> Record:
    del shape
    return dict(envelope["data"])


# 1 ↔ 2


def _run_1(envelope: Record, shape: Shape) -> Record:
    del shape
    return _renamed(envelope, "data", "object")


def _run_2_of_1(envelope: Record, shape: Shape) -> Record:
    del shape
    return _renamed(envelope, "object", "data")


def _record_1(record: Record, shape: Shape) -> Record:
    del shape
    record = _without(record, LAYER)
    return record if "conversation" in record else _without(record, "conversation_id")


def _step(lower: Side, upper: Side) -> Step:
    return Step(format="cbl", run_slot=(KEY,), record_slot=(KEY,), lower=lower, upper=upper)


TOP = LayeredLayout(("failed_results",))
ENVELOPED = LayeredLayout(("data", "failed_results"))

STEPS = (
    _step(
        Side(
            version="1",
            layout=LayeredLayout(("object", "failed_results")),
            run=_run_1,
            record=_record_1,
            shape=_flat,
        ),
        Side(
            version="2",
            layout=ENVELOPED,
            run=_run_2_of_1,
            shape=_layered,
            record_blanks=(Blank("conversation_id", 0),),
        ),
    ),
    _step(
        Side(version="2", layout=ENVELOPED, run=_run_2),
        Side(version="3", layout=TOP, run=_run_3_of_2, run_blanks=(Blank("test_case_groups", []),)),
    ),
    _step(
        Side(version="3", layout=TOP, run=_run_3, record=_record_3),
        Side(version="3.1", layout=TOP, run_blanks=(Blank("evaluation_id", 0),)),
    ),
    _step(
        Side(
            version="3.1",
            layout=TOP,
            run=_run_31,
            record=_failing,
            shape=_layered,
            rank=_layer,
        ),
        Side(
            version="4",
            layout=CblLayout(("results",)),
            run=_run_4,
            record=_listed,
            shape=_flat,
            run_blanks=(Blank("evaluation_id", 0),),
            record_blanks=(
                Blank("test_result_id", 0),
                Blank("conversation_id", 0),
                Blank("iteration", 0, unless="conversation"),
            ),
            facts=_unlisted,
        ),
    ),
)
