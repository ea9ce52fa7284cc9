"""PromptBeat's normalized evaluation items, version 1.

The documentation names the fields but neither the container nor the spelling in the file. So an
array, an object with one list of items, and JSON Lines are read, in PascalCase, snake_case and
camelCase, and written back in what came in. Inside this module names are PascalCase, as documented.

* `Status` is the verdict; a skipped trial, for which there is no word, is REVIEW;
* `Passed` agrees with it: true only with PASS;
* a trial whose reason lies in its checks gets the reason of the first that did not pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from converter.blanks import Blank
from converter.codecs import IDENTIFIER
from converter.facts import Case, Run, Trial, Verdict
from converter.form import Context, Format, Group, Layout, NoTally, Parts, Seat
from converter.rows import Record, Row, Table
from converter.slots import KEY

CONTAINERS = ("items", "Items", "results", "Results")

SPELLINGS: Mapping[str, Mapping[str, str]] = {
    "snake": {
        "ScenarioID": "scenario_id",
        "SeedID": "seed_id",
        "ProviderID": "provider_id",
        "CasePrompt": "case_prompt",
        "ActualOutput": "actual_output",
        "Status": "status",
        "Passed": "passed",
        "Reason": "reason",
        "JudgeRawOutput": "judge_raw_output",
        "JudgeEvidence": "judge_evidence",
    },
    "camel": {
        "ScenarioID": "scenarioId",
        "SeedID": "seedId",
        "ProviderID": "providerId",
        "CasePrompt": "casePrompt",
        "ActualOutput": "actualOutput",
        "Status": "status",
        "Passed": "passed",
        "Reason": "reason",
        "JudgeRawOutput": "judgeRawOutput",
        "JudgeEvidence": "judgeEvidence",
    },
}
STATUS: Mapping[Verdict, str] = {
    "passed": "PASS",
    "failed": "FAIL",
    "review": "REVIEW",
    "error": "ERROR",
    "skipped": "REVIEW",
}
VERDICTS: Mapping[str, Verdict] = {
    "PASS": "passed",
    "FAIL": "failed",
    "REVIEW": "review",
    "ERROR": "error",
}

ITEM = Table(
    (
        Row("ScenarioID", "case.group", IDENTIFIER),
        Row("SeedID", "case.id", IDENTIFIER),
        Row("ProviderID", "trial.provider", IDENTIFIER),
        Row("CasePrompt", "case.input"),
        Row("ActualOutput", "trial.output"),
        Row("Status", ""),
        Row("Passed", ""),
        Row("Reason", "trial.reason"),
        Row("JudgeRawOutput", "trial.judge_output"),
        Row("JudgeEvidence", "trial.judge_evidence"),
    ),
    "case",
    "trial",
)


class ItemsLayout(Layout):
    """Items in any of the containers and spellings, made one of each."""

    @property
    def streams(self) -> bool:
        """May records be taken one by one? They stand in more than one place."""
        return False

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?"""
        if lines:
            return self.lines(document)
        if type(document) is list:
            return _items({"items": []}, document, {"container": "array"})
        key = next((key for key in CONTAINERS if type(document.get(key)) is list), "items")
        envelope = {("items" if name == key else name): value for name, value in document.items()}
        return _items({**envelope, "items": []}, document.get(key, []), {"container": key})

    def lines(self, records: Sequence[Record]) -> Parts:
        """Which parts do the lines of a JSON Lines file make?"""
        return _items({"items": []}, records, {"container": "lines"})

    def frame(self, envelope: Any, shape: Mapping[str, Any], records: Any) -> Any:
        """How does the document look around its items?"""
        container = shape.get("container", "array")
        if container == "lines" or (container == "array" and envelope.keys() <= {"items"}):
            return records
        key = "items" if container == "array" else container
        return {
            (key if name == "items" else name): (records if name == "items" else value)
            for name, value in envelope.items()
        }

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Record]:
        """Which items do these groups make, each in its own spelling?"""
        common = shape.get("spelling", PASCAL)
        for group in groups:
            for record in group.records:
                names = SPELLINGS.get(str(record.get(SPELLING, common)), {})
                yield {names.get(key, key): held for key, held in record.items() if key != SPELLING}


@dataclass(frozen=True, slots=True)
class Spelled(Sequence[Group]):
    """Items in some spelling, each brought to PascalCase when it is asked for.

    One that is spelled otherwise than most remembers it under a key that no file has.
    """

    items: Sequence[Record]
    common: str

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, number: Any) -> Any:
        item = self.items[number]
        spelling = spelling_of(item)
        names = PASCAL_NAMES[spelling]
        record = {names.get(key, key): value for key, value in item.items()}
        if spelling != self.common:
            record[SPELLING] = spelling
        return Group(None, [record])


def _items(envelope: Record, items: Sequence[Record], shape: dict[str, str]) -> Parts:
    common = spelling_of(items[0]) if items else PASCAL
    if common != PASCAL:
        shape["spelling"] = common
    return Parts(envelope, Spelled(items, common), shape)


def spelling_of(item: Record) -> str:
    """How are this item's names spelled? As documented, unless no name is and others are."""
    if not item.keys().isdisjoint(PASCAL_NAMES[PASCAL]):
        return PASCAL
    return max(
        (PASCAL, *SPELLINGS), key=lambda spelling: len(item.keys() & PASCAL_NAMES[spelling].keys())
    )


PASCAL = "pascal"
SPELLING = "\0spelling"
PASCAL_NAMES = {PASCAL: {row.path: row.path for row in ITEM.rows}} | {
    spelling: {spelled: name for name, spelled in names.items()}
    for spelling, names in SPELLINGS.items()
}
"""the documented name, by spelling and spelled name"""


def read_run(envelope: Record) -> Run:
    """What does a list of items say of its run? Nothing."""
    del envelope
    return Run()


def write_run(context: Context, tally: NoTally | None) -> Record:
    """How is the run said?"""
    del context, tally
    return {"items": []}


def read_case(record: Record) -> Case:
    """What does an item say of what was asked?"""
    return Case(**ITEM.read(record, "case"))


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does an item say?"""
    del parent
    said = ITEM.read(record, "trial")
    said["verdict"] = VERDICTS.get(record.get("Status", ""))
    return read_case(record), Trial(**said)


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del seat
    given = {
        "ProviderID": context.run.target,
        "CasePrompt": case.description,
        "Status": STATUS[trial.verdict or "review"],
        "Passed": trial.verdict == "passed",
        "Reason": trial.error or _reason(trial),
    }
    return ITEM.write(case, trial, given=given)


def _reason(trial: Trial) -> str | None:
    reasons = (check.reason for check in trial.checks or () if check.passed is False and check.hard)
    return next((reason for reason in reasons if reason is not None), None)


PROMPTBEAT_JUDGMENT = Format(
    id="promptbeat-judgment",
    version="1",
    layout=ItemsLayout(("items",)),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=ITEM.rows,
    tables=(("*", ITEM),),
    carried={},
    record_blanks=(Blank("SeedID", ""),),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    tally=NoTally,
)
