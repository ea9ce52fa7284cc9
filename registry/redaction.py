"""Which likely keys and tokens are in a text, and how does it look with masks in their place?

What is one is decided by the detectors of detect-secrets (the extra `redact`): the forms of known
tokens, private keys, passwords in addresses, random text in quotes, and what is set under a name
such as `api_key`. Equal secrets get equal masks. A mask is a keyed digest, and the key is forgotten
when the command ends, unless EVALGLOT_REDACT_KEY gives it: masks are then the same in every run.

Files are searched text by text, and in whatever they spell: the masks are in place before anything
else is read, so that no error, report or carry can tell what was there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any

from registry.errors import InputError
from registry.gate import dump
from registry.text import Buffer, utf8

KEY = "EVALGLOT_REDACT_KEY"
"""the environment's name for the key of the masks"""

MASK = re.compile(r"REDACTED-[0-9a-f]{12}")

WINDOW, OVERLAP = 1024, 512
"""characters of a line that are searched at once, and that two searches share: detectors take a
time that grows with the square of what they search"""

MOST_LITERALS = 200
"""secrets from which on only whole words are looked up: all in all, time grows with the text"""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)', re.DOTALL)
_TO_VALUE = re.compile(rb"\s*:\s*")
_WORD = re.compile(r"[\w.+/=~-]{8,}")
_REST = re.compile(r"(?:[.+/~]*[A-Za-z0-9_-])*=*")
"""what goes on after the form of a token: a signature, or what a window cut off"""
_PRIVATE = re.compile(r"(?:-----)?BEGIN [A-Z0-9 ]*PRIVATE KEY.*?(?:-----END [^\n-]*-----|\Z)", re.S)
_PUTTY = re.compile(r"PuTTY-User-Key-File-2.*", re.S)
_ASSIGNED = re.compile(
    r"""(?<!\w)(\w{2,64})["'\]]{0,2}[ \t]{0,3}(?::=|=>|[:=!]={0,2})[ \t]{0,3}"""
    r"""(?:(["'`])([^"'`\n]{4,512})\2|(?<==)([^\s"'`]{8,512}))"""
)
"""what is set under a name, in whatever language: quoted, or behind an equals sign"""
_LOGIN = re.compile(r"://[^\s/@:]{0,256}:([^\s/@]{1,256})@")
"""a password in an address; the detector's own form takes too long for hostile text"""
_SENSITIVE = '{}: "x1y2z3w4"'
_PLAIN = re.compile(r"[a-z]+|[A-Z]+|[0-9.,-]{1,6}|\W*|[<$%{].*[>}%]?", re.S)
"""what is set under a telling name, and is no secret: a word, a small number, a placeholder"""


@dataclass(slots=True)
class Redactor:
    """Masks secrets, and remembers which there were."""

    key: bytes = field(default_factory=lambda: _given_key() or os.urandom(16))
    secrets: set[str] = field(default_factory=set)
    masked: int = 0
    """how many there were so far, those of each file counted apart"""

    def __post_init__(self) -> None:
        _detectors()

    def data(self, data: Buffer, *, file: str = "") -> bytes:
        """The same JSON, or what is nearly JSON, with each secret of its texts masked."""
        raw = bytes(utf8(data, file=file))
        strings = [*_strings(raw)]
        here = {string.start: found for string in strings if (found := string.secrets)}
        told = frozenset().union(*here.values())
        self.secrets |= told
        self.masked += len(told)
        everywhere = self._everywhere(frozenset(one for one in told if _is_telling(one)))
        pieces, done = [], 0
        for string in strings:
            masked = everywhere(self._masked(string.text, here.get(string.start, ())))
            if masked != string.text:
                pieces += [raw[done : string.start], dump(masked)]
                done = string.end
        return b"".join([*pieces, raw[done:]])

    def text(self, text: str) -> str:
        """The text with masks for its secrets, and for those that were seen before.

        Messages cut what is long, so what is left of a secret beside an ellipsis is masked, too.
        """
        found = {*_found(text), *(one for one in self.secrets if one in text)}
        return self._masked(text, {*found, *_cut(text, self.secrets)})

    def line(self) -> str:
        """How many secrets were masked, in words?"""
        return f"{self.masked:,} secret{'s' * (self.masked != 1)} masked"

    def mask(self, secret: str) -> str:
        """What stands for a secret?"""
        spelled = secret.encode("utf-8", "surrogatepass")
        return f"REDACTED-{blake2b(spelled, digest_size=6, key=self.key).hexdigest()}"

    def _masked(self, text: str, secrets: Iterable[str]) -> str:
        for secret in sorted(secrets, key=len, reverse=True):
            text = text.replace(secret, self.mask(secret))
        return text

    def _everywhere(self, secrets: Collection[str]) -> Any:
        """The function that masks these wherever they stand."""
        if not secrets:
            return lambda text: text
        masks = {secret: self.mask(secret) for secret in secrets}
        if len(secrets) > MOST_LITERALS:
            return lambda text: _WORD.sub(lambda word: masks.get(word[0], word[0]), text)
        any_of = re.compile("|".join(map(re.escape, sorted(secrets, key=len, reverse=True))))
        return lambda text: any_of.sub(lambda found: masks[found[0]], text)


def _given_key() -> bytes:
    given = os.environ.get(KEY, "").encode("utf-8", "surrogateescape")
    return blake2b(given, digest_size=32).digest() if given else b""


@dataclass(frozen=True, slots=True)
class _String:
    """A string of a JSON text: where it stands, what it says, and under which name."""

    start: int
    end: int
    text: str
    name: str | None

    @property
    def secrets(self) -> frozenset[str]:
        """Which secrets does it hold?"""
        if self.name is not None and _set_under(self.name, self.text):
            return frozenset((self.text,))
        return _found(self.text)


def _strings(raw: bytes) -> Iterator[_String]:
    name, before = None, -1
    for found in _STRING.finditer(raw):
        text = _read(found[0])
        yield _String(*found.span(), text, name if found.start() == before else None)
        name, to_value = text, _TO_VALUE.match(raw, found.end())
        before = to_value.end() if to_value else -1


def _read(spelled: bytes) -> str:
    try:
        text: str = json.loads(spelled, strict=False)
    except ValueError:  # cut short, or no JSON
        return spelled.strip(b'"').decode("utf-8", "replace")
    return text


def _cut(text: str, secrets: Iterable[str]) -> Iterator[str]:
    """Which beginnings and ends of secrets stand beside an ellipsis?"""
    pieces = text.split("…")
    for secret in secrets:
        for size in range(len(secret) - 1, 3, -1):
            if any(piece.endswith(secret[:size]) for piece in pieces[:-1]):
                yield secret[:size]
            if any(piece.startswith(secret[-size:]) for piece in pieces[1:]):
                yield secret[-size:]


def _is_telling(secret: str) -> bool:
    """Is a secret so much of its own that it is one wherever it stands?"""
    return len(secret) >= 8 and not any(map(str.isspace, secret))


@lru_cache(maxsize=4096)
def _names_a_secret(name: str) -> bool:
    return len(name) < 200 and any(_keywords().analyze_string(_SENSITIVE.format(name)))


def _set_under(name: str, value: str) -> bool:
    """Is this value a secret, because of its name?"""
    if len(value) < 4 or len(value) > WINDOW or _PLAIN.fullmatch(value) or " " in value.strip():
        return False
    return not MASK.search(value) and _names_a_secret(name)


@lru_cache(maxsize=4096)
def _found(text: str) -> frozenset[str]:
    """Which secrets are in this text?"""
    if len(text) < 6:
        return frozenset()
    found = {key[0].strip() for form in (_PRIVATE, _PUTTY) for key in form.finditer(text)}
    for line in text.splitlines():
        for start in range(0, max(len(line) - OVERLAP, 1), WINDOW - OVERLAP):
            found |= {*_in_line(line[start : start + WINDOW], line)}
    return frozenset(one for one in found if not MASK.fullmatch(one))


def _in_line(part: str, line: str) -> Iterator[str]:
    for name, _, quoted, bare in _ASSIGNED.findall(part):
        if _set_under(name, quoted or bare):
            yield quoted or bare
    yield from _LOGIN.findall(part)
    for detector in _detectors():
        if hasattr(detector, "denylist"):
            yield from _tokens(detector.denylist, part, line)
        else:
            yield from _random(detector, part)


def _tokens(forms: Iterable[re.Pattern[str]], part: str, line: str) -> Iterator[str]:
    """Which texts of these forms are there, each with all that belongs to it?"""
    for form in forms:
        for found in form.finditer(part):
            grouped = [one for one in range(1, form.groups + 1) if found.start(one) > found.start()]
            secrets = [found[one] for one in grouped if found[one]] or [found[0]]
            for secret in filter(None, map(str.strip, secrets)):
                at = line.find(secret)
                rest = _REST.match(line, at + len(secret))
                yield line[at : rest.end()] if rest else secret


def _random(detector: Any, part: str) -> Iterator[str]:
    """Which texts in quotes are random enough for this detector?"""
    for secret in detector.analyze_string(part):
        random = detector.calculate_shannon_entropy(secret) > detector.entropy_limit
        if random and not MASK.search(secret):
            yield secret


LEFT_OUT = ("BasicAuthDetector", "IPPublicDetector", "KeywordDetector", "PrivateKeyDetector")
"""an address of a machine is no secret; what the others find is looked for above"""


@cache
def _keywords() -> Any:
    from detect_secrets.plugins.keyword import KeywordDetector

    return KeywordDetector()


@cache
def _detectors() -> tuple[Any, ...]:
    """All detectors of detect-secrets; none of them is let onto the network."""
    try:
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    except ModuleNotFoundError:
        raise InputError(
            found="detect-secrets is not installed, which --redact needs",
            expected="the extra redact",
            hint="Install it: pip install 'evalglot[redact]'",
        ) from None
    kinds: Collection[Any] = get_mapping_from_secret_type_to_class().values()
    chosen = sorted(
        (one for one in kinds if one.__name__ not in LEFT_OUT), key=lambda one: one.__name__
    )
    return tuple(kind() for kind in chosen)
