"""Do passHat and byTag of a sandtable suite agree with the tasks?

The page gives no formula for pass^j: it is that of tau-bench, the mean over tasks of
C(c, j) / C(n, j), held to where every task has k trials that were graded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import comb

from registry.findings import Finding
from registry.recounts import is_number, shown, told, within_digits
from registry.recounts.sandtable_doubts import UNNAMED, Doubts
from registry.recounts.sandtable_lists import beyond, is_share, missing, rising, twice
from registry.values import JSON, pointer

UNTAGGED = "untagged"
MOST_POWERS = 1000
"""Up to which j is pass^j recounted? A damaged file may claim any k."""

MOST_CHARACTERS = 40
"""How long is a key of `passHat` that is looked at?"""

Outcomes = Counter[tuple[int, int]]
"""How many tasks had n trials of which c passed, by (n, c)?"""


class Shares:
    """Counts how many trials of each task passed, and of each tag's."""

    def __init__(self, envelope: JSON, doubts: Doubts) -> None:
        self.envelope, self.doubts = envelope, doubts
        self.k = envelope["k"]
        self.outcomes: Outcomes = Counter()
        self.tags: defaultdict[str, Outcomes] = defaultdict(Counter)

    def add(self, record: JSON, passed: int) -> None:
        """Count a task in, of whose trials so many passed."""
        outcome = (len(record["trials"]), passed)
        self.outcomes[outcome] += 1
        for tag in dict.fromkeys(record.get("tags") or (UNTAGGED,)):
            self.tags[tag][outcome] += 1

    def end(self) -> Iterator[Finding]:
        """Do the suite's shares agree with the tasks?"""
        yield from self._pass_hat()
        yield from self._by_tag()

    def _pass_hat(self) -> Iterator[Finding]:
        shares = self.envelope.get("passHat") or {}
        for key, stated in shares.items():
            place = pointer(("passHat", key))
            if not is_share(stated):
                yield beyond(place, stated)
                continue
            if not _is_power(key, self.k):
                wanted = f"those from 1 to {shown(self.k)} only"
                yield told("sandtable/pass-hat", place, f"the key {shown(key)}", wanted, UNNAMED)
                continue
            exact = _pass_hat(self.outcomes, _power(key))
            if exact is not None and not within_digits(stated, exact):
                wanted, because = shown(exact), self.doubts.because_graded
                yield told("sandtable/pass-hat", place, shown(stated), wanted, because)
        if shares and self.k <= MOST_POWERS:
            powers = [str(j) for j in range(1, int(self.k) + 1) if _has(self.outcomes, j)]
            if missing := [j for j in powers if j not in shares]:
                found, wanted = f"no {shown(missing[0])}", f"one for each j from 1 to {self.k}"
                yield told(
                    "sandtable/pass-hat", "/passHat", found, wanted, self.doubts.because_graded
                )

    def _by_tag(self) -> Iterator[Finding]:
        listed = self.envelope.get("byTag")
        if listed is None:
            return
        for position, score in enumerate(listed):
            yield from self._tag(score, f"/byTag/{position}")
        rule, because = "sandtable/by-tag", self.doubts.because
        tags = [score["tag"] for score in listed]
        yield from twice(rule, "/byTag/{}/tag", tags, because)
        known = frozenset(tags)
        yield from missing(rule, "/byTag", [tag for tag in self.tags if tag not in known], because)
        keys = ("passHatK", "passHat1")
        if not any(rising([one.get(key) for one in listed]) for key in keys):
            yield told(rule, "/byTag", "another order", "the weakest tag first", because)

    def _tag(self, score: JSON, place: str) -> Iterator[Finding]:
        outcomes = self.tags.get(score["tag"], Counter())
        count, stated = outcomes.total(), score.get("tasks")
        if is_number(stated) and stated != count:
            found, wanted = shown(stated), f"{count}, as are listed"
            yield told("sandtable/by-tag", f"{place}/tasks", found, wanted, self.doubts.because)
        for key, j in (("passHat1", 1), ("passHatK", self.k)):
            stated = score.get(key)
            if stated is None:
                continue
            if not is_share(stated):
                yield beyond(f"{place}/{key}", stated)
                continue
            exact = _pass_hat(outcomes, j)
            if exact is not None and not within_digits(stated, exact):
                found, wanted = shown(stated), shown(exact)
                because = self.doubts.because_graded
                yield told("sandtable/by-tag", f"{place}/{key}", found, wanted, because)


def _power(key: str) -> int:
    """Which j is it that a key of `passHat` names? 0 for none that is recounted."""
    short = key.isascii() and key.isdecimal() and len(key) <= 4
    return int(key) if short else 0


def _is_power(key: str, k: int) -> bool:
    """Is a key of `passHat` one of 1 to k?"""
    plain = key.isascii() and key.isdecimal() and key[0] != "0"
    return plain and (len(key) > MOST_CHARACTERS or int(key) <= k)


def _has(outcomes: Outcomes, j: int) -> bool:
    return any(n >= j for n, _ in outcomes)


def _pass_hat(outcomes: Outcomes, j: JSON) -> float | None:
    """What is pass^j over tasks with at least j trials? None without one."""
    if not 1 <= j <= MOST_POWERS:
        return None
    j = int(j)
    usable = [(n, c, tasks) for (n, c), tasks in outcomes.items() if n >= j]
    tasks = sum(number for _, _, number in usable)
    if not tasks:
        return None
    return sum(number * (comb(c, j) / comb(n, j)) for n, c, number in usable) / tasks
