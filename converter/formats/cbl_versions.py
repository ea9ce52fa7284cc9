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

from converter.aggregates import total
from converter.blanks import Blank
from converter.form import Group, Groups, Layout, Parts, reach, replaced
from converter.formats.cbl import CblLayout, is_multi
from converter.rows import Record
from converter.slots import KEY
from converter.stepping import Shape, Side, Step
from registry import limits
from registry.errors import BadCarry

LAYER = "\0layer"
LOOSE = "\0loose"
"""marks a result that stands between the inner lists, in none of them"""

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
        layered = any(type(one) is list for one in records)
        if not layered:
            first = records[0] if records else {}
            return Parts(envelope, Groups(self, records), CblLayout.shape_of(first))
        limits.refuse_layers(len(records), "")
        groups = [
            Group(None, [record])
            for layer, element in enumerate(records)
            for record in _placed(element, layer)
        ]
        first = groups[0].records[0] if groups else {}
        return Parts(envelope, groups, {**CblLayout.shape_of(first), "layers": len(records)})

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Any]:
        """Which elements of the list do these groups make?"""
        records = [record for group in groups for record in group.records]
        if "layers" not in shape:
            yield from (_bare(record) for record in records)
            return
        highest = max((_layer_of(record) for record in records), default=-1)
        count = max(shape["layers"], highest + 1)
        limits.refuse_layers(count, "")
        layers: list[list[Record]] = [[] for _ in range(count)]
        for record in records:
            layers[_layer_of(record)].append(record)
        for layer in layers:
            bare = [_bare(record) for record in layer]
            if layer and all(LOOSE in record for record in layer):
                yield from bare
            else:
                yield bare


class ParallelLayout(LayeredLayout):
    """Also reads the message of a run over several models: one such list for each."""

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?"""
        models = _models(document)
        if models is None:
            return LayeredLayout.split(self, document, lines=lines)
        lists = LayeredLayout(("failed_results",))
        split = {model: lists.split(payload) for model, payload in models.items()}
        groups = [
            Group(None, [{**group.records[0], MODEL: model}])
            for model, parts in split.items()
            for group in parts.groups
        ]
        envelopes = {model: parts.envelope for model, parts in split.items()}
        shapes = {model: dict(parts.shape) for model, parts in split.items()}
        turns = {
            name: shape["turns"] for shape in shapes.values() for name in shape if name == "turns"
        }
        return Parts(replaced(document, MODELS, envelopes), groups, {**turns, "models": shapes})

    def join(self, parts: Parts) -> Any:
        """Which document do these parts make?"""
        if "models" not in parts.shape:
            return LayeredLayout.join(self, parts)
        lists = LayeredLayout(("failed_results",))
        joined = {}
        for model, envelope in reach(parts.envelope, MODELS).items():
            groups = [group for group in parts.groups if group.records[0].get(MODEL) == model]
            shape = parts.shape["models"].get(model, {})
            joined[model] = lists.join(Parts(envelope, groups, shape))
        return replaced(parts.envelope, MODELS, joined)


MODELS = ("data", "results")
PARALLEL = "parallel_"
"""how the type of a run over several models begins"""


def _models(envelope: Record) -> dict[str, Record] | None:
    """What does a run over several models say of each? None for a run over one."""
    found: dict[str, Record] | None = None
    if str(envelope.get("type")).startswith(PARALLEL):
        found = reach(envelope, MODELS)
    return found


def _layer_of(record: Record) -> int:
    """In which list does this result stand? Raises BadCarry when a carry says what none can be."""
    layer = record.get(LAYER, 0)
    if type(layer) is not int or layer < 0:
        raise BadCarry(found=f"the carry is damaged: a result in list {layer!r}")
    return layer


def _placed(element: Any, layer: int) -> list[Record]:
    """Which results does this element of the list hold, each knowing where it stood?"""
    if type(element) is list:
        return [{**record, LAYER: layer} for record in element]
    return [{**element, LAYER: layer, LOOSE: True}]


def _bare(record: Record) -> Record:
    return _without(record, LAYER, LOOSE, MODEL)


def _layered(shape: Shape) -> Shape:
    """Which shape does a file of versions 2 to 3.1 get? Single-turn ones have layers."""
    return {**shape} if shape.get("turns") == "multi" else {**shape, "layers": 0}


def _flat(shape: Shape) -> Shape:
    return {key: value for key, value in shape.items() if key not in ("layers", "models")}


def _of_one_model(shape: Shape) -> Shape:
    return _layered(_flat(shape)) if "models" in shape else shape


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
    if "layers" not in shape:
        return record
    iteration = record.get("iteration")
    if type(iteration) is not int or not 0 <= iteration < MAX_LAYERS:
        return {**record, LAYER: 0}
    return {**_without(record, "iteration"), LAYER: iteration}


def _listed(record: Record, shape: Shape) -> Record:
    """How does version 4 say a result that version 3.1 lists? It failed."""
    del shape
    gone = [key for key in ("test_result_id", "test_case_id") if record.get(key, 0) is None]
    iteration = {"iteration": record[LAYER]} if LAYER in record else {}
    return {**iteration, **_without(record, LAYER, LOOSE, *gone), "passed": False}


def _run_31(envelope: Record, shape: Shape) -> Record:
    del shape
    return {"failed_results": [], **_renamed(envelope, "results", "failed_results")}


LISTED = ("results", "results_by_iteration")
"""where version 3.1 lists all results, passing ones too"""


def _run_4(envelope: Record, shape: Shape) -> Record:
    del shape
    return _renamed(_without(envelope, *LISTED), "failed_results", "results")


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
    return _without(envelope, "evaluation_id", *LISTED)


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
    return _payload(envelope)


def _payload(envelope: Record) -> Record:
    """What does a file of version 2 hold, all its models taken together?"""
    models = _models(envelope)
    if models is None:
        return dict(envelope["data"])
    totals = {
        key: total(payload[key] for payload in models.values())
        for key in ("total_passed", "total_failed")
    }
    return {**totals, "failed_results": []}


def _one_model(record: Record, shape: Shape) -> Record:
    """How does version 3, which knows one model only, say a result of version 2?

    The lists of several models become one, where a result can't stand beside layers any more.
    """
    if MODEL not in record:
        return record
    bare = _bare(record)
    return {**bare, LAYER: _layer(record)} if "layers" in shape else bare


def _model(record: Record) -> dict[str, Any]:
    """Which fact of a result has version 3 no field for?"""
    return {"provider": record[MODEL]} if MODEL in record else {}


# 1 ↔ 2


def _run_1(envelope: Record, shape: Shape) -> Record:
    type_ = envelope["type"]
    if _models(envelope) is not None:
        type_ = f"{shape.get('turns', 'single')}_turn_response"
    return {**_renamed(envelope, "data", "object"), "type": type_, "object": _payload(envelope)}


def _run_2_of_1(envelope: Record, shape: Shape) -> Record:
    del shape
    return _renamed(envelope, "object", "data")


def _record_1(record: Record, shape: Shape) -> Record:
    del shape
    record = _bare(record)
    return record if is_multi(record) else _without(record, "conversation_id")


def _step(lower: Side, upper: Side) -> Step:
    return Step(format="cbl", run_slot=(KEY,), record_slot=(KEY,), lower=lower, upper=upper)


TOP = LayeredLayout(("failed_results",))
ENVELOPED = ParallelLayout(("data", "failed_results"))

STEPS = (
    _step(
        Side(
            version="1",
            layout=LayeredLayout(("object", "failed_results")),
            run=_run_1,
            record=_record_1,
            shape=_flat,
            record_facts=_model,
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
        Side(
            version="3",
            layout=TOP,
            run=_run_3_of_2,
            record=_one_model,
            shape=_of_one_model,
            run_blanks=(Blank("test_case_groups", []),),
            record_blanks=(Blank("conversation_id", 0),),
            record_facts=_model,
        ),
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
