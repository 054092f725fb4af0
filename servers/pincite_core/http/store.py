"""ExchangeStore: recorded questions and their answers, one readable file each.

    <folder>/<source>/<words of the address>.<key>.exchange     an answer
    <folder>/<source>/<words of the address>.<key>.unreadable   an answer that was not what the source promises
    <folder>/<source>/<words of the address>.<key>.failure      how asking failed

A file is a head in JSON, an empty line, and the body as it was, byte for byte (so git must not change line ends).
"""

import hashlib
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import orjson

from pincite_core import errors
from pincite_core.errors import BadInputError, PinciteError, SourceError, UnavailableError
from pincite_core.http.exchange import Request, Response
from pincite_core.http.keys import RequestKey, keyed_headers

_FORMAT = "pincite-exchange/1"
_END_OF_HEAD = b"\n\n"
_KEY_CHARS = 20
"""Hexadecimal digits of a question's digest in its file's name: 80 bits."""
_NOT_KEPT = frozenset({"set-cookie", "set-cookie2"})
_ANSWER, _UNREADABLE, _FAILURE = _KINDS = "exchange", "unreadable", "failure"

Outcome = Response | PinciteError


class ExchangeStore:
    """The recorded web in ``folder``; made for writing when ``writable``, else it must be there (BadInputError).

    Several processes may read and write it: a file appears whole or not at all, and the first one of its name stays.
    """

    def __init__(self, folder: Path, *, writable: bool) -> None:
        self.folder = folder.resolve()
        try:
            if writable:
                self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInputError(
                "The recorded web cannot be kept there.",
                seen=f"PINCITE_HTTP_STORE is {folder}: {error.strerror}",
                next="Give a folder that can be written.",
            ) from error
        if not self.folder.is_dir():
            raise BadInputError(
                "There is no recorded web.",
                seen=f"PINCITE_HTTP_STORE is {folder}, which is not a folder",
                next="Give the folder of a recording, or record one: PINCITE_HTTP_MODE=record.",
            )

    def find(self, key: RequestKey, request: Request, *, settled: bool = False) -> Outcome | None:
        """What is recorded for a question, an answer before a failure; SourceError naming a file that is damaged.

        The answer's request has the address that was asked when it was recorded. What is ``settled`` is worth no other
        question: an answer that can be read.
        """
        # Twice: while one process looks for the last kind, another may have put the first in its place.
        for kind in _KINDS[:1] if settled else _KINDS * 2:
            path = self._path(request, key, kind)
            try:
                stored = path.read_bytes()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise UnavailableError(
                    "The recorded web cannot be read.",
                    seen=f"{path}: {error.strerror}",
                    next="Check the folder's permissions and its disk.",
                ) from error
            return _read(path, stored, key, request)
        return None

    def keep(self, key: RequestKey, request: Request, outcome: Outcome) -> Outcome:
        """Keep what was said unless there is something better already, and return what is recorded now.

        An answer takes the place of a failure; otherwise the first stays. UnavailableError when it cannot be written.
        """
        response_file, unreadable_file, failure_file = (self._path(request, key, kind) for kind in _KINDS)
        try:
            if isinstance(outcome, PinciteError):
                _write_first(failure_file, _head(key, request, failure=outcome), b"")
            else:
                _write_first(response_file, _head(key, request, response=outcome), outcome.content)
            if response_file.exists():
                unreadable_file.unlink(missing_ok=True)
            if response_file.exists() or unreadable_file.exists():
                failure_file.unlink(missing_ok=True)
        except OSError as error:
            raise UnavailableError(
                "The recorded web cannot be written.",
                seen=f"{response_file}: {error.strerror}",
                next="Free space or fix its permissions, then ask again.",
            ) from error
        recorded = self.find(key, request)
        if recorded is None:
            raise UnavailableError("The recorded web lost an entry while it was written.", seen=str(response_file))
        return recorded

    def doubt(self, key: RequestKey, outcome: Response) -> None:
        """Mark a response that could not be parsed: it stays only until the same request gets another one."""
        recorded = self.find(key, outcome.request, settled=True)
        if isinstance(recorded, Response) and recorded.content == outcome.content:
            with suppress(FileNotFoundError):
                path = self._path(outcome.request, key, _ANSWER)
                path.replace(self._path(outcome.request, key, _UNREADABLE))

    def _path(self, request: Request, key: RequestKey, kind: str) -> Path:
        return self.folder / quote(request.policy.name, safe="") / f"{key.label}.{key.digest[:_KEY_CHARS]}.{kind}"


def _head(
    key: RequestKey, request: Request, *, response: Response | None = None, failure: PinciteError | None = None
) -> dict[str, Any]:
    head: dict[str, Any] = {
        "format": _FORMAT,
        "key": key.digest,
        "source": request.policy.name,
        "method": request.method,
        "url": request.url,
        "params": request.params,
        "headers": keyed_headers(request),
        "body": request.body.decode(errors="backslashreplace"),
    }
    if response is not None:
        head["answer"] = {
            "status": response.status,
            "url": response.url,
            "headers": {name: value for name, value in response.headers.items() if name not in _NOT_KEPT},
            "retrieved": response.retrieved.isoformat(),
            "bytes": len(response.content),
        }
    if failure is not None:
        head["failure"] = {
            "error": type(failure).__name__,
            "what": failure.what,
            "seen": failure.seen,
            "next": failure.next,
        }
        if isinstance(failure, SourceError):
            head["failure"] |= {
                "source": failure.source,
                "cause": failure.cause,
                "retry_after": failure.retry_after,
            }
    return head


def _checksum(head: dict[str, Any], content: bytes) -> str:
    check = hashlib.sha256(orjson.dumps(head, option=orjson.OPT_SORT_KEYS))
    check.update(content)
    return check.hexdigest()


def _write_first(path: Path, head: dict[str, Any], content: bytes) -> None:
    """Write the file unless there is one: beside it, flushed to disk, then linked to its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = orjson.dumps(head | {"checksum": _checksum(head, content)}, option=orjson.OPT_INDENT_2)
    temporary = path.with_name(f".tmp-{os.getpid()}-{secrets.token_hex(6)}")
    try:
        with temporary.open("xb") as file:
            file.write(stored + _END_OF_HEAD + content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            _link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _link(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: two processes at the same moment may both write, and the later one stays.
        if not path.exists():
            temporary.replace(path)


def _read(path: Path, stored: bytes, key: RequestKey, request: Request) -> Outcome:
    line, _, content = stored.partition(_END_OF_HEAD)
    try:
        head = cast("dict[str, Any]", orjson.loads(line))
        sound = head.pop("checksum") == _checksum(head, content) and head["format"] == _FORMAT
        if not sound or head["key"] != key.digest:
            raise _damaged(path, request)
        return _failure(head["failure"]) if "failure" in head else _answer(head, content, request)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, request) from error


def _answer(head: dict[str, Any], content: bytes, request: Request) -> Response:
    response = head["answer"]
    return Response(
        request=replace(request, url=head["url"], params=tuple((name, value) for name, value in head["params"])),
        status=response["status"],
        url=response["url"],
        headers=response["headers"],
        content=content,
        retrieved=datetime.fromisoformat(response["retrieved"]),
        origin="record",
    )


def _failure(kept: dict[str, Any]) -> PinciteError:
    kind = getattr(errors, kept["error"])
    if not issubclass(kind, PinciteError):
        raise TypeError(kind)
    if issubclass(kind, SourceError):
        return kind(
            kept["what"],
            source=kept["source"],
            cause=kept["cause"],
            retry_after=kept["retry_after"],
            seen=kept["seen"],
            next=kept["next"],
        )
    return kind(kept["what"], seen=kept["seen"], next=kept["next"])


def _damaged(path: Path, request: Request) -> SourceError:
    return SourceError(
        "The recorded web has a damaged entry for this request.",
        source=request.policy.name,
        cause="not_recorded",
        seen=str(path),
        next="Restore the file from where the recording came from, or remove it and record again.",
    )
