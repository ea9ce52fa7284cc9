"""What is true of every format and every pair, each law a function that fails with AssertionError.

Evalglot's own tests hold its formats to them, and `FormatLaws` those of plug-ins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from converter import chain
from converter.codecs import SAME
from converter.facts import Run
from converter.form import Format
from converter.formats import find
from converter.rows import Row
from converter.slots import KEY
from evalglot.testing import samples, ways
from evalglot.testing.fields import documented, typed
from registry import catalog, detection, drift, gate, linting, validation, values
from registry.catalog import Version
from registry.engine import judge
from registry.errors import EvalglotError
from registry.explanation import Problem
from registry.values import same

Keys = tuple[str, ...]


def problems(path: Path) -> list[Problem]:
    """What in this sample breaks its schema?"""
    ref, found = samples.ref(path), samples.document(path)
    if samples.is_lines(path):
        return list(validation.stream_problems(None, found, ref, ()))
    return validation.problems(found, ref)


def is_valid_and_told(path: Path) -> None:
    """A valid sample keeps to its schema, and its version is found out from its content."""
    found, lines = samples.document(path), samples.is_lines(path)
    assert problems(path) == []
    assert detection.detect_document(found, lines=lines).ref == samples.ref(path)
    assert detection.detect_bytes(samples.data(path), lines=lines).ref == samples.ref(path)


def is_refused_as_expected(path: Path) -> None:
    """An invalid sample has the fault that is written beside it."""
    expected = gate.load(path.with_name(f"{path.stem}.expect.json").read_bytes())
    found = [(problem.pointer, problem.keyword) for problem in problems(path)]
    assert (expected["pointer"], expected["keyword"]) in found, found


def has_the_usual_samples(folder: Path, ref: str) -> None:
    """A version has the smallest file, a typical one, one with everything, and invalid ones."""
    here = folder.joinpath(*ref.split("@"))
    valid = {path.stem for path in (here / "valid").glob("*.*")}
    assert {"smallest", "typical", "everything"} <= valid, valid
    assert list((here / "invalid").glob("*.expect.json"))
    assert (here.parent / "README.md").read_text(encoding="utf-8").strip()


def everything_has_every_field(ref: str, everything: list[Path]) -> None:
    """Samples called everything have, together, each field of the schema, and no other."""
    schema, (_, *alternatives) = catalog.parse_ref(ref).schema, catalog.parse_ref(ref).containers
    present = {f"/properties{place}" for place in alternatives}  # a file has one container
    for path in everything:
        assert drift.unknown_fields(samples.document(path), ref) == []
        for field in typed(schema, samples.document(path)):
            present.update(field.documented)
    assert set(documented(schema)) - present == set()


def another_type_is_refused(path: Path) -> None:
    """A field of another type than its schema says is refused."""
    whole, accepted = samples.document(path), []
    schema = catalog.parse_ref(samples.ref(path)).schema
    keeps = judge(schema)
    for field in list(typed(schema, whole)):
        for other in field.others():
            with field.replaced(other):
                if keeps(whole):
                    accepted.append((field.pointer, gate.dump(other)))
    assert accepted == []


def schema_is_sound(version: Version) -> None:
    """A schema keeps to what the registry asks of each."""
    assert linting.faults(version.schema, version.ref) == []


def slot_is_the_declared_one(id_: str) -> None:
    """The format's module carries in the slot that the shelf declares."""
    form, declared = find(id_), catalog.find(id_).slot
    assert values.pointer(form.run_slot) == declared.run
    assert values.pointer(form.record_slot) == declared.record


def fields_of(schema: Any, root: Any, path: Keys = (), above: Keys = ()) -> Iterator[Keys]:
    """Which properties has a schema, `*` standing for elements and for keys that are names?"""
    definitions = root.get("definitions", {})
    while "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in above:
            return
        above, schema = (*above, name), definitions[name]
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from fields_of(choice, root, path, above)
    for key, value in schema.get("properties", {}).items():
        if key != KEY:
            here = (*path, key)
            yield from list(fields_of(value, root, here, above)) or [here]
    for keyword in ("items", "additionalProperties"):
        if isinstance(inner := schema.get(keyword), dict):
            yield from fields_of(inner, root, (*path, "*"), above)


def split(path: str) -> Keys:
    """Which keys does a path such as `cases/*/id` have?"""
    return tuple(part for part in path.split("/") if part)


def answered(id_: str) -> tuple[Keys, ...]:
    """For which places does the format's module answer, with all that is in them?"""
    form = find(id_)
    rows = [
        ((*split(place), *split(row.path)), row.fact)
        for place, table in form.tables
        for row in table.rows
    ]
    inside = [*(path for path, _ in rows), *(split(place) for place, _ in form.tables)]
    alone = [
        path
        for path, fact in rows
        if fact or not any(other[: len(path)] == path != other for other in inside)
    ]
    return (*alone, *map(split, form.carried))


def every_field_has_a_row_or_a_reason(id_: str, fields: set[Keys]) -> None:
    """Nothing documented is forgotten, and what is said to be carried is documented."""
    places, reasons = answered(id_), find(id_).carried
    forgotten = {
        "/".join(path) for path in fields if not any(path[: len(one)] == one for one in places)
    }
    assert forgotten == set()
    unknown = [
        path
        for path in reasons
        if not any(one[: len(split(path))] == split(path) for one in fields)
    ]
    assert unknown == []
    assert all(reasons.values())


def there_is_valid_and_back_is_the_same(document: Any, ref: str, other: Version) -> None:
    """L2, L3, L4, L14: a document becomes a valid one of another version, and comes home."""
    there = chain.convert(chain.stage(document, ref), other.format, other.version)
    written = gate.load(gate.dump(there.document()))
    assert validation.problems(written, other.ref) == []
    id_, _, version = ref.partition("@")
    home = chain.convert(chain.stage(written, other.ref), id_, version)
    assert same(home.document(), document)
    again = chain.convert(chain.stage(home.document(), ref), other.format, other.version)
    assert same(again.document(), there.document())


def sample_comes_home(path: Path, other: Version) -> None:
    """L2, L4: a sample becomes a valid file of another version, and comes home."""
    source = samples.staged(path)
    there = chain.convert(source, other.format, other.version)
    written = gate.load(gate.dump(there.document()))
    assert validation.problems(written, other.ref) == []
    home = chain.convert(chain.stage(written, other.ref), source.format, source.version)
    assert same(home.document(), samples.document(path))
    assert home.stale == ()


def document_delta_is_empty(path: Path, other: Version) -> None:
    """Records and envelope carry all there is; nothing is left for the document as a whole."""
    there = chain.convert(samples.staged(path), other.format, other.version)
    assert there.slot is not None
    assert there.slot.document is None


def clean_file_comes_home(path: Path, id_: str) -> None:
    """L2 the other way: what a sample says in another format goes to the sample's, and back."""
    source = samples.staged(path)
    clean = chain.convert(source, id_, carry=False)
    there_is_valid_and_back_is_the_same(
        gate.load(gate.dump(clean.document())), clean.ref, Version(source.format, source.version)
    )


def own_format_says_it_again(path: Path) -> None:
    """L1: a document that went by way of facts to its own format comes back whole."""
    source = samples.staged(path)
    there = ways.across(source, source.format)
    if there.parts.shape.get("container") == "lines":
        return  # JSON Lines have no place for the run's carry
    assert same(chain.home(ways.sent(there)).document(), samples.document(path))


def edited_leaf_comes_home_edited(path: Path, id_: str) -> None:
    """L5: where one leaf was edited there, exactly that one differs at home."""
    source = samples.staged(path)
    a, b = find(source.format), find(id_)
    there = ways.sent(chain.convert(source, id_))
    for mine, theirs in _shared(a, b):
        for number, group in enumerate(source.parts.groups):
            value = _at(group.records[0], mine.path)
            if not isinstance(value, str) or value == _at(group.records[0], "error"):
                continue
            edited = ways.in_hand(ways.sent(there))
            record = edited.parts.groups[number].records[0]
            if _at(record, theirs.path) != value:
                continue
            _put(record, theirs.path, "edited")
            home = chain.home(edited)
            changed = _changed(_records(source), _records(home))
            assert set(changed) == {(value, "edited")}, mine.fact
            break


def _shared(a: Format, b: Format) -> list[tuple[Row, Row]]:
    """Rows of one text fact that both formats say plainly, in a trial's own record."""
    mine = {row.fact: row for row in a.rows if row.codec is SAME}
    return [
        (mine[row.fact], row)
        for row in b.rows
        if row.codec is SAME
        and row.fact in mine
        and row.scope in ("case", "trial")
        and (a.write_case is None and b.write_case is None)
    ]


def _at(record: Any, path: str) -> Any:
    for key in path.split("/"):
        record = record.get(key) if isinstance(record, dict) else None
    return record


def _put(record: Any, path: str, leaf: str) -> None:
    *around, last = path.split("/")
    for key in around:
        record = record[key]
    record[last] = leaf


def _changed(before: Any, after: Any) -> list[tuple[Any, Any]]:
    """Which leaves differ, as they were and as they are? A leaf may say the fact twice."""
    old, new = dict(values.leaves(before)), dict(values.leaves(after))
    assert list(old) == list(new)
    return [(old[at], new[at]) for at in old if not same(old[at], new[at])]


def _records(stage: chain.Stage) -> list[Any]:
    """The records alone: totals follow an edit."""
    return [record for group in stage.parts.groups for record in group.records]


def survivors_come_home_as_they_were(path: Path, id_: str) -> None:
    """L6: where records were dropped and moved there, the others come home as they were."""
    source = samples.staged(path)
    there = ways.sent(chain.convert(source, id_))
    kept = list(there.parts.groups)[::-1][: max(1, len(there.parts.groups) - 1)]
    if not kept or there.slot is None or there.slot.lost:
        return
    moved = chain.Stage(
        there.format,
        there.version,
        type(there.parts)(there.parts.envelope, kept, there.parts.shape),
    )
    home = chain.home(ways.sent(moved))
    before, after = map(_dumped, (source, home))
    assert after
    assert all(record in before for record in after)


def _dumped(stage: chain.Stage) -> list[bytes]:
    return [gate.dump(record) for record in _records(stage)]


def detour_changes_no_fact(path: Path, id_: str, lasts: Iterable[str]) -> None:
    """L9: a third format is told the same whether a document came straight or by a second one."""
    middle = ways.sent(chain.convert(samples.staged(path), id_))
    if middle.slot is None:
        return
    for last in lasts:
        assert _straight(path, last) == ways.bag(chain.convert(middle, last)), last


@lru_cache(maxsize=64)
def _straight(path: Path, last: str) -> tuple[Run, list[str]]:
    return ways.bag(chain.convert(samples.staged(path), last))


def chain_of_three_comes_home(path: Path, id_: str, last: str) -> None:
    """A document that went on to a third format comes home step by step, and at once."""
    source = samples.staged(path)
    middle = ways.sent(chain.convert(source, id_))
    end = ways.sent(chain.convert(middle, last))
    if middle.slot is None or end.slot is None:
        return
    assert same(chain.convert(end, id_).document(), middle.document())
    assert same(chain.convert(end, source.format).document(), samples.document(path))


def same_input_gives_the_same_bytes(path: Path, id_: str) -> None:
    """L11: inputs stay as they are, and the same input gives the same bytes."""
    before = values.canonical(samples.document(path))
    once = gate.dump(chain.convert(samples.staged(path), id_).document())
    twice = gate.dump(chain.convert(samples.staged(path), id_).document())
    assert once == twice
    assert values.canonical(samples.document(path)) == before


def others_are_not_taken_for_it(document: Any, other: Version, id_: str) -> None:
    """A document of another format is not told as one of this format."""
    if any(validation.is_valid(document, one.ref) for one in _versions(id_)):
        return  # it is a file of both
    try:
        told = detection.detect_document(document).format
    except EvalglotError as error:
        told = str(error).partition("fit: ")[2]
    assert id_ not in told, f"{other.ref} is told as {told}"


def _versions(id_: str) -> list[Version]:
    return [one for one in samples.versions() if one.format == id_]
