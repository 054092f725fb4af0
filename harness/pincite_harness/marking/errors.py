"""Errors of marking, and how an error goes from one process to the other."""

import traceback
from collections.abc import Mapping
from typing import Any

from pincite_core import errors
from pincite_core.errors import PinciteError

_TRACE_CHARACTERS = 8000
"""Characters of a traceback that go from one process to the other."""


class ScorerFailedError(PinciteError):
    """An answer has no score because its scorer failed or was stopped at a limit; ``trace`` says where it failed."""

    def __init__(self, what: str, *, seen: str = "", next: str = "", trace: str = "") -> None:  # noqa: A002
        super().__init__(what, seen=seen, next=next)
        self.trace = trace


def pack_error(error: Exception) -> dict[str, str]:
    """An error as the header of a frame. One that nobody expected brings its traceback."""
    if isinstance(error, PinciteError):
        told = {"what": error.what, "seen": error.seen, "next": error.next}
        return {"error": type(error).__name__, **told, "trace": getattr(error, "trace", "")}
    trace = "".join(traceback.format_exception(error))[-_TRACE_CHARACTERS:]
    what = f"{type(error).__name__}: {str(error)[:500]}"
    return {"error": ScorerFailedError.__name__, "what": what, "seen": "", "next": "", "trace": trace}


def unpack_error(header: Mapping[str, Any]) -> PinciteError:
    """The error that ``pack_error`` packed."""
    kind = getattr(errors, header["error"], None)
    if isinstance(kind, type) and issubclass(kind, PinciteError):
        return kind(header["what"], seen=header["seen"], next=header["next"])
    return ScorerFailedError(header["what"], seen=header["seen"], next=header["next"], trace=header["trace"])
