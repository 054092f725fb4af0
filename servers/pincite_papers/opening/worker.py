"""The program of a parsing process: ``python -m pincite_papers.opening.worker MODULE:FUNCTION MEMORY_MB PARENT_PID``.

It answers frames on the pipes that it was started with (see ``process``), one parse at a time, until they close.
"""

import functools
import inspect
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from pincite_core.errors import DamagedError, HostileError, PinciteError, UnavailableError
from pincite_core.lazy import load
from pincite_papers import limits
from pincite_papers.model import Paper
from pincite_papers.opening import frames

if TYPE_CHECKING:
    from pincite_papers.pdf.ocr.reader import OcrReader

Answer = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]
"""The header and body of the reply to a request; what it raises becomes the reply's error."""

_TRACE_CHARACTERS = 4000
"""Characters of a traceback that go to the parent."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The messages for a worker's failures: what it does, and what it could not do."""

    doing: str
    failed: str


_PARSING = Wording("Parsing this file", "The parser could not make sense of this file.")


def main(arguments: list[str]) -> int:
    """Parse until the pipes close."""
    entry, memory_mb, parent = arguments[0], int(arguments[1]), int(arguments[2])
    return serve(lambda: _parser(entry), f"The parser {entry}", memory_mb, parent, _PARSING)


def serve(load: Callable[[], Answer], name: str, memory_mb: int, parent: int, wording: Wording) -> int:
    """Load the entry, limit the process, report ready and serve; exit status 1 means that it must be replaced."""
    requests, replies = _own_pipes()
    limits.die_with(parent)
    # What a library thinks of a strange file is not for the server's log.
    logging.getLogger().addHandler(logging.NullHandler())
    warnings.simplefilter("ignore")
    try:
        answer = load()
    except Exception as error:  # noqa: BLE001
        unloaded = UnavailableError(f"{name} could not be loaded.", seen=repr(error))
        frames.write(replies, _failure(unloaded, traceback.format_exc()))
        return 1
    limits.confine(memory_mb)
    frames.write(replies, {"ready": True})
    while (request := frames.read(requests)) is not None:
        header, data = request
        limits.allow_cpu(header["seconds"])
        reply, body = _answer(answer, header, data, memory_mb, wording)
        frames.write(replies, reply | {"resident": limits.resident_bytes()}, body)
        if reply.get("spent"):
            return 1
    return 0


def _parser(entry: str) -> Answer:
    from pincite_papers.codec import encode_paper

    read = reader_of(entry)
    return lambda header, data: ({}, encode_paper(read(header, data)))


def reader_of(entry: str) -> Callable[[dict[str, Any], bytes], Paper]:
    """What parses with ``entry``, as the header of a request to parse says (see ``ParsePool``)."""
    parse: Callable[..., Paper] = load(entry)
    reads_scans = "make_reader" in inspect.signature(parse).parameters

    def read(header: dict[str, Any], data: bytes) -> Paper:
        options: dict[str, Any] = {"max_pages": header["max_pages"]}
        if reads_scans and "ocr" in header:
            options["make_reader"] = functools.partial(_ocr_reader, header)
        return parse(data, **options)

    return read


def _ocr_reader(header: dict[str, Any]) -> "OcrReader":
    """What reads scans for this request, with CPU time of its own."""
    from pincite_papers.pdf.ocr.options import OcrOptions
    from pincite_papers.pdf.ocr.reader import OcrReader

    options = OcrOptions.received(header["ocr"])
    return OcrReader(options, begin=lambda: limits.allow_cpu(header["seconds"] + options.seconds))


def _answer(
    answer: Answer, header: dict[str, Any], data: bytes, memory_mb: int, wording: Wording
) -> tuple[dict[str, Any], bytes]:
    """The header and body of the reply to one request, or the error."""
    try:
        return answer(header, data)
    except PinciteError as error:
        return _failure(error, ""), b""
    except MemoryError:
        grown = HostileError(
            f"{wording.doing} needs more memory than is allowed.",
            seen=f"the limit is {memory_mb} MiB",
            next="If you trust the file, raise PINCITE_PARSE_MEMORY_MB.",
        )
        return _failure(grown, "") | {"spent": True}, b""
    except Exception as error:  # noqa: BLE001
        broken = DamagedError(
            wording.failed,
            seen=f"{type(error).__name__}: {str(error)[:200]}",
            next="Open another copy of the paper, for instance the publisher's own PDF.",
        )
        return _failure(broken, traceback.format_exc()), b""


def _failure(error: PinciteError, trace: str) -> dict[str, Any]:
    return {
        "error": type(error).__name__,
        "what": error.what,
        "seen": error.seen,
        "next": error.next,
        "trace": trace[-_TRACE_CHARACTERS:],
    }


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of stdin and stdout, moved out of the reach of prints: stdin is empty, stdout goes to stderr."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
