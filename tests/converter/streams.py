"""What is a file's conversion held to, record by record and by several processes?"""

from __future__ import annotations

from pathlib import Path

from converter import chain, command
from converter.jobs import Options
from registry import gate
from registry.values import same
from tests.converter import samples


def becomes_what_its_document_becomes(path: Path, id_: str, folder: Path, jobs: int) -> None:
    """Fail unless the file becomes what its document becomes, and comes home."""
    there, back = folder / "there.json", folder / f"back{path.suffix}"
    options = Options(target=id_, out=str(there), quiet=True, jobs=jobs)
    assert command.run([str(path)], options) == 0
    whole = chain.convert(samples.staged(path), id_)
    assert same(gate.load(samples.data(there)), whole.document())
    if whole.slot is None:
        return
    options = Options(target=path.parts[-4], out=str(back), quiet=True, jobs=jobs)
    assert command.run([str(there)], options) == 0
    load = gate.load_lines if samples.is_lines(path) else gate.load
    home = load(samples.data(back), nonfinite=samples.nonfinite(path))
    assert same(home, samples.document(path))
