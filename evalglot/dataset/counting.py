"""How are the trials of a case, a tag or a check counted, by target, run and period?

What a file says, and what is asked for, is given to the database as a value.
"""

from __future__ import annotations

from dataclasses import dataclass

from evalglot.dataset.trend import By, Per


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Of what is the trend asked, in which periods, and how sure?"""

    by: By
    subject: str
    per: Per = "month"
    k: int = 3
    alpha: float = 0.05


_TRIALS = """
    SELECT digest, case_key, target_name AS target, ran_at, tool,
      count(*) AS trials,
      count(*) FILTER (verdict IN ('passed', 'failed')) AS judged,
      count(*) FILTER (verdict = 'passed') AS passes,
      count(*) FILTER (verdict = 'error') AS errors,
      sum(cost_usd) AS cost,
      count(*) FILTER (verdict = 'passed' AND cost_usd IS NOT NULL) AS paid_passes
    FROM trials WHERE {chosen} AND ran_at IS NOT NULL GROUP BY ALL
"""
_CHECKS = """
    SELECT digest, case_key, target_name AS target, ran_at, tool,
      count(*) AS trials,
      count(passed) AS judged,
      count(*) FILTER (passed) AS passes,
      0 AS errors,
      NULL::DOUBLE AS cost,
      0 AS paid_passes
    FROM checks WHERE check_name = $subject AND ran_at IS NOT NULL GROUP BY ALL
"""
_TAGGED = """(digest, case_number) IN (
    SELECT (digest, case_number) FROM cases WHERE list_contains(tags, $subject))"""

COUNTED = {
    "case": _TRIALS.format(chosen="(case_label = $subject OR case_key = $subject)"),
    "tag": _TRIALS.format(chosen=_TAGGED),
    "check": _CHECKS,
}
"""how each case of each run came out; what a file says is a value here, never a piece of SQL"""

_SETUP = """
CREATE OR REPLACE TEMP TABLE told AS
WITH counted AS ({counted})
SELECT *, strftime(date_trunc('{per}', ran_at), '{spelled}') AS period,
  CASE WHEN judged > 0 THEN passes / judged END AS share
FROM counted
"""
RUNS = """
SELECT target, told.digest AS digest, any_value(tool) AS tool, any_value(told.ran_at) AS ran_at,
  sum(judged)::BIGINT AS judged, sum(passes)::BIGINT AS passes, sum(errors)::BIGINT AS errors,
  avg(share) AS rate
FROM told GROUP BY target, told.digest ORDER BY target NULLS FIRST, ran_at, told.digest
"""
PERIODS = """
WITH turned AS (
  SELECT *, share = 1 AS whole, lag(share = 1) OVER (
    PARTITION BY target, case_key ORDER BY ran_at, digest) AS earlier
  FROM (SELECT * FROM told WHERE judged > 0)
), flipped AS (
  SELECT target, period, avg((share > 0 AND share < 1)::INT) AS flaky,
    avg((whole <> earlier)::INT) AS flips
  FROM turned GROUP BY ALL
)
SELECT target, period, count(DISTINCT digest) AS runs, count(DISTINCT case_key) AS cases,
  sum(trials)::BIGINT AS trials, sum(judged)::BIGINT AS judged, sum(passes)::BIGINT AS passes,
  sum(errors)::BIGINT AS errors, any_value(flaky) AS flaky, any_value(flips) AS flips,
  sum(cost) AS cost, sum(paid_passes)::BIGINT AS paid_passes
FROM told LEFT JOIN flipped USING (target, period) GROUP BY target, period
ORDER BY target NULLS FIRST, period
"""
CASES = """
SELECT target, period, n, c, count(*) AS cases FROM (
  SELECT target, period, case_key, sum(judged)::BIGINT AS n, sum(passes)::BIGINT AS c
  FROM told WHERE judged > 0 GROUP BY ALL)
GROUP BY ALL
"""
NAMED = """
SELECT runs.digest AS digest, any_value(runs.id) AS run_id, min(path) AS path
FROM runs LEFT JOIN files USING (digest)
WHERE runs.digest IN (SELECT unnest($digests)) GROUP BY runs.digest
"""
_SPELLED = {"day": "%Y-%m-%d", "week": "%Y-%m-%d", "month": "%Y-%m"}


def setup(asked: Asked) -> str:
    """Which statement counts? Its parameter is `$subject`."""
    return _SETUP.format(counted=COUNTED[asked.by], per=asked.per, spelled=_SPELLED[asked.per])


UNTIMED = "SELECT count(*) AS n FROM runs WHERE ran_at IS NULL"
NAMES = {
    "case": "SELECT DISTINCT case_label AS name FROM cases LIMIT 20000",
    "tag": "SELECT DISTINCT unnest(tags) AS name FROM cases LIMIT 20000",
    "check": "SELECT DISTINCT check_name AS name FROM checks LIMIT 20000",
}
"""what else could have been asked for"""
