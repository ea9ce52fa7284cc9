"""Rows turned into straight Python functions, one statement per row.

A table of some thirty rows is read and written four times per record of a conversion; going through
the rows one by one took three times as long. The functions for

    Row("case_id", "trial.id"), Row("metadata/severity", "case.severity")

are, for reading the scope "trial" and for writing,

    def read(r0):                             def write(case, trial, given=None):
        g0 = r0.get                               if given is None: return plain(case, trial)
        return {                                  get = given.get
            "id": g0("case_id"),                  r0 = {}
        }                                         v = trial.id
                                                  if v is None: v = get("case_id")
                                                  if v is not None: r0["case_id"] = v
                                                  r1 = {}
                                                  ...
                                                  if r1: r0["metadata"] = r1
                                                  return r0

Only names and keys from this project's own tables go into the text, each through `repr`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from converter.rows import Row

Rows: TypeAlias = "Sequence[tuple[str, Row]]"
Names: TypeAlias = dict[str, Any]


class _Omit:
    """The writer leaves the key out."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = _Omit()


def reader(rows: Sequence[Row], scope: str) -> Callable[..., dict[str, Any]]:
    """Which function reads these rows' facts of one scope from a record?"""
    names: Names = {"EMPTY": {}}
    lines = ["def read(r0):", *_opened(rows, scope, opened := {"": "g0"})]
    facts = [f"  {row.name!r}: {_read(row, opened, names)}," for row in _said(rows, scope)]
    lines += [" return {", *facts, " }"]
    return function("read", lines, names)


def _said(rows: Sequence[Row], scope: str) -> list[Row]:
    return [row for row in rows if row.fact and row.scope == scope]


def _opened(rows: Sequence[Row], scope: str, opened: dict[str, str]) -> Iterator[str]:
    """Make all objects ready to be asked that these rows' facts lie in."""
    yield " g0 = r0.get"
    for row in _said(rows, scope):
        yield from _open(row.path.rpartition("/")[0], opened)


def _open(path: str, opened: dict[str, str]) -> Iterator[str]:
    """Make the object at this path ready to be asked, and before it those around it."""
    if path in opened:
        return
    around, _, key = path.rpartition("/")
    yield from _open(around, opened)
    opened[path] = f"g{len(opened)}"
    yield f" r = {opened[around]}({key!r})"
    yield f" {opened[path]} = (r if type(r) is dict else EMPTY).get"


def _read(row: Row, opened: dict[str, str], names: Names) -> str:
    around, _, key = row.path.rpartition("/")
    value = f"{opened[around]}({key!r})"
    if row.codec.read is None:
        return value
    return f"None if (v := {value}) is None else {_turned('v', row.codec.read, names)}"


def maker(
    rows: Sequence[Row], scope: str, make: Callable[..., Any], more: Sequence[str]
) -> Callable[..., Any]:
    """Which function makes a structure of these rows' facts, and of `more` that it is given?

    Keywords that stand in the text reach the structure three times as fast as those of a dict.
    """
    names: Names = {"EMPTY": {}, "make": make}
    lines = [f"def build({', '.join(('r0', *more))}):", *_opened(rows, scope, opened := {"": "g0"})]
    facts = [f"  {row.name}={_read(row, opened, names)}," for row in _said(rows, scope)]
    lines += [" return make(", *facts, *(f"  {name}={name}," for name in more), " )"]
    return function("build", lines, names)


def writer(rows: Sequence[Row], scopes: Sequence[str]) -> Callable[..., dict[str, Any]]:
    """Which function writes a record from values of these scopes, in the rows' order?

    It takes one more argument, `given`: what to write, by path, where a fact is not known. A
    function of its own does without.
    """
    named = ", ".join(scopes)
    names: Names = {"plain": _plain_writer(rows, named)}
    lines = [
        f"def write({named}, given=None):",
        f" if given is None: return plain({named})",
        " get = given.get",
    ]
    written = [(row.path, row) for row in rows]
    lines += [*_write(written, 0, "", names, given=True), " return r0"]
    return function("write", lines, names)


def _plain_writer(rows: Sequence[Row], named: str) -> Callable[..., dict[str, Any]]:
    names: Names = {}
    written = [(row.path, row) for row in rows if row.fact or row.blank is not OMIT]
    lines = [f"def write({named}):", *_write(written, 0, "", names, given=False), " return r0"]
    return function("write", lines, names)


def _write(rows: Rows, depth: int, prefix: str, names: Names, *, given: bool) -> Iterator[str]:
    yield f" r{depth} = {{}}"
    inner = nested(rows)
    always = {path for path, row in rows if row.blank == {} and path in inner}
    done = set()
    for path, row in rows:
        key = path.partition("/")[0]
        if key in done:
            continue
        done.add(key)
        if key in inner:
            yield from _write(inner[key], depth + 1, f"{prefix}{key}/", names, given=given)
            guard = "" if key in always else f"if r{depth + 1}: "
            yield f" {guard}r{depth}[{key!r}] = r{depth + 1}"
            continue
        yield from _value(row, prefix + key, names, given=given)
        yield f" if v is not None: r{depth}[{key!r}] = v"
        if row.blank is not OMIT:
            yield f" else: r{depth}[{key!r}] = {row.blank!r}"


def _value(row: Row, path: str, names: Names, *, given: bool) -> Iterator[str]:
    """Find the value that is written for a row."""
    otherwise = f"get({path!r})" if given else "None"
    if not row.fact:
        yield f" v = {otherwise}"
        return
    yield f" v = {row.scope}.{row.name}"
    if row.codec.write is not None:
        yield f" if v is not None: v = {_turned('v', row.codec.write, names)}"
    if given:
        yield f" if v is None: v = {otherwise}"


def _turned(value: str, turn: Callable[[Any], Any] | None, names: Names) -> str:
    if turn is None:
        return value
    name = f"t{len(names)}"
    names[name] = turn
    return f"{name}({value})"


def nested(rows: Rows) -> dict[str, list[tuple[str, Row]]]:
    """Which rows lie inside an object of the record, by the object's key?"""
    inside: dict[str, list[tuple[str, Row]]] = {}
    for path, row in rows:
        key, _, rest = path.partition("/")
        if rest:
            inside.setdefault(key, []).append((rest, row))
    return inside


def function(name: str, lines: list[str], names: Names) -> Callable[..., Any]:
    """Which function of that name do these lines define? They know what the `names` stand for."""
    exec("\n".join(lines), names)  # the text is made of this project's own words alone
    defined: Callable[..., Any] = names[name]
    return defined
