"""What must be true of a result file beyond its shape, and which of it is asked for?

Each rule has an id that stays. What holds a file to them is in `registry.recounts`, a module for
each format. Where the format knows an exception, what breaks a rule by it is a warning that says
so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from registry.errors import UnknownRule
from registry.findings import Severity


class Rule(msgspec.Struct, frozen=True):
    """One thing that is true of files of a format: its id, the format, a sentence, how bad."""

    id: str
    format: str
    sentence: str
    severity: Severity = "error"


RULES = (
    Rule("cbl/totals", "cbl", "The totals are the numbers of the results that are listed."),
    Rule("cbl/unlisted", "cbl", "Every case that is counted is listed.", "warning"),
    Rule("cbl/threshold", "cbl", "One threshold parts the scores that passed from the others."),
    Rule("cbl/result-ids", "cbl", "No two results have the same test_result_id.", "warning"),
    Rule("ctrf/summary", "ctrf", "The summary counts the tests that are listed, by their status."),
    Rule(
        "ctrf/retries",
        "ctrf",
        "retries is the number of retryAttempts, where both are said.",
        "warning",
    ),
    Rule("ctrf/flaky", "ctrf", "A flaky test is one that passed in the end.", "warning"),
    Rule(
        "deepeval/totals",
        "deepeval",
        "testPassed and testFailed count the cases and talks by their success.",
    ),
    Rule(
        "deepeval/success",
        "deepeval",
        "No metric failed in a case that passed, unless it is flaky.",
    ),
    Rule(
        "deepeval/metrics",
        "deepeval",
        "metricsScores count and list what the metrics of cases and spans say.",
        "warning",
    ),
    Rule(
        "deepeval/cost",
        "deepeval",
        "evaluationCost is the sum over metrics, and over cases.",
        "warning",
    ),
    Rule("deepeval/order", "deepeval", "No two cases of a list have the same order.", "warning"),
    Rule(
        "inspect/totals",
        "inspect",
        "total_samples and completed_samples count the samples that are listed.",
    ),
    Rule(
        "inspect/sample-ids",
        "inspect",
        "No two samples have the same id and epoch.",
        "warning",
    ),
    Rule(
        "inspect/scored",
        "inspect",
        "scored_samples and unscored_samples count the samples that a scorer was given.",
        "warning",
    ),
    Rule(
        "inspect/metrics",
        "inspect",
        "accuracy and mean are the mean of the scores, over epochs and then over samples.",
        "warning",
    ),
    Rule(
        "junit/totals",
        "junit",
        "A suite counts its tests, failures, errors and skipped tests, suites in it or not.",
        "warning",
    ),
    Rule(
        "promptbeat/totals",
        "promptbeat",
        "total_cases, passed, failed and errors are the numbers of the cases that are listed.",
    ),
    Rule("promptbeat/pass-rate", "promptbeat", "pass_rate is passed divided by total_cases."),
    Rule(
        "promptbeat/groups",
        "promptbeat",
        "by_risk_type and by_provider count the cases that name the risk or the provider.",
    ),
    Rule("promptbeat/passed", "promptbeat", "A case passed if all of its assertions did."),
    Rule("promptbeat/case-ids", "promptbeat", "No two cases have the same case_id."),
    Rule("promptbeat-judgment/passed", "promptbeat-judgment", "Passed is true only with PASS."),
    Rule(
        "promptbeat-judgment/case-ids",
        "promptbeat-judgment",
        "No scenario and seed is judged twice for one provider.",
        "warning",
    ),
    Rule("promptfoo/stats", "promptfoo", "stats count the rows that are listed."),
    Rule("promptfoo/metrics", "promptfoo", "The metrics of a prompt count its rows."),
    Rule(
        "promptfoo/outcome",
        "promptfoo",
        "success agrees with failureReason and with the pass of gradingResult.",
    ),
    Rule(
        "promptfoo/components",
        "promptfoo",
        "No assertion failed in a row that passed, unless a threshold or a function decides.",
        "warning",
    ),
    Rule(
        "promptfoo/sums",
        "promptfoo",
        "score, cost, latency, tokens and assertion counts of a prompt add up those of its rows.",
        "warning",
    ),
    Rule("promptfoo/row-ids", "promptfoo", "No two rows have the same id."),
    Rule(
        "promptfoo/grid",
        "promptfoo",
        "There is one row for each test with each prompt.",
        "warning",
    ),
    Rule("sandtable/passes", "sandtable", "passes is the number of the task's passed trials."),
    Rule(
        "sandtable/passed",
        "sandtable",
        "A trial passed if every check did and no hard invariant was violated.",
    ),
    Rule(
        "sandtable/pass-hat",
        "sandtable",
        "passHat of j is the mean over tasks of C(c, j) / C(n, j): c of n trials passed.",
    ),
    Rule(
        "sandtable/bounds",
        "sandtable",
        "passHat, passHat1, passHatK and rate are fractions from 0 to 1.",
    ),
    Rule(
        "sandtable/grid",
        "sandtable",
        "Each task has k trials, numbered from 0 in order.",
        "warning",
    ),
    Rule("sandtable/task-ids", "sandtable", "No two tasks have the same id.", "warning"),
    Rule("sandtable/trial-task", "sandtable", "Each trial names the task that it is listed under."),
    Rule(
        "sandtable/failure-modes",
        "sandtable",
        "failureModes count the failed trials with each failed check, most frequent first.",
    ),
    Rule(
        "sandtable/by-tag",
        "sandtable",
        "byTag counts and scores the tasks with each tag, weakest first.",
    ),
    Rule(
        "sandtable/soft",
        "sandtable",
        "soft counts the trials where each soft invariant applied, and was broken.",
    ),
    Rule("sandtable/usage", "sandtable", "usage is the sum over the trials, model by model."),
    Rule(
        "sandtable/cost",
        "sandtable",
        "costUsd is the sum over the trials, and null when a price is missing.",
    ),
    Rule(
        "sandtable/latency",
        "sandtable",
        "Half of the turns take no longer than 95 % do; both are null without turns.",
    ),
)
"""Every rule, format by format."""

_BY_ID = {one.id: one for one in RULES}

ALL = frozenset(_BY_ID)
"""The ids of all rules."""


def rule(id_: str) -> Rule:
    """Which rule has this id? Raises UnknownRule."""
    if id_ not in _BY_ID:
        raise _unknown(id_)
    return _BY_ID[id_]


def selected(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> frozenset[str]:
    """Which rules are left of those selected, or of all, without those ignored?

    Each is an id, or what stands before the slash for all rules of a format. Raises UnknownRule.
    """
    chosen = frozenset(_named(select)) if select else ALL
    return chosen - frozenset(_named(ignore))


def _named(asked: Sequence[str]) -> Iterator[str]:
    for one in asked:
        found = [each.id for each in RULES if one in (each.id, each.format)]
        if not found:
            raise _unknown(one)
        yield from found


def _unknown(asked: str) -> UnknownRule:
    from difflib import get_close_matches

    near = get_close_matches(asked.lower(), [*_BY_ID, *dict.fromkeys(map(_format, RULES))], n=1)
    return UnknownRule(
        found=f"there is no rule {asked!r}",
        hint=f"Did you mean {near[0]}?" if near else "`evalglot rules` lists them.",
    )


def _format(one: Rule) -> str:
    return one.format
