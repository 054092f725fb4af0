"""Seal: one zip file whose comment holds the digest of all bytes before it."""

import hashlib
import shutil
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError

_MARK = b"pincite-bundle/1 sha256:"
_HEX = 64
"""Characters of a SHA-256 in hexadecimal."""
_BLOCK = 1 << 20
"""Bytes read at once."""
_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every member, the earliest that a zip file can have: equal contents give equal files."""
_MODE = 0o644 << 16
"""The file mode rw-r--r-- in the upper half of a zip entry's attributes."""


def write_sealed(path: Path, files: Mapping[str, Path | bytes]) -> str:
    """Write the members, sorted by name, and the seal into a new file; the digest of the sealed bytes.

    The file appears whole or not at all. BadInputError where one is there already.
    """
    if path.exists():
        raise BadInputError(f"There is a file {path} already.", next="Name another with --out.")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                _add(archive, name, files[name])
            archive.comment = _MARK + b"0" * _HEX
        digest = _digest(part)
        with part.open("r+b") as file:
            file.seek(-_HEX, 2)
            file.write(digest.encode())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return digest


def _add(archive: zipfile.ZipFile, name: str, content: Path | bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = _MODE
    if isinstance(content, bytes):
        archive.writestr(entry, content)
        return
    entry.file_size = content.stat().st_size
    with content.open("rb") as source, archive.open(entry, "w") as member:
        shutil.copyfileobj(source, member, _BLOCK)


def _digest(path: Path) -> str:
    """The digest of all bytes but the last 64, which are the digest itself."""
    left = path.stat().st_size - _HEX
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while left > 0:
            block = file.read(min(_BLOCK, left))
            digest.update(block)
            left -= len(block)
    return digest.hexdigest()


def seal_of(path: Path) -> str | None:
    """The digest that the seal holds where it is that of the bytes before it, else None.

    NotFoundError without the file, BadInputError where it is not sealed at all.
    """
    if not path.is_file():
        raise NotFoundError(f"There is no bundle {path}.", next="Name the file that pincite bundle wrote.")
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _HEX - len(_MARK)))
        end = file.read()
    if not end.startswith(_MARK):
        raise BadInputError(
            f"{path} is not a sealed bundle, or its end was changed.",
            next="Name the file that pincite bundle wrote, as it was published.",
        )
    stated = end.removeprefix(_MARK).decode("ascii", "replace")
    return stated if stated == _digest(path) else None


def unpack(path: Path, folder: Path, limit: int) -> list[str]:
    """Write the members into ``folder``; their names. BadInputError for names that leave it, names that stand twice,
    and members of more than ``limit`` bytes in all, which are not written."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [entry.filename for entry in archive.infolist()]
            wrong = [name for name in names if not is_safe(name)]
            if wrong or len(set(names)) < len(names):
                raise BadInputError(
                    f"{path} has members that no bundle has.", seen=", ".join(wrong[:5]) or "a name that stands twice"
                )
            for entry in archive.infolist():
                limit -= _extract(archive, entry, folder / entry.filename, limit)
            return names
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, RuntimeError) as error:
        raise BadInputError(f"{path} cannot be unpacked.", seen=f"{type(error).__name__}: {error}") from error


def is_safe(name: str) -> bool:
    """Whether a member's name is a relative path without steps upwards, empty parts, drives or control characters."""
    parts = name.split("/")
    plain = all(part not in ("", ".", "..") and part.isprintable() for part in parts)
    return plain and "\\" not in name and ":" not in name


def _extract(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, limit: int) -> int:
    """Write one member; its bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with archive.open(entry) as source, target.open("xb") as file:
        while block := source.read(_BLOCK):
            written += len(block)
            if written > limit:
                raise BadInputError(
                    "The bundle's members are larger than allowed.",
                    seen=f"more than {written:,} bytes",
                    next="Allow more with --max-bytes where you trust who made it.",
                )
            file.write(block)
    return written
