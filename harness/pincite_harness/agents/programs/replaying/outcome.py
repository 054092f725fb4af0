"""Outcome: what a tool call brought, in the parts that are compared."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from door import text_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """``images`` are the SHA-256 of images and sounds, in order; ``failed`` is None where nobody recorded it."""

    text: str
    structured: Any = None
    images: tuple[str, ...] = ()
    failed: bool | None = False

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Outcome":
        """As a recording holds it."""
        return cls(value["text"], value["structured"], tuple(value["images"]), value["failed"])

    def to_json(self) -> dict[str, Any]:
        """As a recording holds it."""
        return asdict(self)


def outcome_of(result: Mapping[str, Any]) -> Outcome:
    """The result of ``tools/call``."""
    data = [part["data"] for part in result.get("content", []) if part.get("type") in ("image", "audio")]
    return Outcome(
        text_of(result), result.get("structuredContent"), tuple(map(_digest, data)), bool(result.get("isError", False))
    )


def _digest(encoded: str) -> str:
    try:
        return hashlib.sha256(base64.b64decode(encoded, validate=True)).hexdigest()
    except binascii.Error:
        return "not base64"
