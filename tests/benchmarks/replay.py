"""What a replayed and a cached lookup cost: times in microseconds, and their ratio to reading one file of that size.

Four processes replay the recorded session of ``tests/core/http/recorded_session.py`` at once; their output is compared.

    python tests/benchmarks/replay.py
"""

import asyncio
import importlib.util
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType

from pincite_core.http.client import Web
from pincite_core.http.opening import open_web
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.settings import Settings

TESTS = Path(__file__).parents[1]
SESSION = TESTS / "core" / "http" / "recorded_session.py"
ROUNDS, EACH = 20, 50
POLICY = SourcePolicy("library", "Library", "https://library.example", Rate(1000, 1.0, 16))


def _module(path: Path) -> ModuleType:
    place = importlib.util.spec_from_file_location(path.stem, path)
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    sys.modules[path.stem] = module
    place.loader.exec_module(module)
    return module


async def _micros(work: Callable[[], Awaitable[object]]) -> float:
    """The median over rounds of the mean time of one call."""
    means: list[float] = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(EACH):
            await work()
        means.append((time.perf_counter() - started) / EACH * 1e6)
    return statistics.median(means)


async def _costs(folder: Path, url: str) -> None:
    common = {"source_urls": {"library": url}, "cache_dir": folder / "cache"}
    webs: dict[str, Web] = {"cached, in memory": open_web(Settings(**common))}
    webs["recorded"] = open_web(Settings(http_mode="record", http_store=folder / "store", **common))
    for web in webs.values():
        async with web.lifespan():
            await web.get(POLICY, "works", {"q": "a"})
    webs["replayed"] = open_web(Settings(http_mode="replay", http_store=folder / "store", **common))
    (stored,) = (folder / "store").rglob("*.exchange")

    async def read() -> bytes:
        return stored.read_bytes()

    floor = await _micros(read)
    print(f"{'one file read':24} {floor:8.1f} us")
    for name, web in webs.items():
        cost = await _micros(lambda web=web: web.get(POLICY, "works", {"q": "a"}))
        print(f"{name:24} {cost:8.1f} us  {cost / floor:5.1f} x")


def _processes(folder: Path, urls: list[str]) -> None:
    def start(mode: str, cache: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(SESSION), mode, str(folder / "session"), str(folder / cache), *urls]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    recorded = start("record", "recording").communicate()[0]
    started = time.perf_counter()
    outputs = [process.communicate()[0] for process in [start("replay", f"empty{n}") for n in range(4)]]
    seconds = time.perf_counter() - started
    equal = sum(output == recorded for output in outputs)
    print(f"4 processes replayed {len(recorded.splitlines())} lookups each in {seconds:.2f} s: {equal} of 4 byte-equal")


def main() -> None:
    """Print the costs."""
    servers, session = _module(TESTS / "source_server.py"), _module(SESSION)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        body = {"works": [{"title": f"Work {n}"} for n in range(300)]}
        with servers.SourceServer(lambda _: servers.Given(body)) as server:
            asyncio.run(_costs(folder, server.url))
        made = [servers.SourceServer(session.answer(servers.Given)) for _ in session.POLICIES]
        _processes(folder, [server.url for server in made])
        for server in made:
            server.close()


if __name__ == "__main__":
    main()
