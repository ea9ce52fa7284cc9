"""`registry infer`: the draft accepts its samples, keeps the rules, and says what was seen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import gate, linting, unknowns
from registry.catalog import catalog
from registry.drafting import Layout, draft
from registry.engine import judge, part
from registry.shelves import versions_root
from registry.unknowns import Sample
from tests.registry import awkward, samples
from tests.registry.commands.conftest import Run, read

LAYOUTS = (
    Layout(id="urn:evalglot:draft:1", title="Draft"),
    Layout(id="urn:evalglot:draft:1", title="Draft", places=("", "/a", "/0", "/a~1b~0c")),
    Layout(id="urn:evalglot:draft:1", title="Draft", places=("/a/a",), run_slot="/a/x-evalglot"),
)


def write(folder: Path, name: str, document: Any) -> Path:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


@given(st.lists(awkward.with_nonfinite(), min_size=1, max_size=4), st.sampled_from(LAYOUTS))
def test_draft_accepts_its_samples_and_keeps_the_rules(documents: Any, layout: Layout) -> None:
    schema = draft(documents, layout)
    assert linting.faults(schema) == []
    keeps = judge(schema)
    assert all(map(keeps, documents))
    assert judge(schema)(documents[0])


@pytest.mark.parametrize("depth", [5, 15, 16, 17, 40, 99])
def test_deep_samples_have_a_draft_too(depth: int) -> None:
    document: Any = 1
    for level in range(depth):
        document = {"a": document, "b": [document]} if level < 6 else {"a": document}
    schema = draft([document, {"a": [1]}], LAYOUTS[0])
    assert linting.faults(schema) == []
    assert judge(schema)(document)


@pytest.mark.parametrize("ref", samples.REFS)
def test_draft_of_fixtures_accepts_them_all(run: Run, ref: str, tmp_path: Path) -> None:
    files = sorted(samples.folder(ref, "valid").glob("*.*"))
    out = tmp_path / "draft.json"
    done = run("infer", "--from", ref, *files, "-o", out, wide=True)
    assert done.exit_code == 0, done.output
    assert run("lint", out, wide=True).exit_code == 0
    schema = read(out)
    keeps = judge(schema)
    for file in files:
        lines = samples.is_lines(file)
        document = samples.document(file)
        assert keeps(document), file
        if lines:
            record = judge(part(schema, f"/definitions/{catalog().version(ref).shelf.record}"))
            assert all(map(record, document))


def test_each_field_says_how_often_it_was_there_and_null(run: Run, tmp_path: Path) -> None:
    one = {"cases": [{"id": 1, "note": None}, {"id": 2, "note": "x", "cost": 0.5}], "k": 1}
    two = {"cases": [], "k": 2}
    files = [write(tmp_path, f"{n}.json", doc) for n, doc in enumerate((one, two))]
    out = tmp_path / "draft.json"
    done = run("infer", "--records", "/cases", *files, "-o", out)
    assert done.exit_code == 0
    schema = read(out)
    case = schema["definitions"]["record"]
    assert schema["description"] == (
        "Drafted from 2 documents with 2 records; not looked over yet."
    )
    assert schema["required"] == ["cases", "k"]
    assert schema["properties"]["cases"]["items"] == {"$ref": "#/definitions/record"}
    assert case["required"] == ["id", "note"]
    assert {name: one.get("description") for name, one in case["properties"].items()} == {
        "id": "Seen always (2 of 2), never null.",
        "note": "Seen always (2 of 2), once null.",
        "cost": "Seen sometimes (1 of 2), never null.",
        "x-evalglot": None,
    }
    assert case["additionalProperties"] is True


def drifted(folder: Path) -> Path:
    run = json.loads((samples.FIXTURES / "cbl/4/valid/typical.json").read_bytes())
    run["results"][0]["latency_s"] = 1.5
    run["results"][1]["latency_s"] = None
    run["results"][2]["passed"] = "no"
    return write(folder, "run.json", run | {"suite\x1b[1m": {}})


def test_drift_is_what_the_newest_version_does_not_know(run: Run, tmp_path: Path) -> None:
    done = run("infer", drifted(tmp_path), "-o", tmp_path / "draft.json")
    assert (done.exit_code, done.stdout) == (
        0,
        """\
cbl@4 does not know 2 fields of 1 file:
  /results/*/latency_s: null or number, 2 times
  /suite\\u001b[1m: object, once
cbl@4 refuses, in 1 file:
  /results/*/passed: found 'no', expected boolean, once
""",
    )


def test_each_field_that_is_missing_is_told(run: Run, tmp_path: Path) -> None:
    document = read(samples.folder("cbl@4", "valid") / "typical.json")
    for name in ("total_passed", "total_failed"):
        del document[name]
    done = run("infer", "--from", "cbl@4", write(tmp_path, "a.json", document), wide=True)
    for name in ("total_passed", "total_failed"):
        assert f"found no '{name}', expected this required field, once" in done.stderr


def test_schema_goes_to_standard_output_and_drift_beside(run: Run, tmp_path: Path) -> None:
    done = run("infer", drifted(tmp_path), wide=True)
    assert json.loads(done.stdout)["$id"] == "urn:evalglot:cbl:5"
    assert done.stderr.startswith("cbl@4 does not know 2 fields")


def test_drift_report_keeps_to_its_schema(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "drift.json"
    arguments = ("--format", "json", "--report", report, "-o", tmp_path / "draft.json")
    done = run("infer", drifted(tmp_path), *arguments)
    assert (done.exit_code, done.output) == (0, "")
    shelf = versions_root() / "evalglot-drift-report/1/schema.json"
    told = gate.load(report.read_bytes())
    assert judge(gate.load(shelf.read_bytes()))(told)
    assert [one["pointer"] for one in told["unknown"]] == [
        "/results/*/latency_s",
        "/suite\x1b[1m",
    ]
    assert told["refused"][0]["expected"] == "boolean"


def test_nothing_unknown_is_said_so(run: Run, tmp_path: Path) -> None:
    file = samples.FIXTURES / "sandtable/1.1/valid/everything.json"
    done = run("infer", file, "-o", tmp_path / "draft.json")
    assert done.stdout == "sandtable@1.1 knows all that is in 1 file\n"


def test_file_whose_telling_fields_were_renamed_counts_as_one_of_its_format(
    run: Run, tmp_path: Path
) -> None:
    document = json.loads((samples.FIXTURES / "cbl/4/valid/typical.json").read_bytes())
    document["passed_total"] = document.pop("total_passed")
    done = run("infer", write(tmp_path, "run.json", document), "-o", tmp_path / "draft.json")
    assert "/passed_total: integer, once" in done.stdout
    assert "total_passed" in done.stdout.partition("refuses")[2]


def test_files_of_no_known_format_have_a_draft_only(run: Run, tmp_path: Path) -> None:
    done = run("infer", write(tmp_path, "x.json", {"a": 1}), "-o", tmp_path / "draft.json")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "of no known format" in done.stderr


def test_json_lines_are_records(run: Run, tmp_path: Path) -> None:
    rows = write(tmp_path, "rows.jsonl", '{"a": 1}\n{"a": null, "b": 2}\n')
    done = run("infer", "--records", "", rows, wide=True)
    record = json.loads(done.stdout)["definitions"]["record"]
    assert record["properties"]["a"]["type"] == ["integer", "null"]
    assert record["required"] == ["a"]


def test_long_drift_is_cut(tmp_path: Path) -> None:
    document = json.loads((samples.FIXTURES / "cbl/4/valid/smallest.json").read_bytes())
    document |= {f"field-{number}": number for number in range(100)}
    told = unknowns.as_text(unknowns.against("cbl@4", [Sample("x.json", document)])).decode()
    assert "  +60 more, --format json lists all\n" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing argument"),
        (("missing.json",), "missing.json: can't be read"),
        (("--from", "clb", "x.json"), "Did you mean cbl?"),
        (("--from", "cbl@9", "x.json"), "newer than the newest"),
        (("--records", "cases", "x.json"), "--records cases; expected a JSON Pointer"),
        (("broken.json",), "broken.json:1:2"),
        (("latin.json",), "not UTF-8"),
        (("empty",), "no .json, .jsonl, .ndjson or .eval file"),
        (("x.json", "-o", "no/such/folder.json"), "can't be written"),
        (("cbl.json", "promptbeat.json"), "samples of several formats"),
    ],
)
def test_wrong_usage_is_told_in_one_message(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    write(tmp_path, "x.json", {"a": 1})
    write(tmp_path, "broken.json", "{")
    (tmp_path / "latin.json").write_bytes(b'{"\xe9": 1}')
    (tmp_path / "empty").mkdir()
    for id_, version in (("cbl", "4"), ("promptbeat", "1")):
        file = samples.FIXTURES / id_ / version / "valid/typical.json"
        (tmp_path / f"{id_}.json").write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    done = run("infer", *arguments, wide=True)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_missing_extra_is_told_with_the_line_that_installs_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "genson", None)
    done = run("infer", write(tmp_path, "x.json", {"a": 1}))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "pip install 'evalglot[infer]'" in done.stderr


def test_genson_is_imported_for_infer_only() -> None:
    code = (
        "import sys, registry.cli, registry.commands.infer, registry.drafting\n"
        "print('genson' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert printed.stdout.decode().strip() == "False"
