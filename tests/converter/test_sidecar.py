"""A carry in a file of its own brings a clean file home, as the same carry inside it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter import chain, sidecar, source
from converter.formats import FORMATS
from converter.runs import with_sidecar
from converter.sidecar import Sidecar
from registry import gate
from registry.values import same
from tests.converter import samples

SMALL = [path for path in samples.valid() if path.stem in ("smallest", "typical", "array-snake")]


@pytest.mark.parametrize("path", SMALL, ids=samples.name)
def test_a_clean_file_comes_home_with_its_sidecar(path: Path, tmp_path: Path) -> None:
    stage = samples.staged(path)
    out = str(tmp_path / "out.json")
    for id_ in FORMATS:
        if id_ == stage.format:
            continue
        flow = chain.flow(stage, id_)
        beside = Sidecar(id_, flow.version, records=True, lines=False)
        clean = gate.dump(beside.flow(flow).stage().document())
        Path(out + sidecar.SUFFIX).write_bytes(gate.dump(beside.document()))
        if clean == b"[]":
            continue  # of no format that could be told
        again = with_sidecar(source.read(clean, out, None, "keep"), out)
        assert again.ref == flow.ref
        home = chain.convert(again, stage.format, stage.version)
        assert same(home.document(), stage.document()), id_
