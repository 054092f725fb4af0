"""Settings of serving over HTTP: who may call, from where, and how callers authenticate."""

import json
from typing import Annotated
from urllib.parse import urlsplit

from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl, BeforeValidator, SecretStr, TypeAdapter, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pincite_core.addresses import is_loopback_host
from pincite_core.errors import BadInputError

_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
_LEAST_TOKEN_CHARS = 16
"""Fewer characters than this can be guessed: 16 random letters and digits are 95 bits."""


def _listed(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return json.loads(value)
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _scopes(value: object) -> object:
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


class HttpSettings(BaseSettings):
    """Who may call a server over HTTP."""

    model_config = SettingsConfigDict(
        env_prefix="PINCITE_", env_ignore_empty=True, frozen=True, extra="ignore", use_attribute_docstrings=True
    )

    allowed_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)] = ()
    """Host headers that are answered, such as ``papers.example:*``; a JSON list or commas (default: this machine)."""

    allowed_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)] = ()
    """Origins of web pages that are answered, such as ``http://papers.example:*`` (default: this machine)."""

    http_token: SecretStr | None = None
    """Bearer token that each caller must send; needed to listen on any address but this machine's own."""

    http_oauth_issuer: str = ""
    """Address of the OAuth authorization server whose tokens are accepted, instead of PINCITE_HTTP_TOKEN."""

    http_oauth_resource: str = ""
    """Address by which clients reach this server's /mcp: tokens must have been issued for it (RFC 8707)."""

    http_oauth_introspection_url: str = ""
    """Address where the authorization server tells what a token is worth (RFC 7662)."""

    http_oauth_client_id: str = ""
    """Name of this server at the introspection address."""

    http_oauth_client_secret: SecretStr | None = None
    """Its secret there."""

    http_oauth_scopes: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_scopes)] = ()
    """Scopes that a token must have, separated by spaces or commas (default: none)."""

    def security(self) -> TransportSecuritySettings:
        """The SDK's protection against DNS rebinding, always on."""
        local_hosts = [name for host in _LOCAL_NAMES for name in (host, f"{host}:*")]
        local_origins = [f"http://{host}" for host in local_hosts]
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=list(self.allowed_hosts) or local_hosts,
            allowed_origins=list(self.allowed_origins) or local_origins,
        )

    def token(self) -> str:
        """The bearer token, "" where none is set; BadInputError for one that can be guessed or not be sent."""
        token = self.http_token.get_secret_value().strip() if self.http_token is not None else ""
        if token and (len(token) < _LEAST_TOKEN_CHARS or not token.isascii() or not token.isprintable()):
            raise BadInputError(
                f"PINCITE_HTTP_TOKEN needs at least {_LEAST_TOKEN_CHARS} printable ASCII characters.",
                seen=f"{len(token)} characters",
                next="Set a random one, such as that of `openssl rand -hex 32`.",
            )
        return token

    def oauth(self) -> AuthSettings | None:
        """The resource server's OAuth settings, None where there are none; BadInputError where they are half set."""
        needed = {
            "PINCITE_HTTP_OAUTH_ISSUER": self.http_oauth_issuer,
            "PINCITE_HTTP_OAUTH_RESOURCE": self.http_oauth_resource,
            "PINCITE_HTTP_OAUTH_INTROSPECTION_URL": self.http_oauth_introspection_url,
        }
        if not any(needed.values()):
            return None
        missing = [name for name, value in needed.items() if not value]
        if missing:
            raise BadInputError(
                "OAuth is only partly set up.", next=f"Set {' and '.join(missing)} too, or none of them."
            )
        if self.http_token is not None:
            raise BadInputError("Both OAuth and PINCITE_HTTP_TOKEN are set.", next="Set one of them.")
        for name, address in needed.items():
            _check_address(name, address)
        url = TypeAdapter(AnyHttpUrl).validate_python
        return AuthSettings(
            issuer_url=url(self.http_oauth_issuer),
            resource_server_url=url(self.http_oauth_resource),
            required_scopes=list(self.http_oauth_scopes) or None,
            validate_token_resource=True,
        )


def load_http_settings() -> HttpSettings:
    """The HTTP settings of this process; a wrong value is a BadInputError that names its variable."""
    try:
        return HttpSettings()
    except (ValueError, ValidationError) as error:
        raise BadInputError(
            "PINCITE_ALLOWED_HOSTS or PINCITE_ALLOWED_ORIGINS cannot be used.",
            seen=str(error),
            next='Give host names separated by commas, or a JSON list as ["papers.example:*"].',
        ) from error


def _check_address(name: str, address: str) -> None:
    """BadInputError for what is not an https address; http is allowed to this machine alone: tokens travel there."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        parts, host = urlsplit(""), ""
    if host and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback_host(host))):
        return
    raise BadInputError(
        f"{name} is not an https address.", seen=repr(address[:100]), next="Give https://…, or http://localhost:…."
    )
