"""Record: an object of a source's JSON, of which nothing is taken on trust."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self, cast
from urllib.parse import urlsplit

from pincite_core.http.exchange import Response
from pincite_core.json_fields import items
from pincite_papers.characters import clean

_MOST_TEXT = 100_000
"""Characters of one text of a record. Set by judgement."""
_MOST_ADDRESS = 2000
"""Characters of an address in a record; browsers take about as many."""
_MOST_ITEMS = 10_000
"""Items of one list of a record. Set by judgement."""
_MOST_NUMBER = 2**53
"""Whole numbers above are not exact in JSON (RFC 8259, 6)."""


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object; a field that is missing, null or of another type than asked for reads as empty."""

    fields: Mapping[str, object] = field(default_factory=dict[str, object])

    @classmethod
    def of(cls, value: object) -> Self | None:
        """The record that ``value`` is, None when it is not an object."""
        return cls(cast("dict[str, object]", value)) if isinstance(value, dict) else None

    @classmethod
    def frame(cls, response: Response) -> Self:
        """The object that a body is; SourceError ("malformed") when it is none."""
        record = cls.of(response.json())
        if record is None:
            raise response.malformed("it is not a JSON object")
        return record

    def __contains__(self, key: str) -> bool:
        return self.fields.get(key) is not None

    def text(self, key: str) -> str:
        """A text of at most 100,000 characters, none of them invisible; of a whole number the digits."""
        return _text(self.fields.get(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of a list, those that are none left out; a text alone is a list of one."""
        value = self.fields.get(key)
        found = (_text(item) for item in (_items(value) or (value,)))
        return tuple(text for text in found if text)

    def number(self, key: str) -> int | None:
        """A count: a whole number from 0."""
        value = self.fields.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_NUMBER:
            return value
        return None

    def flag(self, key: str) -> bool | None:
        value = self.fields.get(key)
        return value if isinstance(value, bool) else None

    def record(self, key: str) -> "Record":
        return Record.of(self.fields.get(key)) or Record()

    def records(self, key: str) -> tuple["Record", ...]:
        """The objects of a list, what is none left out."""
        found = (Record.of(item) for item in _items(self.fields.get(key)))
        return tuple(record for record in found if record is not None)

    def rows(self, response: Response, key: str) -> tuple["Record", ...]:
        """The objects of a list that ``response`` must have; SourceError ("malformed") when it does not."""
        if not isinstance(self.fields.get(key), list):
            raise response.malformed(f"it has no list {key!r}")
        return self.records(key)

    def count(self, key: str) -> int:
        """How many items a list has, whatever they are; 0 when it is none."""
        return len(_items(self.fields.get(key)))

    def address(self, key: str) -> str:
        """An address on the web (http or https, at most 2,000 characters), "" for anything else."""
        text = self.text(key)
        if len(text) > _MOST_ADDRESS or not text.isprintable() or " " in text:
            return ""
        try:
            parts = urlsplit(text)
            return text if parts.scheme.lower() in ("http", "https") and parts.hostname else ""
        except ValueError:
            return ""


def _text(value: object) -> str:
    if isinstance(value, str):
        return (value if value.isprintable() else clean(value))[:_MOST_TEXT].strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _items(value: object) -> list[object]:
    return items(value)[:_MOST_ITEMS]
