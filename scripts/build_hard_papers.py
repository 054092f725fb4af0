"""Build the long papers that families share: ``python scripts/build_hard_papers.py [--out DIR] [PAPER …]``.

``tasks/shared/sources/truths/PAPER.py`` holds what a paper says and the gold that follows; it is written to
``truth/PAPER.json``, from which ``figures.py`` draws and ``PAPER.typ`` sets the paper with typst's built-in fonts.
The same sources give the same bytes for one version of typst and matplotlib. Needs the ``dev`` extra.
"""

import argparse
import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson
import typst
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, ByteStringObject

TASKS = Path(__file__).resolve().parent.parent / "tasks"
SHARED = TASKS / "shared"
EPOCH = 1768435200  # 15 January 2026, the date that every paper carries


def names() -> list[str]:
    """The papers that there are sources for."""
    paths = sorted((SHARED / "sources" / "truths").glob("*.py"))
    return [path.stem for path in paths if path.stem != "__init__"]


def truth(name: str) -> bytes:
    """The truth of a paper as the file of ``truth`` holds it."""
    folder = str(SHARED / "sources")
    sys.path.insert(0, folder)
    try:
        book: Any = importlib.import_module(f"truths.{name}").book()
    finally:
        sys.path.remove(folder)
    return orjson.dumps(book.as_json(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def set_paper(name: str, out: Path) -> Path:
    """Draw the figures of one paper and set it into ``out``; its path."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        sources = Path(scratch)
        for path in (SHARED / "sources").glob("*.typ"):
            shutil.copyfile(path, sources / path.name)
        shutil.copyfile(TASKS / "property_extraction" / "sources" / "template.typ", sources / "template.typ")
        (sources / f"{name}.json").write_bytes(truth(name))
        (sources / "figures").mkdir()
        drawing = [sys.executable, SHARED / "sources" / "figures.py", sources / f"{name}.json", sources / "figures"]
        subprocess.run(drawing, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})
        paper = out / f"{name}.pdf"
        typst.compile(
            str(sources / f"{name}.typ"), output=str(paper), root=str(sources), ignore_system_fonts=True,
            timestamp=EPOCH,
        )  # fmt: skip
    drop_tags(paper)
    return paper


def drop_tags(paper: Path) -> None:
    """Take the tags for screen readers out of a PDF: they are two thirds of its bytes, and few publishers have them."""
    reader: Any = PdfReader(paper)
    for page in reader.pages:
        for key in ("/StructParents", "/Annots"):
            page.pop(key, None)
    writer: Any = PdfWriter()
    for page in reader.pages:
        writer.add_page(page)
    told: Any = reader.metadata
    writer.add_metadata(told)
    same = ByteStringObject(hashlib.md5(paper.stem.encode(), usedforsecurity=False).digest())
    writer._ID = ArrayObject((same, same))  # an identifier of the day would make each build another file
    writer.write(paper)


def main() -> None:
    """Write truth and papers into ``tasks/shared`` or ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="papers to build; all if none is named")
    parser.add_argument("--out", type=Path, default=SHARED)
    arguments = parser.parse_args()
    (arguments.out / "truth").mkdir(parents=True, exist_ok=True)
    for name in arguments.names or names():
        (arguments.out / "truth" / f"{name}.json").write_bytes(truth(name))
        paper = set_paper(name, arguments.out / "papers")
        print(f"{paper.name}\t{paper.stat().st_size} bytes")


if __name__ == "__main__":
    main()
