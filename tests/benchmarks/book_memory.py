"""Peak memory of the whole parse of a book of 300 pages, beside that of PDFium's plain text of it in the same run.

python tests/benchmarks/book_memory.py [--pages N]
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import typst

_LIMIT_MIB = 300
_WORDS = (
    *("lattice", "transition", "sample", "temperature", "pressure", "resistivity", "field"),
    *("crystal", "oxygen", "phase", "measured", "growth", "vortex"),
)
_PARSE = "from pincite_papers.pdf.parse import parse_pdf; n = len(parse_pdf(data, max_pages=1000).pages)"
_PLAIN = (
    "import pypdfium2; d = pypdfium2.PdfDocument(data); n = sum(bool(p.get_textpage().get_text_range()) for p in d)"
)
_PROGRAM = """import re, sys
data = open(sys.argv[1], "rb").read()
{work}
print(n, int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


def main() -> int:
    """Print both peaks; 1 when the parse takes more than the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=300, help="how many pages the book has, about")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-book-") as folder:
        book = Path(folder) / "book.pdf"
        book.write_bytes(typst.compile(_book(arguments.pages).encode()))
        plain_pages, plain = _peak(_PLAIN, book)
        pages, parse = _peak(_PARSE, book)
    print(f"{pages} pages (plain text: {plain_pages}); peak MiB: plain text of PDFium {plain}, whole parse {parse}")
    print(f"limit {_LIMIT_MIB} MiB: {'holds' if parse <= _LIMIT_MIB else 'MISSED'}")
    return 0 if parse <= _LIMIT_MIB else 1


def _peak(work: str, book: Path) -> tuple[int, int]:
    """Pages read and peak resident memory in MiB of a process of its own."""
    command = [sys.executable, "-c", _PROGRAM.format(work=work), str(book)]
    pages, mib = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(pages), int(mib)


def _book(pages: int) -> str:
    """Typst source of a book: chapters with sections, formulas, tables and a drawing every few pages."""
    chance = random.Random(7)
    parts = ['#set page(width: 16cm, height: 24cm, numbering: "1")\n#set text(size: 10pt)\n#set par(justify: true)']
    parts.append('#set heading(numbering: "1.1")\n#set math.equation(numbering: "(1)")')
    for page in range(pages):
        if page % 20 == 0:
            parts.append(f"#pagebreak(weak: true)\n= Chapter of the {_some(chance, 3)}")
        parts.append(f"== On the {_some(chance, 4)}")
        parts += [f"{_some(chance, 110).capitalize()}." for _ in range(3)]
        parts.append("$ T_c = sum_(i=1)^n frac(a_i, b + c) $")
        if page % 3 == 0:
            rows = ", ".join(f"[{_some(chance, 1)}], [{chance.uniform(0, 99):.2f}]" for _ in range(8))
            parts.append(f"#figure(kind: table, caption: [The {_some(chance, 6)}.], table(columns: 2, {rows}))")
        if page % 5 == 0:
            lines = "".join(f"#place(line(end: ({3 * k}pt, {chance.uniform(0, 40):.0f}pt)))" for k in range(40))
            parts.append(f"#figure(caption: [A {_some(chance, 6)}.], box(width: 6cm, height: 2cm)[{lines}])")
    return "\n\n".join(parts)


def _some(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(count))


if __name__ == "__main__":
    raise SystemExit(main())
