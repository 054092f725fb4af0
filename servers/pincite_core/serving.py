"""Serving over streamable HTTP: addresses, who is answered, and the application."""

import json
import socket
import sys
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BeforeValidator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pincite_core.errors import BadInputError, UnavailableError

if TYPE_CHECKING:
    from starlette.applications import Starlette

_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
_GRACE_SECONDS = 5


def _listed(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return tuple(part.strip() for part in value.split(",") if part.strip())


class HttpSettings(BaseSettings):
    """Who may speak to a server over HTTP."""

    model_config = SettingsConfigDict(
        env_prefix="PINCITE_", env_ignore_empty=True, frozen=True, extra="ignore", use_attribute_docstrings=True
    )

    allowed_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)] = ()
    """Host headers that are answered, such as ``papers.example:*``; a JSON list or commas (default: this machine)."""

    allowed_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)] = ()
    """Origins of web pages that are answered, such as ``http://papers.example:*`` (default: this machine)."""

    def security(self) -> TransportSecuritySettings:
        """The SDK's protection against DNS rebinding, always on."""
        local_hosts = [name for host in _LOCAL_NAMES for name in (host, f"{host}:*")]
        local_origins = [f"http://{host}" for host in local_hosts]
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=list(self.allowed_hosts) or local_hosts,
            allowed_origins=list(self.allowed_origins) or local_origins,
        )


def load_http_settings() -> HttpSettings:
    """The HTTP settings of this process; a wrong ``PINCITE_ALLOWED_*`` value is a BadInputError."""
    try:
        return HttpSettings()
    except ValueError as error:
        raise BadInputError(
            "PINCITE_ALLOWED_HOSTS or PINCITE_ALLOWED_ORIGINS cannot be used.",
            seen=str(error),
            next='Give host names separated by commas, or a JSON list as ["papers.example:*"].',
        ) from error


def http_app(server: MCPServer[Any], settings: HttpSettings | None = None) -> "Starlette":
    """The ASGI application: MCP at ``/mcp``, ``/health``; other hosts and origins than the allowed are refused."""
    return server.streamable_http_app(transport_security=(settings or load_http_settings()).security())


def serve_http(server: MCPServer[Any], address: str) -> None:
    """Serve at ``HOST:PORT`` until stopped; the address is printed on stderr once it listens."""
    import uvicorn

    host, port = parse_address(address)
    config = uvicorn.Config(
        http_app(server), log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE_SECONDS
    )
    with _listen(host, port) as listener:
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


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise UnavailableError(
            f"Cannot listen on {host}:{port}.", seen=str(error), next="Give a free port and an address of this machine."
        ) from error
