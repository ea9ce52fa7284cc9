"""May these files be merged: are they valid, and is no case worse than on the base?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from diffruns import command
from diffruns.compare import Comparison
from diffruns.inputs import GIT
from evalglot.gate import base
from registry import checking, findings
from registry.errors import EvalglotError

PRECEDENCE = (2, 4, 3, 1, 0)
"""which exit code wins where several files end with different ones"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What files are checked and compared by."""

    check: checking.Asked
    diff: command.Asked
    base: str | None = None
    """the revision to compare with; None: files are only checked"""

    @property
    def forbids_gone(self) -> bool:
        """Is it a finding that a whole file is gone? As for cases: unless other gates are set."""
        diff = self.diff
        gates = (diff.fail_on, diff.max_drop is not None, diff.max_fail_share is not None)
        return "missing" in diff.fail_on or not any(gates)


@dataclass(frozen=True, slots=True)
class Apart:
    """A file that is not compared, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated:
    """What came out for all files?"""

    checked: findings.Report
    comparisons: tuple[Comparison, ...] = ()
    """of the files that changed"""
    apart: tuple[Apart, ...] = ()
    gone: tuple[str, ...] = ()
    forbids_gone: bool = False
    base: str | None = None

    @property
    def exit_code(self) -> int:
        """0 may be merged, 1 findings, 2 unreadable, 3 not comparable, 4 nothing assessed."""
        codes = {self.checked.exit_code, int(self.forbids_gone and bool(self.gone))}
        codes |= {one.report.exit_code for one in self.comparisons}
        return next(code for code in PRECEDENCE if code in codes)


@contextmanager
def gated(paths: Sequence[str], asked: Asked) -> Iterator[Gated]:
    """May these files be merged? What is compared is open as long as it is looked at.

    Raises EvalglotError, such as for a base that git does not know.
    """
    if asked.base is None:
        yield Gated(checked=checking.check(paths, asked.check))
        return
    commit = base.commit(asked.base)
    gone = base.gone(commit, paths)
    checked = checking.check([path for path in paths if path not in gone], asked.check)
    with ExitStack() as stack:
        comparisons, apart = [], []
        for file in (one.file for one in checked.files if one.outcome == "valid"):
            found = _against(file, commit, asked, stack)
            if isinstance(found, Apart):
                apart.append(found)
            else:
                comparisons.append(found)
        yield Gated(
            checked=checked,
            comparisons=tuple(comparisons),
            apart=tuple(apart),
            gone=tuple(gone),
            forbids_gone=asked.forbids_gone,
            base=asked.base,
        )


def _against(file: str, commit: str, asked: Asked, stack: ExitStack) -> Comparison | Apart:
    """What changed in this file, or why is it not compared?"""
    if not base.holds(commit, file):
        return Apart(file, "new")
    if base.holds_as_it_is(commit, file):
        return Apart(file, "unchanged")
    before = base.named(asked.base or commit, file)
    try:
        return stack.enter_context(command.compared(before, file, asked.diff))
    except EvalglotError as error:
        if not error.file.startswith(GIT):
            raise
        return Apart(file, f"not compared, as the one before can't be read: {error}")
