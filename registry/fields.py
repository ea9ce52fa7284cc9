"""Which fields may a document have that keeps to a schema, and what may stand in each?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

import msgspec

from registry.keywords import KINDS, target
from registry.shapes import UNIONS, kind
from registry.values import JSON, escape

Needed = Literal["yes", "no", "some"]


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field. `*` in its pointer is every entry of a list, and every field without a name.

    `required` is said of the object around it: `some` when only some of its forms require the
    field. No types: all of them. `allowed` says which values, where not all of the types are.
    """

    pointer: str
    types: tuple[str, ...]
    required: Needed
    allowed: str = ""
    description: str = ""


Path = tuple[str, ...]


def fields(schema: JSON) -> tuple[Field, ...]:
    """Which fields does a schema name, in its order? A recursive shape is shown once on its way."""
    met: dict[str, Field] = {}
    for field in _inner(schema, _forms(schema, schema, ()), ""):
        known = met.get(field.pointer)
        met[field.pointer] = _joined(known, field) if known else field
    return tuple(met.values())


def _inner(root: JSON, forms: list[tuple[JSON, Path]], place: str) -> Iterator[Field]:
    """Which fields are inside a value that has one of these forms?"""
    objects = [form for form, _ in forms if "properties" in form]
    for form, path in forms:
        for name, inner in form.get("properties", {}).items():
            needed = _needed(name, objects)
            yield from _field(root, inner, f"{place}/{escape(name)}", needed, path)
        for keyword in ("items", "additionalProperties"):
            inner = form.get(keyword)
            if isinstance(inner, dict) and inner:
                yield from _field(root, inner, f"{place}/*", "no", path)


def _needed(name: str, objects: list[JSON]) -> Needed:
    requiring = [name in one.get("required", ()) for one in objects]
    return "yes" if all(requiring) else "some" if any(requiring) else "no"


def _field(root: JSON, schema: JSON, place: str, needed: Needed, path: Path) -> Iterator[Field]:
    forms = _forms(root, schema, path)
    bare = [form for form, _ in forms]
    yield Field(
        pointer=place,
        types=_types(bare),
        required=needed,
        allowed=_allowed(bare),
        description=schema.get("description") or _told(bare),
    )
    yield from _inner(root, forms, place)


def _forms(root: JSON, schema: JSON, path: Path) -> list[tuple[JSON, Path]]:
    """Which forms may a value have, references and unions resolved?

    With each goes which references led to it; none is followed again inside of itself.
    """
    if "$ref" in schema:
        name = schema["$ref"]
        if name in path:
            return [({"title": f"again {name.rpartition('/')[2]}"}, path)]
        return _forms(root, target(root, name), (*path, name))
    branches = [branch for union in UNIONS for branch in schema.get(union, ())]
    own = {key: value for key, value in schema.items() if key not in UNIONS}
    forms = [
        ({**_own_type(own), **form}, inner)
        for branch in branches
        for form, inner in _forms(root, branch, path)
    ]
    return [*forms, (own, path)] if own.keys() & {"properties", "items"} or not forms else forms


def _own_type(schema: JSON) -> JSON:
    return {"type": schema["type"]} if "type" in schema else {}


def _types(forms: list[JSON]) -> tuple[str, ...]:
    said = {one for form in forms for one in _said(form)}
    return tuple(one for one in KINDS if one in said) if said < set(KINDS) else ()


def _said(form: JSON) -> set[str]:
    if "type" in form:
        return {form["type"]} if isinstance(form["type"], str) else set(form["type"])
    if "const" in form:
        return {kind(form["const"])}
    if "properties" in form or form.get("title", "").startswith("again "):
        return {"object"}
    return set(map(kind, form["enum"])) if "enum" in form else set(KINDS)


def _allowed(forms: list[JSON]) -> str:
    return "; ".join(dict.fromkeys(said for form in forms for said in _limits(form)))


def _limits(form: JSON) -> Iterator[str]:
    if "const" in form:
        yield json.dumps(form["const"])
    if "enum" in form:
        yield "one of " + ", ".join(map(json.dumps, form["enum"]))
    if "minimum" in form and "maximum" in form:
        yield f"{form['minimum']} to {form['maximum']}"
    elif "minimum" in form:
        yield f"at least {form['minimum']}"
    elif "maximum" in form:
        yield f"at most {form['maximum']}"
    if "minLength" in form:
        yield f"at least {form['minLength']} characters"
    if "pattern" in form:
        yield f"fits {form['pattern']}"


def _told(forms: list[JSON]) -> str:
    return next((form["description"] for form in forms if form.get("description")), "")


def _joined(a: Field, b: Field) -> Field:
    """What is said of a field that two forms have?"""
    return Field(
        pointer=a.pointer,
        types=tuple(one for one in KINDS if one in {*a.types, *b.types})
        if a.types and b.types
        else (),
        required=a.required if a.required == b.required else "some",
        allowed="; ".join(dict.fromkeys(one for one in (a.allowed, b.allowed) if one)),
        description=a.description or b.description,
    )
