"""Pages per CPU second of the whole parse, against PDFium's plain text of the same files in the same run.

python tests/benchmarks/parse_speed.py [--rounds N] [--profile]
"""

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pypdfium2

from pincite_papers.pdf.parse import parse_pdf

_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_SETS = ("jats-pdf-pairs", "papers-cc-by")
_FLOOR = 1 / 6


def main() -> int:
    """Print the ratio of the two speeds; 1 when it is below the floor, 2 when there is no file to measure."""
    arguments = _arguments()
    files = [path.read_bytes() for name in _SETS for path in sorted((_DATA / name).glob("*.pdf"))]
    if not files:
        print(f"No PDF was found under {_DATA}.", file=sys.stderr)
        return 2
    pages = _plain(files)
    if arguments.profile:
        with cProfile.Profile() as profile:
            _parse(files)
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
        return 0
    plain, parse = _measure(files, arguments.rounds)
    ratio = plain / parse
    print(f"{len(files)} files, {pages} pages, best of {arguments.rounds} rounds a file, pages per CPU second:")
    print(f"plain text of PDFium {pages / plain:.0f}, whole parse {pages / parse:.0f}")
    print(f"ratio {ratio:.3f}, floor {_FLOOR:.3f}: {'holds' if ratio >= _FLOOR else 'MISSED'}")
    return 0 if ratio >= _FLOOR else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each side is measured")
    parser.add_argument("--profile", action="store_true", help="print where the parse spends its time instead")
    return parser.parse_args()


def _measure(files: list[bytes], rounds: int) -> tuple[float, float]:
    """CPU seconds of plain text and of the whole parse: the best round of each file, both sides in turn, so that what
    else the machine does weighs on both alike."""
    plain = parse = 0.0
    for data in files:
        pairs = [(_seconds(_plain, [data]), _seconds(_parse, [data])) for _ in range(rounds)]
        plain += min(pair[0] for pair in pairs)
        parse += min(pair[1] for pair in pairs)
    return plain, parse


def _seconds(measured: Callable[[list[bytes]], int], files: list[bytes]) -> float:
    start = time.process_time()
    measured(files)
    return time.process_time() - start


def _plain(files: list[bytes]) -> int:
    """Read the plain text of every page; returns the number of pages."""
    pages = 0
    for data in files:
        document = pypdfium2.PdfDocument(data)
        for page in document:
            page.get_textpage().get_text_range()
            pages += 1
        document.close()
    return pages


def _parse(files: list[bytes]) -> int:
    return sum(len(parse_pdf(data, max_pages=1000).pages) for data in files)


if __name__ == "__main__":
    raise SystemExit(main())
