"""Make a promptfoo file of any number of rows, the same bytes for the same arguments.

    python -m benchmarks.rows --rows 100000 --run 0 > a.json

A row is about 1.2 kB: unique text, one assertion, token counts. Of two runs one row in fifty has
another verdict, and one in fifty of those an error; one in ten another score.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.generate import WORDS

PROMPT = "Answer the customer in one sentence: {{question}}"


def rows(count: int, run: int) -> Iterator[str]:
    """The file, row by row. Runs of other numbers have the same cases, in the same order."""
    yield '{"evalId":"eval-generated","results":{"version":3,"results":[\n'
    for number in range(count):
        yield json.dumps(_row(number, run)) + (",\n" if number < count - 1 else "\n")
    yield ']},"config":{"description":"generated"}}\n'


def _row(number: int, run: int) -> dict[str, Any]:
    case, attempt = random.Random(number), random.Random(number * 31 + run)
    question, answer = (" ".join(case.choices(WORDS, k=k)) for k in (16, 20))
    passed = case.random() < 0.7
    error = False
    if run and attempt.random() < 0.02:
        passed, error = not passed, attempt.random() < 0.02
    source = attempt if run and attempt.random() < 0.1 else case
    score = round(source.random() / 2 + passed / 2, 3)
    checks = [{"type": "contains", "value": question[:20]}]
    return {
        "id": f"{number:08x}-{run}",
        "testIdx": number,
        "promptIdx": 0,
        "vars": {"question": question},
        "provider": {"id": "openai:gpt-4.1-mini", "label": ""},
        "prompt": {"raw": PROMPT.replace("{{question}}", question), "label": PROMPT},
        "response": {
            "output": f"{answer} {number}",
            "tokenUsage": {"total": 90 + number % 50, "prompt": 60, "completion": 30 + number % 50},
        },
        "success": passed and not error,
        "failureReason": 2 if error else 0 if passed else 1,
        "score": score,
        "latencyMs": attempt.randrange(200, 4000),
        "cost": 0.0004,
        "error": "timeout" if error else None,
        "gradingResult": {
            "pass": passed,
            "score": score,
            "reason": "All assertions passed" if passed else "Expected text is missing",
            "componentResults": [
                {"pass": passed, "score": score, "reason": "", "assertion": check}
                for check in checks
            ],
        },
        "testCase": {"vars": {"question": question}, "assert": checks},
    }


def main() -> None:
    """Write the file to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--run", type=int, default=0)
    given = parser.parse_args()
    sys.stdout.writelines(rows(given.rows, given.run))


if __name__ == "__main__":
    main()
