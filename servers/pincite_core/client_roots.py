"""The folders that one call may read papers from: those that are set, else the client's MCP roots, else the default."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import InputRequiredResult, ListRootsRequest, ListRootsResult
from mcp_types.version import is_version_at_least
from pydantic import ValidationError

from pincite_core.settings import Settings, is_too_wide

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

MODERN = "2026-07-28"
"""From this protocol on a server asks nothing in the middle of a call: the call ends with the question, and is repeated
with the answer."""

_KEY = "roots"
_SECONDS = 5.0
"""How long a client may take to name its folders before the default ones hold."""
_MOST_ROOTS = 100
"""Folders that one client may offer; the rest is ignored. Set by judgement."""


class InputNeededError(Exception):
    """The client has to answer a question and repeat the call; holds the result to return to it."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("the client is to answer first")
        self.result = result


class ClientRoots:
    """The folders that the client of one connection offers; a server's lifespan makes one for each client."""

    def __init__(self) -> None:
        self._known: tuple[Path, ...] | None = None
        self._changes = 0

    def forget(self) -> None:
        """Ask again at the next call: the client's folders have changed."""
        self._known = None
        self._changes += 1

    async def folders(self, calling: Context[Any, Any]) -> tuple[Path, ...]:
        """The client's folders, none where it offers none that can be used; InputNeededError where it is to be asked
        by a repeated call."""
        offered = calling.client_capabilities
        if offered is None or offered.roots is None:
            return ()
        answer = (calling.input_responses or {}).get(_KEY)
        if isinstance(answer, ListRootsResult):
            self._known = _usable(answer)
        if self._known is not None:
            return self._known
        version = calling.protocol_version
        if version is not None and is_version_at_least(version, MODERN):
            raise InputNeededError(InputRequiredResult(input_requests={_KEY: ListRootsRequest()}))
        changes = self._changes
        found = await _asked(calling)
        if changes == self._changes:
            self._known = found
        return found


async def folders_of(settings: Settings, calling: Context[Any, Any] | None) -> tuple[Path, ...]:
    """The folders that a call may read: PINCITE_ROOTS where it is set, else the client's, else the default.

    A client over HTTP may be on another machine and somebody else's: what it calls its folders opens nothing here.
    """
    roots = _roots_of(settings, calling)
    if roots is None or calling is None:
        return settings.roots
    return await roots.folders(calling) or settings.roots


def ask_again(settings: Settings, calling: Context[Any, Any] | None) -> bool:
    """Whether a refused path may be inside the client's folders by now: those of a client that tells of no changes
    are asked for once more, unless this very call brought them."""
    roots = _roots_of(settings, calling)
    if roots is None or calling is None or calling.protocol_version is None or (calling.input_responses or {}):
        return False
    offered = calling.client_capabilities
    if offered is None or offered.roots is None or not is_version_at_least(calling.protocol_version, MODERN):
        return False
    roots.forget()
    return True


async def forget_changed(ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext") -> "HandlerResult":
    """Middleware: when a client reports changed folders, they are asked for again."""
    roots = ctx.lifespan_context
    if ctx.method == "notifications/roots/list_changed" and isinstance(roots, ClientRoots):
        roots.forget()
    return await call_next(ctx)


def _roots_of(settings: Settings, calling: Context[Any, Any] | None) -> ClientRoots | None:
    if settings.roots_are_set or calling is None or calling.headers is not None:
        return None
    roots = calling.request_context.lifespan_context
    return roots if isinstance(roots, ClientRoots) else None


async def _asked(calling: Context[Any, Any]) -> tuple[Path, ...]:
    metadata = ServerMessageMetadata(related_request_id=calling.request_id)
    try:
        with anyio.fail_after(_SECONDS):
            answer = await calling.session.send_request(ListRootsRequest(), ListRootsResult, metadata=metadata)
    except (TimeoutError, MCPError, ValidationError):
        return ()
    return _usable(answer)


def _usable(answer: ListRootsResult) -> tuple[Path, ...]:
    """The folders that exist on this machine, their symbolic links resolved; never one that holds the home folder."""
    found: dict[Path, None] = {}
    for root in answer.roots[:_MOST_ROOTS]:
        folder = _folder(str(root.uri))
        if folder is not None and folder.is_dir() and not is_too_wide(folder):
            found[folder] = None
    return tuple(found)


def _folder(uri: str) -> Path | None:
    from urllib.request import url2pathname  # it brings an HTTP client along

    try:
        parts = urlsplit(uri)
        path = Path(url2pathname(parts.path))
        if parts.scheme != "file" or (parts.hostname or "localhost") != "localhost" or not path.is_absolute():
            return None
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None
