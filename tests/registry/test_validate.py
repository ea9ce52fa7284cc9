"""The `validate` command: which files it looks at, what it says of them, and how it ends."""

from __future__ import annotations

import errno
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from registry import checking, findings, rules, sheet
from registry.catalog import parse_ref
from registry.checking import Asked, check
from registry.commands.validate import validate
from registry.files import is_turned
from registry.reports import KINDS
from registry.shelves import versions_root
from tests.registry import samples

ROOT = Path(__file__).parents[2]
CBL = (samples.FIXTURES / "cbl/4/valid/typical.json").read_bytes()
ROW = {
    "test_result_id": 1,
    "iteration": 0,
    "user_input": "hi",
    "conversation_id": 4,
    "model_response": "yo",
    "safe_response_score": 0.3,
    "passed": True,
}
ROWS = (samples.FIXTURES / "promptfoo/3/valid/typical-rows.jsonl").read_bytes()
ITEM = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "Status": "PASS", "Passed": True}


def cbl(rows, **changed):
    run = {"evaluation_id": 7, "total_passed": len(rows), "total_failed": 0, "results": rows}
    return json.dumps(run | changed).encode()


BAD = cbl([ROW | {"passed": "no"}])


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A function that validates in a folder with these files."""
    monkeypatch.chdir(tmp_path)

    def validated(*arguments, files=(), stdin=None):
        for name, content in dict(files).items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        return CliRunner().invoke(validate, arguments, input=stdin)

    return validated


def told(done):
    """Which file, and which rule, does each line speak of?"""
    lines = done.stdout.splitlines()
    return sorted((line.split(":")[0], line.rpartition("[")[2][:-1]) for line in lines)


def report(done):
    return json.loads(done.stdout)


@pytest.mark.parametrize("path", samples.files("valid"), ids=samples.name)
def test_valid_fixture_has_no_error_but_what_is_inconsistent_is_told(path):
    (one,) = check([str(path)], Asked()).files
    odd = path.stem.startswith("inconsistent")
    errors = [found.rule for found in one.findings if found.severity == "error"]
    assert one.format == samples.ref_of(path)
    assert set(errors) <= (rules.ALL if odd else set())
    assert bool(one.findings) or not odd


@pytest.mark.parametrize("path", samples.files("invalid"), ids=samples.name)
def test_invalid_fixture_is_told_with_its_place(path):
    expected = json.loads(path.with_name(f"{path.stem}.expect.json").read_bytes())
    (one,) = check([str(path)], Asked(version=parse_ref(samples.ref_of(path)))).files
    places = {(found.pointer, found.rule) for found in one.findings}
    assert one.outcome == "invalid"
    assert (expected["pointer"], f"schema/{expected['keyword']}") in places
    in_lines = not is_turned(samples.data(path))
    assert all(bool(found.line and found.column) == in_lines for found in one.findings)


def test_folder_is_searched_but_not_hidden_ones(run):
    names = ["r/a.json", "r/b/c.jsonl", "r/b/d.ndjson", "r/e.txt", "r/.git/f.json"]
    names += ["r/node_modules/g.json", "r/a.json.carry.json"]
    done = run("r", "--format", "json", files=dict.fromkeys(names, b"{}"))
    found = [Path(one["file"]).as_posix() for one in report(done)["files"]]
    assert found == ["r/a.json", "r/b/c.jsonl", "r/b/d.ndjson"]


def test_pipe_in_a_folder_is_not_waited_for(run, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    outcome = run(str(tmp_path), "--ignore-unknown")
    assert outcome.exit_code == 0


@pytest.mark.parametrize("pattern", ["*.json", "**/*.json"])
def test_pipe_that_fits_a_pattern_is_not_waited_for(run, tmp_path, pattern):
    os.mkfifo(tmp_path / "pipe.json")
    assert run(pattern, "--ignore-unknown").exit_code == 0


def test_file_that_is_found_through_a_folder_in_itself_is_checked_once(run, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    done = run("**/*.json", "--format", "json", files={"a.json": CBL})
    assert [one["file"] for one in report(done)["files"]] == ["a.json"]


def test_both_of_two_named_links_to_one_file_are_checked(run, tmp_path):
    (tmp_path / "b.json").symlink_to("a.json")
    done = run("a.json", "b.json", "--format", "json", files={"a.json": CBL})
    assert [one["file"] for one in report(done)["files"]] == ["a.json", "b.json"]


def test_suffix_may_be_in_capitals(run):
    files = {"r/A.JSON": CBL, "r/B.JSONL": json.dumps(ITEM).encode()}
    done = run("r", "--format", "json", files=files)
    assert [one["outcome"] for one in report(done)["files"]] == ["valid", "valid"]


@pytest.mark.parametrize("path", ["r", "r/closed", "r/**/*.json", "r/*/*.json"])
def test_folder_that_may_not_be_looked_into_is_told(run, monkeypatch, path):
    run("r", files={"r/a.json": CBL, "r/closed/b.json": CBL})
    _close(monkeypatch, "closed")
    done = run(path)
    assert done.exit_code == 2
    assert "r/closed: error: can't be read (" in done.stdout.replace(os.sep, "/")


def _close(monkeypatch, name):
    """Nobody may list the folders of this name, whoever runs the tests."""
    scandir, access = os.scandir, os.access

    def closed(folder):
        return isinstance(folder, str) and Path(folder).name == name

    def refusing(folder="."):
        if closed(folder):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    monkeypatch.setattr(os, "access", lambda one, mode: not closed(one) and access(one, mode))


def test_pattern_waits_for_no_pipe_and_follows_no_loop(run, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "a.json").write_bytes(CBL)
    done = run(f"{tmp_path}/**/*.json", "--format", "json")
    assert [Path(one["file"]).name for one in report(done)["files"]] == ["a.json"]


def test_suffixes_may_be_upper_case(run):
    done = run(".", "--format", "json", files={"A.JSON": CBL})
    assert [Path(one["file"]).name for one in report(done)["files"]] == ["A.JSON"]


@pytest.mark.parametrize(
    "paths", [("r/a.json", "r/a.json"), ("r", "r/a.json"), ("r/*", "r/a.json"), ("r/./a.json", "r")]
)
def test_path_all_of_whose_files_were_found_before_is_no_fault(run, paths):
    done = run(*paths, "--format", "json", files={"r/a.json": CBL})
    assert done.exit_code == 0
    assert len(report(done)["files"]) == 1


def test_pattern_is_expanded_where_the_shell_did_not(run):
    done = run("*/x*.json", "**/y.json", files=dict.fromkeys(["a/x1.json", "a/b/y.json"], BAD))
    assert told(done) == [
        (str(Path("a/b/y.json")), "schema/type"),
        (str(Path("a/x1.json")), "schema/type"),
    ]


def test_file_whose_name_looks_like_a_pattern_is_that_file(run):
    assert told(run("a[1].json", files={"a[1].json": BAD, "a1.json": CBL})) == [
        ("a[1].json", "schema/type")
    ]


def test_file_that_is_named_twice_is_checked_once(run):
    done = run("a.json", ".", "*.json", "--format", "json", files={"a.json": BAD, "b.json": CBL})
    assert [Path(one["file"]).name for one in report(done)["files"]].count("b.json") == 1


@pytest.mark.parametrize(
    "paths",
    [
        ("r/a.json", "r/a.json"),
        ("r", "r/a.json"),
        ("r/a.json", "r"),
        ("r/a.json", "./r//a.json"),
        ("r", "r/*.json"),
        ("-", "r/a.json", "-"),
    ],
)
def test_path_whose_files_were_all_found_before_is_nothing_to_complain_of(run, paths):
    done = run(*paths, "--format", "json", files={"r/a.json": CBL}, stdin=CBL)
    assert done.exit_code == 0
    files = [one["file"] for one in report(done)["files"]]
    assert sorted(files) == sorted({"-", "r/a.json"} & {*paths, "r/a.json"})


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_standard_input_is_read(run, arguments):
    done = run(*arguments, stdin=BAD)
    assert done.exit_code == 1
    assert done.stdout.startswith("-:1:")


def test_standard_input_may_be_json_lines(run):
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in (ITEM, ITEM | {"Passed": 3}))
    done = run("-", stdin=lines)
    assert done.stdout.startswith("-:2:")


def test_named_pipe_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"cat > '{pipe}'"], stdin=subprocess.PIPE) as writer:
        writer.stdin.write(BAD)
        writer.stdin.close()
        (one,) = check([str(pipe)], Asked()).files
    assert one.outcome == "invalid"


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (CBL[:-30], "json"),
        (b"", "json"),
        (b"\xff\xfe\x00", "json"),
        (gzip.compress(CBL), "json"),
        (CBL.replace(b"{", b'{"total_passed": 1,', 1), "json"),
        (cbl([ROW | {"safe_response_score": float("nan")}]), "json"),
        (CBL.replace(b"0.9", b"1e400", 1), "json"),
        ("{'é': 1}".encode("latin-1"), "json"),
        (b"[" * 100_000, "json"),
        (b'{"name": "x"}', "format"),
        (json.dumps({"version": 99, "runId": "r", "tasks": [], "k": 1}).encode(), "format"),
        (BAD, "schema/type"),
    ],
)
def test_file_that_can_be_read_is_at_worst_a_finding(run, content, rule):
    done = run("a.json", "b.json", files={"a.json": content, "b.json": CBL})
    assert (done.exit_code, told(done)) == (1, [("a.json", rule)])


@pytest.mark.parametrize(
    "arguments",
    [
        ("missing.json",),
        ("no/*.json",),
        ("empty",),
        ("--from", "none", "a.json"),
        ("--from", "cbl@99", "a.json"),
        ("--format", "yaml", "a.json"),
        ("--output", "json", "a.json"),
        ("--output", "yaml=x", "a.json"),
        ("-o", "no/such/folder", "a.json"),
    ],
)
def test_wrong_usage_and_unreadable_files_are_2_even_beside_findings(run, arguments, tmp_path):
    (tmp_path / "empty").mkdir()
    done = run(*arguments, "bad.json", files={"a.json": CBL, "bad.json": BAD})
    assert done.exit_code == 2


def test_folder_without_results_is_fine_when_unknown_files_are(run, tmp_path):
    (tmp_path / "empty").mkdir()
    assert run("empty", "--ignore-unknown").exit_code == 0


def test_a_link_to_nothing_is_called_one(run, tmp_path):
    (tmp_path / "a.json").symlink_to("nowhere.json")
    assert "It is a link to nothing." in run("a.json").stdout


@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "=======", ">>>>>>> theirs"])
def test_what_git_could_not_merge_is_called_so(run, mark):
    done = run("a.json", files={"a.json": CBL.replace(b"{", b"{\n" + mark.encode() + b"\n", 1)})
    assert done.exit_code == 1
    assert "Git could not merge the file" in done.stdout


def test_format_that_is_given_is_not_found_out(run):
    done = run("a.json", "--from", "promptbeat", files={"a.json": CBL})
    assert done.exit_code == 1
    assert "schema/required" in done.stdout
    assert run("a.json", "--from", "cbl@4").exit_code == 0


def test_lines_of_a_format_that_has_none_are_a_finding(run):
    done = run("a.jsonl", "--from", "cbl", files={"a.jsonl": b'{"a": 1}\n{"a": 2}\n'})
    assert told(done) == [("a.jsonl", "format")]


@pytest.mark.parametrize(("choice", "code"), [("reject", 1), ("keep", 0), ("null", 1)])
def test_numbers_that_are_not_finite_are_treated_as_asked(run, choice, code):
    rows = cbl([ROW | {"safe_response_score": float("nan")}])
    assert run("a.json", "--nonfinite", choice, files={"a.json": rows}).exit_code == code


def test_unknown_field_is_a_warning_and_an_error_when_strict(run):
    rows = [ROW | {"test_result_id": number, "later": 1} for number in range(2)]
    files = {"a.json": cbl(rows, top=1)}
    for options, severity, code in (((), "warning", 0), (("--strict",), "error", 1)):
        done = run("a.json", *options, "--format", "json", files=files)
        found = report(done)["files"][0]["findings"]
        assert done.exit_code == code
        assert [(one["pointer"], one["severity"], one["count"]) for one in found] == [
            ("/results/0/later", severity, 2),
            ("/top", severity, 1),
        ]


def test_invalid_and_drifted_are_both_told(run):
    done = run("a.json", files={"a.json": cbl([ROW | {"later": 1}, ROW | {"passed": 0}])})
    assert told(done) == [("a.json", "schema/type"), ("a.json", "unknown-field")]


def test_errors_come_before_warnings_and_in_the_order_of_the_file(run):
    rows = cbl([ROW | {"later": 1}, ROW | {"passed": 0}], total_passed="x")
    done = run("a.json", "--format", "json", files={"a.json": rows})
    pointers = [one["pointer"] for one in report(done)["files"][0]["findings"]]
    assert pointers == ["/total_passed", "/results/1/passed", "/results/0/later"]


def test_kinds_are_bounded_and_the_rest_is_counted(run, monkeypatch):
    monkeypatch.setattr(findings, "MOST_KINDS", 5)
    fields = {f"f{number}": 1 for number in range(12)}
    rows = [ROW | fields | {"test_result_id": number} for number in range(3)]
    done = run("a.json", files={"a.json": cbl(rows)})
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert lines[-1] == "a.json: … and 21 findings of still other kinds"


def test_error_is_told_however_many_warnings_come_before_it(run, monkeypatch):
    monkeypatch.setattr(findings, "MOST_KINDS", 2)
    fields = {f"f{number}": 1 for number in range(9)}
    done = run("a.json", files={"a.json": cbl([ROW | fields, ROW | {"passed": 0}])})
    assert done.exit_code == 1
    assert "/results/1/passed" in done.stdout


def test_explanations_are_bounded_and_the_rest_is_counted(run, monkeypatch):
    monkeypatch.setattr(sheet, "MOST_EXPLAINED", 2)
    done = run("a.json", files={"a.json": cbl([ROW | {"passed": 0}] * 10)})
    first, second = done.stdout.splitlines()
    assert "found 0, expected boolean (… and 1 more like it)" in first
    assert "/results/2: " in second
    assert "(… and 7 more like it)" in second


def test_places_of_broken_lines_are_bounded_and_all_are_counted(run, monkeypatch):
    monkeypatch.setattr(sheet, "MOST_BROKEN", 2)
    broken = b'{"a": 1, "a": 2}\n'
    lines = json.dumps(ITEM).encode() + b"\n" + broken * 9
    done = run("a.jsonl", "--format", "json", files={"a.jsonl": lines})
    found = report(done)["files"][0]["findings"]
    assert sum(one["count"] for one in found) == 9
    assert found[0]["line"] == 2


def test_long_keys_are_cut(run):
    done = run("a.json", files={"a.json": cbl([ROW | {"k" * 100_000: 1}])})
    assert len(done.stdout) < 500


def test_whole_values_are_never_told(run):
    secret = "x" * 59 + "SECRET" * 100
    done = run("a.json", "--format", "json", files={"a.json": cbl([ROW | {"passed": secret}])})
    assert "SECRET" not in done.stdout


def test_reports_are_written_side_by_side(run, tmp_path):
    outputs = [f"--output={kind}={kind}.out" for kind in KINDS]
    done = run("a.json", "-o", "main.txt", *outputs, files={"a.json": BAD})
    assert (done.exit_code, done.stdout) == (1, "")
    assert (tmp_path / "main.txt").read_bytes() == (tmp_path / "text.out").read_bytes()
    assert all((tmp_path / f"{kind}.out").stat().st_size for kind in KINDS)


def test_summary_is_on_standard_error_and_can_be_left_out(run):
    files = {"a.json": BAD, "b.json": CBL, "c.json": b"{}"}
    done = run("a.json", "b.json", "c.json", "--ignore-unknown", files=files)
    assert done.stderr == "3 files (1 invalid, 1 skipped, 1 valid): 1 error\n"
    assert run("b.json", "-q").stderr == ""


@pytest.mark.parametrize(
    ("name", "content", "outcome"),
    [
        ("package.json", b'{"name": "x", "version": "1.0.0"}', "skipped"),
        ("tsconfig.json", b'{"a": 1, // settings\n}', "skipped"),
        ("notes.md", b"# results", "skipped"),
        ("api.json", b'{"results": [{"status": "ok", "name": "x"}]}', "skipped"),
        ("event.json", b'{"type": "charge", "data": {"object": {}}, "id": 1}', "skipped"),
        ("metrics.json", b'{"loss": NaN}', "skipped"),
        ("comma.json", b'{"a": 1,}', "skipped"),
        ("notes", b"{ an unquoted: text", "skipped"),
        ("none.jsonl", b"", "skipped"),
        ("cut.json", CBL[:40], "invalid"),
        ("cut", CBL[:700], "invalid"),
        ("noted.json", b"// note\n" + CBL, "invalid"),
        ("noted-within.json", CBL.replace(b"\n", b"\n# note\n", 1), "invalid"),
        ("comma-in-result.json", CBL.replace(b"\n}", b",\n}"), "invalid"),
        ("merged.json", b"<<<<<<< HEAD\n" + CBL, "invalid"),
        ("renamed.json", CBL.replace(b"evaluation_id", b"run_id"), "invalid"),
        ("events.jsonl", b'{"event": "a"}\n{"event": "b", "status": "ok"}\n', "skipped"),
        ("schema.json", (versions_root() / "cbl/4/schema.json").read_bytes(), "skipped"),
        ("wrapped.json", b'{"data": ' + CBL + b"}", "invalid"),
        ("listed.json", b"[" + CBL + b"]", "invalid"),
        ("odd-first.jsonl", b'{"meta": 1}\n' + ROWS, "invalid"),
        ("odd-first.json", b'[{"meta": 1}, ' + json.dumps(ITEM).encode() + b"]", "invalid"),
        ("late.jsonl", b'{"meta": 1}\n' * 99 + ROWS, "invalid"),
        ("rows.jsonl", ROWS.replace(b'"success"', b'"ok"'), "invalid"),
        ("rows-of-others.jsonl", ROWS.replace(b'"testIdx"', b'"test"'), "invalid"),
        ("bad.json", BAD, "invalid"),
        ("newer.json", b'{"version": 99, "runId": "r", "tasks": [], "k": 1}', "invalid"),
        ("missing.json", None, "unreadable"),
    ],
)
def test_only_what_is_no_result_file_is_ignored(run, name, content, outcome):
    files = {} if content is None else {name: content}
    done = run(name, "--ignore-unknown", "--format", "json", files=files)
    assert report(done)["files"][0]["outcome"] == outcome


def test_cut_result_on_standard_input_is_not_ignored(run):
    assert run("-", "--ignore-unknown", stdin=CBL[:700]).exit_code == 1


def test_a_union_is_explained_by_the_branch_that_was_meant(run):
    turns = [{"role": "user", "content": "hi"}, {"role": "user", "content": 3}]
    ours = {"test_result_id": 1, "conversation_id": 4, "passed": True}
    multi = ours | {"min_safe_response_score": 0.3, "conversation": turns}
    done = run("a.json", files={"a.json": cbl([multi])})
    (line,) = done.stdout.splitlines()
    assert "/results/0/conversation/1/content: found 3, expected string" in line


MIXED = {
    "a/bad.json": BAD,
    "a/cut.json": CBL[:40],
    "a/good.json": CBL,
    "a/other.json": b'{"name": "x"}',
    "b/rows.jsonl": b"\n".join([json.dumps(ITEM).encode()] * 3),
    "b/utf16.json": CBL.decode().encode("utf-16"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_processes_says_the_same_in_the_same_order(run, kind, monkeypatch):
    monkeypatch.setattr(checking, "MANY", 2)
    paths = ("b", "a", "missing.json", "no-such-folder/x.json", "--format", kind)
    one, *others = (run(*paths, "--jobs", jobs, files=MIXED) for jobs in ("1", "2", "3", "99"))
    assert one.exit_code == 2
    assert one.stderr.startswith("8 files (")
    for other in others:
        assert (other.exit_code, other.output) == (one.exit_code, one.output)


def test_few_files_are_checked_by_one_process(monkeypatch, tmp_path):
    used = []
    monkeypatch.setattr(checking.helping, "each", lambda works, jobs: used.append(jobs) or [])
    for number in range(checking.MANY):
        check([str(tmp_path)], Asked(jobs=4))
        assert used == []
        (tmp_path / f"{number}.json").write_bytes(b"{}")
    check([str(tmp_path)], Asked(jobs=4))
    assert used == [4]


def imported(*arguments):
    """Which heavy modules does validating import?"""
    code = (
        "import sys\nfrom evalglot.cli import main\n"
        f"sys.argv = ['evalglot', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = ('jsonschema', 'referencing', 'deepdiff', 'rich', 'scipy', 'converter', 'xml')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    return done.stdout.splitlines()[-1]


def test_hook_imports_neither_a_converter_nor_what_only_explains():
    valid = sorted(str(path) for path in samples.files("valid") if path.suffix != ".xml")
    assert imported("validate", "--ignore-unknown", *valid, "pyproject.toml") == "[]"


def test_explaining_imports_jsonschema_and_nothing_else(tmp_path):
    (tmp_path / "a.json").write_bytes(BAD)
    loaded = imported("validate", str(tmp_path / "a.json"))
    assert loaded == "['jsonschema', 'referencing']"
