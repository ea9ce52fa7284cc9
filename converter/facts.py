"""What can be said about a run, whichever tool wrote it.

A fact is a named, typed unit of meaning at one scope: `run.id`, `case.group`, `trial.score`,
`check.reason`. Formats say facts in their own words (their rows); nothing else in this project
knows a format's words. `None` always means "not said": whether a file said null, or nothing at
all, is a matter of spelling, which the carry keeps.

Structures are frozen. Values typed `Json` are plain JSON values and must not be changed in place.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, TypeAlias

import msgspec

Json: TypeAlias = Any
Verdict: TypeAlias = Literal["passed", "failed", "review", "error", "skipped"]
Scope: TypeAlias = Literal["run", "case", "trial", "check"]


class Run(msgspec.Struct, frozen=True):
    """What is said of one execution of a suite?"""

    id: str | None = None
    status: str | None = None
    """completed, partial or error"""
    target: str | None = None
    """the agent or model under test"""
    user: str | None = None
    """the simulated user"""
    judge: str | None = None
    started: str | None = None
    """ISO 8601"""
    completed: str | None = None
    """ISO 8601"""
    duration_ms: float | None = None
    k: int | None = None
    """trials per case"""
    threshold: float | None = None
    suite: str | None = None
    """name of the suite or domain"""
    inputs_digest: str | None = None
    unlisted_passed: int | None = None
    """passing cases that the file counts without listing them"""
    unlisted_failed: int | None = None
    pending: tuple[Json, ...] | None = None
    """drafted items not yet accepted: the run is provisional"""
    groups: tuple[str, ...] | None = None
    """test-case groups that the run drew from"""
    rerun_of: str | None = None
    """the run whose cases this one repeats"""
    rerun_results: tuple[Json, ...] | None = None
    """the earlier results that this run repeats"""
    metadata: Json | None = None
    """the tool's own open bag of run-level remarks"""


class Case(msgspec.Struct, frozen=True):
    """What is said of one thing that was asked?"""

    id: str | None = None
    """stable across runs where the format has such an id"""
    dataset: str | None = None
    name: str | None = None
    description: str | None = None
    group: str | None = None
    """scenario, or family of variations"""
    tags: tuple[str, ...] | None = None
    risk: str | None = None
    severity: str | None = None
    critical: bool | None = None
    input: str | None = None
    """the first text that the target was given"""
    variables: Json | None = None
    """template variables that made the input"""
    assertions: Json | None = None
    """the checks that a trial must pass, as configured"""
    expected: str | None = None
    forbidden: str | None = None
    scenario_name: str | None = None
    strategy: str | None = None
    taxonomy: Json | None = None
    compliance: Json | None = None


class Event(msgspec.Struct, frozen=True):
    """What happened at one step of a conversation?"""

    kind: Literal["user", "agent", "system", "tool"]
    text: str | None = None
    latency_ms: float | None = None
    index: int | None = None
    name: str | None = None
    arguments: Json | None = None
    ok: bool | None = None
    result: Json | None = None
    error: str | None = None
    violations: tuple[str, ...] | None = None
    soft: tuple[str, ...] | None = None


class ModelUsage(msgspec.Struct, frozen=True):
    """How many tokens did one model take in one role?

    `input` leaves out cache reads and writes.
    """

    role: Literal["agent", "user"] = "agent"
    model: str | None = None
    calls: int | None = None
    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


class Check(msgspec.Struct, frozen=True):
    """What did one judgement on a trial say?"""

    id: str | None = None
    """the name under which results of this check are counted together"""
    kind: str | None = None
    passed: bool | None = None
    score: float | None = None
    threshold: float | None = None
    weight: float | None = None
    hard: bool = True
    """False: a soft invariant, which never fails a trial"""
    reason: str | None = None
    value: Json | None = None
    """what the check compared with"""
    parts: Json | None = None
    """the findings behind it, such as each violation"""


class Trial(msgspec.Struct, frozen=True):
    """What is said of one attempt at a case?"""

    id: str | None = None
    index: int | None = None
    """counts from 0 within the case"""
    provider: str | None = None
    provider_label: str | None = None
    verdict: Verdict | None = None
    score: float | None = None
    output: str | None = None
    """the last text that the target gave"""
    transcript: tuple[Event, ...] | None = None
    """every step, where the format has more than input and output"""
    changes: Json | None = None
    """what the trial changed in the simulated world"""
    reason: str | None = None
    error: str | None = None
    latency_ms: float | None = None
    duration_ms: float | None = None
    turns: int | None = None
    end_reason: str | None = None
    usage: tuple[ModelUsage, ...] | None = None
    token_stops: int | None = None
    """calls that stopped at the model's output limit"""
    cost_usd: float | None = None
    evidence: Json | None = None
    """trace: commands, files, network events, tool calls"""
    workaround: Json | None = None
    """how an unsafe workaround was classified"""
    session_id: str | None = None
    conversation_id: str | None = None
    iteration: int | None = None
    judge_output: Json | None = None
    judge_evidence: Json | None = None
    violations: Json | None = None
    """hard invariants that the trial broke"""
    attribution: Json | None = None
    """whose fault a failure was, in the tool's own words"""
    checks: tuple[Check, ...] | None = None


SCOPES: dict[Scope, type[msgspec.Struct]] = {
    "run": Run,
    "case": Case,
    "trial": Trial,
    "check": Check,
}


def fingerprint(text: str) -> str:
    """Which short name does this input text have? 16 hexadecimal digits of its BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


IDENTIFYING: dict[str, Any] = {
    **dict.fromkeys(("id", "dataset", "group", "name", "description", "input"), str | None),
    **dict.fromkeys(("variables", "assertions"), Any),
}
"""facts of a case that `identity` asks for, and their types"""


def identity(case: Case) -> tuple[str | None, ...]:
    """What tells this case from the others of its run?

    Its id within dataset and group where it has one (an empty one is none), else its input within
    its group, else its description. The target is no part of it: comparing two models is the
    commonest use.
    """
    if case.id:
        return ("id", case.dataset, case.group, case.id)
    made = None
    if case.variables is not None or case.assertions is not None:
        made = fingerprint(repr((case.variables, case.assertions)))
    return ("input", case.group, case.name, case.description, case.input, made)
