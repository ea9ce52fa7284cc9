"""How Inspect spells what others spell otherwise: values in open objects, times, messages."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from converter.codecs import WHOLE, Codec
from converter.facts import Case, Event, Trial
from converter.loose import fields, word
from converter.rows import Record

STATUSES = {"success": "completed", "cancelled": "partial", "started": "partial", "error": "error"}
SAID = {"completed": "success", "partial": "cancelled", "error": "error"}
KINDS = {"system": "system", "user": "user", "assistant": "agent", "tool": "tool"}
ROLES = {kind: role for role, kind in KINDS.items()}

ATTACHMENT = "attachment://"
RESOLVED = ("input", "messages", "output", "scores")
"""parts of a sample that facts are read from, and that may refer to attachments"""
DEEPEST = 12
"""how deep references are looked for; contents and tool calls lie less than half as deep"""


def _milliseconds(seconds: float) -> float | None:
    return _finite(seconds, 1000)


def _seconds(milliseconds: float) -> float | None:
    return _finite(milliseconds, 0.001)


def _finite(number: float, factor: float) -> float | None:
    """A product that a file can hold; None where there is none."""
    if abs(number) > sys.float_info.max / 1000:
        return None
    product = number / 1000 if factor < 1 else number * factor
    return product if math.isfinite(product) else None


def _epochs(k: int) -> int | None:
    return k if k >= 1 else None


SECONDS = Codec("seconds", "folds", read=_milliseconds, write=_seconds)
"""Seconds; facts are in milliseconds."""

EPOCHS = Codec("epochs", "folds", read=WHOLE.read, write=_epochs)
"""How many epochs a sample has, which is one at least."""

STATUS = Codec("status", "folds", read=STATUSES.get, write=SAID.get)
"""How a run ended, in Inspect's words."""


def first_text(asked: Any) -> str | None:
    """Which text is the target given first: the input itself, or its first user message?"""
    if isinstance(asked, str):
        return asked
    users = (message for message in asked if message["role"] == "user")
    return next((text for text in map(text_of, users) if text is not None), None)


def text_of(message: Record) -> str | None:
    """What does a message say, its images and reasoning left out?"""
    content = message["content"]
    if isinstance(content, str):
        return content
    texts = [part["text"] for part in content if isinstance(part.get("text"), str)]
    return "\n".join(texts) if texts else None


INPUT = Codec("input", "folds", read=first_text)
"""A text, or messages, of which the first that the user says is meant."""


def resolved(record: Record) -> Record:
    """The sample with texts in place of references to its attachments."""
    attachments = record.get("attachments")
    if not attachments:
        return record
    parts = {key: _resolved(record[key], attachments, 0) for key in RESOLVED if key in record}
    return {**record, **parts}


def _resolved(value: Any, attachments: Mapping[str, str], depth: int) -> Any:
    if isinstance(value, str):
        return attachments.get(value.removeprefix(ATTACHMENT), value) if _refers(value) else value
    if depth == DEEPEST or not isinstance(value, (list, dict)):
        return value
    if isinstance(value, list):
        return [_resolved(item, attachments, depth + 1) for item in value]
    return {key: _resolved(item, attachments, depth + 1) for key, item in value.items()}


def _refers(text: str) -> bool:
    return text.startswith(ATTACHMENT)


def events_of(messages: Sequence[Record]) -> tuple[Event, ...]:
    """Which events do these messages tell of?"""
    calls = {
        str(call.get("id")): call
        for message in messages
        for call in message.get("tool_calls") or ()
    }
    return tuple([_event(message, calls) for message in messages])


def _event(message: Record, calls: Mapping[str, Record]) -> Event:
    if message["role"] != "tool":
        return Event(KINDS[message["role"]], text_of(message) or "")  # type: ignore[arg-type]
    call = calls.get(str(message.get("tool_call_id")), {})
    error = message.get("error") or {}
    return Event(
        "tool",
        name=message.get("function") or call.get("function"),
        arguments=fields(call.get("arguments")),
        ok="error" not in message or message["error"] is None,
        result=text_of(message),
        error=word(error.get("message")),
    )


def messages_of(case: Case, trial: Trial) -> list[Record]:
    """Which messages tell of this trial's events? Input and output, where no event is known."""
    if trial.transcript is None:
        said = (("user", case.input), ("assistant", trial.output))
        return [{"role": role, "content": text} for role, text in said if text is not None]
    messages: list[Record] = []
    for number, event in enumerate(trial.transcript):
        if event.kind == "tool":
            _call(messages, event, f"call_{number}")
        else:
            messages.append({"role": ROLES[event.kind], "content": event.text or ""})
    return messages


def _call(messages: list[Record], event: Event, id_: str) -> None:
    """Say a tool's call, by the assistant that speaks last or by one that says nothing else."""
    from registry.gate import dump

    if not messages or messages[-1]["role"] not in ("assistant", "tool"):
        messages.append({"role": "assistant", "content": ""})
    caller = next((one for one in reversed(messages) if one["role"] == "assistant"), None)
    if caller is None:
        caller = {"role": "assistant", "content": ""}
        messages.append(caller)
    arguments = fields(event.arguments)
    call = {"id": id_, "function": event.name or "", "arguments": arguments or {}}
    caller.setdefault("tool_calls", []).append(call)
    result = event.result if isinstance(event.result, str) else None
    if result is None:
        result = "" if event.result is None else dump(event.result).decode()
    said: Record = {"role": "tool", "content": result, "tool_call_id": id_}
    if event.name is not None:
        said["function"] = event.name
    if event.ok is False or event.error is not None:
        said["error"] = {"type": "unknown", "message": event.error or ""}
    messages.append(said)
