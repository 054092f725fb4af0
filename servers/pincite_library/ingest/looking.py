"""Looking: what a file is, told from its bytes, before it is parsed."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass

from pincite_core.errors import (
    BadInputError,
    EmptySourceError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    UnavailableError,
    UnknownFormatError,
)
from pincite_core.platform import BINARY, CLOEXEC, NO_FOLLOW, NONBLOCK
from pincite_library.ingest.journal import settled
from pincite_papers.model import SourceFormat
from pincite_papers.opening.detect import detect_format

_HEAD = 1 << 20
"""First bytes of a file, which show its kind."""
_PIECE = 1 << 20
"""Bytes that are hashed at once."""
_ARCHIVED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ\x00")
_TAR_MAGIC = slice(257, 262)
_MAIN = re.compile(rb"^[^%\n]*\\(?:documentclass|documentstyle|bye\b|magnification)", re.MULTILINE)
_STYLE = re.compile(rb"^[^%\n]*\\Provides(?:Class|Package|File|ExplPackage|ExplClass)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Look:
    """A file as it was read: ``digest`` is the SHA-256 of its bytes, ``mtime_ns`` 0 where it has just changed."""

    path: str
    size: int
    mtime_ns: int
    digest: str


class ForeignError(Exception):
    """The file, found in a folder, is not a paper: ``why`` says what it is; ``size`` and ``mtime_ns`` as of
    ``Look``."""

    def __init__(self, why: str, size: int, mtime_ns: int) -> None:
        super().__init__(why)
        self.why, self.size, self.mtime_ns = why, size, mtime_ns


def look(path: str, *, most: int, direct: bool) -> Look:
    """Read the file at a real path, at most ``most`` bytes of it.

    ForeignError for one that was found in a folder (not ``direct``) and is not a paper, or only a part of a LaTeX
    source; LimitReachedError, NotFoundError, ForbiddenError, EmptySourceError or UnavailableError where it cannot be
    read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | CLOEXEC | NO_FOLLOW | NONBLOCK | BINARY)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise BadInputError(f"{path!r} is not a regular file.", next="Give the path of a file.")
            size, mtime_ns = status.st_size, settled(status.st_mtime_ns)
            head = file.read(_HEAD)
            why = "" if direct else _foreign(head)
            if why:
                raise ForeignError(why, size, mtime_ns)
            if size > most:
                raise LimitReachedError(
                    f"The file is larger than the limit of {most} bytes.",
                    seen=f"{size} bytes",
                    next="If you trust it, raise PINCITE_MAX_SOURCE_BYTES.",
                )
            digest = hashlib.sha256(head)
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise _unread(path, error) from error
    if not head:
        raise EmptySourceError("The file is empty.", next="Get it again.")
    return Look(path, size, mtime_ns, digest.hexdigest())


def state_of(path: str) -> tuple[int, int] | None:
    """Size and modification time (ns) of a file; None where there is none."""
    try:
        status = os.stat(path, follow_symlinks=False)  # noqa: PTH116
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _foreign(head: bytes) -> str:
    """Why a file of a folder is not a paper; "" for one."""
    try:
        kind = detect_format(head)
    except EmptySourceError:
        return "an empty file"
    except UnknownFormatError as error:
        return f"not a paper ({error.seen})"
    archived = head.startswith(_ARCHIVED) or head[_TAR_MAGIC] == b"ustar"
    if kind is SourceFormat.LATEX and not archived:
        if _STYLE.search(head):
            return "a style of LaTeX, not a paper"
        if not _MAIN.search(head):
            return "a part of a LaTeX source, without a document class"
    return ""


def _unread(path: str, error: OSError) -> PinciteError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotFoundError(f"There is no file {path!r} any more.")
    if isinstance(error, PermissionError):
        return ForbiddenError("The file may not be read.", seen=error.strerror or "", next="Change its permissions.")
    return UnavailableError("The file could not be read.", seen=str(error), next="Try again.")
