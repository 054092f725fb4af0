"""What a neighbour notices of an agent that floods its doors: time to the first byte of the neighbour's model calls.

    python tests/benchmarks/door_flood.py [--seconds 6] [--only "2,000 connections"]

One process holds the doors of two trials, as a harness does. A second one, the flooding agent, sends each flood in turn
to doors of its own; a third, the neighbour, calls its model 50 times a second all the while. Prints the neighbour's
p50 and longest wait in milliseconds, what ended the flood (``-``: nothing), and the most descriptors that were open.
The bar: nobody waits longer than 1 s.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path

from model_door import MODEL, Agent, provide, request

from pincite_doors.door import ToolDoor
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.models.door import ModelDoor
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import Route
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic
from pincite_models.choice import ModelChoice
from pincite_tasks.family import FamilyLimits

BAR = 1000.0
TOKEN = "trial-token-of-the-benchmark"
SPAWN = multiprocessing.get_context("spawn")


class Trial:
    """Both doors of one trial in ``folder``."""

    def __init__(self, folder: Path, port: int) -> None:
        self.traffic = Traffic()
        redactor, media = Redactor([TOKEN]), MediaStore(folder, self.traffic)
        self.model = ModelDoor(
            folder / "model.sock",
            TOKEN,
            Route(
                ModelChoice(provider="compatible", name=MODEL, base_url=f"http://127.0.0.1:{port}"),
                "",
                "anthropic.messages",
            ),
            meter=ModelMeter(FamilyLimits(model_calls=10**9), None),
            recorder=ModelRecorder(folder / "llm.jsonl", redactor, media, self.traffic),
            traffic=self.traffic,
        )
        recorder = WireRecorder(folder / "mcp.jsonl", redactor, self.traffic)
        self.tools = ToolDoor(
            folder / "tools.sock", TOKEN, meter=ToolMeter(9), recorder=recorder, media=media, traffic=self.traffic
        )
        self._folder = folder

    async def __aenter__(self) -> "Trial":
        await self.model.open()
        await self.tools.open([], {}, self._folder)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.model.close()
        await self.tools.close()


async def post(socket: Path, path: str, body: bytes, token: str = TOKEN) -> None:
    """One request, its answer read to the end or not at all."""
    reader, writer = await asyncio.open_unix_connection(socket)
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\nconnection: close\r\n"
    writer.write(f"{head}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
    try:
        await reader.read()
    finally:
        writer.close()


def message(content: str) -> bytes:
    return json.dumps({"model": MODEL, "messages": [{"role": "user", "content": content}]}).encode()


def at_once(count: int, body: bytes, door: str = "model", token: str = TOKEN) -> Callable[[Path], Awaitable[None]]:
    """A flood of ``count`` requests at the same time, again and again."""
    path = "/v1/messages" if door == "model" else "/mcp/demo"

    async def send(folder: Path) -> None:
        socket = folder / f"{door}.sock"
        await asyncio.gather(*(post(socket, path, body, token) for _ in range(count)), return_exceptions=True)
        await asyncio.sleep(0)

    return send


async def connect(folder: Path) -> None:
    """2,000 connections that say nothing."""
    held: list[asyncio.StreamWriter] = []
    for _ in range(2000):
        with contextlib.suppress(OSError):
            held.append((await asyncio.open_unix_connection(folder / "model.sock"))[1])
    for writer in held:
        writer.close()


async def head(folder: Path) -> None:
    """A head that does not end."""
    _, writer = await asyncio.open_unix_connection(folder / "model.sock")
    with contextlib.suppress(OSError):
        writer.write(b"POST / HTTP/1.1\r\nx-a: " + b"a" * 10_000_000)
        await writer.drain()
    writer.close()


def pictures() -> bytes:
    """A request with 1,900 pictures."""
    held = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": f"{n:08d}"}}
            for n in range(1900)]  # fmt: skip
    return json.dumps({"model": MODEL, "messages": [{"role": "user", "content": held}]}).encode()


FLOODS: dict[str, Callable[[], Callable[[Path], Awaitable[None]]]] = {
    "nothing": lambda: at_once(0, b""),
    "endless headers": lambda: head,
    "2,000 connections": lambda: connect,
    "refused requests": lambda: at_once(50, b"{}", token="wrong"),
    "requests of 1 kB": lambda: at_once(50, message("x" * 1000)),
    "requests of 1 MB": lambda: at_once(8, message("x" * 1_000_000)),
    "requests of 50 MB": lambda: at_once(4, message("x" * 50_000_000)),
    "JSON of 249,000 lists": lambda: at_once(4, b'{"a":[' + b"[]," * 249_000 + b"[]]}"),
    "JSON of too many lists": lambda: at_once(4, b'{"a":[' + b"[]," * 16_000_000 + b"[]]}"),
    "numbers of 4,000 digits": lambda: at_once(4, b'{"a":[' + (b"9" * 4000 + b",") * 10_000 + b"1]}"),
    "data URLs of 40 MB": lambda: at_once(2, message("data:;a=" * 2_500_000 + ";base64," * 2_500_000)),
    "1,900 pictures": lambda: at_once(4, pictures()),
    "tool messages of 4 MB": lambda: at_once(8, b'{"a":"' + b"x" * 4_000_000 + b'"}', "tools"),
}
"""What makes each flood, in the process that sends it."""


def flood(name: str, folder: Path, seconds: float) -> None:
    async def main() -> None:
        send = FLOODS[name]()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(max(0.1, deadline - time.monotonic())):
                    await send(folder)
            await asyncio.sleep(0.001)

    asyncio.run(main())


def neighbour(socket: Path, seconds: float, told: Connection) -> None:
    async def main() -> list[float]:
        agent = Agent(*await asyncio.open_unix_connection(socket), TOKEN)
        body, deadline, taken = request(300), time.monotonic() + seconds, list[float]()
        while time.monotonic() < deadline:
            taken.append(await agent.call(body))
            await asyncio.sleep(0.02)
        await agent.close()
        return taken

    told.send(asyncio.run(main()))


async def measure(name: str, port: int, seconds: float) -> float:
    """Run one flood and print what the neighbour noticed; its longest wait in milliseconds."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        ours, theirs = SPAWN.Pipe()
        async with Trial(Path(first), port) as flooded, Trial(Path(second), port):
            processes = [
                SPAWN.Process(target=flood, args=(name, Path(first), seconds)),
                SPAWN.Process(target=neighbour, args=(Path(second) / "model.sock", seconds, theirs)),
            ]
            for process in processes:
                process.start()
            files = 0
            while processes[1].is_alive() and not ours.poll():
                files = max(files, len(list(Path("/proc/self/fd").iterdir())))
                await asyncio.sleep(0.01)
            taken: list[float] = ours.recv()
            for process in processes:
                await asyncio.to_thread(process.join)
            ended = flooded.traffic.exceeded or "-"
    longest = max(taken)
    print(f"{name:24} p50 {statistics.median(taken):7.2f} ms   longest {longest:7.0f} ms   n {len(taken):4}", end="")
    print(f"   descriptors {files:4}   {ended}", flush=True)
    return longest


async def main(port: int, seconds: float, only: str) -> None:
    longest = [await measure(name, port, seconds) for name in FLOODS if only in name]
    verdict = "ok" if max(longest) <= BAR else "MISSED"
    print(f"the longest wait of a neighbour: {max(longest):.0f} ms (bar {BAR:g}): {verdict}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6.0, help="how long each flood goes on")
    parser.add_argument("--only", default="", help="floods whose names have this in them")
    arguments = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    provider = multiprocessing.Process(target=provide, args=(theirs,), daemon=True)
    provider.start()
    asyncio.run(main(ours.recv(), arguments.seconds, arguments.only))
    provider.terminate()
    provider.join()
