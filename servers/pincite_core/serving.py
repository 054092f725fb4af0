"""Serving over streamable HTTP: the listener, who is answered, and the application."""

import socket
import sys
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer

from pincite_core.addresses import is_loopback_host, look_up
from pincite_core.errors import BadInputError, ForbiddenError, UnavailableError
from pincite_core.http_settings import HttpSettings, load_http_settings

if TYPE_CHECKING:
    from starlette.applications import Starlette

_GRACE_SECONDS = 5
"""Seconds that calls under way have to end when the server is stopped. Set by judgement."""
_BACKLOG = 128
"""Connections that wait to be accepted, beyond which the system refuses more."""


def http_app(server: MCPServer[Any], settings: HttpSettings | None = None) -> "Starlette":
    """The ASGI application: MCP at ``/mcp``, ``/health``; other hosts and origins than the allowed are refused.

    With a token or OAuth in the settings, ``/mcp`` answers 401 to callers that do not prove who they are; ``/health``
    stays open.
    """
    settings = settings or load_http_settings()
    token, oauth = settings.token(), settings.oauth()
    if not token and oauth is None:
        return server.streamable_http_app(transport_security=settings.security())
    from pincite_core.callers import guarded_app

    return guarded_app(server, settings, token, oauth)


def serve_http(server: MCPServer[Any], address: str) -> None:
    """Serve at ``HOST:PORT`` until stopped; the address is printed on stderr once it listens.

    ForbiddenError for an address that other machines reach, unless callers must prove who they are.
    """
    import uvicorn

    host, port = parse_address(address)
    settings = load_http_settings()
    app = http_app(server, settings)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE_SECONDS)
    found = _resolved(host, port)
    if not is_loopback_host(found) and not settings.token() and settings.oauth() is None:
        raise ForbiddenError(
            f"{address} can be reached from other machines, and nothing asks callers who they are.",
            seen="PINCITE_HTTP_TOKEN is not set",
            next="Set PINCITE_HTTP_TOKEN to a random secret (`openssl rand -hex 32`) and give it to your clients as "
            '"Authorization: Bearer …", set PINCITE_HTTP_OAUTH_*, or listen on 127.0.0.1.',
        )
    with listen(found, port) as listener:
        bound = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        print(f"{server.name} listens on http://{shown}:{bound}/mcp", file=sys.stderr, flush=True)  # noqa: T201
        uvicorn.Server(config).run(sockets=[listener])


def parse_address(address: str) -> tuple[str, int]:
    """The host and port of ``HOST:PORT`` (``[::1]:8000`` for IPv6); BadInputError for anything else."""
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise BadInputError(f"{address!r} is not an address to listen on.", next="Give HOST:PORT, as 127.0.0.1:8701.")
    return host, int(port)


def _resolved(host: str, port: int) -> str:
    """The one address that is listened on: checked and bound is the same, whatever a name means later."""
    try:
        return look_up(host, port)[0]
    except (OSError, UnicodeError, IndexError) as error:
        raise _not_listening(host, port, str(error)) from error


def listen(host: str, port: int) -> socket.socket:
    """A listener whose connections send at once (TCP_NODELAY).

    asyncio switches Nagle's algorithm off only for sockets that name TCP as their protocol, which ``create_server``
    does not; with it each answer waits some 40 ms for the acknowledgement of its headers.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise _not_listening(host, port, str(error)) from error
    return listener


def _not_listening(host: str, port: int, seen: str) -> UnavailableError:
    return UnavailableError(
        f"Cannot listen on {host}:{port}.", seen=seen, next="Give a free port and an address of this machine."
    )
