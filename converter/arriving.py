"""Is what a carry makes of a document something that its format's readers can read?

A carry is anybody's text: its deltas bring any value to any place. What they made is held to the
schema before it is read, so that readers may rely on what every other file is held to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from converter import slots
from converter.form import Format, Group, Parts
from converter.rows import Record
from registry import validation
from registry.errors import InvalidDocument
from registry.explanation import Problem, refusal


class _Cell(msgspec.Struct, forbid_unknown_fields=True):
    """Where does a row stand in promptfoo's table, and what is its test?"""

    testIdx: int | None = None  # noqa: N815 - as promptfoo spells it
    promptIdx: int | None = None  # noqa: N815
    testCase: Any = None  # noqa: N815


Count = Annotated[int, msgspec.Meta(ge=0)]
OWN: Mapping[str, Any] = {
    "\0around": dict[str, Any],
    "\0attempt": Any,
    "\0cell": _Cell,
    "\0errors": Count,
    "\0layer": Count,
    "\0loose": Literal[True],
    "\0model": str,
    "\0order": list[str],
    "\0rows": list[dict[str, Any]],
    "\0spelling": Literal["pascal", "snake", "camel"],
    "\0talk": Literal[True],
}
"""What may stand under the keys that layouts keep for themselves, and no file has?"""


def whole(value: Any) -> Record:
    """The same record or envelope, unless a delta made it something else. Raises BadCarry."""
    if type(value) is not dict:
        raise slots.damaged("it leaves no object where there was one")
    for key in OWN.keys() & value.keys():
        slots.converted(value[key], OWN[key])
    return value


def check_group(form: Format, shape: Mapping[str, Any], group: Group) -> None:
    """Raise InvalidDocument unless the records that this group makes keep to their schema."""
    for record in form.layout.records_of([group], shape):
        check_record(form.ref, record)


def check_record(ref: str, record: Record) -> None:
    """Raise InvalidDocument unless the record keeps to the schema of this version's records."""
    if not validation.record_check(ref)(record):
        _refuse(validation.record_problems(record, ref, ""), ref)


def check_envelope(form: Format, shape: Mapping[str, Any], envelope: Record) -> None:
    """Raise InvalidDocument unless the document would be valid that had no records."""
    if "container" in shape:
        check_document(form.layout.join(Parts(envelope, [], shape)), form.ref)
    elif not validation.envelope_check(form.ref)(envelope):
        _refuse(validation.envelope_problems(envelope, form.ref), form.ref)


def check_document(document: Any, ref: str) -> None:
    """Raise InvalidDocument unless what comes through this version on its way home is valid."""
    if not validation.is_valid(document, ref):
        _refuse(validation.problems(document, ref), ref)


def _refuse(problems: Sequence[Problem], ref: str) -> None:
    """Raise InvalidDocument, but where null only stands for numbers that JSON can't say."""
    if all(map(_stands_for_a_number, problems)):
        return

    def refuse(value: Any, ref: str) -> None:
        raise refusal(value, ref, "")

    coming_home(refuse)(problems, ref)


def _stands_for_a_number(problem: Problem) -> bool:
    wanted = problem.keyword == "type" and "number" in problem.expected
    return wanted and problem.found == "null"


def coming_home(check: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The same check, for what comes home."""

    def checked(value: Any, what: Any) -> None:
        try:
            check(value, what)
        except InvalidDocument as error:
            error.found = error.found.replace("this is", "what comes home is", 1)
            error.hint = "An edit made it so, or a damaged carry: --ignore-carry reads without it."
            raise

    return checked
