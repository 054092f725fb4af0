"""How fast exact search over a whole library is, against ripgrep over the same text in the same run.

Each pattern is asked of the tool ``grep_chunks`` (20 hits with context and chunk, all hits counted up to 10,000) and of
``rg --count``, as a person would run it: on the library's folder of texts, and on all texts in one file, which is the
faster of the two for it; the ratio is to the better. ripgrep reads from the page cache and is not asked to fold case
or differences of print, as the library does.

Run: python tests/benchmarks/grep_speed.py [--chunks 200000] [--dir FOLDER] [--rounds 7]
The prepared library stays in FOLDER. The exit status is 1 where the median literal is not faster than ripgrep or the
median expression with a literal in it is slower than half its speed.
"""

import argparse
import gc
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
from library_corpus import papers

from pincite_core.settings import Settings
from pincite_library.state import LibraryState
from pincite_library.store.sqlite.store import SqliteStore
from pincite_library.tools.grepping import grep_chunks

LITERALS = (
    "nonsensical word that is nowhere",
    "zebrafish embryos",
    "contingent",
    "p < 0.001",
    "6.93",
    "BRCA1",
    "rational",
    "in the present study",
    "as the same",
    "statistically significant",
    "temperature",
    "10 mM Tris-HCl",
    "H2O2",
    "of the",
    "Arabidopsis",
    "Figure 3",
)
EXPRESSIONS = (
    r"temperature of \d+",
    r"[Ee]mbryos? at (day|stage) \d",
    r"mice (were|was) \w+ed",
    r"\d+(\.\d+)? mM NaCl",
    r"p ?[<=] ?0\.0[0-9]+1",
    r"(?i)\bgene ontology\b",
    r"zebrafish.{1,40}mutants?",
    r"(increase|decrease)d? of [0-9.]+ ?%",
)
WITHOUT = (r"\b[A-Z]{3}\d{4}\b", r"\d{3}\.\d{3}")
"""Expressions without a literal: no bar, but they must end."""


def prepare(folder: Path, chunks: int) -> Settings:
    """The library of made papers in ``folder``, and all its texts in one file."""
    settings = Settings(library_dir=folder / f"library-{chunks}", cache_dir=folder / "cache")
    done = folder / f"done-{chunks}"
    if done.exists():
        return settings
    shutil.rmtree(settings.library_dir, ignore_errors=True)
    started = time.perf_counter()
    store = SqliteStore(settings.library_dir)
    with store.batch(), (folder / f"all-{chunks}.txt").open("w") as together:
        for paper in papers(chunks, terms=False, vectors=False):
            store.put_paper(paper.entry, paper.text, paper.chunks)
            together.write(paper.text + "\n\n")
    store.close()
    done.touch()
    print(f"prepared in {time.perf_counter() - started:.0f} s")
    return settings


async def ours(state: LibraryState, pattern: str, rounds: int, *, regex: bool) -> tuple[float, str]:
    """The median milliseconds of the tool, and how many hits it told."""
    took: list[float] = []
    hits = ""
    for _ in range(rounds):
        started = time.perf_counter()
        said = await grep_chunks(state, pattern, regex=regex)
        took.append((time.perf_counter() - started) * 1000)
        hits = f"{said['total']}{'' if said['complete'] else '+'}"
    return statistics.median(took), hits


def ripgrep(arguments: list[str], place: Path, rounds: int) -> float:
    """The median milliseconds of rg."""
    took: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        done = subprocess.run(["rg", "--count", "--no-filename", *arguments, str(place)], stdout=subprocess.PIPE)
        took.append((time.perf_counter() - started) * 1000)
        assert done.returncode in (0, 1)
    return statistics.median(took)


async def compare(
    state: LibraryState, together: Path, patterns: tuple[str, ...], rounds: int, *, regex: bool
) -> list[float]:
    """Print a line a pattern; how many times as fast as the faster ripgrep each was."""
    ratios: list[float] = []
    for pattern in patterns:
        mine, hits = await ours(state, pattern, rounds, regex=regex)
        kind = ["-e"] if regex else ["-F", "-e"]
        folder = ripgrep([*kind, pattern], state.settings.library_dir / "text", rounds)
        single = ripgrep([*kind, pattern], together, rounds)
        ratios.append(min(folder, single) / mine)
        print(
            f"  {pattern:36} {hits:>7} hits {mine:8.1f} ms | rg folder {folder:6.1f}, one file {single:6.1f} ms"
            f" | {ratios[-1]:6.2f} times as fast"
        )
    return ratios


async def main(folder: Path, chunks: int, rounds: int) -> int:
    """Prepare, compare, judge."""
    if shutil.which("rg") is None:
        print("ripgrep is not installed: nothing to compare with (as root on Debian: apt-get install ripgrep)")
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    settings = prepare(folder, chunks)
    together = folder / f"all-{chunks}.txt"
    state = LibraryState(settings)
    started = time.perf_counter()
    await grep_chunks(state, "warm up")
    megabytes, took = together.stat().st_size / 1e6, time.perf_counter() - started
    print(f"{chunks} chunks, {megabytes:.0f} MB of text; first call {took:.2f} s")
    gc.freeze()
    print("literals")
    literals = await compare(state, together, LITERALS, rounds, regex=False)
    print("expressions with a literal")
    expressions = await compare(state, together, EXPRESSIONS, rounds, regex=True)
    print("expressions without one")
    await compare(state, together, WITHOUT, 1, regex=True)
    for name, ratios, bar in (("literals", literals, 1.0), ("expressions", expressions, 0.5)):
        middle = statistics.median(ratios)
        print(f"{name}: median {middle:.2f} times as fast as ripgrep, least {min(ratios):.2f} (bar {bar})")
    return 0 if statistics.median(literals) > 1.0 and statistics.median(expressions) >= 0.5 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--dir", type=Path, default=Path(tempfile.gettempdir()) / "pincite-grep-speed")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    sys.exit(anyio.run(main, given.dir, given.chunks, given.rounds))
