"""A tunnel from an agent to an allowed host, which must begin with TLS for that host."""

import asyncio

import anyio
import httpcore

from pincite_core.http.urls import Origin
from pincite_doors.web.client import HEAD_SECONDS, WebClient
from pincite_doors.web.client_hello import MAX_BYTES, NotTLSError, server_name
from pincite_doors.web.failing import CONNECT_SECONDS, IDLE_SECONDS, WebError, web_errors
from pincite_doors.web.recorder import Outcome

_PIECE = 1 << 16
"""Bytes that are passed on at once."""


async def tunnel(client: WebClient, place: Origin, network: httpcore.AsyncNetworkBackend, outcome: Outcome) -> None:
    """Carry bytes both ways until one side ends. WebError where the host is not reached, or the agent does not speak
    TLS to it: another name inside would reach another site of the same provider."""
    with web_errors():
        stream = await network.connect_tcp(place.host, place.port, timeout=CONNECT_SECONDS)
    try:
        async with asyncio.timeout(HEAD_SECONDS):
            hello = await _hello(client, place.host)
        outcome.status = 200
        with web_errors():
            await stream.write(hello, timeout=IDLE_SECONDS)
        outcome.sent += len(hello)
        await _carry(client, stream, outcome)
    finally:
        with anyio.CancelScope(shield=True):
            await stream.aclose()


async def _hello(client: WebClient, host: str) -> bytes:
    """The agent's first message, checked before the host gets a byte."""
    data = await client.open_tunnel()
    try:
        while (name := server_name(data)) is None:
            piece = await client.read()
            if not piece or len(data) > MAX_BYTES:
                raise WebError("cancelled" if not data else "malformed", "the agent ended the tunnel before TLS began")
            data += piece
    except NotTLSError as error:
        raise WebError("forbidden", str(error)) from error
    if name != host:
        raise WebError("forbidden", f"TLS asks for {name}, not for {host}")
    return data


async def _carry(client: WebClient, stream: httpcore.AsyncNetworkStream, outcome: Outcome) -> None:
    up = asyncio.create_task(_send(client, stream, outcome))
    down = asyncio.create_task(_receive(client, stream, outcome))
    try:
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (up, down):
            task.cancel()
        ended = await asyncio.gather(up, down, return_exceptions=True)
    for end in ended:
        if isinstance(end, Exception):
            raise end


async def _send(client: WebClient, stream: httpcore.AsyncNetworkStream, outcome: Outcome) -> None:
    while data := await client.read():
        with web_errors():
            await stream.write(data, timeout=IDLE_SECONDS)
        outcome.sent += len(data)


async def _receive(client: WebClient, stream: httpcore.AsyncNetworkStream, outcome: Outcome) -> None:
    while True:
        with web_errors():
            data = await stream.read(_PIECE, timeout=IDLE_SECONDS)
        if not data:
            return
        outcome.received += len(data)
        await client.write(data)
