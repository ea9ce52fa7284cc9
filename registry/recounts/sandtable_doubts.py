"""Why may a figure of a sandtable suite be another than a recount gives?"""

from __future__ import annotations

import msgspec

LATER = "A later release of sandtable wrote it, which may reckon otherwise"
ERRORED = "Trials ended with an error, and how those are counted is not known"
UNEVEN = "Not every task has k trials, and how those are counted is not known"
UNNAMED = "What another key means is not known"
SHARED = "Whether two soft invariants may have one id is not known"


class Doubts(msgspec.Struct):
    """What of a suite may be counted otherwise?"""

    later: bool
    """Does `sandtable` name a release?"""
    errored: bool = False
    """Did a trial end with an error?"""
    uneven: bool = False
    """Has a task not k trials?"""

    def of(self, *, errored: bool) -> str:
        """Why may a count of these trials be another, though its name says what it counts?"""
        return ERRORED if errored else ""

    def of_later(self, *, errored: bool) -> str:
        """Why may a figure about these trials be another that a release may have redefined?"""
        return LATER if self.later else self.of(errored=errored)

    @property
    def because(self) -> str:
        """Why may a count of all trials be another?"""
        return self.of(errored=self.errored)

    @property
    def because_later(self) -> str:
        """Why may a figure about all trials be another that a release may have redefined?"""
        return self.of_later(errored=self.errored)

    @property
    def because_graded(self) -> str:
        """Why may a share of passed trials be another?"""
        return self.because or (UNEVEN if self.uneven else "")
