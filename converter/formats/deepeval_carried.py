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
REMARK = "a remark on a talk, whose description is its scenario"
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
CASE: Mapping[str, str] = {
    "expectationsData": "one judge's findings on what must be and must not; it is no metric",
    "context": CONTEXT,
    "retrievalContext": CONTEXT,
    "expectedTools": EXPECTED,
    "imagesMapping": IMAGES,
    "evaluationCost": JUDGING,
    "flaky": "a case that is known to come out either way; diffruns tells that by trials",
    "userDescription": "whom the simulated user plays; facts name who simulates",
    "comments": REMARK,
    "metadata": OWN,
    "trace": SPANS,
    **{f"metricsData/*/{key}": reason for key, reason in METRIC.items()},
    **{f"toolsCalled/*/{key}": reason for key, reason in TOOL.items()},
    "turns/*/userId": "whom a turn is from; other tools simulate one user",
    "turns/*/retrievalContext": CONTEXT,
    "turns/*/comments": REMARK,
    **{f"turns/*/toolsCalled/*/{key}": reason for key, reason in TOOL.items()},
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
    **{
        f"{cases}/*/{key}": reason
        for cases in ("testCases", "conversationalTestCases")
        for key, reason in CASE.items()
    },
}
