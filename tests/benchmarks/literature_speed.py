"""What the literature server costs beyond the sources: a cached get_paper, and a search over six sources.

    python tests/benchmarks/literature_speed.py [--calls 300] [--rounds 12] [--works 20]

The sources are servers of the tests in a process of their own, with every answer made beforehand. ``get_paper`` is
called in turns with an empty tool of the same SDK, over stdio. A search over all sources is called in turns with a
search of the slowest one alone, without the cache: once where Crossref takes 0.4 s for a request and the others 0.1 s,
once where all take 0.15 s (PubMed, which needs two requests, is the slowest then). The exit status is 1 when get_paper
takes more than 1.5 times as long as the empty tool, or a search over all more than 30 ms longer than of the slowest.
"""

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

RATIO_BAR = 1.5
EXTRA_BAR = 0.030
TESTS = Path(__file__).resolve().parents[1]
NAMES = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
SCENES: dict[str, dict[str, float]] = {
    "crossref": {**dict.fromkeys(NAMES, 0.1), "crossref": 0.4},
    "pubmed": dict.fromkeys(NAMES, 0.15),
}
"""Seconds that each source takes for a request, by the source that is the slowest then."""
DOI = "10.5555/lattice.1"
EMPTY = """
from mcp.server import MCPServer
server = MCPServer("empty")
@server.tool()
def nothing() -> str:
    return ""
server.run("stdio")
"""


def load(name: str, path: Path) -> ModuleType:
    """A module of the tests, under the name by which the others import it."""
    place = importlib.util.spec_from_file_location(name, path)
    assert place is not None
    assert place.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(place)
    place.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def invent(count: int) -> list[Any]:
    """Works with abstracts and lists of authors of ordinary length that every source knows."""
    made = sys.modules["invented"].Invented
    words = ["cubic", "layered", "frozen", "chiral", "doped", "strained", "hollow", "twisted", "amorphous", "dilute"]
    things = ["magnets", "oxides", "glasses", "films", "alloys", "polymers", "membranes", "crystals"]
    return [
        made(
            f"{words[at % 10].title()} {things[at % 8]} and lattices: {words[at // 3 % 10]} order of sample {at}",
            tuple((f"Family{at}{letter}", "Ada B.") for letter in "abcdefg"),
            f"What was seen in sample {at} of the lattices. " + "It was cooled, and then it was measured again. " * 25,
            f"{2000 + at % 20}-03-05",
            doi=f"10.5555/lattice.{at}",
            arxiv=f"1903.{at:05d}",
            pmid=f"30{at:05d}",
            pmcid=f"PMC7{at:05d}",
            s2=f"{at:039d}a",
            openalex=f"W3{at:06d}",
        )
        for at in range(1, count + 1)
    ]


def slowed(answer: Callable[[Any], Any], seconds: float) -> Callable[[Any], Any]:
    """The answers, each made once, after ``seconds``."""
    made: dict[str, Any] = {}

    def give(asked: Any) -> Any:
        key = repr((asked.method, asked.path, sorted(asked.params.items()), asked.body))
        if key not in made:
            made[key] = replace(answer(asked), after=seconds)
        return made[key]

    return give


def serve_sources(works: int) -> None:
    """Serve until stdin ends; the addresses go to stdout."""
    source_server = load("source_server", TESTS / "source_server.py")
    services = load("services", TESTS / "literature_services" / "services.py")
    known = invent(works)
    answers = {name: services.answering(name, known) for name in NAMES}
    servers = {
        scene: {name: source_server.SourceServer(slowed(answers[name], seconds)) for name, seconds in takes.items()}
        for scene, takes in SCENES.items()
    }
    print(json.dumps({scene: {name: one.url for name, one in made.items()} for scene, made in servers.items()}))
    sys.stdout.flush()
    sys.stdin.read()


def literature(folder: str, urls: dict[str, str]) -> StdioServerParameters:
    """How to start the server over these sources, without a cache on disk."""
    environment = {
        "PINCITE_SOURCE_URLS": json.dumps(urls),
        "PINCITE_SOURCE_RATES": "off",
        "PINCITE_CACHE_DIR": folder,
        "PINCITE_CACHE_MAX_BYTES": "0",
        "PINCITE_PAPERS_DIR": folder,
    }
    pincite = str(Path(sys.executable).with_name("pincite"))
    return StdioServerParameters(command=pincite, args=["serve", "literature"], env=environment)


async def timed(client: Client, tool: str, **arguments: Any) -> float:
    """Seconds of one call that must succeed."""
    began = time.perf_counter()
    answer = await client.call_tool(tool, arguments)
    took = time.perf_counter() - began
    assert not answer.is_error, answer
    content = answer.structured_content or {}
    assert all(entry["state"] == "answered" for entry in content.get("sources", [])), content["sources"]
    return took


async def look_up(folder: str, urls: dict[str, str], calls: int) -> bool:
    """Print what a cached get_paper costs; whether that is within the bar."""
    empty = StdioServerParameters(command=sys.executable, args=["-c", EMPTY])
    async with Client(empty) as floor, Client(literature(folder, urls)) as client:
        pairs = [(await timed(client, "get_paper", id=DOI), await timed(floor, "nothing")) for _ in range(calls + 20)]
    ours, least = (statistics.median(times) for times in zip(*pairs[20:], strict=True))
    print(
        f"cached get_paper {ours * 1e6:.0f} us, an empty tool {least * 1e6:.0f} us: ratio {ours / least:.2f} "
        f"(bar {RATIO_BAR}, {calls} calls)"
    )
    return ours / least <= RATIO_BAR


async def search(folder: str, urls: dict[str, str], slowest: str, rounds: int) -> bool:
    """Print what a search over all sources adds to one of the slowest; whether that is within the bar."""
    alone: list[float] = []
    together: list[float] = []
    async with Client(literature(folder, urls)) as client:
        # The limit makes every call another one for the server, and the same one for the sources.
        for limit in range(1, 2 + rounds):
            alone.append(await timed(client, "search_papers", query="lattices", sources=slowest, limit=limit))
            together.append(await timed(client, "search_papers", query="lattices", limit=limit))
    extra = statistics.median(both - one for both, one in zip(together[1:], alone[1:], strict=True))
    print(
        f"a search over six sources {statistics.median(together) * 1e3:.0f} ms, of the slowest ({slowest}) alone "
        f"{statistics.median(alone) * 1e3:.0f} ms: {extra * 1e3:+.1f} ms "
        f"(bar {EXTRA_BAR * 1e3:.0f} ms, {rounds} rounds)"
    )
    return extra <= EXTRA_BAR


async def measure(folder: str, scenes: dict[str, dict[str, str]], calls: int, rounds: int) -> int:
    """Print all figures; 1 when one is above its bar."""
    kept = [await look_up(folder, next(iter(scenes.values())), calls)]
    kept += [await search(folder, urls, slowest, rounds) for slowest, urls in scenes.items()]
    return 0 if all(kept) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=12, help="at most 19")
    parser.add_argument("--works", type=int, default=20)
    parser.add_argument("--sources", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sources:
        serve_sources(arguments.works)
        return 0
    command = [sys.executable, __file__, "--sources", "--works", str(arguments.works)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as sources,
    ):
        assert sources.stdout is not None
        assert sources.stdin is not None
        scenes = json.loads(sources.stdout.readline())
        try:
            return anyio.run(measure, folder, scenes, arguments.calls, arguments.rounds)
        finally:
            sources.stdin.close()


if __name__ == "__main__":
    sys.exit(main())
