"""What is written keeps the rules that files of its format are held to, also without the carry."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter import chain
from converter.formats import FORMATS
from registry import recount
from tests.converter import samples

THE_SOURCE_DOES = {
    "promptfoo/row-ids": "its trials have ids that repeat, and each is said as it is",
    "cbl/threshold": "its checks differ from case to case, and so does what a score of 0.5 means",
}
"""rules that a converted file may break, because of what its source says"""

UNIQUE = {"inspect/sample-ids"}
"""rules that only warn, as tools break them, and that no converted file may break"""

CONSISTENT = [path for path in samples.valid() if "inconsistent" not in path.name]


@pytest.mark.parametrize("path", CONSISTENT, ids=samples.name)
def test_a_file_without_carry_keeps_the_rules_of_its_format(path: Path) -> None:
    stage = samples.staged(path)
    for id_ in FORMATS:
        if id_ == stage.format:
            continue
        written = chain.convert(stage, id_, carry=False)
        found = recount.findings(written.document(), written.ref)
        broken = {one.rule for one in found if one.severity == "error" or one.rule in UNIQUE}
        assert broken <= set(THE_SOURCE_DOES), id_
