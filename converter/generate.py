"""Write the pages of the documentation that are made of what is known of formats.

docs/loss-matrix.md says what each pair of them can and can't say, measured on fixtures.

python -m converter.generate           write them
python -m converter.generate --check   exit 1 when one is not as it would be written
python -m converter.generate --of ID   print the loss matrix of the format that a plug-in brings
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from converter import chain, slots
from converter.chain import Stage, stage
from converter.examining import examine
from converter.format_pages import format_pages
from converter.formats import FORMATS, find
from converter.plan import plan
from converter.report import LossReport
from registry import edges, gate
from registry.plugins import plugin_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGE = DOCS / "loss-matrix.md"
FIXTURES = ROOT / "fixtures"

HEAD = """# Loss matrix

What becomes of a format's fields in each other format, and how much has to be carried so that the
way back is exact. Written by `python -m converter.generate`; do not edit.

* **native**: share of the scalars and empty containers of `everything.json`, the fixture that has
  each documented field, that the target says itself, and that come back from it without a carry;
* **carry**: what the slots of the converted `typical.json` hold, in bytes of JSON, against the
  bytes of the fixture;
* **shadowed**: said roughly, the original carried; **carried**: not said, only carried.

`convert --plan --from A --to B` prints the plan of one pair, field by field.
"""


def loss_matrix(of: str | None = None) -> str:
    """What does the page say: of evalglot's own formats, or of one that a plug-in brings?"""
    ids = FORMATS if of is None else (of, *FORMATS)
    return "\n".join([HEAD, *_overview(ids, of), *_pairs(ids, of)]).rstrip() + "\n"


def _is_told(pair: tuple[str, str], of: str | None) -> bool:
    return pair[0] != pair[1] and (of is None or of in pair)


def _fixture(id_: str, name: str) -> Stage | None:
    form, plugin = find(id_), plugin_of(id_)
    folder = FIXTURES if plugin is None else plugin.folder / "fixtures"
    found = sorted((folder / id_ / form.version / "valid").glob(f"{name}.*"))
    if not found:
        return None
    return stage(gate.load(edges.turned(found[0].read_bytes(), str(found[0]))), form.ref)


def _overview(ids: Sequence[str], of: str | None) -> Iterator[str]:
    names = " | ".join(find(id_).ref for id_ in ids)
    yield f"## Native share\n\n| from \\ to | {names} |"
    yield "|---" * (len(ids) + 1) + "|"
    for id_ in ids:
        if source := _fixture(id_, "everything"):
            shares = (
                f"{_percent(examine(source, target))} %" if _is_told((id_, target), of) else ""
                for target in ids
            )
            yield f"| {find(id_).ref} | " + " | ".join(shares) + " |"
    yield f"\n## Bytes carried\n\n| from \\ to | {names} | of |"
    yield "|---" * (len(ids) + 2) + "|"
    for id_ in ids:
        if source := _fixture(id_, "typical"):
            sizes = (
                f"{_carried(source, target):,}" if _is_told((id_, target), of) else ""
                for target in ids
            )
            whole = len(gate.dump(source.document()))
            yield f"| {find(id_).ref} | " + " | ".join(sizes) + f" | {whole:,} |"
    yield ""


def _percent(report: LossReport) -> int:
    return int(100 * report.native_share)


def _carried(source: Stage, target: str) -> int:
    """How many bytes of JSON do the target's slots hold?"""
    there, form = chain.convert(source, target), find(target)
    held = [slots.take(there.parts.envelope, form.run_slot)[1]]
    for group in there.parts.groups:
        held += [slots.take(record, form.record_slot)[1] for record in group.records]
    return sum(len(gate.dump(one)) for one in held if one is not None)


def _pairs(ids: Sequence[str], of: str | None) -> Iterator[str]:
    for pair in product(ids, ids):
        if _is_told(pair, of):
            yield from _pair(*pair)


def _pair(id_: str, target: str) -> Iterator[str]:
    a, b = find(id_), find(target)
    made = plan(a.ref, b.ref)
    yield f"## {a.ref} → {b.ref}\n"
    if source := _fixture(id_, "everything"):
        report = examine(source, target)
        yield f"Native {_percent(report)} % of the everything fixture.\n"
        if shadowed := _listed(field.path for field in report.having("shadowed")):
            yield f"Shadowed there: {shadowed}.\n"
    for outlook, text in (("native", "Native"), ("folded", "Native or shadowed")):
        if fields := _listed(field.path for field in made.having(outlook)):  # type: ignore[arg-type]
            yield f"{text}: {fields}.\n"
    carried = made.having("carried")
    if carried:
        yield "| carried | reason |\n|---|---|"
        yield from (f"| `{field.path}` | {field.why} |" for field in carried)
        yield ""


def _listed(paths: Iterator[str]) -> str:
    return ", ".join(f"`{path}`" for path in sorted(paths))


def pages() -> Mapping[str, str]:
    """What does each generated page say, by its path in docs/?"""
    return {PAGE.name: loss_matrix(), **format_pages(DOCS / "tools")}


def _is_fresh(name: str, told: str) -> bool:
    path = DOCS / name
    return path.is_file() and path.read_text(encoding="utf-8") == told


def _unmade(made: Mapping[str, str]) -> list[Path]:
    """Which pages of formats are there that none is any more?"""
    return [path for path in (DOCS / "formats").glob("*.md") if f"formats/{path.name}" not in made]


def main(arguments: Sequence[str]) -> int:
    """Write the pages, with --check say whether they are as they would be written, or print one."""
    if arguments[:1] == ["--of"]:
        sys.stdout.write(loss_matrix(*arguments[1:2]))
        return 0
    made = pages()
    if arguments and arguments[0] == "--check":
        stale = [DOCS / name for name, told in made.items() if not _is_fresh(name, told)]
        for path in [*stale, *_unmade(made)]:
            sys.stderr.write(f"{path} is stale: run `python -m converter.generate`\n")
        return int(bool(stale or _unmade(made)))
    for path in _unmade(made):
        path.unlink()
    for name, told in made.items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(told, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
