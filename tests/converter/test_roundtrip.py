"""The `roundtrip` command says whether a file comes back from every other format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from converter import chain
from converter.roundtrip import differing, roundtrip
from registry.values import same
from tests.registry import samples

TYPICAL = samples.FIXTURES / "cbl/4/valid/typical.json"


def run(*arguments: str | Path):
    return CliRunner().invoke(roundtrip, [str(one) for one in arguments])


@pytest.mark.parametrize("path", samples.files("valid"), ids=samples.name)
def test_every_valid_fixture_comes_back(path):
    done = run(path)
    assert (done.stdout, done.exit_code) == ("", 0)


def test_file_that_does_not_come_back_is_a_finding(monkeypatch):
    real = chain.convert

    def lossy(stage, format_, version=None, **options):
        done = real(stage, format_, version, **options)
        if format_ == "cbl":
            done.parts.envelope["evaluation_id"] = "lost"
        return done

    monkeypatch.setattr(chain, "convert", lossy)
    done = run(TYPICAL)
    assert done.exit_code == 1
    assert f"{TYPICAL}: does not come back from sandtable as it was at /evaluation_id" in (
        done.stdout.splitlines()
    )


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ('{"name": "x"}', [], 2),
        ('{"name": "x"}', ["--ignore-unknown"], 0),
        ('{"a": 1 // settings\n}', ["--ignore-unknown"], 0),
        ('{"evaluation_id": 1, "resul', ["--ignore-unknown"], 2),
        (json.dumps({"evaluation_id": "x", "total_passed": 1, "total_failed": 0}), [], 1),
    ],
)
def test_file_that_can_not_be_converted_is_refused(text, options, code, tmp_path):
    file = tmp_path / "a.json"
    file.write_text(text)
    done = run(file, *options)
    assert (done.exit_code, bool(done.stderr)) == (code, code > 0)


def test_one_bad_file_does_not_hide_the_next(tmp_path):
    done = run(tmp_path / "missing.json", TYPICAL)
    assert done.exit_code == 2
    assert "missing.json: can't be read" in done.stderr


def test_places_that_differ_are_named_key_order_included():
    assert differing({"a": [1, {}], "b": 2}, {"a": [1.0, {}]}) == ["/a/0", "/b"]
    assert differing({"a": 1, "b": 2}, {"b": 2, "a": 1}) == [""]
    assert differing({"a": 1}, {"a": 1, "b": 2}) == [""]
    assert same(differing({"a": 1}, {"a": 1}), [])
