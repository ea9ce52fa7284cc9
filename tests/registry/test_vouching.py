"""Whatever is told of a file is the same however many processes look at it."""

from __future__ import annotations

import pytest

from registry import checking, vouching
from registry.checking import Asked
from tests.registry import samples

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@pytest.mark.parametrize("size", [0, 1, 2, 7, 1000])
@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
def test_every_record_is_looked_at_once(size: int, jobs: int) -> None:
    parts = vouching._parts(size, jobs)
    assert len(parts) == jobs
    assert [number for part in parts for number in part] == [*range(size)]


def test_many_files_are_told_in_their_order() -> None:
    paths = [*map(str, samples.checked()[: checking.MANY + 5]), "nowhere.json"]
    shared = checking.check(paths, Asked(jobs=3))
    assert shared == checking.check(paths, Asked())
    assert [one.file for one in shared.files] == paths
