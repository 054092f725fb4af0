"""Pages a second of `pincite read FOLDER --out DIR`, against the bare parse of the same files in the same run.

    python tests/benchmarks/read_speed.py [--papers 100] [--rounds 3] [--workers N] [--dir DIR] [--to FORMAT]

The files and the bare parse are those of ``ingest_speed.py``: no two pages are the same to a cache; bare is a ParsePool
with as many processes, asked by as many threads, whose papers are dropped. Read is the command itself in a process of
its own, from its start to its end, with a new cache and a new folder: it parses, keeps the papers in the cache, and
writes a file a paper. They take turns; a further call of the last round measures how long it takes to find that all is
there. CPU seconds are those of all processes of a side: where other work shares the machine, they tell more than the
clock.
"""

import argparse
import functools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pypdf
from ingest_speed import Taken, make_corpus, measured, parse_files, shared_pdfs

_FLOOR = 0.90
_PAGES_A_PAPER = 12
"""Of the shared files, rounded up: so many pages make the papers asked for and some more."""


def main() -> int:
    """Print the speeds and their ratio; 1 when it is below the floor, 2 when there is no file to measure."""
    options = _options()
    sources = shared_pdfs()
    if not sources:
        print("There are no shared PDFs to measure.", file=sys.stderr)
        return 2
    bare: list[Taken] = []
    read: list[Taken] = []
    with tempfile.TemporaryDirectory() as temporary:
        least = options.papers * _PAGES_A_PAPER
        made, _ = make_corpus(sources, Path(options.dir or temporary) / f"pages-{least}", least)
        folder = Path(temporary) / "papers"
        folder.mkdir()
        files = [Path(shutil.copy(path, folder)) for path in made[: options.papers]]
        pages = sum(len(pypdf.PdfReader(path).pages) for path in files)
        for number in range(options.rounds):
            place = Path(temporary) / f"round-{number}"
            bare.append(measured(functools.partial(parse_files, files, options.workers)))
            read.append(measured(functools.partial(_read, folder, place, options)))
            assert len(list((place / "out").glob("*.pdf.*"))) == len(files)
            if number + 1 == options.rounds:
                start = time.perf_counter()
                _read(folder, place, options)
                print(f"called again, all there: {time.perf_counter() - start:.1f} s")
            shutil.rmtree(place)
    print(f"{len(files)} papers, {pages} pages, {options.workers} workers, medians of {options.rounds} rounds:")
    for name, taken in (("bare parse", bare), (f"read --to {options.to}", read)):
        wall = statistics.median(one.wall for one in taken)
        print(f"{name:>18}: {pages / wall:6.1f} pages/s, {wall:.1f} s; CPU {_cpu(taken):.1f} s")
    clock = statistics.median(one.wall for one in bare) / statistics.median(one.wall for one in read)
    print(f"by CPU seconds {_cpu(bare) / _cpu(read):.3f}")
    print(f"by the clock {clock:.3f}, floor {_FLOOR:.2f}: {'holds' if clock >= _FLOOR else 'MISSED'}")
    return 0 if clock >= _FLOOR else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3, help="how often each side is measured")
    parser.add_argument("--workers", type=int, default=min(os.cpu_count() or 1, 4), help="parsing processes")
    parser.add_argument("--dir", help="folder where the files are kept for the next time")
    parser.add_argument("--to", default="markdown", help="what is written")
    return parser.parse_args()


def _cpu(taken: list[Taken]) -> float:
    return statistics.median(one.own + one.workers for one in taken)


def _read(folder: Path, place: Path, options: argparse.Namespace) -> None:
    environment = os.environ | {
        "PINCITE_CACHE_DIR": str(place / "cache"),
        "PINCITE_PARSE_WORKERS": str(options.workers),
    }
    command = [sys.executable, "-m", "pincite_harness", "read", str(folder), "--to", options.to]
    subprocess.run([*command, "--out", str(place / "out")], env=environment, check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    raise SystemExit(main())
