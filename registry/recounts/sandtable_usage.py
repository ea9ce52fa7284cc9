"""Do usage and costUsd of a sandtable suite agree with the trials?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from registry.findings import Finding
from registry.recounts import shown, told, within_digits
from registry.recounts.sandtable_doubts import Doubts
from registry.values import JSON, pointer

NEAR = 1e-3
"""By which share may a sum of estimated costs differ? Each trial's is rounded."""

TOKENS = ("calls", "input", "output", "cacheRead", "cacheWrite")
ROLES = ("agent", "user")


class Usage:
    """Sums what the trials used."""

    def __init__(self, envelope: JSON, doubts: Doubts) -> None:
        self.envelope, self.doubts = envelope, doubts
        self.models: dict[str, dict[str, list[int]]] = {role: {} for role in ROLES}
        """The sums of what TOKENS names, by role and model."""
        self.stops = 0
        self.cost = 0.0
        self.unpriced = False
        self.unknown = False
        """Is there a trial that says nothing of its usage, or nothing that can be summed?"""

    def add(self, usage: JSON) -> None:
        """Count a trial's usage in. A count may be a double, to which nothing large is added."""
        if usage is None or "costUsd" not in usage:
            self.unknown = True
            return
        for role, models in self.models.items():
            for model, counts in usage.get(role, {}).items():
                if model not in models:
                    models[model] = [0] * len(TOKENS)
                sums, get = models[model], counts.get
                sums[0] += int(get("calls", 0))
                sums[1] += int(get("input", 0))
                sums[2] += int(get("output", 0))
                sums[3] += int(get("cacheRead", 0))
                sums[4] += int(get("cacheWrite", 0))
        self.stops += int(usage.get("maxTokensStops", 0))
        cost = usage["costUsd"]
        if cost is None:
            self.unpriced = True
            return
        try:
            self.cost += cost
        except OverflowError:  # an integer that no double holds
            self.unknown = True

    def end(self) -> Iterator[Finding]:
        """Do the suite's sums agree with the trials?"""
        usage = self.envelope.get("usage")
        if usage is None or self.unknown:
            return
        for role in ROLES:
            models = self.models[role]
            stated = usage.get(role, {})
            for model in dict.fromkeys((*stated, *models)):
                sums = dict(zip(TOKENS, models.get(model, ()), strict=False))
                yield from self._model(role, model, stated.get(model, {}), sums)
        stops = usage.get("maxTokensStops", 0)
        if stops != self.stops:
            found, wanted = shown(stops), f"{shown(self.stops)}, as in the trials"
            yield told(
                "sandtable/usage", "/usage/maxTokensStops", found, wanted, self.doubts.because
            )
        if "costUsd" in usage:
            yield from self._cost(usage["costUsd"])

    def _model(
        self, role: str, model: str, stated: Mapping[str, JSON], recounted: Mapping[str, int]
    ) -> Iterator[Finding]:
        for key in TOKENS:
            found, wanted = stated.get(key, 0), recounted.get(key, 0)
            if found != wanted:
                place = pointer(("usage", role, model, key))
                said = f"{shown(wanted)}, as in the trials"
                yield told("sandtable/usage", place, shown(found), said, self.doubts.because)

    def _cost(self, stated: JSON) -> Iterator[Finding]:
        exact, unpriced = self.cost, self.unpriced
        if unpriced:
            fits, wanted = stated is None, "null, as a trial has no price"
        else:
            fits = stated is not None and (within_digits(stated, exact) or _near(stated, exact))
            wanted = f"{shown(exact)}, the sum over the trials"
        if not fits:
            yield told(
                "sandtable/cost", "/usage/costUsd", shown(stated), wanted, self.doubts.because_later
            )


def _near(stated: JSON, exact: float) -> bool:
    try:
        return bool(abs(stated - exact) <= NEAR * abs(exact))
    except OverflowError:
        return False
