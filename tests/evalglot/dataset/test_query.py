"""What `evalglot query` answers, and what hostile text in files can do to it: nothing."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from evalglot.dataset import collecting
from evalglot.dataset.commands.query import query
from evalglot.dataset.tables import PARTED, PARTITION, TABLES
from tests.evalglot.dataset.held import FIXTURES, run_of, write_runs
from tests.hostile import ACTIVE, TEXTS


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("dataset") / ".hidden [1]*"
    collecting.collect(FIXTURES, str(folder))
    return str(folder)


def asked(*arguments: str | Path) -> Result:
    return CliRunner().invoke(query, [str(one) for one in arguments])


def answers(dataset: str, sql: str) -> list[dict[str, object]]:
    done = asked(dataset, "--format", "json", sql)
    assert done.exit_code in (0, 4), done.output
    return list(json.loads(done.output))


def test_every_column_of_every_table_can_be_asked_for(dataset: str) -> None:
    for table, columns in TABLES.items():
        names = [column.name for column in (*columns, *(PARTITION if table in PARTED else ()))]
        listed = ", ".join(f'"{name}"' for name in names)
        answers(dataset, f"SELECT {listed} FROM {table}s LIMIT 1")
        assert asked(dataset, f'SELECT count(*) FROM "{table}"').exit_code == 0


def test_columns_of_our_own_need_no_quotes(dataset: str) -> None:
    for table, columns in TABLES.items():
        names = [column.name for column in columns if not column.fact]
        assert asked(dataset, f"SELECT {', '.join(names)} FROM {table}s").exit_code in (0, 4)


def test_an_answer_has_four_shapes(dataset: str, tmp_path: Path) -> None:
    sql = "SELECT tool, count(*) AS n, sum(tokens) AS t FROM trials GROUP BY tool ORDER BY tool"
    told = answers(dataset, sql)
    assert [row["tool"] for row in told] == sorted(str(row["tool"]) for row in told)
    table = asked(dataset, sql).output.splitlines()
    assert table[0].split() == ["tool", "n", "t"]
    assert len(table) == len(told) + 1
    read = list(csv.DictReader(io.StringIO(asked(dataset, "--format", "csv", sql).output)))
    assert [int(row["n"]) for row in read] == [row["n"] for row in told]
    out = tmp_path / "x.parquet"
    assert asked(dataset, "--format", "parquet", "-o", out, sql).exit_code == 0
    assert pq.ParquetFile(out).read().column("n").to_pylist() == [row["n"] for row in told]


def test_a_long_table_says_how_much_more_there_is(dataset: str) -> None:
    told = asked(dataset, "FROM trials SELECT digest").output.splitlines()
    assert len(told) == 42
    assert told[-1].endswith("more, --all")
    assert len(asked(dataset, "--all", "FROM trials SELECT digest").output.splitlines()) > 400


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELEC 1", "syntax error"),
        ("FROM case", "cases and checks are the same tables"),
        ("FROM nowhere", "Tables are files, errors, runs"),
        ("FROM '/etc/passwd'", "does not exist"),
        ("SELECT * FROM read_text('/etc/passwd')", "disabled"),
        ("COPY (SELECT 1) TO '/tmp/evalglot-copied.csv'", "disabled"),
        ("ATTACH '/tmp/evalglot-attached.db'", "disabled"),
        ("INSTALL httpfs", "disabled"),
        ("SET enable_external_access = true", "Cannot"),
    ],
)
def test_what_can_not_be_answered_is_said(dataset: str, sql: str, says: str) -> None:
    refused = asked(dataset, sql)
    assert refused.exit_code == 2
    assert says in refused.stderr
    assert refused.stderr.startswith("evalglot query: ")
    assert refused.stderr.count("\n") == 1


def test_columns_of_one_name_are_told_apart(dataset: str) -> None:
    assert answers(dataset, "SELECT 1 AS a, 2 AS a, 3 AS a_1") == [{"a": 1, "a_2": 2, "a_1": 3}]


def test_no_row_is_no_answer(dataset: str) -> None:
    assert asked(dataset, "FROM errors").exit_code == 4


def test_no_dataset_is_said(tmp_path: Path) -> None:
    assert "evalglot collect" in asked(tmp_path, "SELECT 1").stderr


def test_an_answer_never_lies_in_the_dataset(dataset: str) -> None:
    out = Path(dataset) / "run" / "x.json"
    assert asked(dataset, "--format", "json", "-o", out, "SELECT 1").exit_code == 2
    assert not out.exists()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_text_acts_on_nothing(tmp_path: Path, text: str) -> None:
    """In ids, names, tags and outputs, which become columns."""
    document = run_of(1)
    for case in document["cases"]:
        case["metadata"] |= {"recordId": text, "dataset": text}
        case |= {"content": text, "response": text, "provider": text, "risk_type": text}
    document["eval_id"] = document["started_at"] = text
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/x.json").write_text(json.dumps(document), encoding="utf-8")
    write_runs(tmp_path / "runs", 1)
    folder = str(tmp_path / "d")
    collecting.collect([str(tmp_path / "runs")], folder)
    sql = "SELECT * FROM trials JOIN cases USING (digest, case_number) ORDER BY file_order"
    for kind in ("table", "json"):
        done = asked(folder, "--format", kind, "--all", sql)
        assert done.exit_code == 0
        assert ACTIVE.search(done.output) is None
    spelled = text.encode("utf-8", "backslashreplace").decode()
    assert spelled in {row["output"] for row in answers(folder, "SELECT output FROM trials")}
    sheet = asked(folder, "--format", "csv", "SELECT output FROM trials").output
    cells = [row[0] for row in csv.reader(io.StringIO(sheet, newline=""))]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
