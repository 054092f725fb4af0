"""Pages a second of an ingest without embeddings, against the bare parse of the same files in the same run.

    python tests/benchmarks/ingest_speed.py [--pages 1000] [--rounds 2] [--workers N] [--dir DIR]

The files are the PDFs of ../shared/data, again and again until there are enough pages. Every copy is a text of its own:
each of its pages gets a further line at its foot, of words and numbers drawn with a seed, so that no two files or pages
are the same to any cache or digest; the rest of the page is that of the real paper, so that parsing costs what it does.

Bare: a ParsePool as the servers have it, with as many processes, asked by as many threads as the ingest has; each file
is read and parsed to the encoded paper, which is dropped: no cache, no chunks, no library. Ingest: ``Ingest.add`` of
the folder into a new library with a new cache: files looked at and hashed, parsed, kept in the disk cache of papers
(each with an fsync), cut into chunks, made into terms, written with the index of terms, the exact index, the journal.
Both start new processes in each round. They take turns, each after the other's round; CPU seconds are those of this
process and of the parsing processes, which have ended by then.
"""

import argparse
import functools
import itertools
import logging
import os
import random
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pypdf
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject

from pincite_core.settings import Settings
from pincite_library.ingest.outcome import State
from pincite_library.ingest.pipeline import AHEAD, Ingest
from pincite_papers.limits import ParseLimits
from pincite_papers.opening.pool import ParsePool
from pincite_papers.pdf.ocr.options import OcrOptions

_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_SETS = ("jats-pdf-pairs", "papers-cc-by")
_FLOOR = 0.70
_PARTS = ("wall", "own", "workers")
_FONT = DictionaryObject({
    NameObject("/Type"): NameObject("/Font"),
    NameObject("/Subtype"): NameObject("/Type1"),
    NameObject("/BaseFont"): NameObject("/Helvetica"),
})  # fmt: skip
_WORDS = (
    "sample",
    "lattice",
    "oxide",
    "phase",
    "annealed",
    "resistivity",
    "pressure",
    "doped",
    "crystal",
    "film",
    "field",
)


@dataclass(frozen=True)
class Taken:
    """What a round took: seconds by the clock, CPU seconds of this process and of those that parsed."""

    wall: float
    own: float
    workers: float


def main() -> int:
    """Print the speeds and their ratio; 1 when it is below the floor, 2 when there is no file to measure."""
    options = _options()
    sources = shared_pdfs()
    if not sources:
        print(f"No PDF was found under {_DATA}.", file=sys.stderr)
        return 2
    bare: list[Taken] = []
    full: list[Taken] = []
    with tempfile.TemporaryDirectory() as temporary:
        files, pages = make_corpus(sources, Path(options.dir or temporary) / f"pages-{options.pages}", options.pages)
        for number in range(options.rounds):
            place = Path(temporary) / f"round-{number}"
            bare.append(measured(functools.partial(parse_files, files, options.workers)))
            full.append(measured(functools.partial(_ingest, files, options.workers, pages, place)))
            shutil.rmtree(place)
    print(f"{len(files)} files, {pages} pages, {options.workers} workers, medians of {options.rounds} rounds:")
    for name, taken in (("bare parse", bare), ("ingest", full)):
        wall, own, workers = (statistics.median(getattr(each, part) for each in taken) for part in _PARTS)
        print(
            f"{name:>10}: {pages / wall:6.1f} pages/s, {wall:.1f} s; CPU {own:.1f} s here, {workers:.1f} s in workers"
        )
    ratio = statistics.median(each.wall for each in bare) / statistics.median(each.wall for each in full)
    print(f"ratio {ratio:.3f}, floor {_FLOOR:.2f}: {'holds' if ratio >= _FLOOR else 'MISSED'}")
    return 0 if ratio >= _FLOOR else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2, help="how often each side is measured")
    parser.add_argument("--workers", type=int, default=min(os.cpu_count() or 1, 4), help="parsing processes")
    parser.add_argument("--dir", help="folder where the files are kept for the next time")
    return parser.parse_args()


def shared_pdfs() -> list[Path]:
    """The PDFs of ../shared/data; none where it is absent."""
    return [path for name in _SETS for path in sorted((_DATA / name).glob("*.pdf"))]


def make_corpus(sources: list[Path], folder: Path, least: int) -> tuple[list[Path], int]:
    """Files with ``least`` pages or more, and how many they have; made where the folder is not there yet."""
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # some of the files are a little off, as real ones are
    if not folder.exists():
        making = folder.with_name(f"{folder.name}.making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        count = 0
        for number in itertools.count():
            for source in sources:
                if count < least:
                    count += _copy(
                        source, making / f"{number:03}-{source.name}", random.Random(f"{number}{source.name}")
                    )
            if count >= least:
                break
        making.rename(folder)
    files = sorted(folder.glob("*.pdf"))
    return files, sum(len(pypdf.PdfReader(path).pages) for path in files)


def _copy(source: Path, target: Path, chance: random.Random) -> int:
    """Write a copy with a further line on every page; the number of pages."""
    writer = pypdf.PdfWriter(clone_from=source)
    for page in writer.pages:
        words = " ".join([*chance.choices(_WORDS, k=9), f"{chance.uniform(0, 300):.3f} K"])
        drawn = f"Q q BT /PcLine 7 Tf 40 14 Td ({words}) Tj ET Q".encode()
        resources = page.get("/Resources", DictionaryObject()).get_object()
        own = DictionaryObject(resources)
        fonts = DictionaryObject(own.get("/Font", DictionaryObject()).get_object())
        fonts[NameObject("/PcLine")] = _FONT
        own[NameObject("/Font")], page[NameObject("/Resources")] = fonts, own
        contents = page["/Contents"].get_object()
        parts = list(contents) if isinstance(contents, ArrayObject) else [page.raw_get("/Contents")]
        streams = [writer._add_object(_stream(data)) for data in (b"q ", drawn)]  # pyright: ignore[reportPrivateUsage]
        page[NameObject("/Contents")] = ArrayObject([streams[0], *parts, streams[1]])
    writer.add_metadata({"/Keywords": target.stem})
    writer.write(target)
    return len(writer.pages)


def _stream(data: bytes) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(data)
    return stream


def measured(work: Callable[[], None]) -> Taken:
    before, start = _cpu(), time.perf_counter()
    work()
    after = _cpu()
    return Taken(time.perf_counter() - start, after[0] - before[0], after[1] - before[1])


def _cpu() -> tuple[float, float]:
    """CPU seconds of this process, and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    own, children = (each.ru_utime + each.ru_stime for each in used)
    return own, children


def parse_files(files: list[Path], workers: int) -> None:
    """Parse the files and drop what comes of it."""
    settings = Settings()
    limits = ParseLimits.of(settings)
    with (
        ParsePool(limits, workers=workers, ocr=OcrOptions.of(settings)) as pool,
        ThreadPoolExecutor(workers + AHEAD) as threads,
    ):
        futures = [threads.submit(_size, pool, path) for path in files]
        assert min(future.result() for future in futures) > 0


def _size(pool: ParsePool, path: Path) -> int:
    return len(pool.parse(path.read_bytes()))


def _ingest(files: list[Path], workers: int, pages: int, place: Path) -> None:
    """Bring the files into a new library in ``place``."""
    settings = Settings(
        cache_dir=place / "cache",
        papers_dir=place / "papers",
        library_dir=place / "library",
        parse_workers=workers,
        embedder="",
    )
    with Ingest(settings) as ingest:
        report = ingest.add([str(path) for path in files])
    assert report.counts == {State.ADDED: len(files)}, report.failed[:3]
    assert report.pages == pages


if __name__ == "__main__":
    raise SystemExit(main())
