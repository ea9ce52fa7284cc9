"""Where a CTRF report keeps trials: the attempts before a test's last stand in it, in a list.

A test is taken apart into what it says of the case, and one record for each attempt. The last one's
is what the test says of itself. Keys come in one order; where the report has another, the case's
own record remembers it under a key that no report has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from converter.form import Group, Groups, Layout, Parts
from converter.rows import Record
from registry.errors import BadCarry

ATTEMPTS = "retryAttempts"
ATTEMPT = "attempt"
"""what tells the record of an earlier attempt from that of the last"""

ORDER = "\0order"
OWN_ATTEMPT = "\0attempt"
"""a test's own field of that name, which only attempts have"""

KEYS = (
    *("id", "testId", "executionId", "name", "status", "duration", "start", "stop", "suite"),
    *("message", "trace", "snippet", "ai", "line", "rawStatus", "tags", "labels", "type"),
    *("filePath", "retries", ATTEMPTS, "flaky", "stdout", "stderr", "threadId", "browser"),
    *("device", "screenshot", "attachments", "parameters", "steps", "insights", "extra"),
)
CASE_KEYS = frozenset(
    (
        *("id", "testId", "name", "suite", "line", "tags", "labels", "type", "filePath"),
        *("retries", "flaky", "parameters", "insights"),
    )
)
"""what a test says of the case; all else it says of its last attempt"""

PLACES = {key: place for place, key in enumerate(KEYS)}


class CtrfLayout(Layout):
    """Tests with attempts in them, made cases with trials."""

    def parts(self, envelope: Any, records: Sequence[Record]) -> Parts:
        """Which groups do these tests make?"""
        return Parts(envelope, Tests(self, records))

    def group(self, record: Record) -> Group:
        """Which case and attempts does a test hold?"""
        return _parted(record)

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Record]:
        """Which tests do these groups make?"""
        del shape
        return map(_joined, groups)


class Tests(Groups):
    """The groups of a report's tests: one test's bytes are not those of one record."""

    __test__ = False


def _parted(test: Record) -> Group:
    case, last = {}, {}
    keys = _ordered(test)
    for key in keys:
        if key in CASE_KEYS:
            case[key] = test[key]
        elif key != ATTEMPTS:
            last[OWN_ATTEMPT if key == ATTEMPT else key] = test[key]
    attempts = test.get(ATTEMPTS)
    if attempts == []:
        case[ATTEMPTS] = attempts
    if keys != list(test):
        case[ORDER] = list(test)
    return Group(case, [*(attempts or ()), last])


def _joined(group: Group) -> Record:
    *earlier, last = group.records
    test = {**(group.parent or {}), **_as_last(last)}
    if earlier:
        test[ATTEMPTS] = [_as_attempt(one, number) for number, one in enumerate(earlier, 1)]
    order = test.pop(ORDER, None)
    keys = _ordered(test)
    if isinstance(order, list):
        keys = [key for key in order if isinstance(key, str) and key in test]
        keys += [key for key in _ordered(test) if key not in keys]
    return {key: test[key] for key in keys}


def _ordered(keys: Iterable[str]) -> list[str]:
    return sorted(keys, key=lambda key: PLACES.get(key, len(KEYS)))


def _as_last(record: Record) -> Record:
    """The record of the last attempt; also of one that was not, and is since those after went."""
    if ATTEMPT not in record:
        return {(ATTEMPT if key == OWN_ATTEMPT else key): held for key, held in record.items()}
    if type(record[ATTEMPT]) is not int:
        raise BadCarry(found=f"the carry is damaged: an attempt of number {record[ATTEMPT]!r}")
    named = {("executionId" if key == "attemptId" else key): held for key, held in record.items()}
    return {"duration": 0, **{key: held for key, held in named.items() if key != ATTEMPT}}


def _as_attempt(record: Record, number: int) -> Record:
    """The record of an earlier attempt; also of one that was the last, and others came after."""
    if ATTEMPT in record:
        return record
    named = {("attemptId" if key == "executionId" else key): held for key, held in record.items()}
    return {ATTEMPT: number, **named}
