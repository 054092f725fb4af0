"""Probes of the doors' relay: whatever is said to it reaches the door and nothing else."""

from __future__ import annotations

import base64
import socket
import struct
from pathlib import Path

from .attempt import Attempt, Refused, Targets, Unknown

_WAIT = 3.0
"""Seconds to wait for the relay's answer. Set by judgement."""
_ANSWER = 1 << 16
"""Bytes of an answer that are read."""


def say(targets: Targets, data: bytes) -> bytes:
    """Say something to the relay of each door; all that was answered."""
    answers = b""
    for port in targets["door_ports"]:
        with socket.create_connection(("127.0.0.1", port), timeout=_WAIT) as link:
            link.settimeout(_WAIT)
            try:
                link.sendall(data)
                link.shutdown(socket.SHUT_WR)
                while len(answers) < _ANSWER:
                    chunk = link.recv(4096)
                    if not chunk:
                        break
                    answers += chunk
            except (ConnectionError, TimeoutError):
                continue
    return answers


def abused(targets: Targets, data: bytes) -> str:
    """Ask the relay for the machine's beacon: its word in the answer says that something was forwarded there."""
    answer = say(targets, data)
    if targets["word"].encode() in answer:
        return f"the beacon answered through a door: {answer[:80]!r}"
    raise Refused("the beacon was not reached" if answer else "no answer at all")


def _tokens(targets: Targets) -> str:
    """What opens the doors: the agent has it, so a probe without it would prove too little."""
    token = targets.get("token", "")
    basic = base64.b64encode(f"agent:{token}".encode()).decode()
    return f"Authorization: Bearer {token}\r\nProxy-Authorization: Basic {basic}\r\nx-api-key: {token}\r\n"


def _address(targets: Targets) -> tuple[str, int]:
    host, port = targets["machine"][0]
    return str(host), int(port)


def connect_method(targets: Targets) -> str:
    """HTTP CONNECT."""
    host, port = _address(targets)
    return abused(targets, f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n{_tokens(targets)}\r\n".encode())


def absolute_url(targets: Targets) -> str:
    """A request for a whole address, as to a proxy."""
    host, port = _address(targets)
    head = f"GET http://{host}:{port}/ HTTP/1.1\r\nHost: {host}:{port}\r\n"
    return abused(targets, f"{head}{_tokens(targets)}\r\n".encode())


def host_header(targets: Targets) -> str:
    """A Host header that names another server."""
    host, port = _address(targets)
    head = f"GET /v1/models HTTP/1.1\r\nHost: {host}:{port}\r\nX-Forwarded-Host: {host}:{port}\r\n"
    return abused(targets, f"{head}{_tokens(targets)}\r\n".encode())


def two_at_once(targets: Targets) -> str:
    """A second request hidden in the body of a first (smuggling)."""
    host, port = _address(targets)
    inner = f"GET http://{host}:{port}/ HTTP/1.1\r\nHost: {host}:{port}\r\n{_tokens(targets)}\r\n"
    lengths = f"Content-Length: {len(inner)}\r\nTransfer-Encoding: chunked\r\n{_tokens(targets)}"
    return abused(targets, f"POST / HTTP/1.1\r\nHost: door\r\n{lengths}\r\n0\r\n\r\n{inner}".encode())


def socks5(targets: Targets) -> str:
    """SOCKS 5, without a password."""
    host, port = _address(targets)
    return abused(targets, b"\x05\x01\x00\x05\x01\x00\x01" + socket.inet_aton(host) + struct.pack(">H", port))


def socks4(targets: Targets) -> str:
    """SOCKS 4."""
    host, port = _address(targets)
    return abused(targets, b"\x04\x01" + struct.pack(">H", port) + socket.inet_aton(host) + b"x\x00")


def dead(targets: Targets) -> str:
    """Get an answer from a door that is closed."""
    answer = say(targets, b"GET / HTTP/1.1\r\nHost: door\r\n\r\n")
    if answer:
        return f"something answered: {answer[:80]!r}"
    raise Refused("nothing answered")


def replace_door(targets: Targets) -> str:
    """Put a socket of our own in a door's place."""
    if not targets["door_paths"]:
        raise Unknown("the doors' sockets have no path inside")
    for path in targets["door_paths"]:
        Path(path).rename(f"{path}.old")
        Path(f"{path}.old").rename(path)
    return "a door's socket can be moved"


def control_socket(targets: Targets) -> str:
    """Speak to the harness as the supervisor does."""
    found = [path for path in targets["control_paths"] if Path(path).exists()]
    for path in found:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(_WAIT)
            try:
                link.connect(path)
            except OSError:
                continue
            return f"{path} takes connections"
    raise Refused("nobody listens" if found else "it is not there")


DEAD = [Attempt("door-dead", "an answer through a door that is closed", dead)]

RELAY = [
    Attempt("relay-connect", "CONNECT through the doors' relay", connect_method),
    Attempt("relay-absolute", "a whole address through the relay", absolute_url),
    Attempt("relay-host", "another Host through the relay", host_header),
    Attempt("relay-smuggled", "a hidden second request through the relay", two_at_once),
    Attempt("relay-socks5", "SOCKS 5 through the relay", socks5),
    Attempt("relay-socks4", "SOCKS 4 through the relay", socks4),
    Attempt("door-replaced", "another socket in a door's place", replace_door),
    Attempt("control-socket", "the harness's control socket", control_socket),
]
