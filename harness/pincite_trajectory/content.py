"""Texts, images and sounds of the wire as the content of an ATIF step."""

import mimetypes
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from pincite_models.dialects.model import Media, Text
from pincite_trajectory.atif import (
    AudioPart,
    AudioSource,
    Content,
    ContentPart,
    ImagePart,
    ImageSource,
    TextPart,
)

_IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}


def content_of(parts: Iterable[Text | Media]) -> Content:
    """A single text as a string, anything else as parts; empty where there is nothing."""
    found = [TextPart(text=part.text) if isinstance(part, Text) else media_part(part) for part in parts]
    if not found:
        return ""
    if len(found) == 1 and isinstance(found[0], TextPart):
        return found[0].text
    return found


def joined(content: Content) -> Content:
    """Parts that are all texts as one string, line by line."""
    if isinstance(content, list) and all(isinstance(part, TextPart) for part in content):
        return "\n".join(part.text for part in content if isinstance(part, TextPart))
    return content


def media_part(media: Media) -> ContentPart:
    """An image or sound by its file or address; what ATIF has no part for is named in a text."""
    path = media.path or media.url
    kind = media.media_type or mimetypes.guess_type(path)[0] or ""
    if kind in _IMAGES and path:
        return ImagePart(source=ImageSource.model_validate({"media_type": kind, "path": path}))
    if kind.startswith("audio/") and path:
        return AudioPart(source=AudioSource(media_type=kind, path=path))
    return TextPart(text=f"[{kind or 'file'}: {path or 'not kept'}]")


def tool_parts(parts: Sequence[dict[str, Any]]) -> list[ContentPart]:
    """The content of an MCP result as the tool door recorded it, media by their files."""
    found: list[ContentPart] = []
    for part in parts:
        kind, mime = str(part.get("type")), str(part.get("mimeType", ""))
        if kind == "text":
            found.append(TextPart(text=str(part.get("text", ""))))
        elif kind in {"image", "audio"} and isinstance(part.get("path"), str):
            found.append(media_part(Media(mime, path=part["path"])))
        else:
            found.append(TextPart(text=orjson.dumps(part).decode()))
    return found


def text_in(content: Content | None) -> str:
    """All text of a content, line by line."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for part in content if isinstance(part, TextPart))


def paths_in(content: Content | None) -> list[str]:
    """Paths of the images and sounds of a content."""
    parts = content if isinstance(content, list) else []
    return [part.source.path for part in parts if not isinstance(part, TextPart)]
