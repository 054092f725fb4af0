"""Connection: one HTTP exchange of a scripted model, which can also end badly."""

import json
import select
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any


class ClientGoneError(Exception):
    """The client went away, or the server is closing."""


class Connection:
    """Writes one answer on ``handler``'s socket; ``closing`` becomes readable when the server closes."""

    def __init__(self, handler: BaseHTTPRequestHandler, closing: socket.socket) -> None:
        self._handler = handler
        self._socket: socket.socket = handler.connection
        self._closing = closing

    def send_json(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        """A whole answer."""
        data = json.dumps(body, ensure_ascii=False).encode()
        self.begin(status, {"content-type": "application/json", "content-length": str(len(data)), **headers})
        if self._handler.command != "HEAD":
            self.write(data)

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Status and headers; a body without a length follows in chunks."""
        handler = self._handler
        try:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            if "content-length" not in headers:
                handler.send_header("transfer-encoding", "chunked")
            handler.end_headers()
        except OSError as error:
            raise ClientGoneError from error

    def write(self, data: bytes) -> None:
        """Bytes of a body that has a length."""
        try:
            self._handler.wfile.write(data)
            self._handler.wfile.flush()
        except OSError as error:
            raise ClientGoneError from error

    def write_chunk(self, data: bytes) -> None:
        """One chunk of a body that has none."""
        if data:
            self.write(b"%x\r\n%b\r\n" % (len(data), data))

    def end_chunks(self) -> None:
        """The end of a body in chunks."""
        self.write(b"0\r\n\r\n")

    def stream(self, events: Iterable[bytes], between: float) -> None:
        """Events, one chunk each, with a pause before all but the first."""
        for number, data in enumerate(events):
            if number:
                self.pause(between)
            self.write_chunk(data)
        self.end_chunks()

    def pause(self, seconds: float | None) -> None:
        """Wait; ClientGoneError as soon as the client leaves or the server closes. None waits for that alone."""
        if seconds == 0:
            return
        ready, _, _ = select.select([self._socket, self._closing], [], [], seconds)
        if self._closing in ready:
            raise ClientGoneError
        if ready:
            try:
                if not self._socket.recv(1, socket.MSG_PEEK):
                    raise ClientGoneError
            except OSError as error:
                raise ClientGoneError from error

    def drop(self) -> None:
        """Close the connection as it stands."""
        self._handler.close_connection = True
        with suppress(OSError):  # it may be closed already
            self._socket.shutdown(socket.SHUT_RDWR)
