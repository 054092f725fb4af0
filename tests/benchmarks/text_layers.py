"""Text layers of scans: ``python tests/benchmarks/text_layers.py [--pages 2] [--cache FOLDER] [PDF …]``.

The pages with most numbers of born-digital papers are rendered, degraded (blur, noise, tilt, JPEG) and given two text
layers of tesseract: of the degraded picture at 100 dots an inch (poor), and of the clean page at 300 (good). Each is
parsed without OCR and with it. Printed for both halves of the papers (every second one): the share of the words that
are read, numbers right and wrong with and without a mark, headings and tables that the papers do not have, seconds a
page of CPU. Then the pages of the papers themselves that are taken for poor, which must be none.
"""

import argparse
import io
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from ocr import PATH, ROOT
from PIL import Image, ImageFilter
from pypdf import PdfReader, PdfWriter

from pincite_papers.model import Paper
from pincite_papers.passages import suspects_in
from pincite_papers.pdf.ocr.numbers import bare
from pincite_papers.pdf.ocr.options import OcrOptions
from pincite_papers.pdf.ocr.reader import OcrReader
from pincite_papers.pdf.parse import parse_pdf

SHARED = ROOT.parent / "shared" / "data"
ALARMS = ("text layer under the picture is poor", "most of the print is not in", "fonts do not say which letters")


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    papers = arguments.papers or sorted((SHARED / "twins-cc-by").rglob("*.pdf"))[::4]
    if not papers:
        sys.exit(f"no papers: give some, or put the shared ones at {SHARED}")
    sums: dict[tuple[str, str, bool], Counter[str]] = {}
    alarms: list[str] = []
    for place, path in enumerate(papers):
        data = path.read_bytes()
        alarms += [f"{path.name}: {w}" for w in parse_pdf(data, max_pages=999).warnings if any(a in w for a in ALARMS)]
        twin = _busiest(data, arguments.pages)
        truth = parse_pdf(twin, max_pages=99)
        half = "odd" if place % 2 else "even"
        for kind, scan in _scans(twin, random.Random(place)).items():
            for reads in (False, True):
                key = (half, kind, reads)
                sums.setdefault(key, Counter()).update(_measured(truth, scan, reads=reads, cache=arguments.cache))
    for (half, kind, reads), found in sorted(sums.items()):
        words = f"words {found['read'] / found['words']:.3f}"
        numbers = ", ".join(f"{name} {found[name]}" for name in ("right", "right marked", "wrong", "wrong marked"))
        blocks = f"headings not there {found['headings']}, tables not there {found['tables']}"
        seconds = f"{found['ms'] / 1000 / found['pages']:.2f} s/page"
        print(f"{half:4} {kind:4} {'with' if reads else 'no':4} OCR: {words}; {numbers}; {blocks}; {seconds}")
    print(f"{len(alarms)} alarms on {len(papers)} papers that were not scanned", *alarms, sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=2)
    parser.add_argument("--cache", default="", help="a folder for what tesseract read before")
    return parser.parse_args()


def _busiest(data: bytes, count: int) -> bytes:
    """The pages with most decimals, as a PDF of its own."""
    with pdfium.PdfDocument(data) as whole:
        texts = [page.get_textpage().get_text_range() for page in whole]
        ranked = sorted(range(len(texts)), key=lambda k: -sum(c == "." for c in texts[k]) - texts[k].count("±") * 5)
        part = pdfium.PdfDocument.new()
        part.import_pages(whole, sorted(ranked[:count]))
        file = io.BytesIO()
        part.save(file)
        return file.getvalue()


def _scans(twin: bytes, chance: random.Random) -> dict[str, bytes]:
    """The degraded pages over a poor and over a good layer."""
    dpi, quality = chance.choice((150, 200, 300)), chance.choice((35, 55, 80))
    writers = {"poor": PdfWriter(), "good": PdfWriter()}
    with pdfium.PdfDocument(twin) as document:
        for page in document:
            clean = page.render(scale=300 / 72, grayscale=True).to_pil()
            picture = _degraded(_resized(clean, dpi / 300), dpi, chance)
            layers = {"poor": _layer(_resized(picture, 100 / dpi), 100), "good": _layer(clean, 300)}
            for kind, writer in writers.items():
                writer.add_page(PdfReader(io.BytesIO(layers[kind])).pages[0])
                writer.pages[-1].images[0].replace(picture, quality=quality)
    found: dict[str, bytes] = {}
    for kind, writer in writers.items():
        file = io.BytesIO()
        writer.write(file)
        found[kind] = file.getvalue()
    return found


def _resized(picture: Image.Image, scale: float) -> Image.Image:
    size = round(picture.width * scale), round(picture.height * scale)
    return picture.resize(size, Image.Resampling.BILINEAR)


def _degraded(picture: Image.Image, dpi: int, chance: random.Random) -> Image.Image:
    picture = picture.rotate(chance.choice((0, 0.3, -0.6, 0.8)), Image.Resampling.BICUBIC, fillcolor=255)
    picture = picture.filter(ImageFilter.GaussianBlur(chance.choice((0.5, 0.8, 1.1)) * dpi / 200))
    noise = np.random.default_rng(chance.randrange(9999)).normal(0, chance.choice((6, 12, 18)), picture.size[::-1])
    grey = 235 - (255 - np.asarray(picture, np.float32)) * 0.85 + noise
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))


def _layer(picture: Image.Image, dpi: int) -> bytes:
    """The picture as tesseract's PDF with an invisible text layer."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    command = ["tesseract", "stdin", "stdout", "--dpi", str(dpi), "-l", "eng", "pdf"]
    done = subprocess.run(
        command, input=file.getvalue(), capture_output=True, check=True, env={"OMP_THREAD_LIMIT": "1", "PATH": PATH}
    )
    return done.stdout


def _measured(truth: Paper, scan: bytes, *, reads: bool, cache: str) -> Counter[str]:
    def reader() -> OcrReader:
        return OcrReader(OcrOptions(("eng",), 900.0, 1, cache, 1 << 30 if cache else 0))

    started = time.process_time()
    paper = parse_pdf(scan, max_pages=99, make_reader=reader if reads else None)
    found = Counter(ms=round(1000 * (time.process_time() - started)), pages=len(paper.pages))
    wanted = Counter(word for word, _ in _words(truth))
    found["words"] = wanted.total()
    left = wanted + Counter(bare(w) for page in truth.pages for item in page.furniture for w in item.text.split())
    for word, marked in _words(paper):
        right = left[word] > 0
        left[word] -= right
        found["read"] += right
        if any(map(str.isdigit, word)):
            found[("right" if right else "wrong") + (" marked" if marked else "")] += 1
    known = {_squeezed(section.title) for section in truth.sections}
    found["headings"] = sum(_squeezed(section.title) not in known for section in paper.sections)
    found["tables"] = max(len(paper.tables) - len(truth.tables), 0)
    return found


def _words(paper: Paper) -> list[tuple[str, bool]]:
    """Each word without punctuation, and whether one of its characters is marked as unreliable."""
    found: list[tuple[str, bool]] = []
    at = 0
    for token in paper.text.split():
        at = paper.text.index(token, at)
        if bare(token):
            found.append((bare(token), bool(suspects_in(paper, at, at + len(token)))))
        at += len(token)
    return found


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


if __name__ == "__main__":
    main()
