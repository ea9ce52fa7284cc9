"""What is wrong with a document, place by place, and how is all of it told in one message?

jsonschema finds every fault; it is slow, so it is imported only for a document already refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from registry.errors import InvalidDocument
from registry.values import JSON, at, pointer

SHOWN = 20
"""How many kinds of faults one message lists."""

LONGEST = 60
"""How many characters of a value a message shows."""

_UNIONS = ("anyOf", "oneOf")


class Problem(msgspec.Struct, frozen=True):
    """What is wrong at one place?"""

    pointer: str
    keyword: str
    found: str
    expected: str


def explain(schema: JSON, value: JSON, prefix: str = "") -> list[Problem]:
    """What in a value breaks this schema? Empty when nothing does.

    `prefix` is the JSON Pointer to the value in its document. Nothing is ever fetched.
    """
    return list(explainer(schema)(value, prefix))


def explainer(schema: JSON) -> Callable[[JSON, str], Iterator[Problem]]:
    """Which function says one by one what in values breaks this schema?"""
    from jsonschema import Draft7Validator
    from referencing import Registry

    validator = Draft7Validator(schema, registry=Registry())

    def problems(value: JSON, prefix: str = "") -> Iterator[Problem]:
        for error in validator.iter_errors(value):
            yield from _meant(error, prefix, schema)

    return problems


def _meant(error: Any, prefix: str, schema: JSON) -> Iterator[Problem]:
    """Which faults are behind an error? Of a union, those of the branch that was meant."""
    if error.validator not in _UNIONS or not error.context:
        place = prefix + pointer(error.absolute_path)
        yield Problem(place, error.validator, _found(error), _expected(error))
        return
    by_branch = groupby(error.context, key=lambda inner: inner.schema_path[0])
    branches = {number: list(errors) for number, errors in by_branch}
    if all(map(_misses_type, branches.values())):
        yield _no_type_fits(error, [*branches.values()], prefix)
        return
    fitting = {number: one for number, one in branches.items() if not _misses_type(one)}
    if (alike := _alternatives(fitting.values(), prefix)) is not None:
        yield alike
        return
    named = {number: _named(error, number, schema) for number in fitting}
    meant = min(fitting, key=lambda number: _distance(fitting[number], named[number]))
    for inner in fitting[meant]:
        yield from _meant(inner, prefix, schema)


def _misses_type(branch: Sequence[Any]) -> bool:
    return any(error.validator == "type" and not error.relative_path for error in branch)


def _named(error: Any, number: int, schema: JSON) -> int:
    """How many of an object's fields does a branch name?"""
    branch = error.validator_value[number]
    while "$ref" in branch:
        branch = at(schema, branch["$ref"].removeprefix("#"))
    known = branch.get("properties", {})
    return sum(key in known for key in error.instance) if isinstance(error.instance, dict) else 0


def _distance(branch: Sequence[Any], named: int) -> tuple[int, int, int, int]:
    """How far is a branch from what was meant? First what tells it from others, then its fields."""
    top = [error.validator for error in branch if len(error.relative_path) <= 1]
    telling = top.count("const") + top.count("enum")
    return telling, -named, top.count("required"), len(branch)


def _alternatives(branches: Collection[Sequence[Any]], prefix: str) -> Problem | None:
    """Which one problem is it when all branches ask for something else in one place?

    So it is when no branch knows the word that tells them apart, or each asks for one other field.
    """
    telling = [[one for one in branch if one.validator in ("const", "enum")] for branch in branches]
    places = {tuple(one.absolute_path) for errors in telling for one in errors}
    if len(branches) > 1 and all(telling) and len(places) == 1:
        first = telling[0][0]
        known = [value for errors in telling for one in errors for value in _values(one)]
        expected = f"one of {', '.join(dict.fromkeys(map(_short, known)))}"
        return Problem(prefix + pointer(first.absolute_path), "enum", _found(first), expected)
    first = next(iter(branches))[0]
    alone = all(len(branch) == 1 and branch[0].validator == "required" for branch in branches)
    here = {tuple(branch[0].absolute_path) for branch in branches}
    if len(branches) > 1 and alone and len(here) == 1:
        names = [_short(_missing(branch[0])) for branch in branches]
        found = f"none of {', '.join(names)}"
        place = prefix + pointer(first.absolute_path)
        return Problem(place, "required", found, "one of these fields")
    return None


def _values(error: Any) -> list[JSON]:
    value = error.validator_value
    return value if error.validator == "enum" else [value]


def _no_type_fits(error: Any, branches: Sequence[Sequence[Any]], prefix: str) -> Problem:
    wanted = [
        _expected(inner)
        for branch in branches
        for inner in branch
        if inner.validator == "type" and not inner.relative_path
    ]
    expected = " or ".join(dict.fromkeys(wanted))
    return Problem(prefix + pointer(error.absolute_path), "type", _found(error), expected)


def _found(error: Any) -> str:
    if error.validator == "required":
        return f"no {_short(_missing(error))}"
    return _short(error.instance)


def _missing(error: Any) -> str:
    """Which field is it that this error misses?"""
    missing: list[str] = [name for name in error.validator_value if name not in error.instance]
    named = [name for name in missing if error.message.startswith(f"{name!r} ")]
    return (named or missing)[0]


def _expected(error: Any) -> str:
    value = error.validator_value
    say = _WORDS.get(error.validator)
    return say(value) if say else f"{error.validator} {_short(value)}"


def _short(value: JSON) -> str:
    """How is a value shown? Never more than its beginning, and nothing that moves a terminal."""
    if isinstance(value, dict):
        return _counted("an object with", value, "field") if value else "an empty object"
    if isinstance(value, list):
        return _counted("a list of", value, "entry", "entries") if value else "an empty list"
    if isinstance(value, str):
        text = ascii(value[: LONGEST + 1])
    else:
        text = msgspec.json.encode(value).decode() if not isinstance(value, float) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _counted(what: str, value: JSON, one: str, many: str = "") -> str:
    return f"{what} {len(value):,} {one if len(value) == 1 else many or f'{one}s'}"


_WORDS: dict[str, Callable[[Any], str]] = {
    "type": lambda value: " or ".join([value] if isinstance(value, str) else value),
    "required": lambda _: "this required field",
    "enum": lambda value: f"one of {', '.join(map(_short, value))}",
    "const": _short,
    "minimum": lambda value: f"at least {value}",
    "maximum": lambda value: f"at most {value}",
    "minLength": lambda value: f"at least {value} characters",
    "pattern": lambda value: f"text that matches {value}",
    "anyOf": lambda value: f"one of {len(value)} forms",
    "oneOf": lambda value: f"exactly one of {len(value)} forms",
}
"""How is told what a keyword asks for?"""


def refusal(problems: Sequence[Problem], ref: str, file: str = "") -> InvalidDocument:
    """Which error tells all of these problems, faults of one kind counted?"""
    kinds: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault(_kind(problem), []).append(problem)
    lines = [_line(same_kind) for same_kind in list(kinds.values())[:SHOWN]]
    if len(kinds) > SHOWN:
        lines.append(f"… and {len(kinds) - SHOWN:,} other kinds of faults")
    only = len(lines) == 1
    told = _fault(problems) if only else "".join(f"\n  {line}" for line in lines)
    return InvalidDocument(
        found=f"this is not valid {ref}: {told}",
        hint="Mend the file, or name the version that it has with --from.",
        file=file,
        pointer=problems[0].pointer if only else "",
    )


def _kind(problem: Problem) -> tuple[str, str, str]:
    tokens = problem.pointer.split("/")
    place = "/".join("*" if token.isdecimal() else token for token in tokens)
    return place, problem.keyword, problem.expected


def _line(same_kind: Sequence[Problem]) -> str:
    return f"{same_kind[0].pointer or 'the document'}: {_fault(same_kind)}"


def _fault(same_kind: Sequence[Problem]) -> str:
    first = same_kind[0]
    more = f" (… and {len(same_kind) - 1:,} more like it)" if len(same_kind) > 1 else ""
    return f"found {first.found}, expected {first.expected}{more}"
