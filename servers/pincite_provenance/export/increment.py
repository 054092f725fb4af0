"""Increment: objects appended to a PDF whose own bytes stay as they are (ISO 32000-1, section 7.5.6)."""

import io
import re
from typing import cast

from pypdf import PdfReader
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    PdfObject,
    StreamObject,
)

_START = re.compile(rb"startxref\s+(\d{1,12})\s+%%EOF\s*$")
_STREAM = re.compile(rb"\s*\d+\s+\d+\s+obj\b")
_KEPT = "/Root", "/Info", "/ID"
_TAIL_BYTES = 2048
_FIELDS = 1, 5, 2
"""Widths in bytes of the fields of a cross-reference stream."""


class UnsoundError(Exception):
    """The file's own cross-references are not where it says they are: nothing can be appended."""


class Increment:
    """Collects new and changed objects of the PDF ``data``; raises UnsoundError where nothing can be appended."""

    def __init__(self, data: bytes, reader: PdfReader) -> None:
        self._data = data
        self._reader = reader
        found = _START.search(data[-_TAIL_BYTES:])
        self._before = int(found[1]) if found else -1
        table = data[self._before : self._before + 4] == b"xref"
        stream = _STREAM.match(data, max(self._before, 0)) is not None
        if found is None or not data.startswith(b"%PDF-") or not (table or stream) or reader.is_encrypted:
            raise UnsoundError
        self._table = table
        used = [number for entries in reader.xref.values() for number in entries]
        self._next = max(cast("int", reader.trailer["/Size"]) - 1, *used, *reader.xref_objStm, 0) + 1
        self._objects: dict[tuple[int, int], PdfObject] = {}

    def add(self, made: PdfObject) -> IndirectObject:
        """The reference to a new object."""
        reference = IndirectObject(self._next, 0, self._reader)
        self._next += 1
        self._objects[reference.idnum, 0] = made
        return reference

    def replace(self, reference: IndirectObject, made: PdfObject) -> None:
        """Let a reference name another object from now on."""
        self._objects[reference.idnum, reference.generation] = made

    def finish(self) -> bytes:
        """The whole file: what it was, the objects, and their cross-references in the form that it uses."""
        out = io.BytesIO()
        out.write(self._data)
        if not self._data.endswith((b"\n", b"\r")):
            out.write(b"\n")
        places: dict[tuple[int, int], int] = {}
        for key in sorted(self._objects):
            places[key] = _write_object(out, key, self._objects[key])
        at = self._write_table(out, places) if self._table else self._write_stream(out, places)
        out.write(f"startxref\n{at}\n%%EOF\n".encode())
        return out.getvalue()

    def _trailer(self, into: DictionaryObject) -> DictionaryObject:
        """The entries that a trailer repeats; ``into`` gets them too."""
        into[NameObject("/Size")] = NumberObject(self._next)
        into[NameObject("/Prev")] = NumberObject(self._before)
        for name in _KEPT:
            if name in self._reader.trailer:
                into[NameObject(name)] = self._reader.trailer.raw_get(name)
        return into

    def _write_table(self, out: io.BytesIO, places: dict[tuple[int, int], int]) -> int:
        at = out.tell()
        out.write(b"xref\n")
        sections = (f"{number} 1\n{place:010d} {generation:05d} n \n" for (number, generation), place in places.items())
        out.write("".join(sections).encode())
        out.write(b"trailer\n")
        self._trailer(DictionaryObject()).write_to_stream(out)
        out.write(b"\n")
        return at

    def _write_stream(self, out: io.BytesIO, places: dict[tuple[int, int], int]) -> int:
        own, at = self._next, out.tell()
        self._next += 1
        entries = {**places, (own, 0): at}
        made = StreamObject()
        made.set_data(b"".join(_entry(place, generation) for (_, generation), place in entries.items()))
        made[NameObject("/Type")] = NameObject("/XRef")
        made[NameObject("/W")] = ArrayObject(NumberObject(width) for width in _FIELDS)
        made[NameObject("/Index")] = ArrayObject(NumberObject(n) for number, _ in entries for n in (number, 1))
        self._trailer(made)
        return _write_object(out, (own, 0), made)


def _entry(place: int, generation: int) -> bytes:
    parts = zip((1, place, generation), _FIELDS, strict=True)
    return b"".join(part.to_bytes(width, "big") for part, width in parts)


def _write_object(out: io.BytesIO, key: tuple[int, int], made: PdfObject) -> int:
    at = out.tell()
    out.write(f"{key[0]} {key[1]} obj\n".encode())
    made.write_to_stream(out)
    out.write(b"\nendobj\n")
    return at
