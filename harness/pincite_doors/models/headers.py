"""Headers on their way through the model door: known ones pass, credentials are swapped, all others stay."""

import hmac
from collections.abc import Iterable, Mapping
from urllib.parse import unquote_plus

from pincite_doors.headers import Headers, end_to_end
from pincite_models.dialects.model import DialectName
from pincite_models.label import HEADER as LABEL

_COMMON = frozenset(b"accept accept-language content-type user-agent idempotency-key x-client-request-id".split())
_OPENAI = _COMMON | frozenset(
    b"openai-beta originator version session-id session_id conversation-id conversation_id thread-id"
    b" x-codex-turn-state x-codex-turn-metadata x-codex-window-id x-codex-beta-features x-openai-subagent"
    b" http-referer x-title x-dashscope-cachecontrol x-dashscope-useragent".split()
)
_PASSING: Mapping[DialectName, frozenset[bytes]] = {
    "anthropic.messages": _COMMON | {b"anthropic-version", b"x-app", b"anthropic-dangerous-direct-browser-access"},
    "openai.responses": _OPENAI,
    "openai.chat": _OPENAI,
    "rerank": _COMMON,
    "google.generate": _COMMON | {b"x-goog-api-client", b"x-server-timeout"},
}
"""Request headers that pass by name: the APIs' own and what the clients tell of themselves. Who pays, another address,
method or host, what proxies add and everything unknown stays here."""
_PASSING_PREFIX = b"x-stainless-"
_BETAS = b"anthropic-beta"
_CLOSED_BETAS = (
    b"files-api", b"mcp-client", b"mcp-servers", b"code-execution", b"skills", b"web-fetch", b"web-search", b"advisor",
    b"server-side-fallback", b"fallback-credit", b"managed-agents", b"message-batches", b"thread",
)  # fmt: skip
"""Betas of what the provider runs, fetches or stores. They are taken out of the list: clients send them whether they
use them or not, and a request that does is refused for its field or tool."""
_QUERY = frozenset({"beta", "alt", "$alt", "limit", "after", "after_id", "before_id", "order", "pageSize", "pageToken"})
"""Parameters that pass; others may name a key, a method or headers (Google's ``$httpMethod`` and ``$httpHeaders``)."""
_THEIRS = frozenset({b"set-cookie", b"alt-svc", b"content-encoding"})
_BEARER = b"bearer "


def brings_token(headers: Headers, query: bytes, token: str) -> bool:
    """Whether a request carries the trial's token in one of the places where the APIs' clients put a key."""
    given = [value for name, value in headers if name in (b"x-api-key", b"x-goog-api-key", b"api-key")]
    given += [value[len(_BEARER) :].strip() for name, value in headers if _is_bearer(name, value)]
    given += [unquote_plus(value).encode() for name, value in _pairs(query) if name == "key"]
    return any(hmac.compare_digest(value, token.encode()) for value in given)


def upstream_headers(
    dialect: DialectName, headers: Headers, host: str, credentials: Mapping[str, str], size: int | None, *,
    any_beta: bool, labels: bool = False,
) -> Headers:  # fmt: skip
    """What goes to the provider: the known ones of the agent's headers, and the real credentials; uncompressed.

    ``any_beta`` lets every beta of Anthropic's pass, for a task that opens hosted tools or fields; ``labels`` the names
    of roles."""
    known = _PASSING[dialect] | {LABEL} if labels else _PASSING[dialect]
    kept: Headers = []
    for name, value in end_to_end(headers):
        if name in known or name.startswith(_PASSING_PREFIX):
            kept.append((name, value))
        elif name == _BETAS and dialect == "anthropic.messages" and (passing := _open_betas(value, any_beta=any_beta)):
            kept.append((name, passing))
    kept += [(b"host", host.encode()), (b"accept-encoding", b"identity")]
    kept += [(name.encode(), value.encode()) for name, value in credentials.items()]
    return kept if size is None else [*kept, (b"content-length", str(size).encode())]


def client_headers(headers: Iterable[tuple[bytes, bytes]], *, same_bytes: bool) -> Headers:
    """What comes back to the agent; the length only where the body passes as it is."""
    dropped = _THEIRS if same_bytes else _THEIRS | {b"content-length"}
    return end_to_end(headers, without=dropped)


def passing_query(query: bytes) -> str:
    """The known parameters of a query as the agent wrote them."""
    parts = query.decode("latin-1").split("&")
    return "&".join(part for part in parts if unquote_plus(part.partition("=")[0]) in _QUERY)


def _open_betas(value: bytes, *, any_beta: bool) -> bytes:
    names = [name.strip() for name in value.split(b",")]
    return b",".join(name for name in names if name and (any_beta or not name.lower().startswith(_CLOSED_BETAS)))


def _is_bearer(name: bytes, value: bytes) -> bool:
    return name == b"authorization" and value[: len(_BEARER)].lower() == _BEARER


def _pairs(query: bytes) -> list[tuple[str, str]]:
    parts = [part.partition("=") for part in query.decode("latin-1").split("&")]
    return [(unquote_plus(name), value) for name, _, value in parts]
