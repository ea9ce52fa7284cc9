"""The sample files of a format, arranged as evalglot's own: FORMAT/VERSION/{valid,invalid}/FILE."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from converter.chain import Stage, stage
from registry import catalog, detection, edges, files, gate, pairs
from registry.catalog import Version
from registry.scan import Nonfinite
from registry.text import Buffer


def valid(folder: Path, id_: str) -> list[Path]:
    """Which files of this format are in a folder of samples, of all its versions?"""
    return sorted(folder.glob(f"{id_}/*/valid/*.*"))


def invalid(folder: Path, id_: str) -> list[Path]:
    """Which files in it break the format, each with what is expected of it beside?"""
    found = sorted(folder.glob(f"{id_}/*/invalid/*.*"))
    return [path for path in found if not path.name.endswith(".expect.json")]


def name(path: Path) -> str:
    """How is this sample called in a test's name?"""
    format_, version, _, file = path.parts[-4:]
    return f"{format_}@{version}/{file}"


def ref(path: Path) -> str:
    """Which version has this sample?"""
    return f"{path.parts[-4]}@{path.parts[-3]}"


def is_lines(path: Path) -> bool:
    """Is it JSON Lines?"""
    return files.is_lines(data(path), path.name)


@cache
def document(path: Path) -> Any:
    """What does the sample hold? Not to be changed."""
    load = gate.load_lines if is_lines(path) else gate.load
    return load(data(path), file=str(path), nonfinite=nonfinite(path))


def data(path: Path) -> Buffer:
    """The bytes of the JSON that the sample holds, or is turned into, with what lies beside it."""
    turned = edges.turned(path.read_bytes(), str(path))
    return pairs.joined(turned, str(path), lambda file: Path(file).read_bytes())


def nonfinite(path: Path) -> Nonfinite:
    """What becomes of NaN in files of the sample's format?"""
    return detection.accepted(catalog.parse_ref(ref(path)), "reject")


def staged(path: Path) -> Stage:
    """The sample, taken apart."""
    return stage(document(path), ref(path), lines=is_lines(path))


def versions() -> list[Version]:
    """Every version of every format."""
    return list(catalog.catalog().versions)
