"""Characters of a source as those of a canonical text: composed (NFC), none that cannot be seen or written."""

import re
import unicodedata

_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
    "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Controls, soft hyphens, zero-width spaces, direction marks, invisible operators and the tags that hide text."""
_UNWRITABLE = re.compile("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """``text`` in NFC without characters that cannot be seen; what cannot be written as UTF-8 becomes U+FFFD."""
    text = _UNSEEN.sub("", text)
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _UNWRITABLE.sub(_REPLACEMENT, text))


def compose(text: str, places: list[int]) -> tuple[str, list[int]]:
    """``text`` in NFC, and where the ``places`` in it (rising offsets) are then.

    A place between a letter and its accents moves behind them.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, places
    parts: list[str] = []
    moved: list[int] = []
    done, length = 0, 0
    for place in places:
        at = max(place, done)
        while at < len(text) and not _parts_at(text, at):
            at += 1
        part = unicodedata.normalize("NFC", text[done:at])
        parts.append(part)
        length += len(part)
        moved.append(length)
        done = at
    parts.append(unicodedata.normalize("NFC", text[done:]))
    return "".join(parts), moved


def _parts_at(text: str, at: int) -> bool:
    """Whether the characters before and at ``at`` stay apart in NFC."""
    if at == 0:
        return True
    return not unicodedata.combining(text[at]) and unicodedata.is_normalized("NFC", text[at - 1 : at + 1])


def is_one_bracket(text: str) -> bool:
    """Whether the bracket that opens the text closes at its end."""
    depth = 0
    for index, mark in enumerate(text):
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0:
            return index == len(text) - 1
    return False
