"""Headers on their way through the model door: credentials are swapped, what belongs to one connection stays there."""

import hmac
from collections.abc import Iterable, Mapping
from urllib.parse import unquote_plus

from pincite_harness.gateway.headers import Headers, end_to_end

_OURS = frozenset(
    b"authorization x-api-key x-goog-api-key api-key cookie host content-length content-encoding accept-encoding"
    b" expect forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto"
    b" openai-organization openai-project x-goog-user-project x-http-method-override".split()
)
"""Headers that the agent does not choose: who pays, under which key, and by which method."""
_KEYS = frozenset({"key", "api_key", "access_token", "oauth_token"})
_THEIRS = frozenset({b"set-cookie", b"alt-svc", b"content-encoding"})
_BEARER = b"bearer "


def brings_token(headers: Headers, query: bytes, token: str) -> bool:
    """Whether a request carries the trial's token in one of the places where the APIs' clients put a key."""
    given = [value for name, value in headers if name in (b"x-api-key", b"x-goog-api-key", b"api-key")]
    given += [value[len(_BEARER) :].strip() for name, value in headers if _is_bearer(name, value)]
    given += [unquote_plus(value).encode() for name, value in _pairs(query) if name == "key"]
    return any(hmac.compare_digest(value, token.encode()) for value in given)


def upstream_headers(headers: Headers, host: str, credentials: Mapping[str, str], size: int | None) -> Headers:
    """What goes to the provider: the agent's headers without its credentials, with the real ones, uncompressed."""
    kept = end_to_end(headers, without=_OURS)
    kept += [(b"host", host.encode()), (b"accept-encoding", b"identity")]
    kept += [(name.encode(), value.encode()) for name, value in credentials.items()]
    return kept if size is None else [*kept, (b"content-length", str(size).encode())]


def client_headers(headers: Iterable[tuple[bytes, bytes]], *, same_bytes: bool) -> Headers:
    """What comes back to the agent; the length only where the body passes as it is."""
    dropped = _THEIRS if same_bytes else _THEIRS | {b"content-length"}
    return end_to_end(headers, without=dropped)


def query_without_key(query: bytes) -> str:
    """The query as the agent wrote it, but for its credentials."""
    parts = query.decode("latin-1").split("&")
    return "&".join(part for part in parts if part and unquote_plus(part.partition("=")[0]) not in _KEYS)


def _is_bearer(name: bytes, value: bytes) -> bool:
    return name == b"authorization" and value[: len(_BEARER)].lower() == _BEARER


def _pairs(query: bytes) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in query.decode("latin-1").split("&")]
    return [(unquote_plus(name), value) for name, _, value in parts]
