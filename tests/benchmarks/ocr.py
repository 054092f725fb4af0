"""OCR against the text layer: ``python tests/benchmarks/ocr.py [--dpi 300] [--tilt 0] [--pages 2] [PDF …]``.

Pages of papers with a text layer are rendered, made into a PDF of pictures and read. Printed for each paper: the share
of the twin's words that are found, the share of the found words that are the twin's, the same in reading order, the
twin's headings that are found, the mean confidence, and CPU seconds a page; beside it what plain tesseract text
gives for the same pictures. The last line gives the CPU time against that of tesseract alone.
"""

import argparse
import difflib
import io
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from pincite_papers.pdf.ocr.options import OcrOptions
from pincite_papers.pdf.ocr.reader import OcrReader
from pincite_papers.pdf.parse import parse_pdf

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data" / "papers-cc-by"
WORD = re.compile(r"\w+")


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    papers = arguments.papers or sorted(SHARED.glob("*.pdf"))
    if not papers:
        sys.exit(f"no papers: give some, or put the shared ones at {SHARED}")
    if shutil.which("tesseract") is None:
        sys.exit("no tesseract (apt install tesseract-ocr)")
    print(f"{'paper':24} {'recall':>7} {'precis.':>7} {'order':>6} {'headings':>9} {'conf.':>6} {'s/page':>7}", end="")
    print(f" | {'tesseract: recall':>17} {'order':>6} {'s/page':>7}")
    ours_seconds = plain_seconds = 0.0
    for path in papers:
        twin = _pages(path.read_bytes(), arguments.first, arguments.pages)
        pictures = _pictures(twin, arguments.dpi, arguments.tilt)
        truth = parse_pdf(twin, max_pages=50)
        started = _cpu()
        read = parse_pdf(_pdf(pictures, arguments.dpi), max_pages=50, make_reader=_reader)
        ours = _cpu() - started
        plain, seconds = _plain(pictures, arguments.dpi)
        recall, precision, order = _shares(truth.text, read.text)
        theirs, _, their_order = _shares(truth.text, plain)
        wanted = Counter(_squeezed(section.title) for section in truth.sections)
        found = sum((wanted & Counter(_squeezed(section.title) for section in read.sections)).values())
        sure = sum(part.confidence for part in read.recognised) / max(len(read.recognised), 1)
        headings = f"{found}/{sum(wanted.values())}"
        print(
            f"{path.stem[:24]:24} {recall:7.3f} {precision:7.3f} {order:6.3f} {headings:>9} {sure:6.2f} "
            f"{ours / len(pictures):7.2f} | {theirs:17.3f} {their_order:6.3f} {seconds / len(pictures):7.2f}",
            flush=True,
        )
        ours_seconds += ours
        plain_seconds += seconds
    print(f"CPU time against tesseract alone: {ours_seconds / plain_seconds:.2f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", type=Path)
    parser.add_argument("--dpi", type=int, default=300)
    parser.add_argument("--tilt", type=float, default=0.0)
    parser.add_argument("--first", type=int, default=1, help="first page, from 1")
    parser.add_argument("--pages", type=int, default=2)
    return parser.parse_args()


def _cpu() -> float:
    """Seconds of CPU time that this process and those that it has collected used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _reader() -> OcrReader:
    return OcrReader(OcrOptions(languages=("eng",), seconds=600.0, workers=1))


def _pages(data: bytes, first: int, count: int) -> bytes:
    with pdfium.PdfDocument(data) as whole:
        part = pdfium.PdfDocument.new()
        part.import_pages(whole, list(range(first - 1, min(first - 1 + count, len(whole)))))
        file = io.BytesIO()
        part.save(file)
        return file.getvalue()


def _pictures(data: bytes, dpi: int, tilt: float) -> list[Image.Image]:
    with pdfium.PdfDocument(data) as document:
        pictures = [page.render(scale=dpi / 72, grayscale=True).to_pil() for page in document]
    return [picture.rotate(-tilt, Image.Resampling.BICUBIC, fillcolor=255) if tilt else picture for picture in pictures]


def _pdf(pictures: list[Image.Image], dpi: int) -> bytes:
    file = io.BytesIO()
    pictures[0].save(file, "PDF", save_all=True, append_images=pictures[1:], resolution=dpi, quality=80)
    return file.getvalue()


def _plain(pictures: list[Image.Image], dpi: int) -> tuple[str, float]:
    """What tesseract alone gives as text, one process a page, and its time."""
    texts: list[str] = []
    started = _cpu()
    for picture in pictures:
        file = io.BytesIO()
        picture.save(file, "PPM")
        command = ["tesseract", "stdin", "stdout", "--dpi", str(dpi), "-l", "eng"]
        done = subprocess.run(
            command, input=file.getvalue(), capture_output=True, check=True, env={"OMP_THREAD_LIMIT": "1", "PATH": PATH}
        )
        texts.append(done.stdout.decode(errors="replace"))
    return "\n".join(texts), _cpu() - started


def _shares(truth: str, read: str) -> tuple[float, float, float]:
    """Words of the truth that were read, words read that are true, words of the truth read in order."""
    wanted, found = WORD.findall(truth), WORD.findall(read.replace("-\n", ""))
    common = sum((Counter(wanted) & Counter(found)).values())
    matcher = difflib.SequenceMatcher(None, wanted, found, autojunk=False)
    ordered = sum(block.size for block in matcher.get_matching_blocks())
    return common / max(len(wanted), 1), common / max(len(found), 1), ordered / max(len(wanted), 1)


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


PATH = str(Path(shutil.which("tesseract") or "/usr/bin/tesseract").parent)

if __name__ == "__main__":
    main()
