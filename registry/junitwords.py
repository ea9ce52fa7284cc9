"""Which elements has JUnit XML, and where among them do tests and suites usually stand?"""

from __future__ import annotations

from collections.abc import Sequence

from registry.values import JSON

ROOTS = ("testsuites", "testsuite")
SUITE, TEST, PROPERTIES, PROPERTY = "testsuite", "testcase", "properties", "property"
SLOT = "x-evalglot"
BEFORE, AFTER = ("flakyFailure", "flakyError"), ("rerunFailure", "rerunError")
RERUNS = (*BEFORE, *AFTER)
OUTPUTS = ("system-out", "system-err")

NAMES = ("name", "classname")
"""attributes that a rerun has from the test that it is in"""


def usual(content: Sequence[JSON]) -> int:
    """Before how many of these do tests and suites usually stand? After all but text and output."""
    return next((at for at, one in enumerate(content) if _is_late(one)), len(content))


def _is_late(one: JSON) -> bool:
    return isinstance(one, str) or one["tag"] in OUTPUTS
