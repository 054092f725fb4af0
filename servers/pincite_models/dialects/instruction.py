"""The instruction that stands before a conversation, wherever a request puts it."""

from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile

from pincite_models.dialects.fields import join_texts
from pincite_models.dialects.model import Message, Part, Text


def texts_of(parts: Iterable[Part]) -> list[str]:
    """The words among parts."""
    return [part.text for part in parts if isinstance(part, Text)]


def split_instruction(given: Iterable[str], messages: Sequence[Message]) -> tuple[str, tuple[Message, ...]]:
    """The instruction (what is given apart, then the system messages that open the conversation) and the messages
    after it."""
    opening = [part for message in takewhile(_is_system, messages) for part in message.parts]
    return join_texts([*given, *texts_of(opening)]), tuple(dropwhile(_is_system, messages))


def _is_system(message: Message) -> bool:
    return message.role == "system"
