"""How Every Eval Ever spells what others spell otherwise: texts that hold values, messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal

from converter.codecs import WHOLE, Codec
from converter.facts import Event, Trial
from converter.formats import ctrf_words, junit_words
from converter.loose import fields, word
from converter.rows import Record
from registry.errors import NotJson
from registry.gate import decode, dump

UNKNOWN = "unknown"
"""what stands where a name is asked for that nobody knows"""

Kind = Literal["user", "agent", "system", "tool"]
KINDS: Mapping[str, Kind] = {
    "user": "user",
    "assistant": "agent",
    "system": "system",
    "developer": "system",
    "tool": "tool",
}
ROLES = {"user": "user", "agent": "assistant", "system": "system", "tool": "tool"}


def _known(text: str) -> str | None:
    return None if text in ("", UNKNOWN) else text


def _moment(text: str) -> str | None:
    milliseconds = junit_words.SECONDS.read(text)  # type: ignore[misc]
    if milliseconds is None:
        return word(text)
    moment: str | None = ctrf_words.MOMENT.read(round(milliseconds))  # type: ignore[misc]
    return moment


def _answer(reference: Sequence[str]) -> str | None:
    if len(reference) > 1:
        return dump(reference).decode()
    return reference[0] if reference else None


def _one(text: str) -> list[str]:
    return [text]


def _from_one(text: Any) -> int | None:
    number: int | None = COUNT.read(text)  # type: ignore[misc]
    return None if number is None or number < 1 else number - 1


def _epoch(index: int) -> str | None:
    return str(index + 1) if index >= 0 else None


def _turns(number: int) -> int | None:
    return number if number >= 1 else None


def _tokens(number: Any) -> int | None:
    count: int | None = WHOLE.write(number)  # type: ignore[misc]
    return None if count is None or count < 0 else count


def _positive(number: float) -> float | None:
    return number if number >= 0 else None


def _held(text: str) -> Any:
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return None


def _spelled(value: Any) -> str:
    return dump(value).decode()


def _textual(codec: Codec) -> Codec:
    """A value that a text holds, where anything may stand: what is no text says nothing."""
    read: Callable[[Any], Any] = codec.read  # type: ignore[assignment]
    return Codec(
        codec.name,
        codec.claim,
        read=lambda value: read(value) if isinstance(value, str) else None,
        write=codec.write,
    )


NUMBER = _textual(junit_words.NUMBER)
COUNT = _textual(junit_words.COUNT)
FLAG = _textual(junit_words.FLAG)
FIELDS = _textual(junit_words.FIELDS)
WORDS = _textual(junit_words.WORDS)

VALUE = _textual(Codec("value", "folds", read=_held, write=_spelled))
"""Any value, as the text of its JSON."""

KNOWN = Codec("known", "folds", read=_known)
"""A name; "unknown" and an empty text say nothing."""

REFERENCE = Codec("reference", "folds", read=_answer, write=_one)
"""A list of right answers; the fact is one text, of several their JSON."""

EPOCH = Codec("epoch", "folds", read=_from_one, write=_epoch)
"""The number of a trial, from 1, as a text."""

TOKENS = Codec("tokens", "folds", read=WHOLE.read, write=_tokens)
"""A whole number of tokens, none of them negative."""

TURNS = Codec("turns", "folds", write=_turns)
"""How many turns there were: one at the least."""

POSITIVE = Codec("positive", "folds", write=_positive)
"""A number of milliseconds, none of them negative."""


MOMENT = Codec("moment", "folds", read=_moment)
"""A time in any spelling, or the seconds since 1970 as a text; facts are in ISO 8601."""


def hashed(asked: str, reference: Sequence[str]) -> str:
    """Which SHA-256 has a sample, in hexadecimal: of its input and all references, joined?"""
    text = asked + "".join(reference)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def interaction(trial: Trial) -> str:
    """Of which type is a trial: with one turn, with several, or with calls of tools?"""
    kinds = [event.kind for event in trial.transcript or ()]
    if "tool" in kinds:
        return "agentic"
    return "multi_turn" if kinds.count("agent") > 1 else "single_turn"


def events_of(messages: Sequence[Record]) -> tuple[Event, ...] | None:
    """Which events do these messages tell of? None where a role is not known."""
    if any(message["role"] not in KINDS for message in messages):
        return None
    calls = {call["id"]: call for message in messages for call in message.get("tool_calls") or ()}
    return tuple([_event(message, calls) for message in messages if not _only_calls(message)])


def _only_calls(message: Record) -> bool:
    """Does a message say nothing, and is there for its calls? The answers tell of those."""
    return not message.get("content") and bool(message.get("tool_calls"))


def _event(message: Record, calls: Mapping[str, Record]) -> Event:
    kind, text = KINDS[message["role"]], message.get("content")
    if kind != "tool":
        return Event(kind, text or "")
    answered = message.get("tool_call_id") or ("",)
    call = calls.get(answered[0], {})
    return Event(
        "tool",
        name=word(call.get("name")),
        arguments=_arguments(call.get("arguments")),
        ok=True,
        result=text,
    )


def _arguments(said: Any) -> Record | None:
    """Which arguments are these, whose values are most often the JSON of what they were?"""
    if not isinstance(said, dict):
        return None
    return {key: _value(value) for key, value in said.items()}


def _value(said: Any) -> Any:
    held = VALUE.read(said)  # type: ignore[misc]
    return said if held is None else held


def messages_of(events: Sequence[Event]) -> list[Record]:
    """Which messages tell of these events? A call of a tool is the assistant's before it."""
    messages: list[Record] = []
    for number, event in enumerate(events):
        if event.kind == "tool":
            _call(messages, event, f"call_{number}")
        else:
            messages.append({"role": ROLES[event.kind], "content": event.text or ""})
    return [{"turn_idx": number, **message} for number, message in enumerate(messages)]


def _call(messages: list[Record], event: Event, id_: str) -> None:
    caller = next((one for one in reversed(messages) if one["role"] == "assistant"), None)
    if caller is None or messages[-1]["role"] not in ("assistant", "tool"):
        caller = {"role": "assistant", "content": None}
        messages.append(caller)
    arguments = fields(event.arguments) or {}
    said = {key: _spelled(value) for key, value in arguments.items()}
    call = {"id": id_, "name": event.name or "", "arguments": said}
    caller.setdefault("tool_calls", []).append(call)
    messages.append({"role": "tool", "content": _result(event), "tool_call_id": [id_]})


def _result(event: Event) -> str:
    result = event.error if event.result is None else event.result
    if isinstance(result, str):
        return result
    return "" if result is None else _spelled(result)
