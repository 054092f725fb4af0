"""Reading members of tar, tar.gz, tar.bz2, tar.xz, zip and of a single compressed file: in memory, within limits.

Nothing is written to disk and nested archives are not opened. A member with an absolute path or ``..`` in it, a link
or a device is never offered by name.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from pincite_core.errors import DamagedError, NotFoundError, UnknownFormatError
from pincite_papers.archives.inflate import GZIP, MIB, Budget, inflate, is_compressed, too_large
from pincite_papers.archives.tarball import Tape, is_tar, tar_members

MOST_MEMBERS = 20_000
"""Members of an archive; sources of papers have some hundreds. Set by judgement."""
_ZIP = b"PK\x03\x04"
_ZIP_ENTRY = b"PK\x01\x02"
_ZIP_LINK = 0o120000
"""The Unix file type "symbolic link" in a zip entry's attributes."""
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_GZIP_NAME_FLAG, _GZIP_EXTRA_FLAG = 8, 4
"""Flags in a gzip header: a name, an extra field (RFC 1952, 2.3.1)."""
_UNNAMED = "source.tex"
# NotImplementedError of zipfile is a RuntimeError, as is that of a member with a password.


@dataclass(frozen=True, slots=True)
class _Member:
    """A regular file of an archive: its name as written, and how to read at most so many of its bytes."""

    name: str
    read: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Listing:
    """The names of the files that can be read, in order, and of those refused (links, devices, unsafe paths)."""

    names: tuple[str, ...]
    refused: tuple[str, ...]


def is_archive(data: bytes) -> bool:
    """Whether the bytes are an archive or a compressed file."""
    return data.startswith(_ZIP) or is_compressed(data) or is_tar(data)


def list_members(data: bytes) -> Listing:
    """What an archive holds. Raises UnknownFormatError, DamagedError or LimitReachedError."""
    names: dict[str, None] = {}
    refused: list[str] = []
    for member in _members(data):
        safe = safe_name(member.name) if not isinstance(member, str) else None
        if safe is None:
            refused.append(member if isinstance(member, str) else member.name)
        else:
            names[safe] = None
    return Listing(tuple(names), tuple(refused))


def names(data: bytes) -> tuple[str, ...]:
    """The names of the files in an archive that can be read, as ``read_member`` takes them."""
    return list_members(data).names


def read_member(data: bytes, name: str, most: int) -> bytes:
    """The bytes of one file of an archive, at most ``most``; NotFoundError or LimitReachedError otherwise.

    Where a name occurs twice, the last one counts, as it does when a tar is unpacked.
    """
    wanted = safe_name(name)
    found = read_members(data, lambda one: one == wanted, most=most)
    if wanted is None or wanted not in found:
        raise NotFoundError(
            f"The archive has no file {name!r} that can be read.",
            seen=", ".join(names(data)[:20]),
            next="Use a name that the archive lists.",
        )
    content = found[wanted]
    if len(content) > most:
        raise too_large(f"its file {name!r} is too large", f"more than {most} bytes")
    return content


def read_members(data: bytes, wanted: Callable[[str], bool], *, most: int, total: int = 64 * MIB) -> dict[str, bytes]:
    """The files whose names are wanted, in one pass; one larger than ``most`` is given cut at ``most`` + 1 bytes.

    Raises LimitReachedError when the wanted files together have more than ``total`` bytes (or ``most``, if larger).
    """
    found: dict[str, bytes] = {}
    held, bound = 0, max(total, most)
    for member in _members(data):
        name = None if isinstance(member, str) else safe_name(member.name)
        if name is None or isinstance(member, str) or not wanted(name):
            continue
        content = member.read(most + 1)
        held += len(content) - len(found.get(name, b""))
        if held > bound + 1:
            raise too_large("the files wanted of it are too large together", f"more than {bound // MIB} MiB")
        found[name] = content
    return found


def safe_name(name: str) -> str | None:
    """The name with plain slashes and without ``.``; None for one that leaves the archive or is not a name."""
    parts = name.replace("\\", "/").split("/")
    if (not parts[0] and len(parts) > 1) or ".." in parts or ":" in parts[0] or "\0" in name:
        return None
    return "/".join(part for part in parts if part not in ("", ".")) or None


def _members(data: bytes) -> Iterator[_Member | str]:
    """The files of an archive; a bare name stands for a member that is refused."""
    for count, member in enumerate(_unbounded_members(data)):
        if count >= MOST_MEMBERS:
            raise too_large("it has too many members", f"more than {MOST_MEMBERS}")
        yield member


def _unbounded_members(data: bytes) -> Iterator[_Member | str]:
    if data.startswith(_ZIP):
        yield from _zip_members(data)
    elif is_compressed(data):
        tape = Tape(inflate(data))
        head = tape.peek(512)
        if not head:
            raise DamagedError(
                "The archive is damaged: nothing in it can be unpacked.",
                seen=f"{len(data)} bytes",
                next="Download it again, or open the paper's PDF.",
            )
        if is_tar(head):
            yield from _tar_members(tape)
        else:
            yield _Member(_single_name(data), tape.read)
    elif is_tar(data):
        yield from _tar_members(Tape(iter((data,))))
    else:
        raise UnknownFormatError(
            "The file is not an archive that can be read.",
            seen=f"{len(data)} bytes without the start of a known archive",
            next="Give a tar, tar.gz, tar.bz2, tar.xz or zip archive.",
        )


def _tar_members(tape: Tape) -> Iterator[_Member | str]:
    for name, regular, read in tar_members(tape):
        yield _Member(name, read) if regular else name


def _zip_members(data: bytes) -> Iterator[_Member | str]:
    # Checked before zipfile makes an object of every entry; what the end record says of their number may be a lie.
    if data.count(_ZIP_ENTRY) > 2 * MOST_MEMBERS:
        raise too_large("it has too many members", f"more than {MOST_MEMBERS}")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (
        zipfile.BadZipFile,
        ValueError,
        NotImplementedError,
        OverflowError,
        EOFError,
        OSError,
        struct.error,
    ) as error:
        raise DamagedError(
            "The zip archive is damaged.", seen=type(error).__name__, next="Download it again, or open the paper's PDF."
        ) from error
    if _overlap(archive.infolist()):
        raise too_large("its members overlap, as those of a zip bomb do", f"{len(archive.infolist())} members")
    budget = Budget(len(data))
    for info in archive.infolist():
        if info.is_dir():
            continue
        link = info.external_attr >> 16 & 0o170000 == _ZIP_LINK
        if link or info.flag_bits & 1 or info.compress_type not in _ZIP_METHODS:
            yield info.filename
        else:
            yield _Member(info.filename, partial(_read_zip, archive, info, budget))


def _overlap(members: Sequence[zipfile.ZipInfo]) -> bool:
    """Whether two members share bytes of the archive."""
    spans = sorted((info.header_offset, info.header_offset + info.compress_size) for info in members)
    return any(later[0] < earlier[1] or later[0] == earlier[0] for earlier, later in pairwise(spans))


def _read_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget, most: int) -> bytes:
    parts: list[bytes] = []
    held = 0
    try:
        with archive.open(info) as file:
            while held < most and (piece := file.read(min(MIB, most - held))):
                budget.spend(len(piece))
                held += len(piece)
                parts.append(piece)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        ValueError,
        RuntimeError,
        struct.error,
    ):
        pass  # What was read of a damaged member is kept, as from a cut tar.
    return b"".join(parts)


def _single_name(data: bytes) -> str:
    """The file name in a gzip header, or a stand-in."""
    if not data.startswith(GZIP) or len(data) < 10:
        return _UNNAMED
    flags, at = data[3], 10
    if flags & _GZIP_EXTRA_FLAG:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    end = data.find(b"\0", at, at + 256)
    if not flags & _GZIP_NAME_FLAG or end <= at:
        return _UNNAMED
    name = data[at:end].decode("latin-1")
    return name if safe_name(name) else _UNNAMED
