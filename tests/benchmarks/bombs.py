"""Bombs through the real servers: files and patterns made to do harm, and what became of the servers meanwhile.

    python tests/benchmarks/bombs.py [--only PART] [--seconds 20]

The bombs are those of the tests (every test module with a ``BOMBS`` table), archives of pictures, and patterns. The
documents server opens each file and the figures server looks at it; each pattern is grepped for. The exit status is 1
when a server died, an answer took longer than the limit and its slack, the memory of a server outgrew its bound, or an
error had no type.
"""

import argparse
import gzip
import importlib.util
import io
import os
import struct
import sys
import tarfile
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import typst
from mcp import Client, StdioServerParameters
from rich.console import Console
from rich.progress import track

TESTS = Path(__file__).resolve().parents[1]
SLACK_SECONDS = 10.0
SERVER_MIB = 600
WORKER_MIB = 1400
TEX = rb"""\documentclass{article}\usepackage{graphicx}\begin{document}\section{One}The value is 92 K.
\begin{figure}\includegraphics{picture}\caption{A picture.}\end{figure}\end{document}"""
PATTERNS = ("(a+)+$", "(.*a){30}", "((x+x+)+y){9}", "(?:a?){9999}a", "\\p{L}{1000}{1000}", "(" * 5000 + ")" * 5000)
PAPER = "#set text(size: 6pt)\n" + "#lorem(9000) " + "a" * 30_000 + " " + "x" * 30_000

Bomb = Callable[[], bytes]


def files() -> dict[str, Bomb]:
    """The bombs that are files, by a name that says where they come from."""
    found: dict[str, Bomb] = {}
    for path in sorted((TESTS / "papers").glob("test_*.py")):
        if "BOMBS" not in path.read_text(encoding="utf-8"):
            continue
        bombs = _loaded(path).BOMBS
        named = bombs if isinstance(bombs, Mapping) else {bomb.__name__: bomb for bomb in bombs}
        found |= {f"{path.stem.removeprefix('test_')}: {name}": bomb for name, bomb in named.items()}
    return found | {f"picture: {name}": bomb for name, bomb in PICTURES.items()}


def _loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _archive(name: str, picture: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for member, data in (("main.tex", TEX), (name, picture)):
            header = tarfile.TarInfo(member)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return gzip.compress(out.getvalue())


def _png(width: int, height: int, data: bytes) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _jpeg(width: int, height: int) -> bytes:
    frame = struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8\xff\xc0" + frame + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + bytes(1000) + b"\xff\xd9"


def _huge_page() -> bytes:
    pdf = typst.compile(b"#set page(width: 100pt, height: 100pt)\nword", format="pdf")
    return pdf.replace(b"[0 0 100 100]", b"[0 0 9e9 99]")


PICTURES: dict[str, Bomb] = {
    "png of 3.6 gigapixels": lambda: _archive(
        "picture.png", _png(60_000, 60_000, zlib.compress(bytes(450_000_000), 9))
    ),
    "png that claims 4 terapixels": lambda: _archive("picture.png", _png(2_000_000, 2_000_000, zlib.compress(b"x"))),
    "jpeg of 4 gigapixels": lambda: _archive("picture.jpg", _jpeg(65_000, 65_000)),
    "pdf of a huge page": lambda: _archive("picture.pdf", _huge_page()),
    "pdf that is none": lambda: _archive("picture.pdf", b"%PDF-1.7\n" + bytes(100_000)),
}


class Watch:
    """The largest memory of this process' children (the servers) and of theirs (the workers), in MiB."""

    def __init__(self) -> None:
        self.server = self.worker = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @contextmanager
    def watching(self) -> Iterator["Watch"]:
        """Sample every 20 ms."""
        self._thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.02):
            servers = _children(os.getpid())
            self.server = max([self.server, *map(_resident, servers)])
            self.worker = max([self.worker, *(_resident(child) for server in servers for child in _children(server))])


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    except OSError:
        return found
    return found


def _resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (OSError, IndexError):
        return 0.0


async def _ask(client: Client, tool: str, **arguments: Any) -> tuple[str, float]:
    """The outcome of a call ("ok" or the error's first line) and its seconds."""
    started = time.perf_counter()
    answer = await client.call_tool(tool, arguments)
    text = "".join(getattr(block, "text", "") for block in answer.content)
    return text.split("\n", 1)[0] if answer.is_error else "ok", time.perf_counter() - started


async def _throw(folder: Path, only: str, seconds: float) -> list[tuple[str, str, float]]:
    """Every bomb's outcomes: (name, outcome, seconds)."""
    environment = {
        "PINCITE_ROOTS": str(folder),
        "PINCITE_CACHE_DIR": str(folder / "cache"),
        "PINCITE_PARSE_SECONDS": str(seconds),
    }
    pincite = str(Path(sys.executable).with_name("pincite"))
    documents, figures = (
        StdioServerParameters(command=pincite, args=["serve", name], env=environment)
        for name in ("documents", "figures")
    )
    outcomes: list[tuple[str, str, float]] = []
    (folder / "paper.pdf").write_bytes(typst.compile(PAPER.encode(), format="pdf"))
    bombs = {name: bomb for name, bomb in files().items() if only in name}
    async with Client(documents) as reader, Client(figures) as viewer:
        for name, bomb in track(bombs.items(), "bombs", console=Console(stderr=True), total=len(bombs)):
            (folder / "bomb").write_bytes(bomb())
            calls = (
                (reader, "open_paper", {}),
                (viewer, "view_page", {"page": 1}),
                (viewer, "list_figures", {}),
                (viewer, "view_figure", {"figure": "1"}),
            )
            for client, tool, arguments in calls:
                outcome, taken = await _ask(client, tool, paper="bomb", **arguments)
                outcomes.append((f"{name}, {tool}", outcome, taken))
        for pattern in PATTERNS if "pattern".startswith(only) else ():
            outcome, taken = await _ask(reader, "grep_paper", paper="paper.pdf", pattern=pattern, regex=True)
            outcomes.append((f"pattern: {pattern[:30]}", outcome, taken))
        for client, tool, more in ((reader, "open_paper", {}), (viewer, "view_page", {"page": 1})):
            outcome, taken = await _ask(client, tool, paper="paper.pdf", **more)
            outcomes.append((f"a good paper afterwards, {tool}", outcome, taken))
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only bombs whose name holds this")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit of one parse")
    arguments = parser.parse_args()
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder, watch.watching():
        outcomes = anyio.run(_throw, Path(folder), arguments.only, arguments.seconds)
    for name, outcome, taken in outcomes:
        print(f"{taken:6.2f} s  {name:70} {outcome[:120]}")
    slow = [name for name, _, taken in outcomes if taken > arguments.seconds + SLACK_SECONDS]
    broken = [name for name, outcome, _ in outcomes if "internal" in outcome.lower() or "Traceback" in outcome]
    lost = [name for name, outcome, _ in outcomes if name.startswith("a good paper") and outcome != "ok"]
    print(f"\n{len(outcomes)} calls, slowest {max(taken for _, _, taken in outcomes):.1f} s; most memory:", end=" ")
    print(f"server {watch.server:.0f} MiB (bound {SERVER_MIB}), worker {watch.worker:.0f} MiB (bound {WORKER_MIB})")
    for kind, names in (("too slow", slow), ("without a typed error", broken), ("lost", lost)):
        if names:
            print(f"{kind}: {', '.join(names)}")
    return int(bool(slow or broken or lost or watch.server > SERVER_MIB or watch.worker > WORKER_MIB))


if __name__ == "__main__":
    raise SystemExit(main())
