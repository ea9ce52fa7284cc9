"""What can go wrong, one class per cause.

EvalglotError
├── InputError          the input can't be read as what it claims to be
│   ├── NotJson         not JSON by our gate (encoding, syntax, duplicate keys, limits)
│   │   └── Damaged     a file of another kind, known as a result, can't be read to its end
│   ├── UnknownFormat   no registered format fits the content, or none has the name
│   │   └── Ambiguous   several formats fit
│   ├── UnknownVersion  a format is named or found in a version that the registry lacks
│   ├── UnknownRule     a rule is named that there is not
│   └── BadCarry        the carry in a file's slot was damaged or is too large
├── BrokenPlugin        a format that another package brings can't be used
├── InvalidDocument     the document breaks its schema
├── LossRefused         --strict, and the target can't say everything natively
├── OutputError         the output can't be written
└── SelfCheckFailed     a conversion did not come back to its source
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=True)
class EvalglotError(Exception):
    """One clear message: where it is, what was found, what was expected, what to do next.

    `line` and `column` count from 1; `pointer` is a JSON Pointer (RFC 6901), "" for the whole
    document, None where no place inside the document applies. `exit_code` is what a command
    returns for it.
    """

    found: str
    expected: str = ""
    hint: str = ""
    file: str = ""
    pointer: str | None = None
    line: int | None = None
    column: int | None = None

    exit_code = 2
    __hash__ = Exception.__hash__

    @property
    def place(self) -> str:
        """Where is it? `file:line:column /pointer`, as far as known."""
        position = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return " ".join(part for part in (position, self.pointer) if part)

    def __str__(self) -> str:
        text = f"{self.place}: {self.found}" if self.place else self.found
        if self.expected:
            text += f"; expected {self.expected}"
        return f"{text}. {self.hint}" if self.hint else text


class InputError(EvalglotError):
    """The input can't be read as what it claims to be."""


class NotJson(InputError):
    """The bytes are not JSON by the gate's policy."""


class Damaged(NotJson):
    """A file that is no JSON began as one of results, and can't be read to its end."""


class UnknownFormat(InputError):
    """No registered format fits the content, or has the name, or more than one fits."""


class Ambiguous(UnknownFormat):
    """Several registered formats fit the content."""


class UnknownVersion(InputError):
    """A format is known, but not in the version that was named or found."""


class UnknownRule(InputError):
    """No rule, and no format that has rules, has the name."""


class BadCarry(InputError):
    """The carry in a file's slot was damaged, or is larger or deeper than allowed."""


class BrokenPlugin(EvalglotError):
    """A format that another installed package brings can't be used."""


class InvalidDocument(EvalglotError):
    """The document breaks the schema of its version."""

    exit_code = 1


class LossRefused(EvalglotError):
    """The target can't say everything natively, and the caller asked for exactly that."""

    exit_code = 1


class OutputError(EvalglotError):
    """The output can't be written where it was asked for."""


class SelfCheckFailed(EvalglotError):
    """A conversion did not come back to its source; nothing was written."""


class PluginWarning(UserWarning):
    """A BrokenPlugin that nobody asked for: all else can be used."""
