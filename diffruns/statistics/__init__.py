"""Is what changed between two runs more than noise, and what could this many cases have shown?

Only the standard library is needed: what scipy and statsmodels have of it is what the tests hold
it to. `docs/statistics.md` says which method answers which question, and where it comes from.
"""

from diffruns.statistics.families import correct
from diffruns.statistics.intervals import Estimate, Interval, mean, share_of_cases, student, wilson
from diffruns.statistics.means import Paired, paired_mean, paired_share, sign_flip, smallest_changed
from diffruns.statistics.powers import pass_at, pass_hat
from diffruns.statistics.rates import (
    McNemar,
    detectable_rate,
    mcnemar,
    paired_rate_interval,
    smallest_discordant,
)
from diffruns.statistics.shifts import DRAWS, LEAST_RUNS, Shift, shifts

__all__ = [
    "DRAWS",
    "LEAST_RUNS",
    "Estimate",
    "Interval",
    "McNemar",
    "Paired",
    "Shift",
    "correct",
    "detectable_rate",
    "mcnemar",
    "mean",
    "paired_mean",
    "paired_rate_interval",
    "paired_share",
    "pass_at",
    "pass_hat",
    "share_of_cases",
    "shifts",
    "sign_flip",
    "smallest_changed",
    "smallest_discordant",
    "student",
    "wilson",
]
