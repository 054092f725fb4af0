"""Asked and CorpusReply: one exchange of a corpus's server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

_JSON, _HTML = "application/json", "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: ``host`` and ``path`` (unescaped) are those of the web that is stood in for."""

    host: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict[str, str])

    def text(self, name: str) -> str:
        """A parameter, "" where it is not given."""
        return self.params.get(name, "").strip()

    def number(self, name: str, usual: int, *, least: int = 0, most: int = 100_000) -> int:
        """A parameter as a whole number; AskedWronglyError where it is none or out of range."""
        text = self.text(name)
        if not text:
            return usual
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise AskedWronglyError(f"{name} must be a number between {least} and {most}")
        return int(text)


class AskedWronglyError(Exception):
    """What a source says of a question that it does not take."""


@dataclass(frozen=True, slots=True)
class CorpusReply:
    """What is answered."""

    content: bytes
    kind: str = _JSON
    status: int = 200

    @classmethod
    def json(cls, value: Any, status: int = 200) -> "CorpusReply":
        """A value as JSON."""
        return cls(orjson.dumps(value), _JSON, status)

    @classmethod
    def of_text(cls, text: str, kind: str = _HTML, status: int = 200) -> "CorpusReply":
        """A text, by default a web page."""
        return cls(text.encode(), kind, status)


def missing(what: str = "not found") -> CorpusReply:
    """There is no such thing here."""
    return CorpusReply.json({"error": what}, 404)
