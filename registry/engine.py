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
    try:
        import jsonschema_rs
    except ImportError:
        return plain_judge(schema)
    try:
        quick = jsonschema_rs.Draft7Validator(schema, validate_formats=False, retriever=_refuse)
    except jsonschema_rs.ValidationError:
        return plain_judge(schema)
    slow = cache(lambda: plain_judge(schema))

    def keeps(value: JSON) -> bool:
        try:
            if quick.is_valid(value):
                return True
        except UnicodeEncodeError:  # a lone surrogate in a key
            pass
        return slow()(value)

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
