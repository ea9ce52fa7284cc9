"""Small result files made by hand, each of the shape that its tool writes: for telling examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def promptfoo(rows: Iterable[Mapping[str, Any]], version: int = 3) -> dict[str, Any]:
    """A promptfoo file of these rows: `test` is the description, the rest are fields of the row."""
    told = [_row(number, **row) for number, row in enumerate(rows)]
    return {"results": {"version": version, "results": told}}


def _row(number: int, test: str | None, **said: Any) -> dict[str, Any]:
    tested = {"vars": {"q": test}, **({} if test is None else {"description": test})}
    row = {
        "testIdx": number,
        "promptIdx": 0,
        "vars": {"q": test},
        "success": True,
        "score": 1,
        "failureReason": 0,
        "provider": {"id": "echo"},
        "testCase": tested,
    }
    return {**row, **said}


ERROR = {"success": False, "score": 0, "failureReason": 2, "error": "timeout"}
FAILED = {"success": False, "score": 0, "failureReason": 1}


def sandtable(tasks: Mapping[str, str] | Sequence[tuple[str, str]], **run: Any) -> dict[str, Any]:
    """A sandtable file: by task, one letter a trial, p passed, f failed, e could not be judged."""
    items = tasks.items() if isinstance(tasks, Mapping) else tasks
    return {
        "version": 1,
        "runId": "r",
        "domain": "retail",
        "agent": "model",
        "k": max((len(trials) for _, trials in items), default=0),
        "startedAt": "2026-01-01T00:00:00Z",
        "tasks": [
            {"id": id_, "trials": [_trial(id_, place, how) for place, how in enumerate(trials)]}
            for id_, trials in items
        ],
        **run,
    }


def _trial(task: str, place: int, how: str) -> dict[str, Any]:
    error = {"error": "timeout", "endReason": "error"} if how == "e" else {"endReason": "user_stop"}
    return {
        "taskId": task,
        "trial": place,
        "passed": how == "p",
        "checks": [] if how == "e" else [{"id": "c", "kind": "state", "passed": how == "p"}],
        "events": [],
        **error,
    }


def cbl_failing_only(failed: Iterable[str], passed: int) -> dict[str, Any]:
    """A file of Circuit Breaker Labs' third version: passing cases are counted, never listed."""
    results = [
        {
            "user_input": asked,
            "model_response": "Sure.",
            "safe_response_score": 0.1,
            "conversation_id": number,
        }
        for number, asked in enumerate(failed)
    ]
    return {
        "total_passed": passed,
        "total_failed": len(results),
        "failed_results": results,
        "test_case_groups": [],
    }
