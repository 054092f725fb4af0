"""Headers that may pass a proxy, and those that belong to one connection (RFC 9110, section 7.6.1)."""

from collections.abc import Iterable

Headers = list[tuple[bytes, bytes]]

_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding"
    b" upgrade".split()
)


def end_to_end(headers: Iterable[tuple[bytes, bytes]], *, without: frozenset[bytes] = frozenset()) -> Headers:
    """The headers, in lower case, that are not of one connection alone, nor among ``without``."""
    lowered = [(name.lower(), value) for name, value in headers]
    values = b",".join(value for name, value in lowered if name == b"connection")
    named = {part.strip().lower() for part in values.split(b",")}
    return [(name, value) for name, value in lowered if name not in _HOP | named | without]
