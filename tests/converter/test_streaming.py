"""Record by record, a file becomes what it becomes as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter import chain, command
from registry import gate
from registry.values import same
from tests.converter import samples
from tests.laws import ways


@pytest.mark.parametrize(("path", "id_"), ways.pairs(), ids=ways.pair_name)
def test_a_file_becomes_what_its_document_becomes(
    path: Path, id_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "CHECKED_BYTES", 0)
    there, back = tmp_path / "there.json", tmp_path / f"back{path.suffix}"
    done = command.run([str(path)], command.Options(target=id_, out=str(there), quiet=True))
    assert done == 0
    whole = chain.convert(samples.staged(path), id_)
    assert same(gate.load(there.read_bytes()), whole.document())
    if whole.slot is None:
        return
    options = command.Options(target=path.parts[-4], out=str(back), quiet=True)
    assert command.run([str(there)], options) == 0
    load = gate.load_lines if path.suffix == ".jsonl" else gate.load
    assert same(load(back.read_bytes()), samples.document(path))
