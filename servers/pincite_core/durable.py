"""Files that appear whole and stay: written beside, flushed to the disk, renamed."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, beside: Path, *parts: bytes, durable: bool = True) -> None:
    """Write ``beside``, which must not be there, flush it to the disk and rename it over ``path``; OSError.

    What is not ``durable`` is not flushed: after a loss of power it may be torn, which its reader must notice.
    """
    try:
        with beside.open("xb") as file:
            for part in parts:
                file.write(part)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Flush renames within ``folder`` to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
