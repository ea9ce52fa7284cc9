"""Each rule beyond shape on files that keep and break it, and recounting on whatever is drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from evalglot.cli import evalglot
from evalglot.testing import documents as drawn
from registry import detection, edges, gate, recount, rules, validation
from registry.catalog import catalog, find
from registry.checking import Asked, check
from registry.engine import judge
from registry.errors import UnknownRule
from registry.pages import rules_page
from registry.recounts import shown, within_digits
from registry.shelves import versions_root
from registry.values import at, leaves, unescape
from tests.registry import samples

FOLDER = samples.FIXTURES / "rules"
FILES = sorted(FOLDER.glob("*/*/*.*"))
KINDS = ("pass", "fail", "warn")


def repr_of(value: object) -> str:
    return type(value).__name__


def rule_of(path: Path) -> rules.Rule:
    return rules.rule(f"{path.parts[-3]}/{path.parts[-2]}")


def name(path: Path) -> str:
    return "/".join(path.parts[-3:])


def loaded(path: Path) -> Any:
    load = gate.load_lines if path.suffix == ".jsonl" else gate.load
    data = edges.turned(path.read_bytes(), path.name)
    return load(data, nonfinite="keep" if find(path.parts[-3]).nonfinite else "reject")


@pytest.mark.parametrize("path", FILES, ids=name)
def test_file_breaks_its_rule_or_none(path: Path) -> None:
    rule, kind = rule_of(path), path.name[:4]
    (one,) = check([str(path)], Asked()).files
    assert one.format is not None
    assert one.format.partition("@")[0] == rule.format
    assert kind in KINDS
    severity = {"pass": None, "fail": rule.severity, "warn": "warning"}[kind]
    found = {(finding.rule, finding.severity) for finding in one.findings}
    allowed = {("unknown-field", "warning")}
    assert found - allowed == ({(rule.id, severity)} if severity else set())
    assert {bool(each.line) for each in one.findings} <= {path.suffix != ".xml"}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_exception_says_so(path: Path) -> None:
    rule = rule_of(path)
    (one,) = check([str(path)], Asked()).files
    softened = [finding for finding in one.findings if finding.severity != rule.severity]
    assert all(finding.note for finding in softened if finding.rule == rule.id)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_whole_document_is_found_to_be_what_its_records_are(path: Path) -> None:
    (one,) = check([str(path)], Asked()).files
    lines = path.suffix == ".jsonl"
    document = loaded(path)
    whole = recount.findings(document, one.format or "", lines=lines)
    counted = sum(found.count for found in one.findings if found.rule in rules.ALL)
    assert len(whole) == counted
    assert {found.rule for found in whole} == {
        found.rule for found in one.findings if found.rule in rules.ALL
    }


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.id)
def test_rule_has_files_that_keep_and_break_it(rule: rules.Rule) -> None:
    kinds = {path.name[:4] for path in (FOLDER / rule.id).glob("*.*")}
    assert "pass" in kinds
    assert kinds & {"fail", "warn"}
    assert rule.id.partition("/")[0] == rule.format
    assert rule.format in {version.format for version in catalog().versions}


def test_folder_says_where_its_files_are_from() -> None:
    assert "synthetic" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("version", catalog().versions, ids=lambda version: version.ref)
@given(data=st.data())
def test_recounting_never_fails(version, data) -> None:  # type: ignore[no-untyped-def]
    document = data.draw(drawn.documents(version))
    for finding in recount.findings(document, version.ref):
        assert finding.rule in rules.ALL
        assert finding.message


ODD = [float("nan"), float("inf"), -float("inf"), 10**400, -(10**400), 10**4299, -1, 0, 1.5, 1e308]


@given(path=st.sampled_from(FILES), odd=st.lists(st.sampled_from(ODD), min_size=1), data=st.data())
def test_no_number_makes_recounting_fail(path: Path, odd: list[float], data: st.DataObject) -> None:
    lines = path.suffix == ".jsonl"
    document = loaded(path)
    numbers = [place for place, value in leaves(document) if type(value) in (int, float)]
    ref = detection.detect_document(document, lines=lines).ref
    for number in odd if numbers else ():
        holder, _, key = data.draw(st.sampled_from(numbers)).rpartition("/")
        inner = at(document, holder)
        inner[int(key) if isinstance(inner, list) else unescape(key)] = number
    if validation.is_valid(document, ref):
        for finding in recount.findings(document, ref, lines=lines):
            assert len(finding.message) < 1000


@pytest.mark.parametrize("path", samples.files("valid"), ids=samples.name)
def test_document_is_not_changed_by_recounting(path: Path) -> None:
    document, lines = samples.document(path), samples.is_lines(path)
    before = gate.dump(document)
    recount.findings(document, samples.ref_of(path), lines=lines)
    assert gate.dump(document) == before


@pytest.mark.parametrize(
    ("stated", "exact", "agrees"),
    [
        (0.67, 2 / 3, True),
        (0.667, 2 / 3, True),
        (0.666, 2 / 3, False),
        (0.7, 2 / 3, False),
        (0.7, 0.699, True),
        (1, 2 / 3, False),
        (1, 1.0, True),
        (0, 0.0, True),
        (1e-07, 1e-07, True),
        (10**400, 1.0, False),
        (1e300, 0.5, False),
        (float("nan"), 0.5, False),
        (float("inf"), 0.5, False),
        (True, 1.0, False),
        (None, 0.0, False),
        ("1", 1.0, False),
    ],
)
def test_figure_is_the_exact_one_within_its_digits(
    stated: object, exact: float, agrees: bool
) -> None:
    assert within_digits(stated, exact) is agrees


@pytest.mark.parametrize(
    "value", [None, True, 0.5, 7, 10**5000, -(10**400), "x" * 500, "\ud83d"], ids=repr_of
)
def test_value_is_shown_in_short(value: object) -> None:
    assert 0 < len(shown(value)) <= 60


def test_rules_are_selected_by_id_and_by_format() -> None:
    cbl = {rule.id for rule in rules.RULES if rule.format == "cbl"}
    assert rules.selected() == rules.ALL
    assert rules.selected(["cbl"]) == cbl
    assert rules.selected(["cbl", "sandtable/cost"], ["cbl/totals"]) == (
        cbl - {"cbl/totals"} | {"sandtable/cost"}
    )
    assert rules.selected(ignore=["cbl"]) == rules.ALL - cbl


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("cbl/total", "Did you mean cbl/totals?"),
        ("sandtabel", "Did you mean sandtable?"),
        ("zzz", "`evalglot rules` lists them."),
    ],
)
def test_unknown_rule_is_refused_with_the_nearest(asked: str, hint: str) -> None:
    for select, ignore in (([asked], []), ([], [asked])):
        with pytest.raises(UnknownRule) as caught:
            rules.selected(select, ignore)
        assert caught.value.hint == hint


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(evalglot, arguments)
    return done.exit_code, done.stdout, done.stderr


def test_catalogue_is_told_in_80_columns() -> None:
    code, told, _ = run("rules")
    lines = told.splitlines()
    assert code == 0
    assert all(len(line) <= 80 for line in lines)
    assert [line.split()[0] for line in lines if line[0] != " "] == [one.id for one in rules.RULES]


def test_catalogue_keeps_to_its_schema() -> None:
    _, told, _ = run("rules", "cbl", "--format", "json")
    schema = gate.load((versions_root() / "evalglot-rules/1/schema.json").read_bytes())
    assert judge(schema)(gate.load(told.encode()))
    listed = [one["id"] for one in json.loads(told)["rules"]]
    assert listed == [one.id for one in rules.RULES if one.format == "cbl"]


def test_unknown_rule_is_wrong_usage() -> None:
    for arguments in (["rules", "zzz"], ["validate", "--select", "zzz", "x.json"]):
        code, _, said = run(*arguments)
        assert (code, "there is no rule 'zzz'" in said) == (2, True)


MISCOUNTED = str(FOLDER / "cbl/totals/fail-passed.json")
UNLISTED = str(FOLDER / "cbl/unlisted/warn-passing-cases.json")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([MISCOUNTED], 1),
        (["--ignore", "cbl/totals", MISCOUNTED], 0),
        (["--ignore", "cbl", MISCOUNTED], 0),
        (["--select", "cbl/threshold", MISCOUNTED], 0),
        (["--select", "cbl/totals", MISCOUNTED], 1),
        (["--select", "cbl", "--ignore", "cbl/totals", MISCOUNTED], 0),
        ([UNLISTED], 0),
        (["--strict", UNLISTED], 1),
        (["--strict", "--ignore", "cbl/unlisted", UNLISTED], 0),
    ],
)
def test_exit_code_is_that_of_the_rules_asked_for(arguments: list[str], code: int) -> None:
    assert run("validate", *arguments)[0] == code


def test_file_that_breaks_its_schema_is_not_recounted(tmp_path: Path) -> None:
    document = json.loads(Path(MISCOUNTED).read_bytes())
    document["results"][-1]["passed"] = "no"
    (tmp_path / "run.json").write_text(json.dumps(document), encoding="utf-8")
    (one,) = check([str(tmp_path / "run.json")], Asked()).files
    assert {finding.rule for finding in one.findings} == {"schema/type"}


def test_share_of_passed_trials_is_no_error_where_trials_are_missing(tmp_path: Path) -> None:
    document = json.loads((FOLDER / "sandtable/pass-hat/fail.json").read_bytes())
    del document["tasks"][1]["trials"][1]
    document["tasks"][1]["passes"] = 1
    (tmp_path / "run.json").write_text(json.dumps(document), encoding="utf-8")
    (one,) = check([str(tmp_path / "run.json")], Asked()).files
    found = {finding.rule: finding for finding in one.findings}
    assert found.keys() == {"sandtable/grid", "sandtable/pass-hat"}
    assert found["sandtable/pass-hat"].severity == "warning"
    assert found["sandtable/pass-hat"].note.startswith("Not every task has k trials")


def test_page_of_the_rules_has_each() -> None:
    page = rules_page().decode()
    assert all(f"| `{one.id}` |" in page and one.sentence in page for one in rules.RULES)
