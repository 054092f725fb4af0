"""MediaStore: images and other binary parts of results become files named by their hash."""

import base64
import binascii
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import Any, cast

from pincite_doors.traffic import Traffic
from pincite_models.dialects.fields import MEDIA
from pincite_tasks.files import write_atomic

FOLDER = "media"
_DIGITS = 24
"""Hexadecimal digits of a file's digest in its name: 96 bits."""
_BASE64_MARK = ";base64,"
_DATA_HEAD = re.compile(r"data:(?P<type>[\w.+-]+/[\w.+-]+)?(?:;[\w.-]+=[^;,\s]*)*\Z")
_DATA_HEAD_CHARS = 200
"""How long the head of a data URL may be: one with a longer head stays in the text. Bounded, so that a text made of
heads costs no more than its length."""
_MOST_MARKS = 1000
"""How many ``;base64,`` of one text are looked at; what comes later stays in the text."""
_DATA = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_URL_SAFE = str.maketrans("-_", "+/")
_MEDIA_KEYS = ("b64_json", "partial_image_b64", "file_data")
_SIGNS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
    b"%PDF-": "application/pdf",
}


class MediaStore:
    """Writes into ``<trial>/media``; the same bytes are written once, and nothing more than ``traffic`` allows."""

    def __init__(self, trial_folder: Path, traffic: Traffic | None = None) -> None:
        self._folder = trial_folder / FOLDER
        self._traffic = traffic

    def save(self, data: bytes, mime_type: str) -> str:
        """Store bytes and return their path relative to the trial folder, empty where a limit leaves them out."""
        suffix = mimetypes.guess_extension(mime_type) or ".bin"
        name = hashlib.sha256(data).hexdigest()[:_DIGITS] + suffix
        path = self._folder / name
        if not path.exists():
            if self._traffic is not None and not self._traffic.media(len(data)):
                return ""
            write_atomic(path, data)
        return f"{FOLDER}/{name}"

    def lift(self, value: Any) -> Any:
        """A copy of a JSON value in which every base64 part (image, audio, blob) is replaced by its file."""
        if isinstance(value, list):
            return [self.lift(item) for item in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        part = cast("dict[str, Any]", value)
        key = _binary_key(part)
        lifted = {name: self.lift(item) for name, item in part.items() if name != key}
        if key is not None:
            lifted |= self._store(str(part[key]), str(part.get("mimeType", "application/octet-stream")))
        return lifted

    def detach(self, value: Any) -> Any:
        """A copy of a model API's JSON value in which base64 media and data URLs are ``media:`` and their file's path.

        Opaque base64 that is not media (signatures, encrypted reasoning) stays.
        """
        if isinstance(value, str):
            return self._without_data_urls(value) if _BASE64_MARK in value else value
        if isinstance(value, list):
            return [self.detach(item) for item in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        part = cast("dict[str, Any]", value)
        key = _media_key(part)
        return {
            name: self._detached(item, _media_type(part)) if name == key else self.detach(item)
            for name, item in part.items()
        }

    def _without_data_urls(self, text: str) -> str:
        done: list[str] = []
        written = 0
        mark = text.find(_BASE64_MARK)
        for _ in range(_MOST_MARKS):
            if mark == -1:
                break
            begin = mark + len(_BASE64_MARK)
            start = text.rfind("data:", max(written, mark - _DATA_HEAD_CHARS), mark)
            head = _DATA_HEAD.match(text[start:mark]) if start != -1 else None
            data = _DATA.match(text, begin) if head is not None else None
            if head is not None and data is not None:
                done += [text[written:start], self._detached(data[0], head["type"] or "")]
                written = begin = data.end()
            mark = text.find(_BASE64_MARK, begin)
        return "".join([*done, text[written:]])

    def _detached(self, encoded: str, mime_type: str) -> str:
        try:
            padded = encoded + "=" * (-len(encoded) % 4)
            data = base64.b64decode(padded.translate(_URL_SAFE), validate=True)
        except (binascii.Error, ValueError):
            return encoded
        return MEDIA + self.save(data, mime_type or _sniffed(data))

    def _store(self, encoded: str, mime_type: str) -> dict[str, Any]:
        try:
            data = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            return {"undecodable": len(encoded)}
        return {"path": self.save(data, mime_type), "bytes": len(data)}


def _binary_key(part: dict[str, Any]) -> str | None:
    if part.get("type") in {"image", "audio"} and isinstance(part.get("data"), str):
        return "data"
    if isinstance(part.get("blob"), str) and isinstance(part.get("uri"), str):
        return "blob"
    return None


def _media_key(part: dict[str, Any]) -> str | None:
    """The key of a model API's part that holds base64 media: Anthropic's ``source``, Gemini's ``inlineData``, OpenAI's
    sounds and files, images that a provider made."""
    typed = part.get("type") == "base64" or _media_type(part) or "transcript" in part
    if typed and part.get("type") != "text" and _is_base64(part.get("data")):
        return "data"
    if part.get("type") == "image_generation_call" and _is_base64(part.get("result")):
        return "result"
    return next((key for key in _MEDIA_KEYS if _is_base64(part.get(key))), None)


def _is_base64(value: Any) -> bool:
    return isinstance(value, str) and value != "" and not value.startswith("data:")


def _media_type(part: dict[str, Any]) -> str:
    named = next((part[key] for key in ("media_type", "mimeType", "mime_type") if isinstance(part.get(key), str)), "")
    return named or (f"audio/{part['format']}" if isinstance(part.get("format"), str) else "")


def _sniffed(data: bytes) -> str:
    return next((kind for sign, kind in _SIGNS.items() if data.startswith(sign)), "application/octet-stream")
