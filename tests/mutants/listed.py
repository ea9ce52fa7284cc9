"""What is broken, one at a time, and which tests must notice?

Each mutant is a change that keeps the code running: a typing mistake would prove nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

FIXTURES = "tests/converter/test_fixtures.py"
COVERAGE = "tests/converter/test_coverage.py"
CHAIN = "tests/converter/test_chain.py"
MEANING = "tests/converter/test_meaning.py"
DELTA = "tests/converter/test_delta.py"
PROMPTFOO = "tests/converter/formats/test_promptfoo.py"
ROWS = "tests/converter/test_rows.py"
VALUES = "tests/registry/test_values.py"
GATE = "tests/registry/test_gate.py"

ON_FIXTURES = "tests/laws/test_fixtures.py"
L1 = (ON_FIXTURES, "-k", "l01")
L3 = ("tests/laws/test_streamed.py", "tests/laws/test_round_trips.py")
L5 = (ON_FIXTURES, "-k", "l05")
L6 = (ON_FIXTURES, "-k", "l06")
L7 = ("tests/converter/test_report.py", "-k", "l07")
L9 = (ON_FIXTURES, "-k", "l09")
L10 = (COVERAGE, "-k", "l10")
L13 = ("tests/laws/test_inputs.py", "-k", "l13")
L15 = (ON_FIXTURES, "-k", "l15")
NONE: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mutant:
    """In which file does which text, that stands there once, become which other?

    `law` names the tests of the law that must notice it; `tests` are tried where no law speaks of
    such a thing.
    """

    name: str
    file: str
    old: str
    new: str
    law: tuple[str, ...]
    tests: tuple[str, ...]


MUTANTS = (
    # a row of each format
    Mutant(
        "cbl: the model's answer is read as the case's input",
        "converter/formats/cbl.py",
        'Row("model_response", "trial.output")',
        'Row("model_response", "trial.reason")',
        L10,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "promptbeat: content is no longer read",
        "converter/formats/promptbeat.py",
        'Row("content", "case.input")',
        'Row("content", "case.description")',
        L5,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "promptbeat-judgment: a reason is taken for an error",
        "converter/formats/promptbeat_judgment.py",
        'Row("Reason", "trial.reason")',
        'Row("Reason", "trial.error")',
        L10,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "promptfoo: the prompt is taken for a description",
        "converter/formats/promptfoo.py",
        'Row("prompt/raw", "case.input")',
        'Row("prompt/raw", "case.name")',
        L10,
        (PROMPTFOO, COVERAGE),
    ),
    Mutant(
        "sandtable: a duration is taken for a latency",
        "converter/formats/sandtable.py",
        'Row("durationMs", "trial.duration_ms")',
        'Row("durationMs", "trial.turns")',
        L3,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "promptbeat: an errored case counts as failed",
        "converter/formats/promptbeat.py",
        'return "error"',
        'return "failed"',
        L10,
        (COVERAGE, FIXTURES),
    ),
    # codecs
    Mutant(
        "codec: ids count down from zero",
        "converter/codecs.py",
        "return number if str(number) == text else None",
        "return -number if str(number) == text else None",
        L10,
        (COVERAGE, FIXTURES, ROWS),
    ),
    Mutant(
        "codec: 007 becomes the id 7",
        "converter/codecs.py",
        "return number if str(number) == text else None",
        "return number",
        NONE,
        (MEANING,),
    ),
    Mutant(
        "codec: scores are no longer clamped",
        "converter/codecs.py",
        "return min(max(score, 0), 1)",
        "return score",
        L9,
        (MEANING,),
    ),
    # steps between versions
    Mutant(
        "step: cbl 3.1 lists what passed, too",
        "converter/formats/cbl_versions.py",
        'if record.get("passed") is True:',
        'if record.get("passed") is None:',
        L15,
        (MEANING,),
    ),
    Mutant(
        "step: sandtable 1.0 keeps what only 1.1 has",
        "converter/formats/sandtable_versions.py",
        'NEW_TASK = frozenset(("critical",))',
        "NEW_TASK: frozenset[str] = frozenset()",
        L7,
        (MEANING,),
    ),
    # the carry and its guard
    Mutant(
        "carry: an edit is overwritten, whatever its seal",
        "converter/delta.py",
        "            if seal(value) == expected:",
        "            if expected:",
        NONE,
        (DELTA, CHAIN),
    ),
    Mutant(
        "carry: a dropped key is dropped, though it was edited",
        "converter/delta.py",
        "            if seal(result[key]) == expected or face(result[key]) == expected:",
        "            if expected:",
        NONE,
        (DELTA,),
    ),
    Mutant(
        "carry: a list that changed its length is patched all the same",
        "converter/delta.py",
        '            if "by" not in node:\n                return None\n',
        "",
        NONE,
        (DELTA,),
    ),
    Mutant(
        "carry: what is left over is not put into the document's delta",
        "converter/chain.py",
        "    if delta is None:\n        return target\n    path = ",
        "    if delta is not None:\n        return target\n    path = ",
        L3,
        (CHAIN,),
    ),
    Mutant(
        "carry: a version that is not known is followed",
        "converter/slots.py",
        'if held["evalglot"] != CARRY_VERSION:',
        'if held["evalglot"] < CARRY_VERSION:',
        NONE,
        (CHAIN,),
    ),
    # order, spelling, blanks
    Mutant(
        "order: the keys of an object may stand anyhow",
        "converter/delta.py",
        "    if before != kept:",
        "    if sorted(before) != sorted(kept):",
        L1,
        (DELTA, FIXTURES),
    ),
    Mutant(
        "sameness: the order of keys does not count",
        "registry/values.py",
        "if [*left] == [*right] else None",
        "if left.keys() == right.keys() else None",
        NONE,
        (MEANING,),
    ),
    Mutant(
        "sameness: minus zero is zero",
        "registry/values.py",
        "return math.copysign(1.0, a) == math.copysign(1.0, b)",
        "return True",
        NONE,
        (VALUES,),
    ),
    Mutant(
        "blanks: a blank that was filled in is taken for a value",
        "converter/blanks.py",
        "    if not gone:",
        "    if gone:",
        L5,
        (FIXTURES,),
    ),
    Mutant(
        "blanks: an edited blank is thrown away",
        "converter/blanks.py",
        "one.key == key and _is_blank(record.get(key), one)",
        "one.key == key",
        NONE,
        (MEANING,),
    ),
    # totals
    Mutant(
        "totals: cbl counts failures as passes",
        "converter/formats/cbl.py",
        "self.failed += len(trials) - passed",
        "self.failed += len(trials)",
        L10,
        (COVERAGE, CHAIN, FIXTURES),
    ),
    Mutant(
        "totals: pass^j is off by one",
        "converter/aggregates.py",
        "number * comb(c, j) / comb(n, j)",
        "number * comb(c, j) / comb(n + 1, j)",
        L10,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "totals: a rate is of the rest, not of the whole",
        "converter/aggregates.py",
        "return part / whole if whole else 0.0",
        "return part / (whole + 1) if whole else 0.0",
        L10,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "totals: a quantile is one rank too high",
        "converter/aggregates.py",
        "max(ceil(share * len(values)), 1) - 1",
        "max(ceil(share * len(values)), 1) - len(values)",
        NONE,
        (COVERAGE, FIXTURES),
    ),
    Mutant(
        "totals: promptfoo scores 0 what passed without a score",
        "converter/formats/promptfoo_totals.py",
        "return 1 if trial.verdict ==",
        "return 0 if trial.verdict ==",
        NONE,
        (MEANING,),
    ),
    # records: order, and those the target has no place for
    Mutant(
        "records: those that moved do not find back to their places",
        "converter/returning.py",
        "homes = sorted(homes, key=lambda pair: _position(pair[0].slot))",
        "homes = list(homes)",
        L3,
        (FIXTURES,),
    ),
    Mutant(
        "records: lost ones do not come home",
        "converter/returning.py",
        "gathered.insert(lost.at, self.lost(lost))",
        "self.lost(lost)",
        L1,
        (FIXTURES,),
    ),
    Mutant(
        "records: those that an older version does not list are lost",
        "converter/stepping.py",
        "            self._lost.append(",
        "            list[Lost]().append(",
        L3,
        (FIXTURES, CHAIN),
    ),
    # the gate
    Mutant(
        "gate: of a key written twice the last one wins",
        "registry/gate.py",
        "    if len(members) != len(pairs):",
        "    if len(members) > len(pairs):",
        NONE,
        (GATE,),
    ),
)
