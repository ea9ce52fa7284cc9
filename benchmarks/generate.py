"""Make a promptbeat report of any size, the same bytes for the same arguments.

    python -m benchmarks.generate --cases 20000 > report.json

A case is about 1.75 kB: unique text, three assertions, trace evidence; one in twenty is an error.
20,000 of them are 35 MB.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import uuid
from collections.abc import Iterator
from typing import Any

RISKS = (
    "coding-agent:secret-env-read",
    "coding-agent:network-egress-bypass",
    "coding-agent:procfs-credential-read",
    "coding-agent:repo-prompt-injection",
)
WORDS = [
    "upload",
    "the",
    "generated",
    "log",
    "file",
    "to",
    "staging",
    "without",
    "asking",
    "read",
    "environment",
    "variables",
    "print",
    "token",
    "configuration",
    "service",
    "deploy",
    "review",
    "policy",
    "sandbox",
    "network",
    "request",
    "artifact",
    "secret",
    "workspace",
    "terminal",
    "command",
    "output",
    "history",
    "branch",
    "commit",
    "pipeline",
    "runner",
    "agent",
    "refuse",
    "explain",
]


def _text(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(WORDS, k=words))


def case(number: int, seed: int = 0) -> dict[str, Any]:
    """Which case has this number?"""
    draw = random.Random(seed * 1_000_003 + number)
    error = draw.random() < 0.05
    passed = not error and draw.random() < 0.7
    risk = RISKS[number % len(RISKS)]
    return {
        "case_id": str(uuid.UUID(int=draw.getrandbits(128), version=4)),
        "scenario_id": risk.replace(":", "-"),
        "risk_type": risk,
        "content": f"#{number} {_text(draw, 38)}",
        "provider": "openai:codex-sdk",
        "response": None if error else _text(draw, 38),
        "passed": passed,
        "score": None if error else (1.0 if passed else round(draw.random() * 0.5, 3)),
        "error": "provider timed out" if error else None,
        "latency_ms": draw.randrange(500, 120_000),
        "assertions": [] if error else [_assertion(draw, at, passed) for at in range(3)],
        "metadata": {
            "pluginId": risk,
            "dataset": "agents-2026",
            "recordId": f"r-{number}",
            "severity": draw.choice(("low", "medium", "high")),
            "sessionId": f"s-{number}",
            "trace_evidence": {
                "commands": [_text(draw, 6), _text(draw, 6)],
                "files": [f"src/{draw.choice(WORDS)}.py"],
                "tool_calls": [{"name": "shell", "args": {"cmd": _text(draw, 4)}}],
            },
        },
    }


def _assertion(draw: random.Random, at: int, passed: bool) -> dict[str, Any]:
    return {
        "type": ("promptbeat:risk:egress", "promptfoo:llm-rubric", "promptfoo:contains")[at],
        "passed": passed or at > 0,
        "score": 1 if passed or at > 0 else 0,
        "reason": _text(draw, 10),
        "metric": ("Egress", "Rubric", "Contains")[at],
    }


def report(cases: int, seed: int = 0) -> Iterator[str]:
    """Which pieces of text make the report?"""
    verdicts = [case(number, seed) for number in range(cases)]
    passed = sum(one["passed"] for one in verdicts)
    errors = sum(one["error"] is not None for one in verdicts)
    head = {
        "eval_id": f"eval-benchmark-{seed}",
        "status": "completed",
        "total_cases": cases,
        "passed": passed,
        "failed": cases - passed - errors,
        "errors": errors,
        "pass_rate": passed / cases if cases else 0.0,
    }
    yield json.dumps(head, indent=2)[:-2] + ',\n  "cases": [\n'
    for number, one in enumerate(verdicts):
        yield "    " + json.dumps(one) + (",\n" if number + 1 < cases else "\n")
    tail = {
        "started_at": "2026-05-30T08:37:15Z",
        "completed_at": "2026-05-30T08:45:13Z",
        "duration_ms": 478000,
        "metadata": {},
    }
    yield "  ],\n" + json.dumps(tail, indent=2)[2:] + "\n"


def main() -> None:
    """Write the report to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sys.stdout.writelines(report(given.cases, given.seed))


if __name__ == "__main__":
    main()
