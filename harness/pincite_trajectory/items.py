"""A conversation as a row of items, so that what one request repeats of another can be told."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from pincite_models.dialects.fields import mapping
from pincite_models.dialects.model import Call, Media, Message, ModelRequest, Part, Reasoning, Result, Role, Text
from pincite_models.dialects.repeats import Repeats

_DIGEST_BYTES = 16
"""Bytes of a digest: 128 bits, against accidents."""


@dataclass(frozen=True, slots=True)
class Item:
    """One part of one message. ``key`` is the same when a client sends the part again: reasoning is left out, blanks
    do not count, and a result is known by its call, since clients shorten old results."""

    role: Role
    part: Text | Media | Call | Result
    key: str
    message: int = 0
    """Number of its message in the request."""


class KnownItems:
    """The items of earlier requests: each request repeats the whole conversation, and what it repeats is the very same
    object."""

    def __init__(self) -> None:
        self._by_key: dict[str, Item] = {}
        self._by_message: Repeats[Message, tuple[Item, ...]] = Repeats()

    def read(self, number: int, message: Message) -> tuple[Item, ...]:
        """The items of the message with this number in its request."""
        return self._by_message.read(number, message, lambda message: self._read(number, message))

    def _read(self, number: int, message: Message) -> tuple[Item, ...]:
        found: list[Item] = []
        for part in message.parts:
            if isinstance(part, Reasoning) or (isinstance(part, Text) and not part.text.strip()):
                continue
            role = "user" if isinstance(part, Result) else message.role
            item = Item(role, part, f"{role} {_key(part)}", number)
            same = self._by_key.setdefault(item.key, item)
            found.append(same if same == item else item)
        return tuple(found)


def items_of(messages: Iterable[Message], known: KnownItems | None = None) -> tuple[Item, ...]:
    """The items of messages in order, without reasoning and empty texts; see KnownItems."""
    known = known or KnownItems()
    found: list[Item] = []
    for number, message in enumerate(messages):
        found += known.read(number, message)
    return tuple(found)


def answer_items(parts: Sequence[Part]) -> tuple[Item, ...]:
    """The items of a model's answer."""
    return items_of([Message("assistant", tuple(parts))])


def text_of(items: Iterable[Item]) -> str:
    """All text of items, without blanks: what quotes of it are sought in."""
    return "".join(squeezed(item.part.text) for item in items if isinstance(item.part, Text))


def squeezed(text: str) -> str:
    """``text`` without white space."""
    return "".join(text.split())


def run_key(items: Iterable[Item]) -> tuple[str, ...]:
    """What tells an answer in a later request: its calls, or its text where it made none; empty for neither."""
    found = list(items)
    calls = sorted(item.key for item in found if isinstance(item.part, Call) and not item.part.hosted)
    if calls:
        return tuple(calls)
    text = text_of(found)
    return (text,) if text else ()


def last_run(context: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The last items of the assistant's that stand together, and all after them."""
    end = len(context)
    while end and context[end - 1].role != "assistant":
        end -= 1
    start = end
    while start and context[start - 1].role == "assistant":
        start -= 1
    return tuple(context[start:end]), tuple(context[end:])


def prefix_digests(items: Sequence[Item]) -> list[bytes]:
    """Digest of the first n items at index n; equal digests mean equal beginnings."""
    digests = [b""]
    for item in items:
        digests.append(hashlib.blake2b(digests[-1] + item.key.encode(), digest_size=_DIGEST_BYTES).digest())
    return digests


def akin(one: ModelRequest, other: ModelRequest) -> bool:
    """Whether two requests can belong to one conversation: the same instruction, or mostly the same tools."""
    if instruction(one) == instruction(other):
        return bool(instruction(one)) or bool(one.tools) == bool(other.tools)
    mine, others = tool_names(one), tool_names(other)
    return len(mine & others) * 2 > len(mine | others)


def instruction(request: ModelRequest) -> str:
    """The system prompt without the line of accounting that Claude Code changes with each request."""
    lines = request.system.splitlines()
    return "\n".join(line for line in lines if not line.startswith("x-anthropic-billing-header")).strip()


def tool_names(request: ModelRequest) -> frozenset[str]:
    """Names of the tools that a request offers."""
    return frozenset(map(tool_name, request.tools))


def tool_name(tool: Mapping[str, Any]) -> str:
    """The function's name, or the type of a tool that the provider runs."""
    return str(mapping(tool.get("function")).get("name") or tool.get("type"))


def _key(part: Text | Media | Call | Result) -> str:
    if isinstance(part, Text):
        return "text " + squeezed(part.text)
    if isinstance(part, Media):
        return f"media {part.path or part.url}"
    if isinstance(part, Call):
        arguments = part.raw or orjson.dumps(dict(part.arguments), option=orjson.OPT_SORT_KEYS).decode()
        return f"call {part.name} {arguments}"
    return f"result {part.call_id}"
