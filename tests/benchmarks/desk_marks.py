"""Whether the desk marks exactly the quoted characters: its rectangles beside PDFium's boxes of the same glyphs.

    python -m tests.benchmarks run desk_marks [--papers 20] [--quotes 10]

Ten quotes of seven plain words each, of the first three pages, in papers of ../shared/data. Bar: the intersection over
union of each line is at least 0.95.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mark_glyphs import compare  # noqa: E402
from pincite_core.settings import load_settings  # noqa: E402
from pincite_harness.desk.papers import Papers  # noqa: E402

DATA = ROOT.parent / "shared" / "data"


def main() -> int:
    """Compare, and print the quotes whose mark is not on their glyphs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20)
    parser.add_argument("--quotes", type=int, default=10)
    options = parser.parse_args()
    files = sorted(DATA.glob("papers-cc-by/*.pdf")) + sorted(DATA.glob("twins-cc-by/**/*.pdf"))
    papers = Papers(load_settings())
    compared = faults = 0
    try:
        for path in files[: options.papers]:
            count, wrong = compare(papers, path, options.quotes)
            compared += count
            faults += len(wrong)
            for name, page, quote, boxes, printed in wrong:
                print(f"{name}, page {page}: {quote!r}: marked {boxes}, printed {printed}")
    finally:
        papers.close()
    print(
        f"{compared - faults} of {compared} quotes in {len(files[: options.papers])} papers are marked on their glyphs"
    )
    return 1 if faults or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
