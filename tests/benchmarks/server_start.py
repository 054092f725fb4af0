"""How long each server takes from its start to the list of its tools, against an empty server of the same SDK.

Run: python tests/benchmarks/server_start.py [ROUNDS]. The exit status is 1 above the bar of 1.15.
"""

import statistics
import sys
import tempfile
import time
from operator import truediv
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

from pincite_core.servers import SERVERS

BAR = 1.15
EMPTY = """
from mcp.server import MCPServer
server = MCPServer("empty")
@server.tool()
def nothing() -> str:
    return ""
server.run("stdio")
"""


async def start(command: str, arguments: list[str], folder: str) -> float:
    """Seconds from starting the process to the list of its tools."""
    parameters = StdioServerParameters(command=command, args=arguments, cwd=folder)
    started = time.perf_counter()
    async with Client(parameters) as client:
        tools = await client.list_tools()
        took = time.perf_counter() - started
    assert tools.tools
    return took


async def main(rounds: int) -> int:
    """Start all in turns, so that a busy machine slows all."""
    pincite = str(Path(sys.executable).with_name("pincite"))
    commands = {"empty SDK server": (sys.executable, ["-c", EMPTY])}
    commands |= {name: (pincite, ["serve", name]) for name in (*SERVERS, "read", "all")}
    times: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        for index in range(rounds + 1):
            for name, (command, arguments) in commands.items():
                took = await start(command, arguments, folder)
                if index:
                    times[name].append(took)
    floor = times["empty SDK server"]
    ratios = {name: statistics.median(map(truediv, took, floor)) for name, took in times.items()}
    for name, took in times.items():
        middle, least = statistics.median(took) * 1000, min(took) * 1000
        print(f"{name:16} p50 {middle:5.0f} ms, least {least:5.0f} ms; ratio {ratios[name]:5.2f}")
    print(f"bar {BAR}, {rounds} rounds")
    return 0 if max(ratios.values()) <= BAR else 1


if __name__ == "__main__":
    sys.exit(anyio.run(main, int(sys.argv[1]) if len(sys.argv) > 1 else 9))
