"""Which fields of a deepeval test run have no fact, and why: they are carried."""

from __future__ import annotations

from collections.abc import Mapping

SPANS = "what went on inside, in the tool's own spans; other tools have the steps of a conversation"
JUDGING = "what judging cost; facts say what the trial itself did"
CONTEXT = "texts beside the input; other tools know the input alone"
OWN = "the tool's own open bag; keys that are facts have rows"
TOOLS = "why a tool was called, and what it is for; elsewhere its name, arguments and result"
PLATFORM = "tells the tool's own platform which data set or run it is"
IMAGES = "files behind the texts, which a conversion does not move"
OTHER = "a field of the other list's cases, which deepeval writes in that list only"
EXPECTED = "tools that should be called; other tools say such as a check"

METRIC: Mapping[str, str] = {
    "strictMode": "says how the score was made; the threshold that came of it has a row",
    "evaluationModel": "the judge of one metric; elsewhere a run has one",
    "evaluationCost": JUDGING,
    "inputTokenCount": JUDGING,
    "outputTokenCount": JUDGING,
    "verboseLogs": "how a metric came to its score, for people who work on the metric",
}
TOOL: Mapping[str, str] = {"type": TOOLS, "description": TOOLS, "reasoning": TOOLS}
TURN: Mapping[str, str] = {
    "userId": "whom a turn is from; other tools simulate one user",
    "retrievalContext": CONTEXT,
    "comments": "a remark on one turn; other tools have none",
    **{f"toolsCalled/*/{key}": reason for key, reason in TOOL.items()},
}
BOTH: Mapping[str, str] = {
    "expectationsData": "one judge's findings on what must be and must not; it is no metric",
    "context": CONTEXT,
    "imagesMapping": IMAGES,
    "evaluationCost": JUDGING,
    "flaky": "a case that is known to come out either way; diffruns tells that by trials",
    "metadata": OWN,
    **{f"metricsData/*/{key}": reason for key, reason in METRIC.items()},
}
CASE: Mapping[str, str] = {
    **BOTH,
    "retrievalContext": CONTEXT,
    "expectedTools": EXPECTED,
    "trace": SPANS,
    **{f"toolsCalled/*/{key}": reason for key, reason in TOOL.items()},
    **dict.fromkeys(("turns", "scenario", "expectedOutcome", "userDescription"), OTHER),
}
TALK: Mapping[str, str] = {
    **BOTH,
    "userDescription": "whom the simulated user plays; facts name who simulates",
    "comments": "a remark on a talk, whose description is its scenario",
    **{f"turns/*/{key}": reason for key, reason in TURN.items()},
    **dict.fromkeys(
        (
            *("input", "actualOutput", "expectedOutput", "retrievalContext", "toolsCalled"),
            *("expectedTools", "tokenCost", "inputTokenCount", "outputTokenCount"),
            *("completionTime", "trace"),
        ),
        OTHER,
    ),
}
CARRIED: Mapping[str, str] = {
    "testFile": "where the tests are in the code; elsewhere cases are data",
    "traceMetricsScores": SPANS,
    "hyperparameters": OWN,
    "prompts": "prompt templates and settings of models, as logged; other tools name the model",
    "evaluationCost": JUDGING,
    "datasetId": PLATFORM,
    "datasetVersion": PLATFORM,
    "official": PLATFORM,
    **{f"testCases/*/{key}": reason for key, reason in CASE.items()},
    **{f"conversationalTestCases/*/{key}": reason for key, reason in TALK.items()},
}
