"""Does a value keep to a JSON Schema, yes or no?

fastjsonschema decides. With the extra `fast` most values pass by jsonschema-rs alone, twenty times
as fast; what that does not pass is still left to fastjsonschema. Nothing that a schema refers
to is ever fetched, no default is filled in, and `format` asserts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NoReturn, TypeAlias

from registry.values import JSON

Judge: TypeAlias = Callable[[JSON], bool]


class FetchRefused(ValueError):
    """A schema refers to something outside of itself."""


class _NoFetch(Mapping[str, Callable[[str], NoReturn]]):
    """fastjsonschema opens a URL whose scheme has no handler; here every scheme has this one."""

    def __getitem__(self, scheme: str) -> Callable[[str], NoReturn]:
        return _refuse

    def __contains__(self, scheme: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _refuse(uri: str) -> NoReturn:
    raise FetchRefused(f"schemas are never fetched: {uri}")


def judge(schema: JSON) -> Judge:
    """Which function says whether a value keeps to this schema (draft-07)?

    Raises FetchRefused when the schema refers to something outside of itself.
    """
    quick = _quick_judge(schema)
    if quick is None:
        return plain_judge(schema)
    slow = cache(lambda: plain_judge(schema))
    return lambda value: quick(value) or slow()(value)


def hasty_judge(schema: JSON) -> Judge:
    """Which function says yes only to what keeps to this schema, and no to nearly all else?

    For who will ask again: a no may be wrong where an engine is at its limits.
    """
    return _quick_judge(schema) or plain_judge(schema)


def _quick_judge(schema: JSON) -> Judge | None:
    """Which function of jsonschema-rs says the same? None without it, or where it gives up."""
    try:
        import jsonschema_rs
    except ImportError:
        return None
    try:
        quick = jsonschema_rs.Draft7Validator(schema, validate_formats=False, retriever=_refuse)
    except jsonschema_rs.ValidationError:
        return None

    def keeps(value: JSON) -> bool:
        try:
            return quick.is_valid(value)
        except UnicodeEncodeError:  # a lone surrogate in a key
            return False

    return keeps


def plain_judge(schema: JSON) -> Judge:
    """Which function says the same by fastjsonschema alone?

    Raises FetchRefused when the schema refers to something outside of itself.
    """
    import fastjsonschema

    validate = fastjsonschema.compile(
        schema, handlers=_NoFetch(), use_default=False, use_formats=False
    )

    def keeps(value: JSON) -> bool:
        try:
            validate(value)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return keeps


def part(schema: JSON, place: str) -> JSON:
    """Which schema holds for the part at a JSON Pointer, with everything that it may refer to?

    "" stands for the whole schema.
    """
    if not place:
        return schema
    inner = {key: value for key, value in schema.items() if key != "$id"}
    return {**inner, "$ref": f"#{place}"}
