"""Does a document keep to its version's schema, and if not, what is wrong with it?

fastjsonschema says yes or no; jsonschema, imported only then, explains every fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from registry.catalog import parse_ref
from registry.errors import InvalidDocument
from registry.values import JSON, pointer

SHOWN = 5
"""kinds of faults that one message lists"""


class Problem(msgspec.Struct, frozen=True):
    """What is wrong at one place?"""

    pointer: str
    keyword: str
    found: str
    expected: str


def is_valid(value: JSON, ref: str) -> bool:
    """Does this whole document keep to the schema of this version?"""
    return _judge(ref, "")(value)


def check(value: JSON, ref: str, *, file: str = "") -> None:
    """Raise InvalidDocument, with all problems, unless the document keeps to its schema."""
    if not is_valid(value, ref):
        raise _invalid(problems(value, ref), ref, file)


def check_envelope(envelope: JSON, ref: str, *, file: str = "") -> None:
    """The same for a document whose records were taken out; they are checked one by one."""
    check(envelope, ref, file=file)


def record_checker(ref: str, place: Sequence[str], file: str = "") -> Callable[[JSON, int], None]:
    """A function that raises InvalidDocument unless record number n, under `place`, is valid."""
    record = parse_ref(ref).shelf.record
    passes = _judge(ref, record)

    def check_record(value: JSON, number: int) -> None:
        if not passes(value):
            at = pointer((*place, number))
            raise _invalid(_explained(_definition(ref, record), value, at), ref, file)

    return check_record


def problems(value: JSON, ref: str) -> list[Problem]:
    """What is wrong with this document? Empty when it is valid."""
    return _explained(parse_ref(ref).schema, value, "")


@cache
def _judge(ref: str, definition: str) -> Callable[[JSON], bool]:
    """Which function says yes or no? "" stands for the whole schema.

    With the extra `fast` most documents pass by jsonschema-rs alone, in a twentieth of the time.
    What it does not pass, or can't take in (lone surrogates), is left to fastjsonschema.
    """
    try:
        import jsonschema_rs
    except ImportError:
        return _plain_judge(ref, definition)
    quick = jsonschema_rs.Draft7Validator(_schema(ref, definition))

    def passes(value: JSON) -> bool:
        try:
            if quick.is_valid(value):
                return True
        except UnicodeEncodeError:
            pass
        return _plain_judge(ref, definition)(value)

    return passes


@cache
def _plain_judge(ref: str, definition: str) -> Callable[[JSON], bool]:
    """The same by fastjsonschema."""
    import fastjsonschema

    validate = fastjsonschema.compile(
        _schema(ref, definition),
        handlers={"http": _no_fetch, "https": _no_fetch},
        use_default=False,
        use_formats=False,
    )

    def passes(value: JSON) -> bool:
        try:
            validate(value)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return passes


def _schema(ref: str, definition: str) -> JSON:
    return _definition(ref, definition) if definition else parse_ref(ref).schema


def _definition(ref: str, name: str) -> JSON:
    schema = parse_ref(ref).schema
    return {
        "$schema": schema["$schema"],
        "$ref": f"#/definitions/{name}",
        "definitions": schema["definitions"],
    }


def _no_fetch(uri: str) -> JSON:
    raise ValueError(f"schemas are never fetched: {uri}")


def _explained(schema: JSON, value: JSON, prefix: str) -> list[Problem]:
    from jsonschema import Draft7Validator

    errors = Draft7Validator(schema).iter_errors(value)
    return [problem for error in errors for problem in _meant(error, prefix)]


def _meant(error: Any, prefix: str) -> Iterator[Problem]:
    """The faults behind an error: of a union, those of the branch that was meant."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        branches: dict[int, list[Any]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], []).append(inner)
        for inner in min(branches.values(), key=_distance):
            yield from _meant(inner, prefix)
        return
    place = prefix + pointer(error.absolute_path)
    yield Problem(place, error.validator, _found(error), _expected(error))


def _distance(errors: Sequence[Any]) -> tuple[int, int, int]:
    """How far is a branch from what was meant? A wrong discriminator or type outweighs the rest."""
    top = [error for error in errors if len(error.relative_path) <= 1]
    discriminator = sum(error.validator in ("const", "enum") for error in top)
    return (
        sum(error.validator == "type" and not error.relative_path for error in top),
        discriminator + sum(error.validator == "required" for error in top),
        len(errors),
    )


def _found(error: Any) -> str:
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"no {', '.join(map(repr, missing[:1]))}"
    return _short(error.instance)


def _expected(error: Any) -> str:
    value = error.validator_value
    if error.validator == "type":
        return " or ".join(value) if isinstance(value, list) else str(value)
    if error.validator == "required":
        return "this required field"
    if error.validator == "enum":
        return f"one of {', '.join(map(_short, value))}"
    return f"{error.validator} {_short(value)}"


def _short(value: JSON) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = (
        "null" if value is None else str(value).lower() if isinstance(value, bool) else ascii(value)
    )
    return text if len(text) <= 60 else f"{text[:57]}..."


def _invalid(found: Sequence[Problem], ref: str, file: str) -> InvalidDocument:
    kinds: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in found:
        place = "/".join("*" if part.isdecimal() else part for part in problem.pointer.split("/"))
        kinds.setdefault((place, problem.keyword, problem.expected), []).append(problem)
    lines = []
    for group in list(kinds.values())[:SHOWN]:
        first = group[0]
        more = f" (… and {len(group) - 1:,} more like it)" if len(group) > 1 else ""
        lines.append(
            f"{first.pointer or '/'}: found {first.found}, expected {first.expected}{more}"
        )
    if len(kinds) > SHOWN:
        lines.append(f"… and {len(kinds) - SHOWN} other kinds of faults")
    return InvalidDocument(
        found=f"this is not valid {ref}: " + "; ".join(lines),
        hint="Mend the file, or name the version that it has with --from.",
        file=file,
        pointer=found[0].pointer if found else None,
    )


def unknown_fields(value: JSON, ref: str) -> list[str]:
    """Which fields does the schema not know? Their JSON Pointers, the slot left out."""
    schema = parse_ref(ref).schema
    return sorted(set(_unknown(schema, schema["definitions"], value, "")))


def _unknown(schema: JSON, definitions: JSON, value: JSON, place: str) -> Iterator[str]:
    schemas = [*_branches(schema, definitions, value)]
    if isinstance(value, list):
        for number, item in enumerate(value):
            for one in schemas:
                if isinstance(one.get("items"), dict):
                    yield from _unknown(one["items"], definitions, item, f"{place}/{number}")
    if not isinstance(value, dict):
        return
    known: dict[str, JSON] = {}
    for one in schemas:
        known |= one.get("properties", {})
    for key, item in value.items():
        inner = place + pointer((key,))
        if key in known:
            yield from _unknown(known[key], definitions, item, inner)
        elif known and not any(
            isinstance(one.get("additionalProperties"), dict) for one in schemas
        ):
            yield inner


def _branches(schema: JSON, definitions: JSON, value: JSON) -> Iterator[JSON]:
    """Which parts of the schema speak of this value? Of unions, the branches that it fits."""
    if "$ref" in schema:
        yield from _branches(definitions[schema["$ref"].rpartition("/")[2]], definitions, value)
        return
    yield schema
    for union in ("anyOf", "oneOf"):
        for branch in schema.get(union, ()):
            whole = {**branch, "definitions": definitions}
            if not _explained(whole, value, ""):
                yield from _branches(branch, definitions, value)
