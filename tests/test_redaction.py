"""No secret is in anything that a command puts out with `--redact`; equal ones stay equal.

All secrets here are made up.
"""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import Any
from xml.sax.saxutils import unescape

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from converter.formats import FORMATS
from diffruns import renderers
from evalglot.cli import evalglot
from registry import gate, reports
from registry.redaction import KEY, MASK, Redactor
from registry.values import at, leaves
from tests.converter import samples

CBL = samples.FIXTURES / "cbl/4/valid/typical.json"
DIGITS = string.ascii_letters + string.digits


def of(alphabet: str, size: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=size, max_size=size)


TOKENS = st.one_of(
    of(DIGITS, 36).map("ghp_{}".format),
    of(string.ascii_uppercase + string.digits, 16).map("AKIA{}".format),
    st.tuples(of(DIGITS, 20), of(DIGITS, 20)).map("sk-proj-{0[0]}T3BlbkFJ{0[1]}".format),
    of(string.digits, 12).flatmap(lambda one: of(DIGITS, 24).map(f"xoxb-{one}-{{}}".format)),
    of(DIGITS, 24).map("sk_live_{}".format),
    st.tuples(of(DIGITS, 30), of(DIGITS + "-_", 43)).map("eyJ{0[0]}.eyJ{0[0]}.{0[1]}".format),
)
"""What is a secret wherever it stands"""
PASSWORDS = of(DIGITS, 10).filter(lambda one: not one.isalpha() and not one.isdigit())
SETTINGS = st.sampled_from(
    ['password = "{}"', "api_key: '{}'", "export SECRET_KEY={}", '{{"client_secret": "{}"}}',
     "postgres://bob:{}@db.example.org/x"]
)  # fmt: skip
"""What makes a secret of what is set"""
WORDS = st.sampled_from(["", "use ", "“", "\n\n", "x" * 2000 + " ", 'a\\b" ', "\ud83d "])
PLANTED = st.tuples(
    WORDS,
    st.one_of(
        TOKENS.map(lambda one: (one, one)),
        st.tuples(SETTINGS, PASSWORDS).map(lambda both: (both[0].format(both[1]), both[1])),
    ),
    WORDS,
)


def texts(document: Any) -> list[str]:
    """Where does the document hold texts that people or models wrote?"""
    return [place for place, value in leaves(document) if type(value) is str and " " in value]


def planted(path: Path, drawn: list[Any], places: list[int]) -> tuple[Any, set[str]]:
    """The fixture with these in some of its texts, and what must not be seen."""
    document = gate.load(gate.dump(samples.document(path)), nonfinite="keep")
    found, secrets = texts(document), set()
    for (before, (text, secret), after), place in zip(drawn, places, strict=True):
        parts = found[place % len(found)].rsplit("/", 1)
        parent, key = at(document, parts[0]), parts[1].replace("~1", "/").replace("~0", "~")
        parent[int(key) if type(parent) is list else key] = f"{before}{text} {after}"
        secrets.add(secret)
    return document, secrets


def run(*arguments: str | Path, given: bytes | None = None, env: dict[str, str] | None = None):
    return CliRunner().invoke(evalglot, [str(one) for one in arguments], input=given, env=env)


def silent(done: Result, secrets: set[str], *files: Path) -> None:
    """Hold that none of these is told, nor a part of one."""
    assert done.exit_code in (0, 1, 3, 4), done.output
    told = [done.stdout_bytes, done.stderr_bytes, *(one.read_bytes() for one in files)]
    for secret in secrets:
        assert not any(secret.encode() in one for one in told), secret
        assert not any(secret[:8].encode() in one for one in told), secret


FIXTURES = [path for path in samples.valid() if path.name == "typical.json"]
"""one of each version that is JSON"""


@pytest.mark.parametrize("path", FIXTURES, ids=samples.ref)
@settings(max_examples=8, deadline=None)
@given(
    drawn=st.lists(PLANTED, min_size=3, max_size=3),
    places=st.lists(st.integers(0, 999), min_size=3, max_size=3),
    target=st.sampled_from(FORMATS),
    kind=st.sampled_from(renderers.KINDS),
    shape=st.sampled_from(reports.KINDS),
)
def test_no_secret_is_in_any_output(
    *,
    path: Path,
    drawn: list[Any],
    places: list[int],
    target: str,
    kind: str,
    shape: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("redacted")
    document, secrets = planted(path, drawn, places)
    if len({*places}) < 3 or len(texts(document)) < 3:
        secrets = {one for one in secrets if one in json.dumps(document)}
    source, out, more = folder / "run.json", folder / "out.json", folder / "more"
    source.write_bytes(gate.dump(document))
    ref = samples.ref(path)
    done = run(
        "convert", "--redact", "--from", ref, "--to", target, "--verify", source, "-o", out,
        "--report", more,
    )  # fmt: skip
    silent(done, secrets, out, more)
    silent(run("convert", "--to", ref, out), secrets)
    diff = ["diff", "--redact", "--from", ref, "--all", source, path, "--format", kind]
    silent(run(*diff), secrets)
    silent(run("report", "--redact", "--from", ref, source, "-o", more), secrets, more)
    silent(run("validate", "--redact", "--from", ref, "--format", shape, source), secrets)


@pytest.mark.parametrize("secret", ["ghp_" + "a1B2" * 9])
def test_errors_tell_no_secret(secret: str, tmp_path: Path) -> None:
    """Of a broken file, an invalid one, one of no format, and one with a damaged carry."""
    document = json.loads(CBL.read_bytes())
    carried = json.loads(run("convert", "--to", "sandtable", CBL).stdout)
    carried["x-evalglot"]["from"] = secret
    broken: dict[str, bytes] = {
        "cut": json.dumps({**document, "a": secret}).encode()[:-3],
        "value": json.dumps({**document, "evaluation_id": secret}).encode(),
        "long": json.dumps({**document, "evaluation_id": "x" * 70 + secret * 9}).encode(),
        "key": json.dumps({**document, secret: 1}).encode()[:-1]
        + b', "'
        + secret.encode()
        + b'":1}',
        "unknown": json.dumps({secret: secret}).encode(),
        "carry": json.dumps(carried).encode(),
    }
    for name, data in broken.items():
        path = tmp_path / f"{name}.json"
        path.write_bytes(data)
        for command in (
            ["convert", "--redact", "--to", "promptbeat", "--from"],
            ["diff", "--redact", CBL, "--from"],
            ["report", "--redact", "--from"],
            ["validate", "--redact", "--from"],
        ):
            ref = "sandtable@1.1" if name == "carry" else "cbl@4"
            done = run(*command, ref, path)
            assert done.exit_code in (1, 2, 3) or name in ("carry", "key"), (name, done.output)
            assert secret[:8] not in done.output, (name, command)


def test_equal_secrets_stay_equal_and_others_differ() -> None:
    one, other = "ghp_" + "a1B2" * 9, "ghp_" + "b2C3" * 9
    masked = json.loads(Redactor().data(json.dumps([one, f"{other}, {one}.", one]).encode()))
    assert masked[0] == masked[2] != masked[1]
    assert MASK.fullmatch(masked[0])
    assert masked[1].endswith(f"{masked[0]}.")
    again = json.loads(Redactor().data(json.dumps([one]).encode()))
    assert again[0] != masked[0], "a key of its own for each run"


def test_a_key_makes_masks_the_same_in_every_run(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(CBL.read_bytes().replace(b"That sounds", b"ghp_" + b"a1B2" * 9))
    command = ["convert", "--redact", "--to", "cbl", path]
    outs = [run(*command, env={KEY: key}).stdout for key in ("k", "k", "other")]
    assert outs[0] == outs[1] != outs[2]


def test_what_is_set_elsewhere_is_masked_everywhere() -> None:
    document = {"api_key": "zz99yy88", "later": "it was zz99yy88, they say", "zz99yy88": 1}
    assert b"zz99yy88" not in Redactor().data(json.dumps(document).encode())


@pytest.mark.parametrize(
    "text", ["password: passed", "the secret is out", "sha256", "case-17", "2026-03-01T09:00:00Z",
             "0b7e9a54-6a1b-4f0e-9c39-0d6a5f1f8f11", "https://example.org/a/b", "sk-learn"]
)  # fmt: skip
def test_what_is_no_secret_stays(text: str) -> None:
    spelled = json.dumps({"text": text, "password": "passed", "secret": True, "tokens": 7}).encode()
    assert Redactor().data(spelled) == spelled


def test_a_private_key_is_masked_whole() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"
    masked = json.loads(Redactor().data(json.dumps([f"look: {key}\nthere"]).encode()))[0]
    assert re.fullmatch(rf"look: {MASK.pattern}\nthere", masked)


def test_a_redacted_file_says_so_wherever_it_goes(tmp_path: Path) -> None:
    path, out, home = (tmp_path / name for name in ("run.json", "out.json", "home.json"))
    path.write_bytes(CBL.read_bytes().replace(b"That sounds", b"ghp_" + b"a1B2" * 9))
    done = run("convert", "--redact", "--to", "sandtable", path, "-o", out)
    assert "1 secret masked, and what comes home is masked, too" in done.stderr
    assert json.loads(out.read_bytes())["x-evalglot"]["redacted"] == 1
    assert "1 secret masked" in run("convert", "--to", "cbl", out, "-o", home).stderr
    assert json.loads(home.read_bytes())["x-evalglot"] == {"redacted": 1}
    for target in FORMATS:
        told = run("convert", "--no-carry", "--to", target, home).stdout
        assert '"redacted":1' in unescape(told, {"&quot;": '"'}), target
    assert run("roundtrip", home).output == ""
    assert run("validate", "--strict", home).exit_code == 0


def test_without_secrets_nothing_is_marked(tmp_path: Path) -> None:
    done = run("convert", "--redact", "--to", "cbl", CBL)
    assert "no secrets found" in done.stderr
    assert json.loads(done.stdout) == json.loads(CBL.read_bytes())


def test_what_a_file_came_from_is_masked_as_well(tmp_path: Path) -> None:
    path, out = tmp_path / "run.json", tmp_path / "out.json"
    path.write_bytes(CBL.read_bytes().replace(b"That sounds", b"ghp_" + b"a1B2" * 9))
    run("convert", "--to", "promptbeat-judgment", "--carry", "sidecar", path, "-o", out)
    silent(run("convert", "--redact", "--to", "sandtable", out), {"ghp_a1B2a1B2"})
    (tmp_path / "out.json.carry.json").unlink()
    assert run("convert", "--to", "promptbeat", path, "-o", out).exit_code == 0
    edited = out.read_bytes().replace(b"a helpline", b"a friend")
    out.write_bytes(edited.replace(b'"user_prompt"', b'"user-prompt"'))
    done = run("convert", "--redact", "--to", "sandtable", out)
    assert done.exit_code in (0, 1, 2)
    assert "ghp_a1B2" not in done.output


def test_lines_without_a_carry_have_no_place_to_say_so(tmp_path: Path) -> None:
    path, out = tmp_path / "run.json", tmp_path / "out.jsonl"
    path.write_bytes(CBL.read_bytes().replace(b"That sounds", b"ghp_" + b"a1B2" * 9))
    command = ["convert", "--redact", "--to", "promptbeat-judgment", path, "-o", out]
    assert run(*command).exit_code == 0
    carry = tmp_path / "out.jsonl.carry.json"
    assert json.loads(carry.read_bytes())["run"]["redacted"] == 1
    out.unlink()
    carry.unlink()
    done = run(*command, "--no-carry")
    assert (done.exit_code, out.exists()) == (2, False)
    assert "no place to say that secrets were masked" in done.stderr


def test_hostile_texts_are_searched_in_bounded_time() -> None:
    from time import process_time

    begun = process_time()
    hostile = [
        "password" * 3000,
        "eyJ" * 9000,
        "://a:" * 5000,
        "'" * 20_000,
        "sk-" * 9000,
        "=" * 20_000,
    ]
    Redactor().data(json.dumps(hostile).encode())
    assert process_time() - begun < 20
