"""What the model door costs a call: time to the first byte of a streamed answer, straight and through the door.

    python tests/benchmarks/model_door.py [--calls 300] [--idle 20]

The provider is a local server in a process of its own that answers at once (the worst case for the door: a real one
thinks while the record is written). Small requests and requests of 200 kB are measured in turns, one call at a time;
``--idle`` milliseconds lie between calls. Prints p50 and p95 in milliseconds and the bar: at most 3 ms more at p50.
"""

import argparse
import asyncio
import json
import multiprocessing
import secrets
import statistics
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from pincite_doors.media import MediaStore
from pincite_doors.models.door import ModelDoor
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import Route
from pincite_doors.redactor import Redactor
from pincite_models.choice import ModelChoice
from pincite_models.pricing import price_of
from pincite_tasks.family import FamilyLimits

BAR = 3.0
ROUND = 10
MODEL = "claude-sonnet-4-5"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
EVENTS = [
    {"type": "message_start", "message": {"id": "m", "model": MODEL, "content": [], "usage": {"input_tokens": 9}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    *[{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "word "}}] * 20,
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 20}},
    {"type": "message_stop"},
]


def provide(ready: Connection) -> None:
    """Answers every request with the same events, each written on its own."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                sizes = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                await reader.readexactly(int(sizes[0].partition(b":")[2]))
                writer.write(HEAD)
                for event in EVENTS:
                    data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
                    writer.write(b"%x\r\n%s\r\n" % (len(data), data))
                    await writer.drain()
                writer.write(b"0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def main() -> None:
        async with await asyncio.start_server(answer, "127.0.0.1", 0, limit=1 << 20) as server:
            ready.send(server.sockets[0].getsockname()[1])
            await server.serve_forever()

    asyncio.run(main())


class Agent:
    """A client without a library: what it takes is the same on both ways."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._token = token

    async def call(self, body: bytes) -> float:
        """Milliseconds to the first byte of the answer's first event."""
        head = (
            f"POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: {self._token}\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        started = time.perf_counter()
        self._writer.write(head.encode() + body)
        await self._reader.readuntil(b"\r\n\r\n")
        await self._reader.readexactly(1)
        taken = time.perf_counter() - started
        await self._reader.readuntil(b"\r\n0\r\n\r\n")
        return taken * 1000

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


def request(size: int) -> bytes:
    """A request of about so many bytes: a conversation of many turns."""
    text = "What does the paper say of the transition temperature of YBCO? " * 16
    count = max(1, size // len(text))
    turns = [{"role": ("user", "assistant")[i % 2], "content": [{"type": "text", "text": text}]} for i in range(count)]
    body = {"model": MODEL, "max_tokens": 1000, "stream": True, "messages": turns}
    return json.dumps(body, separators=(",", ":")).encode()


def show(name: str, taken: list[float]) -> float:
    p50 = statistics.median(taken)
    print(f"{name:16} p50 {p50:6.2f} ms   p95 {statistics.quantiles(taken, n=20)[-1]:6.2f} ms   n {len(taken)}")
    return p50


async def serve(port: int, calls: int, idle: float) -> None:
    """Open the door here, and let the agent measure in a process of its own, as agents are."""
    with tempfile.TemporaryDirectory() as name:
        folder, token = Path(name), secrets.token_urlsafe(16)
        choice = ModelChoice(provider="anthropic", name=MODEL, base_url=f"http://127.0.0.1:{port}")
        door = ModelDoor(
            folder / "model.sock",
            token,
            Route(choice, "sk-ant-" + secrets.token_urlsafe(32), "anthropic.messages"),
            meter=ModelMeter(FamilyLimits(model_calls=10**9), price_of(choice)),
            recorder=ModelRecorder(folder / "wire" / "llm.jsonl", Redactor([token]), MediaStore(folder)),
        )
        async with door:
            agent = multiprocessing.get_context("spawn").Process(
                target=drive, args=(port, folder / "model.sock", token, calls, idle)
            )
            agent.start()
            await asyncio.to_thread(agent.join)


def drive(port: int, socket: Path, token: str, calls: int, idle: float) -> None:
    async def main() -> None:
        straight = Agent(*await asyncio.open_connection("127.0.0.1", port), token)
        through = Agent(*await asyncio.open_unix_connection(socket), token)
        for label, body in (("small", request(300)), ("200 kB", request(200_000))):
            await measure(label, body, {"straight": straight, "door": through}, calls, idle)
        await straight.close()
        await through.close()

    asyncio.run(main())


async def measure(label: str, body: bytes, agents: dict[str, Agent], calls: int, idle: float) -> None:
    times: dict[str, list[float]] = {name: [] for name in agents}
    for turn in range(calls // ROUND + 1):
        for name, agent in agents.items():
            for _ in range(ROUND):
                taken = await agent.call(body)
                await asyncio.sleep(idle / 1000)
                if turn:  # the first round warms up
                    times[name].append(taken)
    floor, cost = (show(f"{label} {name}", taken) for name, taken in times.items())
    verdict = "ok" if cost - floor <= BAR else "MISSED"
    print(f"{label}: {cost - floor:.2f} ms more to the first byte at p50 (bar {BAR:g}): {verdict}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--idle", type=float, default=20.0, help="milliseconds between calls")
    arguments = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    provider = multiprocessing.Process(target=provide, args=(theirs,), daemon=True)
    provider.start()
    asyncio.run(serve(ours.recv(), arguments.calls, arguments.idle))
    provider.terminate()
    provider.join()
