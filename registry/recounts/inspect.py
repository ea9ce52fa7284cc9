"""Do the figures of an Inspect log agree with a recount?

From inspect_ai 0.3.285 (_eval/task/results.py, scorer/_metrics, scorer/_reducer): a log that ended
with success counts all samples in all epochs, and those without an error; it lists fewer where it
says that it was stopped early or ended before all had run, and none where it says so. A scorer's
epochs of a sample are reduced to their mean, then `accuracy` and `mean` are the mean over samples.

Other releases count otherwise, so these are warnings or fit either way: whether a sample that has
an error and a score was completed, or counts among the scored ones; whether one unscored epoch
makes a sample unscored. A task may bring an `accuracy` of its own, and releases before 2025 took
data sets whose ids repeat. Scores that were edited, and null for NaN, are not recounted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry.findings import Finding
from registry.matching import get
from registry.recounts import Frame, Recounter, counted, is_number, shown, told
from registry.recounts.inspect_scores import Scorers
from registry.values import JSON

NOT_LISTED = "The log lists no sample"
STOPPED = "The run was stopped early"
ENDED = "It lists only samples that ran before the run was ended, as logged_samples says"
UNCOUNTED = "Logs of early releases, written anew by a later one, count no samples"


def recounter(frame: Frame) -> Recounter:
    """What recounts a log?"""
    return _Samples(frame)


class _Samples:
    """Recounts a log."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.ids: dict[tuple[JSON, JSON], int] = {}
        self.listed = 0
        self.clean = 0
        """How many samples have no error?"""
        self.scored = 0
        self.either = 0
        """How many have both an error and scores?"""
        self.scorers = Scorers()

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Is it there once?"""
        errored, scores = record.get("error") is not None, record.get("scores")
        self.listed += 1
        self.clean += not errored
        if scores:
            self.scored += 1
            self.either += errored
            self.scorers.add(record["id"], scores, errored=errored)
        key = record["id"], record["epoch"]
        first = self.ids.setdefault(key, number)
        if first == number or self.frame.converted:
            return ()
        found = f"{shown(key[0])} in epoch {shown(key[1])}, as at {self.frame.place}/{first}"
        place, wanted = f"{self.frame.place}/{number}/id", "an id of its own in each epoch"
        return (told("inspect/sample-ids", place, found, wanted),)

    def end(self) -> Iterator[Finding]:
        """Do the results agree with the samples, if all were to be there?"""
        envelope = self.frame.envelope
        results = envelope.get("results")
        if envelope["status"] != "success" or not results or "samples" not in envelope:
            return
        if self.listed:
            yield from self._totals(results)
            yield from self.scorers.miscounts(results.get("scores") or ())
        elif get(envelope, "/eval/config/log_samples") is not False:
            yield from _total(results, "total_samples", range(1), NOT_LISTED)

    def _totals(self, results: JSON) -> Iterator[Finding]:
        uncounted = not results.get("total_samples") and not results.get("completed_samples")
        why = UNCOUNTED if uncounted else ""
        more = _why_fewer(results)
        listed, completed = self.listed, range(self.clean, self.clean + self.either + 1)
        yield from _total(results, "total_samples", range(listed, listed + 1), why, more)
        if results.get("completed_samples") != self.scored:
            yield from _total(results, "completed_samples", completed, why, more)


def _why_fewer(results: JSON) -> str:
    """Why may fewer samples be listed than are counted?"""
    if results.get("early_stopping"):
        return STOPPED
    return ENDED if is_number(results.get("logged_samples")) else ""


def _total(
    results: JSON, key: str, counts: range, because: str, if_more: str = ""
) -> Iterator[Finding]:
    """Is a total one of these counts? `if_more` says why it may be more than all of them."""
    stated = results.get(key)
    if not is_number(stated) or stated in counts:
        return
    because = because or (if_more if stated >= counts.stop else "")
    wanted = f"{counted(counts[0], 'sample')}, as are listed"
    if key == "completed_samples":
        wanted += " without an error"
    yield told("inspect/totals", f"/results/{key}", shown(stated), wanted, because)
