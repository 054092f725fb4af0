"""The package of an office file: looked through within the limits of archives before a library opens it."""

import io
from collections.abc import Callable
from typing import TypeVar

from pincite_core.errors import DamagedError, PinciteError
from pincite_papers.archives.archives import read_members
from pincite_papers.archives.inflate import MIB

_MOST = 256 * MIB
"""Bytes of all parts together: a supplement of a million cells has 60 MB of XML; what inflates beyond is refused."""

_Opened = TypeVar("_Opened")


def open_package(data: bytes, load: Callable[[io.BytesIO], _Opened], what: str) -> _Opened:
    """What ``load`` makes of a package whose parts inflate to what is allowed.

    LimitReachedError beyond that, DamagedError where ``load`` cannot read it.
    """
    read_members(data, lambda _: True, most=_MOST, total=_MOST)
    try:
        return load(io.BytesIO(data))
    except (PinciteError, MemoryError):
        raise
    except Exception as error:
        # python-docx and openpyxl raise what the place in the file makes them: KeyError, ValueError, BadZipFile …
        raise DamagedError(
            f"The {what} cannot be read.",
            seen=f"{type(error).__name__}: {str(error)[:200]}",
            next="Open it in its program and save it again.",
        ) from error
