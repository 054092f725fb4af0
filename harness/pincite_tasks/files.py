"""Files that appear whole or not at all, and digests of what is on the disk."""

import codecs
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

import orjson

from pincite_core.durable import sync_folder
from pincite_core.errors import BadInputError, NotFoundError

_BLOCK = 1 << 20
"""Bytes that are hashed at once."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def write_atomic(path: Path, data: bytes) -> None:
    """Write ``path`` as a whole: a temporary file beside it, fsync, rename, fsync of the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def json_bytes(value: Any) -> bytes:
    """``value`` as indented JSON with a final newline, as all JSON files are written."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as indented JSON with a final newline, as a whole."""
    write_atomic(path, json_bytes(value))


def read_json(path: Path) -> Any:
    """Read a JSON file; NotFoundError without it, BadInputError where it is not JSON."""
    try:
        return orjson.loads(path.read_bytes())
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.", next="Check the path.") from None
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{path} is not JSON.", seen=str(error), next="Correct or remove the file.") from error


def decode_text(data: bytes, errors: str = "strict") -> str:
    """The text of a file as editors on all systems save it: UTF-8, or what its byte order mark says (UTF-16, UTF-32),
    without the mark; UnicodeDecodeError where ``errors`` is strict and it is neither."""
    # The mark of UTF-32 in little-endian order begins as that of UTF-16 does: it is looked for first.
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.removeprefix(mark).decode(encoding, errors)
    return data.decode("utf-8", errors)


def digest_bytes(data: bytes) -> str:
    """``sha256:`` and the hexadecimal digest of ``data``."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_file(path: Path) -> str:
    """``sha256:`` and the hexadecimal digest of a file's bytes; NotFoundError without it."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.", next="Check the path.") from None
    return f"sha256:{digest.hexdigest()}"


def digest_folder(folder: Path, leave_out: tuple[str, ...] = ()) -> str:
    """The digest of all files of a folder with their paths in it, but for those whose names end with a word of
    ``leave_out``."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(leave_out)]
    return digest_json([[str(path.relative_to(folder)), digest_file(path)] for path in files])


def digest_json(value: Any) -> str:
    """The digest of a JSON value, whatever the order of its keys."""
    return digest_bytes(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))
