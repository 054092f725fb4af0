"""Streams of events, cut anywhere: server-sent events, and the JSON arrays that Gemini streams without ``alt=sse``."""

import re
from dataclasses import dataclass
from typing import Any

from pincite_models.dialects.fields import load, mapping

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")
_STRUCTURE = re.compile(rb'["{}]')
_IN_STRING = re.compile(rb'["\\]')
DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, empty where it has none, and its data, None where they are not a JSON object."""

    name: str
    data: dict[str, Any] | None
    raw: str = ""


class EventDecoder:
    """Server-sent events (WHATWG HTML, section 9.2.6), read from pieces of any size."""

    def __init__(self) -> None:
        self._pending: list[bytes] = []
        self._name = ""
        self._data: list[str] = []
        self._begun = False

    def feed(self, data: bytes) -> list[Event]:
        """The events that ``data`` brings to their end."""
        self._pending.append(data)
        if b"\n" not in data and b"\r" not in data and not self._waits():
            return []
        pending = b"".join(self._pending)
        if not self._begun:
            pending = pending.removeprefix(b"\xef\xbb\xbf")
            self._begun = True
        *lines, rest = _LINE_END.split(pending)
        self._pending = [rest]
        return [event for line in lines if (event := self._take(line)) is not None]

    def _waits(self) -> bool:
        """Whether a carriage return came last: the next byte tells whether it alone ends the line."""
        return self._pending[0].endswith(b"\r")

    def rest(self) -> list[Event]:
        """What stands there without the empty line that would end it."""
        kept = (list(self._pending), self._name, list(self._data))
        events = self.feed(b"\n\n")
        self._pending, self._name, self._data = kept
        return events

    def _take(self, line: bytes) -> Event | None:
        if not line:
            return self._end()
        field, _, value = line.decode("utf-8", errors="replace").partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        return None

    def _end(self) -> Event | None:
        name, data, self._name, self._data = self._name, "\n".join(self._data), "", []
        if not data:
            return None
        return _event(name, data)


class ArrayDecoder:
    """The objects of a JSON array, each as soon as it is whole."""

    def __init__(self) -> None:
        self._pending = b""
        self._start = 0
        self._place = 0
        self._depth = 0
        self._quoted = False

    def feed(self, data: bytes) -> list[Event]:
        """The objects that ``data`` brings to their end."""
        self._pending += data
        events: list[Event] = []
        while (found := (_IN_STRING if self._quoted else _STRUCTURE).search(self._pending, self._place)) is not None:
            mark, self._place = found.group(), found.end()
            if mark == b"\\":
                self._place += 1
            elif mark == b'"':
                self._quoted = not self._quoted
            elif mark == b"{":
                self._start = found.start() if not self._depth else self._start
                self._depth += 1
            elif self._depth:
                self._depth -= 1
                if not self._depth:
                    events.append(self._end())
        self._place = max(self._place, len(self._pending))
        return events

    def rest(self) -> list[Event]:
        """An object that is not whole cannot be read."""
        return [Event("", None)] if self._depth else []

    def _end(self) -> Event:
        data = self._pending[self._start : self._place]
        self._pending, self._start, self._place = self._pending[self._place :], 0, 0
        return _event("", data.decode("utf-8", errors="replace"))


def _event(name: str, data: str) -> Event:
    found = load(data) if data.strip() != DONE else None
    return Event(name, mapping(found) if isinstance(found, dict) else None, data)
