"""The members of a tar, read from a stream: ustar, GNU long names and pax headers, without trust in what they say.

The standard library reads each header block. Its own walk through an archive (``tarfile.open``) is not used: the
tarfile of Python 3.11.7 takes 38 s to search a pax header of 64 KiB of digits (CVE-2024-6232), and members of negative
size keep it in place for ever (CVE-2025-8194).
"""

import itertools
import tarfile
from collections.abc import Callable, Iterator

from pincite_papers.archives.inflate import MIB, too_large

_BLOCK = tarfile.BLOCKSIZE
_MOST_HEADER = MIB
_MOST_EXTENSIONS = 16 * MIB
_MOST_HEADERS = 60_000
"""Headers of a tar: two or three a member. Set by judgement."""
_REGULAR = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_EXTENSIONS = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE)


class Tape:
    """Reading forward through pieces of bytes; a piece is dropped when it was read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._now = b""
        self._at = 0

    def read(self, count: int) -> bytes:
        """The next ``count`` bytes, or fewer at the end."""
        parts: list[bytes] = []
        while count > 0 and self._fill():
            part = self._now[self._at : self._at + count]
            self._at += len(part)
            count -= len(part)
            parts.append(part)
        return b"".join(parts)

    def skip(self, count: int) -> None:
        """Pass over ``count`` bytes."""
        while count > 0 and self._fill():
            step = min(count, len(self._now) - self._at)
            self._at += step
            count -= step

    def peek(self, count: int) -> bytes:
        """The next bytes without passing over them."""
        head = self.read(count)
        self._now = head + self._now[self._at :]
        self._at = 0
        return head

    def _fill(self) -> bool:
        while self._at >= len(self._now):
            piece = next(self._pieces, None)
            if piece is None:
                return False
            self._now, self._at = piece, 0
        return True


def is_tar(data: bytes) -> bool:
    """Whether the bytes begin with a tar header: its checksum fits."""
    header = _header(data[:_BLOCK])
    return header is not None and bool(header.name)


def tar_members(tape: Tape) -> Iterator[tuple[str, bool, Callable[[int], bytes]]]:
    """Every member but directories: its name, whether it is a regular file, and how to read so many of its bytes.

    A member must be read before the next one is asked for. The first header that does not hold ends the archive.
    """
    long_name, extended = "", 0
    pax_size: int | None = None
    for count in itertools.count():
        header = _header(tape.read(_BLOCK))
        if header is None:
            return
        if count >= _MOST_HEADERS:
            raise too_large("it has too many members", f"more than {_MOST_HEADERS} headers")
        size = max(header.size, 0)
        if header.type in _EXTENSIONS:
            extended += size
            if size > _MOST_HEADER or extended > _MOST_EXTENSIONS:
                raise too_large("its headers are too large", f"one of {size} bytes, {extended} bytes in all")
            body = tape.read(size)
            tape.skip(-size % _BLOCK)
            if header.type == tarfile.GNUTYPE_LONGNAME:
                long_name = body.split(b"\0", 1)[0].decode("utf-8", "replace")
            elif header.type == tarfile.XHDTYPE:
                records = _pax(body)
                long_name = records.get("path", long_name)
                pax_size = _pax_number(records.get("size", ""))
            continue
        size = size if pax_size is None else pax_size
        name = long_name or header.name
        folder = header.isdir() or (header.type == tarfile.AREGTYPE and name.endswith("/"))
        long_name, pax_size = "", None
        member = _Body(tape, size)
        if not folder:
            yield name, header.type in _REGULAR, member.read
        tape.skip(member.left + -size % _BLOCK)


class _Body:
    """The part of a tape that is one member's content."""

    def __init__(self, tape: Tape, size: int) -> None:
        self._tape = tape
        self.left = size

    def read(self, most: int) -> bytes:
        content = self._tape.read(min(most, self.left))
        self.left -= len(content)
        return content


def _header(block: bytes) -> tarfile.TarInfo | None:
    """What a block says of a member; None for one that is cut, empty or not a header."""
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "replace")
    except (tarfile.HeaderError, ValueError):
        return None


def _pax_number(digits: str) -> int | None:
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else None


def _pax(body: bytes) -> dict[str, str]:
    """The records of a pax header: ``length key=value`` lines."""
    records: dict[str, str] = {}
    at = 0
    while at < len(body):
        space = body.find(b" ", at, at + 12)
        if space < 0 or not body[at:space].isdigit() or (length := int(body[at:space])) <= space - at:
            break
        key, _, value = body[space + 1 : at + length].rstrip(b"\n").partition(b"=")
        records[key.decode("utf-8", "replace")] = value.decode("utf-8", "replace")
        at += length
    return records
