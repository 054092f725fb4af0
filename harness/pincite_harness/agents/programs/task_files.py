"""A task's own files for a model that cannot open them: pictures as pictures, texts as texts."""

import mimetypes
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic_ai.messages import BinaryContent, UserContent

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Kinds that all four APIs take."""
_MAX_CHARS = 100_000
"""Characters of a task's text file that the model is shown. Set by judgement."""


def pictures_of(task: Mapping[str, Any]) -> list[UserContent]:
    """Each picture behind its name."""
    return [part for name in task["files"] if _kind(name) in PICTURES for part in _picture(name)]


def files_of(task: Mapping[str, Any], *, pictures: bool = True) -> list[UserContent]:
    """Each file behind its name; what is neither picture nor text is only named, and so is a picture where ``pictures``
    is False. A text is cut at 100,000 characters, which is said."""
    return [part for name in task["files"] for part in _file(name, pictures=pictures)]


def _file(name: str, *, pictures: bool) -> Iterator[UserContent]:
    if _kind(name) in PICTURES:
        yield from _picture(name) if pictures else [f"The file {name} is a picture, which you are not shown."]
        return
    data = Path(name).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield f"The file {name} ({len(data)} bytes) is not text and is not shown."
        return
    cut = f" Its first {_MAX_CHARS} of {len(text)} characters:" if len(text) > _MAX_CHARS else ""
    yield f"The file {name}.{cut}\n\n{text[:_MAX_CHARS]}"


def _picture(name: str) -> Iterator[UserContent]:
    yield f"The file {name}:"
    yield BinaryContent(Path(name).read_bytes(), media_type=_kind(name))


def _kind(name: str) -> str:
    return mimetypes.guess_type(name)[0] or ""
