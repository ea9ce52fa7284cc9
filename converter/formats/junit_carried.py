"""Which fields of JUnit XML have no fact, and why: they are carried."""

from __future__ import annotations

from collections.abc import Mapping

MACHINE = "about the machine that ran it"
CODE = "where the test is in the code; elsewhere cases are data"
PLACE = "where it stands in the XML"

TESTS = "testcases/*"

CARRIED: Mapping[str, str] = {
    "root/attributes/hostname": MACHINE,
    "root/attributes/id": "a number for the suite; other tools have no suites of one run",
    "root/attributes/package": CODE,
    "root/attributes/disabled": "tests that are not there; other tools don't count such",
    "root/attributes/assertions": "how often anything was asserted; other tools list checks",
    "root/attributes/file": CODE,
    "root/attributes": "what a tool adds of its own; attributes that are facts have rows",
    "root/properties": "what a tool adds of its own; properties that are facts have rows",
    "root/content": "what a suite printed, and elements of the tool's own",
    "root/lead": PLACE,
    "suites": "suites of one run; where there is one, it is read as the run",
    "prolog": "instructions to other programs",
    "epilog": "instructions to other programs",
    f"{TESTS}/suite": PLACE,
    f"{TESTS}/at": PLACE,
    f"{TESTS}/rerun": PLACE,
    f"{TESTS}/attributes/file": CODE,
    f"{TESTS}/attributes/line": CODE,
    f"{TESTS}/attributes/status": "says again, in the tool's own word, what the elements say",
    f"{TESTS}/attributes/assertions": "how often anything was asserted; other tools list checks",
    f"{TESTS}/attributes/group": "a suite within the suite; the class name is the group",
    f"{TESTS}/attributes": "what a tool adds of its own; attributes that are facts have rows",
    f"{TESTS}/properties": "what a tool adds of its own; properties that are facts have rows",
}
