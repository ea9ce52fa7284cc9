"""Which file becomes which, by what was asked for on the command line?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from converter import source, target
from converter.formats import find, layout
from registry import catalog, edges, names
from registry.errors import EvalglotError, InputError, OutputError
from registry.files import LINE_SUFFIXES, NAMED, listed

if TYPE_CHECKING:
    from registry.redaction import Redactor
    from registry.scan import Nonfinite

PROVENANCE = ".intoto"
"""what the name of a statement ends with; it stands beside the output"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for on the command line; see `convert --help`."""

    source: str | None = None
    target: str | None = None
    out: str | None = None
    out_dir: str | None = None
    report: str | None = None
    strict: bool = False
    no_carry: bool = False
    carry: str = "inline"
    ignore_carry: bool = False
    nonfinite: Nonfinite = "reject"
    verify: bool = False
    jobs: int | None = None
    plan: bool = False
    lists: bool = False
    quiet: bool = False
    redactor: Redactor | None = None
    provenance: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """Which file becomes which, in which format? Without a version, see `chain.convert`."""

    file: str
    out: str
    format: str
    version: str | None


class Usage(EvalglotError):
    """The options do not fit together."""


def jobs(inputs: Sequence[str], options: Options) -> list[Job]:
    """Which files are to be converted, in which order?

    Raises Usage where the options do not fit together, and OutputError where a folder is missing.
    """
    wanted = _target(options)
    _refuse_nameless(options)
    files = list(_files(inputs))
    if options.out_dir is None and len(files) > 1:
        hint = _instead([file for file, _ in files])
        raise Usage(f"{len(files)} inputs", expected="one, or --out-dir", hint=hint)
    if options.report is not None and len(files) > 1:
        raise Usage(f"--report for {len(files)} inputs", expected="one input")
    if options.out_dir is not None and options.out is not None:
        raise Usage("both --out and --out-dir", expected="one of them")
    if options.no_carry and options.carry == "sidecar":
        raise Usage("both --no-carry and --carry sidecar", expected="one of them")
    planned = [
        Job(file, _output(file, inside, options, *wanted), *wanted) for file, inside in files
    ]
    _refuse_clashes(planned)
    _refuse_suffixes(planned)
    return planned


def _instead(files: Sequence[str]) -> str:
    """What is to be done who gave several inputs? The last may have been meant as the output."""
    last = files[-1]
    if last != source.STDIN and not names.is_folder(last) and not Path(last).exists():
        return f"To write to {last}, say -o {last}."
    return "Give --out-dir FOLDER."


def _refuse_clashes(jobs: Sequence[Job]) -> None:
    """Raise Usage when two inputs would be written to one file."""
    for at, job in enumerate(jobs):
        for other in jobs[:at]:
            if job.out == other.out:
                raise Usage(
                    f"{other.file} and {job.file} would both become {job.out}",
                    expected="inputs of different names",
                    hint="Convert them one by one, each with -o FILE.",
                )


def _refuse_suffixes(jobs: Sequence[Job]) -> None:
    """Raise Usage when an output's name asks for a kind of file that its format is never in."""
    for job in jobs:
        kind = _refused(job.out, job.format, job.version)
        if kind:
            raise Usage(
                f"{job.out}, and {job.format} is never written as {kind}",
                expected="a name that ends in .json, or another --to",
            )


def _refuse_nameless(options: Options) -> None:
    """Raise Usage where a file is to lie beside standard output."""
    if options.provenance and options.out_dir is None and options.out in (None, target.STDOUT):
        raise Usage(
            "--provenance, and no name for the output",
            expected="-o FILE",
            hint=f"The statement is written to FILE{PROVENANCE}.",
        )


def _target(options: Options) -> tuple[str, str | None]:
    if options.target is None:
        known = ", ".join(format_.id for format_ in catalog.formats())
        raise Usage("no --to", expected=f"one of {known}", hint="For example --to sandtable.")
    version = catalog.parse_ref(options.target)
    return version.format, version.version if "@" in options.target else None


def _files(inputs: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Which files are meant, and what is each called within an output folder?"""
    for given, files in listed(inputs or (source.STDIN,)):
        if not files:
            raise InputError(f"holds no {NAMED} file", file=given)
        for file in files:
            inside = given != source.STDIN and names.is_folder(given)
            yield file, Path(file).relative_to(given) if inside else Path(Path(file).name)


def _output(file: str, inside: Path, options: Options, format_: str, version: str | None) -> str:
    if options.out_dir is None:
        return target.STDOUT if options.out is None else options.out
    folder = Path(options.out_dir)
    if not names.is_folder(options.out_dir):
        raise OutputError(
            found="there is no such folder",
            expected="a folder to write to",
            hint=f"Make it first: mkdir {folder}",
            file=str(folder),
        )
    name = Path("stdin.json") if file == source.STDIN else inside
    edge = edges.edge_for(name.name, format_)
    if edge is not None and not edge.is_named(name.name):
        name = name.with_suffix(edge.suffix)
    elif _refused(name.name, format_, version):
        name = name.with_suffix(".json")
    return str(folder / name)


def _refused(out: str, format_: str, version: str | None) -> str:
    """Which kind of file does a name ask for that this format is never in? "" for none."""
    edge = edges.refused_name(out, format_)
    if edge is not None:
        return edge.suffix
    if out.endswith(LINE_SUFFIXES) and edges.edge_for(out, format_) is None:
        held = layout(format_, version or find(format_).version)
        return "" if held.has_lines else "JSON Lines"
    return ""
