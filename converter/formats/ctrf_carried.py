"""Which fields of a CTRF report have no fact, and why: they are carried."""

from __future__ import annotations

from collections.abc import Mapping

FILE = "about the file, not the run"
TOOL = "what ran the tests; a conversion does not run them"
BUILD = "about the build and its repository; other tools do not know them"
MACHINE = "about the machine that ran it"
HISTORY = "compares with earlier runs, which diffruns does by itself"
CODE = "where the test is in the code; elsewhere cases are data"
PRINTED = "what a test printed need not be what its target said"
OWN = "what a tool adds of its own; keys that are facts have rows"
FILES = "files beside the report, which a conversion does not move"
WHEN = "when one attempt ran; other tools say how long it took"
TRACE = "where in the code it failed; read where there is no message"

ATTEMPTS = "results/tests/*/retryAttempts/*"

CARRIED: Mapping[str, str] = {
    "reportId": FILE,
    "timestamp": FILE,
    "generatedBy": FILE,
    "results/tool/version": TOOL,
    "results/tool/extra": TOOL,
    "results/summary/suites": "counts suites; each tool has its own idea of one",
    "results/summary/extra": "counts of the tool's own",
    "results/environment/appVersion": BUILD,
    "results/environment/buildId": BUILD,
    "results/environment/buildName": BUILD,
    "results/environment/buildNumber": BUILD,
    "results/environment/buildUrl": BUILD,
    "results/environment/repositoryName": BUILD,
    "results/environment/repositoryUrl": BUILD,
    "results/environment/commit": BUILD,
    "results/environment/branchName": BUILD,
    "results/environment/osPlatform": MACHINE,
    "results/environment/osRelease": MACHINE,
    "results/environment/osVersion": MACHINE,
    "results/environment/testEnvironment": MACHINE,
    "results/environment/shardId": "which part of a run; other tools do not part theirs",
    "results/environment/healthy": "an opinion on the whole run; gates of diffruns give one",
    "results/environment/extra": MACHINE,
    "results/extra": OWN,
    "results/tests/*/id": "says again what testId says; read where that is missing",
    "results/tests/*/start": WHEN,
    "results/tests/*/stop": WHEN,
    "results/tests/*/trace": TRACE,
    "results/tests/*/snippet": CODE,
    "results/tests/*/ai": "what a model made of a failure; no judge, and no verdict",
    "results/tests/*/line": CODE,
    "results/tests/*/type": "a kind of test, not of what is asked",
    "results/tests/*/filePath": CODE,
    "results/tests/*/stdout": PRINTED,
    "results/tests/*/stderr": PRINTED,
    "results/tests/*/threadId": MACHINE,
    "results/tests/*/browser": "tells how a page was shown; other tools show none",
    "results/tests/*/device": "tells how a page was shown; other tools show none",
    "results/tests/*/screenshot": FILES,
    "results/tests/*/attachments": FILES,
    "results/tests/*/labels": OWN,
    "results/tests/*/steps/*/extra": OWN,
    "results/tests/*/insights": HISTORY,
    "results/tests/*/extra": OWN,
    f"{ATTEMPTS}/start": WHEN,
    f"{ATTEMPTS}/stop": WHEN,
    f"{ATTEMPTS}/trace": TRACE,
    f"{ATTEMPTS}/line": CODE,
    f"{ATTEMPTS}/snippet": CODE,
    f"{ATTEMPTS}/stdout": PRINTED,
    f"{ATTEMPTS}/stderr": PRINTED,
    f"{ATTEMPTS}/attachments": FILES,
    f"{ATTEMPTS}/extra": OWN,
    "insights": HISTORY,
    "baseline": HISTORY,
    "extra": OWN,
}
