"""By which facts is a case told, where the user says which?

--key case.id              --key case.group,case.variables/question
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from converter.facts import Case, Trial
from registry.errors import EvalglotError
from registry.values import at, canonical

SCOPES = {"case": Case, "trial": Trial}


class BadKey(EvalglotError):
    """The key names no fact."""


def key_of(expression: str) -> Callable[[Case, Trial | None], tuple[str, ...] | None]:
    """Which function gives a case's values of this key?

    The expression names facts, separated by commas, each with a JSON Pointer into its value where
    that is wanted. A case that lacks one of them has no key. Raises BadKey.
    """
    parts = [_part(one.strip()) for one in expression.split(",")]

    def key(case: Case, trial: Trial | None) -> tuple[str, ...] | None:
        values = [part(case, trial) for part in parts]
        return None if None in values else tuple(value for value in values if value is not None)

    return key


def _part(text: str) -> Callable[[Case, Trial | None], str | None]:
    fact, slash, rest = text.partition("/")
    scope, _, name = fact.partition(".")
    kind = SCOPES.get(scope)
    if kind is None or name not in kind.__struct_fields__:
        known = ", ".join(f"case.{field}" for field in Case.__struct_fields__)
        raise BadKey(
            found=f"--key {text}",
            expected=f"a fact such as {known}, or trial.provider and its like",
        )

    def part(case: Case, trial: Trial | None) -> str | None:
        value: Any = getattr(case if scope == "case" else trial, name, None)
        try:
            found = at(value, slash + rest)
        except KeyError:
            return None
        return None if found is None else canonical(found).decode()

    return part
