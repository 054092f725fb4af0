"""What a call costs over streamable HTTP, against the same call of the same server over stdio.

    python tests/benchmarks/http_call.py [--calls 200] [--token]

Two processes of `pincite serve materials` are called in turns of 25 in one run, so that a busy machine slows both.
Prints p50 and p95 in milliseconds and the ratio of the medians; ``--token`` sets PINCITE_HTTP_TOKEN for both ends. The
exit status is 1 when the ratio is above 5: a listener without TCP_NODELAY waits 40 ms for an acknowledgement and lies
far above, one with it far below.
"""

import argparse
import os
import re
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

BAR = 5.0
ROUND = 25
PINCITE = str(Path(sys.executable).with_name("pincite"))
CALL = ("normalise_formula", {"material": "YBa2Cu3O7"})


@contextmanager
def listening(token: str) -> Generator[str]:
    """The address of a server over HTTP."""
    environment = os.environ | ({"PINCITE_HTTP_TOKEN": token} if token else {})
    command = [PINCITE, "serve", "materials", "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        match = re.search(r"http://\S+/mcp", line)
        assert match is not None, line
        try:
            yield match[0]
        finally:
            process.terminate()


async def timed(client: Client, calls: int) -> list[float]:
    """The times of so many calls, in milliseconds."""
    taken: list[float] = []
    for _ in range(calls):
        started = time.perf_counter()
        answer = await client.call_tool(*CALL)
        taken.append((time.perf_counter() - started) * 1000)
        assert not answer.is_error, answer
    return taken


def show(name: str, taken: list[float]) -> float:
    """Print the quantiles, and return the median."""
    p50 = statistics.median(taken)
    print(f"{name:6} p50 {p50:6.2f} ms   p95 {statistics.quantiles(taken, n=20)[-1]:6.2f} ms   n {len(taken)}")
    return p50


async def main(calls: int, token: str) -> int:
    """Measure, print and judge."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    stdio = StdioServerParameters(command=PINCITE, args=["serve", "materials"])
    times: dict[str, list[float]] = {"stdio": [], "http": []}
    with listening(token) as address:
        async with httpx2.AsyncClient(headers=headers) as sending:
            over_http = streamable_http_client(address, http_client=sending)
            async with Client(over_http, cache=None) as far, Client(stdio, cache=None) as near:
                await timed(far, ROUND)
                await timed(near, ROUND)
                for _ in range(calls // ROUND):
                    times["stdio"] += await timed(near, ROUND)
                    times["http"] += await timed(far, ROUND)
    floor, cost = show("stdio", times["stdio"]), show("http", times["http"])
    print(f"ratio {cost / floor:.2f}, {cost - floor:.2f} ms more a call (bar {BAR})")
    return 0 if cost / floor <= BAR else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--token", action="store_true")
    given = parser.parse_args()
    sys.exit(anyio.run(main, given.calls, secrets.token_urlsafe(24) if given.token else ""))
