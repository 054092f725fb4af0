"""Example: a conversation, what should follow it, and what a reward compares a reply with."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pincite_models.dialects.model import Call, Media, Part, Reasoning, Result, Text
from pincite_trajectory.items import Item

Message = dict[str, Any]
"""A message as OpenAI's chat API writes it: ``role``, ``content`` (a text, or parts), ``tool_calls``."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an example comes from; ``canary`` is the task's own, so that whoever is trained on it can be found out."""

    run: str
    trial: str
    family: str
    task: str
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    canary: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """``role`` names whom it teaches; ``truth`` is what its reward needs beside the reply; pictures are named by their
    paths below the trial's folder, in ``media``."""

    role: str
    origin: Origin
    prompt: Sequence[Message]
    completion: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] = ()
    truth: Mapping[str, Any] = field(default_factory=dict[str, Any])
    media: Sequence[str] = ()
    made: bool = False
    """Whether a rule made the completion, and no trial."""


def conversation(system: str, sent: Iterable[Item]) -> list[Message]:
    """What a model was sent, as chat messages: the instruction first, results of tools as messages of their own."""
    messages: list[Message] = [{"role": "system", "content": system}] if system.strip() else []
    for (role, _), items in groupby(sent, key=lambda item: (item.role, item.message)):
        messages += _messages(role, [item.part for item in items])
    return messages


def reply(parts: Iterable[Part]) -> list[Message]:
    """A model's answer as one message, without its reasoning."""
    return _messages("assistant", [part for part in parts if not isinstance(part, Reasoning)])


def media_of(messages: Iterable[Message]) -> list[str]:
    """The paths of the pictures that stand in messages, each once, in order."""
    found: dict[str, None] = {}
    for message in messages:
        content: str | list[dict[str, str]] = message["content"]
        if not isinstance(content, str):
            found |= dict.fromkeys(part["image"] for part in content if part["type"] == "image")
    return list(found)


def _messages(role: str, parts: Sequence[Part | Item]) -> list[Message]:
    """The messages of one turn: results first, each by itself, then all else as one."""
    found: list[Message] = []
    rest: list[Mapping[str, Any]] = []
    calls: list[Mapping[str, Any]] = []
    for part in parts:
        if isinstance(part, Result):
            found.append({"role": "tool", "tool_call_id": part.call_id, "content": _content(map(_shown, part.parts))})
        elif isinstance(part, Call):
            calls.append(_call(part))
        elif isinstance(part, Text | Media):
            rest.append(_shown(part))
    if rest or calls:
        message: Message = {"role": role, "content": _content(rest)}
        if calls:
            message["tool_calls"] = calls
        found.append(message)
    return found


def _shown(part: Text | Media) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if part.path and part.media_type.startswith("image/"):
        return {"type": "image", "image": part.path}
    return {"type": "text", "text": f"[{part.media_type}: {part.path or part.url}]"}


def _content(parts: Iterable[Mapping[str, Any]]) -> str | list[Any]:
    """One text where all parts are texts, else the parts."""
    shown = list(parts)
    if all(part["type"] == "text" for part in shown):
        return "\n\n".join(part["text"] for part in shown)
    return shown


def _call(part: Call) -> dict[str, Any]:
    arguments = part.raw or json.dumps(dict(part.arguments), ensure_ascii=False)
    return {"id": part.call_id, "type": "function", "function": {"name": part.name, "arguments": arguments}}
