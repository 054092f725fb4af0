"""Sources of each format and mutants of them, the same for the same seed and sources."""

import gzip
import io
import random
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import typst

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
PAPERS = Path(__file__).resolve().parents[2] / "papers"
LARGEST = 2_000_000
TYPESET = (
    """
#set page(columns: 2)
#set heading(numbering: "1.1")
= Introduction
#lorem(300)
== Methods
$T_c = 92$ K @a
#figure(table(columns: 3, [a], [b], [c], [1], [2], [3]), caption: [Values.]) <a>
#lorem(400)
= References
[1] A. One, J. Phys. 1, 2 (2020).
""",
    """
#set document(title: "Notes", author: "A. One")
= Notes
#figure(rect(width: 3cm), caption: [A box.])
#lorem(900)
""",
)
EXTREMES = (b"0", b"-1", b"1", b"65536", b"2147483647", b"2147483648", b"99999999999", b"-1e38", b"1e38", b".")
NUMBERS = {
    "pdf": re.compile(rb"(?<=[\s/\[(])-?\d+(?:\.\d+)?(?=[\s/\])>])"),
    "markup": re.compile(rb"(?<=[\"'{\[=])-?\d+(?:\.\d+)?(?=[\"'}\]p])"),
}
TOKENS = re.compile(rb"</?[A-Za-z][^<>]{0,200}>|\\[A-Za-z]+\*?|[{}&%]")
"""What structures marked-up text: tags, commands, braces."""


def pdf_sources() -> list[bytes]:
    """Real papers under 2 MB, in a fixed order, and our own."""
    real = [path.read_bytes() for path in sorted(DATA.rglob("*.pdf")) if path.stat().st_size < LARGEST]
    return [*real, *(typst.compile(text.encode(), format="pdf") for text in TYPESET), _uncompressed()]


def _uncompressed() -> bytes:
    """A page whose content stream is plain, so that a flipped bit changes an operator and not only a checksum."""
    with plt.rc_context({"pdf.compression": 0, "svg.hashsalt": "fixed"}):
        figure, axes = plt.subplots()
        axes.plot([1, 2, 3], [4, 1, 9])
        axes.set_xlabel("Temperature (K)")
        axes.set_title("Resistivity of YBa2Cu3O7")
        out = io.BytesIO()
        figure.savefig(out, format="pdf", metadata={"CreationDate": None})
        plt.close(figure)
    return out.getvalue()


def jats_sources() -> list[bytes]:
    """Our own articles, those with PDF twins, and every fifth of the archives."""
    found = [path.read_bytes() for path in sorted(PAPERS.glob("articles/*.xml"))]
    found += [
        path.read_bytes() for path in sorted([*DATA.glob("jats-pdf-pairs/*.xml"), *DATA.glob("papers-cc-by/*.xml")])
    ]
    for archive in sorted(DATA.glob("*-jats/*.tar.gz")):
        with tarfile.open(archive) as tar:
            members = [member for member in tar if member.isfile() and member.name.endswith("xml")]
            files = [tar.extractfile(member) for member in members[::5]]
            found += [file.read() for file in files if file is not None]
    return found


def latex_sources() -> list[bytes]:
    """Our own sources, plain and as archives."""
    plain = [path.read_bytes() for path in sorted(PAPERS.glob("latex/sources/*.tex"))]
    return [*plain, *map(_archived, plain[:3])]


def _archived(source: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        member = tarfile.TarInfo("paper.tex")
        member.size = len(source)
        tar.addfile(member, io.BytesIO(source))
    return gzip.compress(out.getvalue(), mtime=0)


def html_sources() -> list[bytes]:
    """Our own pages."""
    return [path.read_bytes() for path in sorted(PAPERS.glob("html_pages/*.html"))]


SOURCES: dict[str, Callable[[], list[bytes]]] = {
    "pdf": pdf_sources,
    "jats": jats_sources,
    "latex": latex_sources,
    "html": html_sources,
}
ENDINGS = {"pdf": "pdf", "jats": "xml", "latex": "tex", "html": "html"}


def mutate(draw: random.Random, data: bytes, other: bytes, *, markup: bool) -> tuple[str, bytes]:
    """One mutant of ``data`` and how it was made; of marked-up text its tags and commands change too."""
    kinds = ("truncated", "bits", "spliced", "zeroed", "doubled", "numbers")
    kind = draw.choice((*kinds, "swapped", "dropped", "repeated", "recoded") if markup else kinds)
    out = bytearray(data)
    at = draw.randrange(len(out))
    length = draw.randrange(1, min(len(out), 20_000))
    if kind == "truncated":
        del out[at:]
    elif kind == "bits":
        for _ in range(draw.choice((1, 10, 200, 2000))):
            out[draw.randrange(len(out))] ^= 1 << draw.randrange(8)
    elif kind == "spliced":
        start = draw.randrange(len(other))
        out[at : at + length] = other[start : start + draw.randrange(1, 20_000)]
    elif kind == "zeroed":
        out[at : at + length] = bytes(len(out[at : at + length]))
    elif kind == "doubled":
        out[at:at] = out[at : at + length]
    elif kind == "numbers":
        _set_numbers(draw, out, NUMBERS["markup" if markup else "pdf"])
    else:
        return kind, _retagged(draw, kind, data)
    return kind, bytes(out)


def _set_numbers(draw: random.Random, out: bytearray, pattern: re.Pattern[bytes]) -> None:
    numbers = list(pattern.finditer(bytes(out)))
    chosen = draw.sample(numbers, min(len(numbers), draw.choice((1, 5, 50))))
    for number in sorted(chosen, key=lambda match: -match.start()):
        out[number.start() : number.end()] = draw.choice(EXTREMES)


def _retagged(draw: random.Random, kind: str, data: bytes) -> bytes:
    if kind == "recoded":
        encoding = draw.choice(("utf-16", "utf-16-be", "latin-1", "utf-32", "utf-7"))
        return data.decode("utf-8", errors="replace").encode(encoding, errors="replace")
    tokens = list(TOKENS.finditer(data))
    if not tokens:
        return data
    if kind == "repeated":
        first, last = sorted(draw.choices(range(len(tokens)), k=2))
        chunk = data[tokens[first].start() : tokens[min(last, first + 20)].end()]
        return data[: tokens[first].start()] + chunk * draw.choice((2, 50, 2000)) + data[tokens[first].start() :]
    chosen = {draw.randrange(len(tokens)) for _ in range(draw.choice((1, 4, 40)))}
    pieces: list[bytes] = []
    done = 0
    for index in sorted(chosen):
        token = tokens[index]
        other = draw.choice(tokens).group() if kind == "swapped" else b""
        pieces += (data[done : token.start()], other)
        done = token.end()
    return b"".join([*pieces, data[done:]])


def mutants(kind: str, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """``count`` mutants of the sources of a format."""
    draw = random.Random(seed)
    originals = SOURCES[kind]()
    for _ in range(count if originals else 0):
        yield mutate(draw, draw.choice(originals), draw.choice(originals), markup=kind != "pdf")
