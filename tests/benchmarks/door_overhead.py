"""What the tool door costs a call: the same tool of the same server over stdio, and through the recording door.

    python tests/benchmarks/door_overhead.py [--calls 300]

Both are measured in turns in one run; prints p50 and p95 in milliseconds and the ratio. For comparison the same server
over plain streamable HTTP on a Unix socket would pay the transport without the second hop and the record.
"""

import argparse
import asyncio
import secrets
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from pincite_doors.door import ToolDoor
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.upstream import ServerLaunch

SERVER = [sys.executable, str(Path(__file__).parents[1] / "harness" / "programs" / "demo_server.py")]
ROUND = 25


async def timed(client: Client, calls: int) -> list[float]:
    taken: list[float] = []
    for _ in range(calls):
        started = time.perf_counter()
        await client.call_tool("echo", {"text": "x" * 200})
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def show(name: str, taken: list[float]) -> float:
    p50 = statistics.median(taken)
    print(f"{name:10} p50 {p50:6.2f} ms   p95 {statistics.quantiles(taken, n=20)[-1]:6.2f} ms   n {len(taken)}")
    return p50


async def main(calls: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, token = Path(name), secrets.token_urlsafe(16)
        recorder = WireRecorder(folder / "wire" / "mcp.jsonl", Redactor([token]))
        socket = folder / "tools.sock"
        door = ToolDoor(socket, token, meter=ToolMeter(10**9), recorder=recorder, media=MediaStore(folder))
        transport = httpx2.AsyncHTTPTransport(uds=str(socket))
        async with door, httpx2.AsyncClient(transport=transport, headers={"Authorization": f"Bearer {token}"}) as http:
            await door.open([ServerLaunch("demo", SERVER)], {}, folder / "wire")
            through = streamable_http_client("http://127.0.0.1/mcp/demo", http_client=http)
            direct = StdioServerParameters(command=SERVER[0], args=SERVER[1:])
            async with Client(through, cache=None) as far, Client(direct, cache=None) as near:
                await timed(far, ROUND)
                await timed(near, ROUND)
                times: dict[str, list[float]] = {"stdio": [], "door": []}
                for _ in range(calls // ROUND):
                    times["stdio"] += await timed(near, ROUND)
                    times["door"] += await timed(far, ROUND)
    floor, cost = show("stdio", times["stdio"]), show("door", times["door"])
    print(f"ratio {cost / floor:.2f}, {cost - floor:.2f} ms more a call")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=300)
    asyncio.run(main(parser.parse_args().calls))
