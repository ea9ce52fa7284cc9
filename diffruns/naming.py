"""What may a user call a case, and does anything have that name?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from diffruns.entries import Entry, digest
from registry.errors import EvalglotError

if TYPE_CHECKING:
    from diffruns.options import Options
    from diffruns.sides import Side

Renamed: TypeAlias = Callable[[Entry], str | None]


class NoSuchName(EvalglotError):
    """No case, tag or target has this name."""


def names(entry: Entry) -> tuple[Hashable, ...]:
    """By what may a case be called? Its id, what a report calls it, and the digest of its name."""
    return entry.case, entry.label, entry.title


def is_called(entry: Entry, name: str) -> bool:
    """May the case be called so?"""
    return name in (entry.case, entry.label) or digest(name) == entry.title


def is_meant(entry: Entry, name: str) -> bool:
    """Is it the case of this name, or one of that tag?"""
    return is_called(entry, name) or name in entry.tags


def renamed(table: Mapping[str, str]) -> Renamed:
    """Which function gives the name that a case has in this table, if it is there?"""
    known: dict[Hashable, str] = {digest(name): to for name, to in table.items()}
    known.update(table)
    return lambda entry: next((known[name] for name in names(entry) if name in known), None)


def refuse_unknown(a: Side, b: Side, options: Options) -> None:
    """Is everything there that the options name? Raises NoSuchName."""
    if not (options.renames or options.asked.critical or options.targets):
        return
    cases = [{name for entry in side.entries for name in names(entry)} for side in (a, b)]
    for here, there in options.renames.items():
        _expect(here, cases[0], "--map", "the id of a case of A", a.entries)
        _expect(there, cases[1], "--map", "the id of a case of B", b.entries)
    both = [*a.entries, *b.entries]
    tags = {tag for entry in both for tag in entry.tags} if options.asked.critical else set()
    for name in options.asked.critical:
        _expect(name, cases[0] | cases[1] | tags, "--critical", "the id or a tag of a case", both)
    for here, there in options.targets.items():
        for name, side, letter in ((here, a, "A"), (there, b, "B")):
            targets = dict.fromkeys(entry.target for entry in side.entries if entry.target)
            if name not in targets:
                known = ", ".join(targets) or "it names none"
                raise NoSuchName(f"--pair {here}={there}", f"a target of {letter}: {known}")


def _expect(
    name: str, known: Collection[Hashable], option: str, expected: str, entries: Sequence[Entry]
) -> None:
    if name not in known and digest(name) not in known:
        raise no_such_name(f"{option} {name}", expected, name, entries)


def no_such_name(found: str, expected: str, name: str, entries: Iterable[Entry]) -> NoSuchName:
    """Nothing has this name; what is the next that something has?"""
    from difflib import get_close_matches

    near = get_close_matches(name, list(_texts(entries)), n=1)
    return NoSuchName(
        found, expected, f"Did you mean {near[0]}?" if near else "--all lists all of them."
    )


def _texts(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield entry.label
        yield from entry.tags
