"""The how manieth attempt at its case is a trial, where a format keeps none together?"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from converter.facts import Case, Trial, identity


class Attempts:
    """Counts trials of one case and target as they come, by a digest of what identifies them.

    The digests of a million cases take a fifth of the memory of what they stand for.
    """

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()

    def next(self, case: Case, trial: Trial) -> int:
        """Which number has the next trial? They count from 0."""
        key = repr((identity(case), trial.provider)).encode("utf-8", "surrogatepass")
        digest = blake2b(key, digest_size=16).digest()
        self._seen[digest] += 1
        return self._seen[digest] - 1
