"""Shelf: the folder of fetched papers, each with a small record beside it."""

import hashlib
import os
import re
import secrets
import stat
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import UnavailableError
from pincite_core.platform import BINARY, CLOEXEC, NO_FOLLOW, NONBLOCK
from pincite_literature.model import FulltextKind, Identifiers

SUFFIXES = {"jats": ".xml", "html": ".html", "pdf": ".pdf"}
_UNSAFE = re.compile(r"[^A-Za-z0-9.()\-]+")
_MOST_NAME = 120
"""Characters of a file's name; file systems take 255 bytes."""
_MOST_RECORD = 64 << 10
"""Bytes of the record beside a paper; a longer one is damaged. Set by judgement."""
_MOST_FILES = 100_000
"""Files of the folder that are looked at. Set by judgement."""
_SETTLED_NS = 2_000_000_000
"""Nanoseconds after a change of the folder from which its time stamp tells later changes apart: FAT counts in 2 s."""
_FORM = "pincite full text 1"
_KINDS = ("latex", "jats", "html", "pdf")


@dataclass(frozen=True, slots=True)
class Kept:
    """A full text in the folder: the file's name and what its record says.

    ``date`` is the day (or month, year) of this very text where it is known; ``sure_before`` the earliest cutoff that
    it was fetched under. ``without`` lists the kinds that no route had when it was fetched.
    """

    name: str
    sha256: str
    kind: FulltextKind
    url: str
    route: str
    retrieved: str
    version: str = ""
    licence: str = ""
    date: str = ""
    sure_before: str = ""
    title: str = ""
    ids: dict[str, str] = field(default_factory=dict[str, str])
    without: tuple[str, ...] = ()
    doubt: str = ""
    status: str = ""
    """Whether the work stood when it was fetched, as ``standing.status_of`` says it; "" for no notice."""


class Shelf:
    """Files in ``folder``, which is made by the first one. Another's file is never written over nor followed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._listed: dict[str, frozenset[tuple[str, str]]] = {}
        self._seen = 0

    def find(self, ids: Identifiers) -> list[Kept]:
        """What is kept of a work with one of these identifiers, by name; the files may have been changed since."""
        wanted = set(ids.known().items())
        found: list[Kept] = []
        for name, items in self._records().items():
            kept = _read_record(self.folder / name) if items & wanted else None
            if kept is not None and set(kept.ids.items()) & wanted and self._is_of(kept, name):
                found.append(kept)
        return sorted(found, key=lambda kept: kept.name)

    def put(self, stem: str, data: bytes, kept: Kept) -> Kept:
        """Keep ``data`` under a name made of ``stem``, with its record; UnavailableError when the disk refuses.

        The same bytes are kept once; where the name holds others already, some digits of the hash are added to it.
        """
        digest = hashlib.sha256(data).hexdigest()
        clean, suffix = safe_stem(stem), suffix_of(kept.kind, data)
        try:
            self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            for name in (f"{clean}{suffix}", f"{clean}-{digest[:8]}{suffix}", f"{clean}-{digest}{suffix}"):
                done = replace(kept, name=name, sha256=digest)
                if self._is_free(name, digest) and _place(self.folder / name, data, digest):
                    record = {"form": _FORM, **asdict(done)}
                    _write_over(self.folder / f"{name}.json", orjson.dumps(record, option=orjson.OPT_INDENT_2))
                    self._listed = {listed: ids for listed, ids in self._listed.items() if listed != f"{name}.json"}
                    return done
        except OSError as error:
            raise UnavailableError(
                f"The full text could not be kept in {self.folder}.",
                seen=f"{type(error).__name__}: {error.strerror}",
                next="Make room, or let the user set PINCITE_PAPERS_DIR to a folder that can be written.",
            ) from error
        raise UnavailableError(f"No name for the full text is free in {self.folder}.", seen=f"{clean}{suffix}")

    def path(self, kept: Kept) -> Path:
        return self.folder / kept.name

    def _is_free(self, name: str, digest: str) -> bool:
        """Whether neither the file nor its record belong to something else."""
        record = self.folder / f"{name}.json"
        if os.path.lexists(record):
            found = _read_record(record)
            if found is None or (found.sha256 != digest and os.path.lexists(self.folder / name)):
                return False
        return True

    def _is_of(self, kept: Kept, name: str) -> bool:
        """Whether a record speaks of the file that it lies beside, and that is there."""
        return kept.name == name.removesuffix(".json") and (self.folder / kept.name).is_file()

    def _records(self) -> dict[str, frozenset[tuple[str, str]]]:
        """The records in the folder with their identifiers; those listed before are not read again."""
        try:
            changed = self.folder.stat().st_mtime_ns
            if changed == self._seen:
                return self._listed
            with os.scandir(self.folder) as entries:
                names = [entry.name for entry, _ in zip(entries, range(_MOST_FILES), strict=False)]
        except OSError:
            return {}
        listed: dict[str, frozenset[tuple[str, str]]] = {}
        for name in names:
            if name.endswith(".json"):
                listed[name] = self._listed.get(name) or self._items(name)
        # A folder that changed a moment ago may change again within the same tick of its clock.
        self._seen = changed if time.time_ns() - changed > _SETTLED_NS else 0
        self._listed = listed
        return listed

    def _items(self, name: str) -> frozenset[tuple[str, str]]:
        kept = _read_record(self.folder / name)
        return frozenset(kept.ids.items()) if kept is not None else frozenset()


def safe_stem(stem: str) -> str:
    """``stem`` as part of a file name: letters, digits, dots, hyphens and round brackets, other runs as "_".

    It does not start with a dot or hyphen, and is at most 120 characters long; a longer one ends in digits of its hash.
    """
    clean = _UNSAFE.sub("_", stem).strip("_").lstrip(".-") or "paper"
    if len(clean) <= _MOST_NAME:
        return clean
    return f"{clean[: _MOST_NAME - 9]}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}"


def suffix_of(kind: FulltextKind, data: bytes) -> str:
    """The ending of a file of this kind, for LaTeX by what it is packed in."""
    if kind != "latex":
        return SUFFIXES[kind]
    if data.startswith(b"\x1f\x8b"):
        return ".tar.gz" if _is_tar_inside(data) else ".tex.gz"
    if data.startswith(b"PK\x03\x04"):
        return ".zip"
    return ".tar" if data[257:262] == b"ustar" else ".tex"


def _is_tar_inside(data: bytes) -> bool:
    import zlib

    try:
        head = zlib.decompressobj(wbits=31).decompress(data, 1024)
    except zlib.error:
        return False
    return head[257:262] == b"ustar"


def _place(path: Path, data: bytes, digest: str) -> bool:
    """Put a new file at ``path``; False when something else is there. The same bytes there are as good as written."""
    if os.path.lexists(path):
        return _digest(path) == digest
    temporary = _written_beside(path, data)
    try:
        os.link(temporary, path)
    except FileExistsError:
        return _digest(path) == digest
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            return _digest(path) == digest
        temporary.rename(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return True


def _write_over(path: Path, data: bytes) -> None:
    _written_beside(path, data).replace(path)


def _written_beside(path: Path, data: bytes) -> Path:
    """A new file in the folder of ``path``, whole and on the disk."""
    temporary = path.with_name(f".tmp-{os.getpid()}-{secrets.token_hex(6)}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return temporary


def _digest(path: Path) -> str:
    """The hash of a regular file's bytes, "" for anything else; links are not followed."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | NO_FOLLOW | NONBLOCK | CLOEXEC | BINARY), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ""
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _read_record(path: Path) -> Kept | None:
    """The record at ``path``; None when it is none of ours."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | NO_FOLLOW | NONBLOCK | CLOEXEC | BINARY), "rb") as file:
            found: Any = orjson.loads(file.read(_MOST_RECORD))
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or cast("dict[str, Any]", found).get("form") != _FORM:
        return None
    said = cast("dict[str, Any]", found)
    ids: Any = said.get("ids")
    without: Any = said.get("without")
    texts = {name: value for name, value in said.items() if name in _TEXTS and isinstance(value, str)}
    if not texts.keys() >= _REQUIRED or texts["kind"] not in _KINDS or not isinstance(ids, dict):
        return None
    known = {str(kind): value for kind, value in cast("dict[Any, Any]", ids).items() if isinstance(value, str)}
    absent = tuple(kind for kind in _KINDS if isinstance(without, list) and kind in without)
    return Kept(**texts, ids=known, without=absent)  # pyright: ignore[reportArgumentType]


_REQUIRED = {"name", "sha256", "kind", "url", "route", "retrieved"}
_TEXTS = {*_REQUIRED, "version", "licence", "date", "sure_before", "title", "doubt", "status"}
