"""A beacon: what of this machine a probe must not reach, and a record of whether it was reached."""

import asyncio
import contextlib
import secrets
import socket
from pathlib import Path
from typing import cast


class Beacon:
    """Listens on every address of the machine by TCP and UDP, on an abstract Unix socket, and answers its word.

    Used as ``async with Beacon() as beacon``. ``reached`` names every way by which somebody has come.
    """

    def __init__(self) -> None:
        self.word = f"beacon-{secrets.token_hex(8)}"
        self.abstract = f"pincite-{self.word}"
        self.port = 0
        self.reached: list[str] = []
        self._servers: list[asyncio.Server] = []
        self._datagrams: list[asyncio.DatagramTransport] = []

    async def __aenter__(self) -> "Beacon":
        loop = asyncio.get_running_loop()
        for host, family in (("0.0.0.0", socket.AF_INET), ("::", socket.AF_INET6)):  # noqa: S104
            with contextlib.suppress(OSError):
                await self._listen(loop, host, family)
        self._servers.append(await asyncio.start_unix_server(self._answer, f"\0{self.abstract}"))
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in self._servers:
            server.close()
        for transport in self._datagrams:
            transport.close()
        await asyncio.sleep(0)

    async def _listen(self, loop: asyncio.AbstractEventLoop, host: str, family: int) -> None:
        self._servers.append(await asyncio.start_server(self._answer, host, self.port, family=family))
        self.port = int(self._servers[-1].sockets[0].getsockname()[1])
        datagrams = socket.socket(family, socket.SOCK_DGRAM)
        datagrams.setblocking(False)
        if family == socket.AF_INET6:
            datagrams.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        datagrams.bind((host, self.port))
        transport, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self), sock=datagrams)
        self._datagrams.append(transport)

    async def _answer(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reached.append(f"{writer.get_extra_info('sockname')!r} from {writer.get_extra_info('peername')!r}")
        with contextlib.suppress(ConnectionError):
            writer.write(f"{self.word}\r\n".encode())
            await writer.drain()
        writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    """Answers each datagram as a resolver would: the same question back, marked as an answer."""

    def __init__(self, beacon: Beacon) -> None:
        self._beacon = beacon
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Python 3.11's own is not a subclass of what it is said to be.
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self._beacon.reached.append(f"a datagram from {addr!r}")
        if self._transport is not None:
            self._transport.sendto(data[:2] + b"\x81\x80" + data[4:] + self._beacon.word.encode(), addr)


def machine_addresses() -> list[str]:
    """This machine's own IPv4 addresses, but loopback: those of its interfaces, bridges among them."""
    found: list[str] = []
    address = ""
    for line in Path("/proc/net/fib_trie").read_text().splitlines() if Path("/proc/net/fib_trie").exists() else []:
        words = line.split()
        if words[:1] == ["|--"]:
            address = words[1]
        elif "host" in words and "LOCAL" in words and not address.startswith(("127.", "0.")):
            found.append(address)
    return list(dict.fromkeys(found))
