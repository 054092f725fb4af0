"""The wire records of a step: found by an index of places, so that a file of any size is never read whole."""

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

import orjson

from pincite_core.errors import NotFoundError
from pincite_harness.reports.trials.texts import pretty
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE

DOORS = {"model": MODEL_WIRE, "tool": TOOL_WIRE}
_HEAD = 400
"""Bytes at the beginning of a record with its kind, time and number: doors write these first. Set by judgement."""
_KIND, _AT, _SEQ = (
    re.compile(rb'"kind":\s*"([a-z_]{1,20})"'),
    re.compile(rb'"at":\s*"([^"]{1,40})"'),
    re.compile(rb'"seq":\s*(\d{1,12})'),
)
_PIECE = 1 << 20
"""Bytes of a line that are read at a time after its beginning. A bound on memory, set by judgement."""
_MOST_SHOWN = 120_000
"""Bytes of one record that are shown: forty pages of text. Set by judgement."""
_MOST_RECORDS = 40
"""Records of one exchange: a stream may be written in pieces. Set by judgement."""
_MOST_LINES = 2_000_000
"""Of one file that are indexed: some 200 MB of memory. Set by judgement."""
_MOST_KEPT = 3
"""Count of indexes of files kept in memory. Set by judgement."""


@dataclass(frozen=True, slots=True)
class WireRecord:
    """A record as it stands in the file: JSON in lines where it is whole, else its beginning, with ``left`` bytes
    that are not shown."""

    kind: str
    at: str
    text: str
    left: int


@dataclass(slots=True)
class _Index:
    """By number of an exchange the places of its records (offset, length); by time of a request its number."""

    places: dict[int, list[tuple[int, int]]]
    numbers: dict[bytes, int]


class WireBook:
    """Safe in several threads; the indexes of the files looked at last are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, int, int], _Index] = OrderedDict()
        self._lock = threading.Lock()

    def records(self, folder: Path, door: str, number: int | None, at: str) -> list[WireRecord]:
        """The records of an exchange, by its number or by the time of its request. NotFoundError where there are
        none."""
        path = folder / DOORS.get(door, Path("none"))
        if door not in DOORS or not path.is_file():
            raise NotFoundError("There is no such record of the wire.")
        index = self._indexed(path)
        if number is None:
            number = index.numbers.get(at.encode())
        places = index.places.get(number, []) if number is not None else []
        if not places:
            raise NotFoundError("The wire has no such exchange.", seen=(at or str(number))[:60])
        with path.open("rb") as file:
            found: list[WireRecord] = []
            for offset, length in places[:_MOST_RECORDS]:
                file.seek(offset)
                found.append(_record(file.read(min(length, _MOST_SHOWN)), length))
        return found

    def _indexed(self, path: Path) -> _Index:
        stat = path.stat()
        key = (path, stat.st_mtime_ns, stat.st_size)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = _index(path)
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


def _index(path: Path) -> _Index:
    """Goes through a file with one piece of a line in memory at a time."""
    index = _Index({}, {})
    start = 0
    with path.open("rb") as file:
        for _ in range(_MOST_LINES):
            head = file.readline(_HEAD)
            if not head:
                break
            piece = head
            while piece and not piece.endswith(b"\n"):
                piece = file.readline(_PIECE)
            end = file.tell()
            _enter(index, head, start, end - start)
            start = end
    return index


def _enter(index: _Index, head: bytes, offset: int, length: int) -> None:
    """Enter a record by what its beginning says."""
    number = _SEQ.search(head)
    if number is None:
        return
    index.places.setdefault(int(number[1]), []).append((offset, length))
    at = _AT.search(head)
    if at is not None and b'"request"' in head[:60]:
        index.numbers.setdefault(at[1], int(number[1]))


def _record(data: bytes, length: int) -> WireRecord:
    head = data[:_HEAD]
    kind, at = _KIND.search(head), _AT.search(head)
    named = (kind[1].decode() if kind else "record", at[1].decode(errors="replace") if at else "")
    if length <= _MOST_SHOWN:
        try:
            return WireRecord(*named, pretty(orjson.loads(data)), 0)
        except orjson.JSONDecodeError:
            pass
    return WireRecord(*named, data.decode(errors="replace"), length - len(data))
