"""The host that a TLS client asks for in its first message (RFC 8446, section 4.1.2; RFC 6066, section 3)."""

_HANDSHAKE, _CLIENT_HELLO, _SERVER_NAME, _HOST_NAME = 22, 1, 0, 0
"""Types of records, messages, extensions and names (RFC 8446, B; RFC 6066, 3)."""
_RECORD_HEAD, _MESSAGE_HEAD = 5, 4
"""Bytes of the heads of a record and of a handshake message (RFC 8446, 4 and 5.1)."""
_VERSION_AND_RANDOM = 34
"""Bytes of a ClientHello before its session id (RFC 8446, 4.1.2)."""
MAX_BYTES = 1 << 16
"""Bytes of a ClientHello; with post-quantum keys it has about 2,000. Set by judgement."""


class NotTLSError(ValueError):
    """The bytes are not a beginning of TLS with a host name."""


def server_name(data: bytes) -> str | None:
    """The host name of a ClientHello, lower case; None while more bytes are needed, NotTLSError when it is none."""
    message = _message(data)
    if message is None:
        return None
    try:
        return _name(message)
    except IndexError as error:
        raise NotTLSError("the first message of TLS is broken") from error


def _message(data: bytes) -> bytes | None:
    """The first handshake message, which may lie across records."""
    message, place = b"", 0
    while len(data) >= place + _RECORD_HEAD:
        if data[place] != _HANDSHAKE or data[place + 1] != 3:
            raise NotTLSError("this is not TLS")
        end = place + _RECORD_HEAD + int.from_bytes(data[place + 3 : place + 5])
        message += data[place + _RECORD_HEAD : end]
        if message and message[0] != _CLIENT_HELLO:
            raise NotTLSError("TLS does not begin so")
        if len(message) >= _MESSAGE_HEAD:
            size = _MESSAGE_HEAD + int.from_bytes(message[1:_MESSAGE_HEAD])
            if size > MAX_BYTES:
                raise NotTLSError("the first message of TLS is too long")
            if len(message) >= size:
                return message[_MESSAGE_HEAD:size]
        place = end
    if data and data[0] != _HANDSHAKE:
        raise NotTLSError("this is not TLS")
    return None


def _name(hello: bytes) -> str:
    rest = hello[_VERSION_AND_RANDOM:]
    for width in (1, 2, 1):  # session, cipher suites, compression
        _, rest = _vector(rest, width)
    extensions, _ = _vector(rest, 2)
    while extensions:
        kind = int.from_bytes(_exactly(extensions, 2))
        content, extensions = _vector(extensions[2:], 2)
        if kind == _SERVER_NAME:
            names, _ = _vector(content, 2)
            if _exactly(names, 1)[0] == _HOST_NAME:
                return _vector(names[1:], 2)[0].decode("ascii", "replace").lower().removesuffix(".")
    raise NotTLSError("the client names no host")


def _vector(data: bytes, width: int) -> tuple[bytes, bytes]:
    """A vector whose length stands before it, and what follows."""
    end = width + int.from_bytes(_exactly(data, width))
    return _exactly(data, end)[width:], data[end:]


def _exactly(data: bytes, size: int) -> bytes:
    if len(data) < size:
        raise IndexError(size)
    return data[:size]
