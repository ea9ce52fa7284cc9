"""Which facts does a format say, and how well? Found by writing samples and reading them back.

A fact is `native` where every sample comes back, `unsaid` where none does, `folded` in between:
some formats have numbers only for ids, or a place for a reason only where there are no checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeAlias

import msgspec

from converter.facts import Case, Check, Event, ModelUsage, Run, Trial
from converter.form import Context, Seat, Survey
from converter.formats import find
from converter.versioned import UNLISTED, versioned
from registry.values import same

Saying: TypeAlias = Literal["native", "folded", "unsaid"]

RUN = Run(
    id="7",
    status="partial",
    target="7",
    user="8",
    judge="9",
    started="2025-01-01T00:00:00Z",
    completed="2025-01-02T00:00:00Z",
    duration_ms=7,
    k=2,
    threshold=0.5,
    suite="7",
    inputs_digest="7",
    pending=({"a": 7},),
    groups=("7",),
    metadata={"a": 7},
)
RERUN = Run(id="run-7", rerun_of="6", rerun_results=(5,))
CASE = Case(
    id="7",
    dataset="8",
    name="9",
    description="10",
    group="11",
    tags=("12",),
    risk="13",
    severity="high",
    critical=True,
    input="15",
    variables={"a": 7},
    assertions=[{"type": "a"}],
    expected="16",
    forbidden="17",
    scenario_name="18",
    strategy="19",
    taxonomy=["20"],
    compliance=["21"],
)
NAMED = Case(id="case-7", group="group-11", input="15")
CHECK = Check("7", "8", passed=False, score=0.25, threshold=0.5, weight=2, reason="9", value="10")
SOFT = Check("7", passed=False, hard=False, parts=[{"detail": "11"}])
USER = Event("user", "15")
TOOL = Event(
    "tool",
    index=7,
    name="8",
    arguments={"a": 7},
    ok=False,
    result={"a": 8},
    error="9",
    violations=("10",),
    soft=("11",),
)
AGENT = Event("agent", "22", latency_ms=7)
USAGE = ModelUsage("agent", "7", calls=1, input=2, output=3, cache_read=4, cache_write=5)
TRIAL = Trial(
    id="23",
    index=1,
    provider="24",
    provider_label="25",
    verdict="failed",
    score=0.25,
    output="22",
    transcript=(USER, TOOL, AGENT),
    changes=[{"a": 7}],
    reason="27",
    latency_ms=7,
    duration_ms=8,
    turns=1,
    end_reason="user_stop",
    usage=(USAGE,),
    token_stops=2,
    cost_usd=0.5,
    evidence={"a": 7},
    workaround={"a": 8},
    session_id="28",
    conversation_id="29",
    iteration=1,
    judge_output={"a": 9},
    judge_evidence={"a": 10},
    violations=[{"a": 11}],
    attribution={"a": 12},
    checks=(CHECK, SOFT),
)
PLAIN = Trial(id="trial-23", verdict="failed", reason="27", output="22")
BROKEN = Trial(verdict="error", error="30")
SAMPLES = ((CASE, TRIAL), (NAMED, PLAIN), (NAMED, BROKEN))


@cache
def sayings(id_: str, version: str) -> dict[str, Saying]:
    """How well does this version say each fact, such as `case.id`?"""
    found: dict[str, Saying] = {}
    for name, saying in _probed(id_, version):
        found[name] = saying if found.get(name, saying) == saying else "folded"
    folding = {
        row.fact
        for _, table in find(id_).tables
        for row in table.rows
        if row.codec.claim == "folds"
    }
    return {
        name: "folded" if saying == "native" and name in folding else saying
        for name, saying in found.items()
    }


def _probed(id_: str, version: str) -> Iterator[tuple[str, Saying]]:
    form = versioned(id_, version)
    survey = Survey(k=2, targets=("24",))
    shapes: list[Mapping[str, Any]] = [{}]
    if form.shape is not None:
        many = msgspec.structs.replace(survey, multi_turn=True)
        shapes = [form.shape(survey), form.shape(many)]
    for run in (RUN, RERUN):
        written = form.write_run(Context(run, survey, shapes[0]), None)
        yield from _compared("run", run, form.read_run(written))
    for shape in shapes:
        for case, trial in SAMPLES:
            parent = form.write_case(case, [trial]) if form.write_case else None
            context = Context(Run(), survey, shape)
            record = form.write(case, trial, Seat(7, 3, 0), context)
            if UNLISTED in record:
                continue
            case_back, trial_back = form.read(record, parent)
            yield from _compared("case", case, case_back)
            yield from _compared("trial", trial, trial_back)
            yield from _inside(trial, trial_back)


def _inside(sample: Trial, back: Trial) -> Iterator[tuple[str, Saying]]:
    """How well are a trial's checks, events and usage said?"""
    for scope, own, other in (
        ("check", sample.checks, back.checks),
        ("event", sample.transcript, back.transcript),
        ("usage", sample.usage, back.usage),
    ):
        for one in own or ():
            twin = next((two for two in other or () if _twins(one, two)), None)
            yield from _compared(scope, one, twin)


def _twins(one: Any, two: Any) -> bool:
    if isinstance(one, Event):
        return bool(one.kind == two.kind)
    return not isinstance(one, Check) or one.hard == two.hard


def _compared(scope: str, sample: Any, back: Any) -> Iterator[tuple[str, Saying]]:
    for name in sample.__struct_fields__:
        value = msgspec.to_builtins(getattr(sample, name))
        if value is None or value == ():
            continue
        other = msgspec.to_builtins(getattr(back, name, None))
        if same(value, other):
            yield f"{scope}.{name}", "native"
        else:
            yield f"{scope}.{name}", "unsaid" if other is None else "folded"
