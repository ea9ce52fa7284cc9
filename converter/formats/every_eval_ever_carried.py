"""Which fields of Every Eval Ever have no fact, and why: they are carried."""

from __future__ import annotations

from collections.abc import Mapping

FILE = "about the file, not the run"
SOURCE = "about who publishes the result"
MODEL = "about the model beside its name; other tools do not know it"
MORE = "whatever else the tool says; what is a fact has rows"
COUNTED = "computed from the rows"
TRACE = "what the model thought; other tools do not keep it"

ROWS = "samples/*"

CARRIED: Mapping[str, str] = {
    "source_metadata/source_name": SOURCE,
    "source_metadata/source_organization_url": SOURCE,
    "source_metadata/source_organization_logo_url": SOURCE,
    "source_metadata/additional_details": MORE,
    "model_info/name": "says again what id says",
    "model_info/developer": MODEL,
    "model_info/inference_platform": MODEL,
    "model_info/inference_engine": MODEL,
    "model_info/additional_details": MODEL,
    "eval_library/additional_details": FILE,
    "detailed_evaluation_results": FILE,
    f"{ROWS}/input/formatted": "made from the input, by a template that other tools do not keep",
    f"{ROWS}/input/choices": "what to choose from; elsewhere it is part of the input",
    f"{ROWS}/output/reasoning_trace": TRACE,
    f"{ROWS}/messages/*/reasoning_trace": TRACE,
    f"{ROWS}/answer_attribution": "where the answer was found; elsewhere it is the output itself",
    f"{ROWS}/token_usage/reasoning_tokens": "a part of the output; other tools do not count it",
    f"{ROWS}/performance/time_to_first_token_ms": "other tools do not measure it",
    f"{ROWS}/performance/generation_time_ms": "a part of the latency; other tools keep the whole",
    f"{ROWS}/performance/additional_details": MORE,
    f"{ROWS}/metadata": MORE,
}
