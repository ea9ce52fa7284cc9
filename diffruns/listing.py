"""A run as plain lines, one paragraph a trial, sorted: what `git diff` can compare line by line."""

from __future__ import annotations

from collections.abc import Iterator

from converter import runs
from converter.facts import Case, Check, Trial
from diffruns import inputs
from diffruns.entries import check_name, provider_of
from diffruns.renderers.words import number
from registry.catalog import Version
from registry.reports.harmless import harmless


def listing(run: str, version: Version | None = None) -> bytes:
    """Which lines tell this run? The order of the file's cases does not matter.

    `run` is what `diffruns.inputs` takes. Raises EvalglotError.
    """
    with inputs.opened(run) as (data, file):
        told: list[list[str]] = []
        for case, said in runs.read(data, file, version, "null").groups():
            told += [[*_trial(case, trial)] for _, trial in said]
            if not said:
                told.append([f"{_name(case)}: skipped"])
    return "".join(f"{harmless(line)}\n" for lines in sorted(told) for line in lines).encode()


def _name(case: Case) -> str:
    return case.id or case.name or case.description or case.input or "(no id)"


def _trial(case: Case, trial: Trial) -> Iterator[str]:
    provider = provider_of(trial)
    target = f" [{provider}]" if provider else ""
    score = "" if trial.score is None else f", score {number(trial.score)}"
    yield f"{_name(case)}{target}: {trial.verdict or 'review'}{score}"
    yield from map(_check, trial.checks or ())
    for label, text in (("error", trial.error), ("output", trial.output)):
        yield from (f"  {label}: {line}" for line in (text or "").splitlines())


def _check(check: Check) -> str:
    verdict = {True: "passed", False: "failed", None: "undecided"}[check.passed]
    reason = f": {check.reason}" if check.reason and not check.passed else ""
    return f"  check {check_name(check)} {verdict}{reason}"
