"""Rows turned into straight Python functions, one statement per row.

A table of some thirty rows is read and written four times per record of a conversion; going through
the rows one by one took three times as long. The functions for

    Row("case_id", "trial.id"), Row("metadata/severity", "case.severity")

are, for reading the scope "trial" and for writing,

    def read(r0):                             def write(case, trial, given):
        g0 = r0.get                               get = given.get
        return {                                  r0 = {}
            "id": g0("case_id"),                  v = trial.id
        }                                         if v is None: v = get("case_id")
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
    said = [row for row in rows if row.fact and row.scope == scope]
    opened = {"": "g0"}
    lines = ["def read(r0):", " g0 = r0.get"]
    for row in said:
        lines += _open(row.path.rpartition("/")[0], opened)
    lines += [" return {", *(_entry(row, opened, names) for row in said), " }"]
    return _function("read", lines, names)


def _open(path: str, opened: dict[str, str]) -> Iterator[str]:
    """Make the object at this path ready to be asked, and before it those around it."""
    if path in opened:
        return
    around, _, key = path.rpartition("/")
    yield from _open(around, opened)
    opened[path] = f"g{len(opened)}"
    yield f" r = {opened[around]}({key!r})"
    yield f" {opened[path]} = (r if type(r) is dict else EMPTY).get"


def _entry(row: Row, opened: dict[str, str], names: Names) -> str:
    around, _, key = row.path.rpartition("/")
    value = f"{opened[around]}({key!r})"
    if row.codec.read is not None:
        value = f"None if (v := {value}) is None else {_turned('v', row.codec.read, names)}"
    return f"  {row.name!r}: {value},"


def sparse_reader(rows: Sequence[Row], scope: str) -> Callable[..., dict[str, Any]]:
    """Which function reads flat rows from records that hold few of their keys?"""
    said = {row.path: (row.name, row.codec.read) for row in rows if row.fact and row.scope == scope}
    plain = {path: name for path, (name, turn) in said.items() if turn is None}

    def read(record: dict[str, Any]) -> dict[str, Any]:
        facts = {}
        for key, value in record.items():
            if value is None:
                continue
            if key in plain:
                facts[plain[key]] = value
            elif key in said:
                name, turn = said[key]
                facts[name] = turn(value)  # type: ignore[misc]
        return facts

    return read


def writer(
    rows: Sequence[Row], scopes: Sequence[str], *, given: bool = True
) -> Callable[..., dict[str, Any]]:
    """Which function writes a record from values of these scopes, in the rows' order?

    With `given` it takes one more argument: what to write, by path, where a fact is not known.
    """
    names: Names = {}
    lines = [f"def write({', '.join((*scopes, 'given') if given else scopes)}):"]
    if given:
        lines.append(" get = given.get")
    written = [(row.path, row) for row in rows if given or row.fact or row.blank is not OMIT]
    lines += [*_write(written, 0, "", names, given=given), " return r0"]
    return _function("write", lines, names)


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
        yield from _value(row, names)
        if given:
            yield f" if v is None: v = get({prefix + key!r})"
        yield f" if v is not None: r{depth}[{key!r}] = v"
        if row.blank is not OMIT:
            yield f" else: r{depth}[{key!r}] = {row.blank!r}"


def _value(row: Row, names: Names) -> Iterator[str]:
    yield f" v = {row.scope}.{row.name}" if row.fact else " v = None"
    if row.codec.write is not None:
        yield f" if v is not None: v = {_turned('v', row.codec.write, names)}"


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


def _function(name: str, lines: list[str], names: Names) -> Callable[..., dict[str, Any]]:
    exec("\n".join(lines), names)  # the text is made of this project's own rows
    function: Callable[..., dict[str, Any]] = names[name]
    return function
