"""Do an Inspect log's results of its scorers agree with the scores of its samples?

Inspect takes ids 1 and "1" for one sample here. A list or an object of values counts as a whole
under the scorer's name, and an object also value by value, under the keys.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

import msgspec

from registry.findings import Finding
from registry.recounts import MOST_BITS, is_number, shown, told, within_digits
from registry.values import JSON

NEAR = 1e-9
"""By which share may two means of the same doubles differ?"""

WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
PLAIN = (None, "mean")
"""Which reducers make the mean of epochs?"""

METRICS = ("accuracy", "mean")


class _Epochs(msgspec.Struct):
    """The epochs of a sample: how many were scored, how many were not, and the sum of scores."""

    scored: int = 0
    unscored: int = 0
    sum: float = 0.0

    def add(self, value: JSON) -> None:
        """Count an epoch in."""
        if isinstance(value, float) and math.isnan(value):
            self.unscored += 1
        else:
            self.scored += 1
            self.sum += _number(value)


_Values = dict[JSON, _Epochs]
"""The values of a scorer, or of one key of it, by sample."""


class _Scorer:
    """Keeps what a scorer said."""

    def __init__(self) -> None:
        self.whole: _Values = {}
        self.parts: dict[str, _Values] = {}
        self.unsure = False
        """Is there a score of which it is not known whether, or as what, it was counted?"""

    def add(self, sample: JSON, score: JSON) -> None:
        """Count a score in."""
        value = score["value"]
        inner = value.values() if isinstance(value, dict) else (value,)
        if score.get("history") or any(one is None for one in inner):
            self.unsure = True
            return
        _add(self.whole, sample, value)
        for key, part in value.items() if isinstance(value, dict) else ():
            _add(self.parts.setdefault(key, {}), sample, part)

    def named(self, name: str, *, own: bool) -> _Values | None:
        """What is listed under this name? None where that is not known."""
        part = self.parts.get(name)
        if own:
            return None if part else self.whole
        return part and _with_unscored(part, self.whole)


class Scorers:
    """Keeps what the scorers said of samples."""

    def __init__(self) -> None:
        self._scorers: dict[str, _Scorer] = {}

    def add(self, id_: JSON, scores: Mapping[str, JSON], *, errored: bool) -> None:
        """Count the scores of a sample in."""
        sample = _sample(id_)
        for name, score in scores.items():
            scorer = self._scorers.get(name)
            if scorer is None:
                scorer = self._scorers[name] = _Scorer()
            if errored:
                scorer.unsure = True
            elif not scorer.unsure:
                scorer.add(sample, score)

    def miscounts(self, results: Sequence[JSON]) -> Iterator[Finding]:
        """Which results are not those of the scores?"""
        for position, result in enumerate(results):
            name, of = result["name"], result["scorer"]
            scorer = self._scorers.get(of)
            if scorer is None or scorer.unsure:
                continue
            if values := scorer.named(name, own=name == of):
                place = f"/results/scores/{position}"
                yield from _miscounted(result, values, place)
                yield from _mismeasured(result, values, place)


def _add(values: _Values, sample: JSON, value: JSON) -> None:
    epochs = values.get(sample)
    if epochs is None:
        epochs = values[sample] = _Epochs()
    epochs.add(value)


def _with_unscored(part: _Values, whole: _Values) -> _Values:
    """The values of a key, with the epochs in which its scorer gave none at all."""
    merged = dict(part)
    for sample, epochs in whole.items():
        if epochs.unscored:
            one = merged.get(sample, _Epochs())
            merged[sample] = _Epochs(one.scored, one.unscored + epochs.unscored, one.sum)
    return merged


def _sample(id_: JSON) -> JSON:
    long = isinstance(id_, int) and id_.bit_length() > MOST_BITS
    return id_ if long else str(id_)


def _number(value: JSON) -> float:
    """What is a value worth to Inspect? NaN where that is not known."""
    if isinstance(value, str):
        return WORDS[value] if value in WORDS else _spelled(value.lower())
    try:
        return float(value)
    except (TypeError, OverflowError):
        return math.nan


def _spelled(text: str) -> float:
    try:
        number = WORDS.get(text)
        number = float(text) if number is None else number
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _miscounted(result: JSON, values: _Values, place: str) -> Iterator[Finding]:
    """Are as many samples scored, and as many not, as is said?"""
    scored, unscored = result.get("scored_samples"), result.get("unscored_samples")
    if not is_number(scored) or not is_number(unscored):
        return
    one = [epochs for epochs in values.values() if epochs.scored]
    least = sum(not epochs.unscored for epochs in one) if _is_plain(result) else 0
    epochs = sum(each.scored for each in one), sum(each.unscored for each in values.values())
    reduced = least <= scored <= len(one) and scored + unscored == len(values)
    if not reduced and (scored, unscored) != epochs:
        found = f"{shown(scored)}, and {shown(unscored)} unscored"
        wanted = f"{len(one)}, and {len(values) - len(one)} unscored, as are listed"
        yield told("inspect/scored", f"{place}/scored_samples", found, wanted)


def _mismeasured(result: JSON, values: _Values, place: str) -> Iterator[Finding]:
    """Are the means those of the scores?"""
    ways = _means(values)
    if not ways or not _is_plain(result):
        return
    metrics = result.get("metrics") or {}
    for key in METRICS:
        metric = metrics.get(key) or {}
        stated = metric.get("value")
        own = metric.get("name") == key and not metric.get("params") and not metric.get("group")
        if own and _is_known(stated) and not any(_is_near(stated, way) for way in ways):
            wanted = f"{shown(ways[0])}, the mean of the scores"
            yield told("inspect/metrics", f"{place}/metrics/{key}/value", shown(stated), wanted)


def _is_known(metric: JSON) -> TypeGuard[int | float]:
    """Is it a number? Early releases let one unscored sample make NaN of a mean."""
    return is_number(metric) and not (isinstance(metric, float) and math.isnan(metric))


def _is_plain(result: JSON) -> bool:
    return result.get("reducer") in PLAIN


def _means(values: _Values) -> list[float]:
    """Which means may be meant: of the samples, of those scored in all epochs, of all epochs?"""
    scored = [one for one in values.values() if one.scored]
    full = [one for one in scored if not one.unscored]
    reduced = [[one.sum / one.scored for one in among] for among in (scored, full) if among]
    means = [sum(among) / len(among) for among in reduced]
    if scored:
        means.append(sum(one.sum for one in scored) / sum(one.scored for one in scored))
    return means if all(map(math.isfinite, means)) else []


def _is_near(stated: float, exact: float) -> bool:
    try:
        return within_digits(stated, exact) or math.isclose(stated, exact, rel_tol=NEAR)
    except OverflowError:  # an integer that no double holds
        return False
