"""Papers typeset by the LaTeX classes of many journals: one article, as many styles; the source is the truth.

``python latex_papers.py [--held-out] [--folder DIR]`` typesets one half of the styles, reads them and prints a line a
style (of the half that is held out: the totals alone). The classes are those of TeX Live (Debian: texlive-publishers,
texlive-latex-extra, texlive-plain-generic). A class that is not installed, or that fails on the article, is left out
and named. None was made for pincite; its rules are tuned on one half of them, the other is measured by totals.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import adapters
from latex_source import Dialect, document
from lines import Lines, Tally, score_reading
from prose import Prose, bare
from truth import Truth, TruthCell, TruthFigure, TruthReference, TruthTable

_STYLES = Path(__file__).with_name("latex_styles.json")
_TIMEOUT = 90
"""Seconds for one run of pdflatex; a class that waits for input or loops is left out. Set by judgement."""
_TUNED = frozenset(
    (
        *("aas", "ach", "act", "acm", "agu", "aia", "aom", "art", "cje", "emu", "hit", "iee", "jac", "ltu", "mnr"),
        *("nat", "nrc", "ono", "pap", "pro", "ptp", "scr", "spi", "tuf"),
    )
)
"""The families of classes that the rules were tuned on: half of them drawn, and three whose figures were seen."""
_SECTIONS = ("Introduction", "Experimental procedure", "Results", "Discussion", "Conclusions")
_WITHIN = {"Experimental procedure": ("Synthesis", "Measurements"), "Results": ("Transport", "Calorimetry")}


@dataclass(slots=True)
class Article:
    """What the classes set: each section is a title, its blocks and its subsections."""

    title: str
    authors: list[str]
    abstract: str
    keywords: list[str]
    sections: list[dict]
    references: list[dict]
    truth: Truth = field(default_factory=Truth)


def styles() -> dict[str, Dialect]:
    """The styles by name, in the order of their names."""
    listed = json.loads(_STYLES.read_text(encoding="utf-8"))
    return {name: Dialect(**listed[name]) for name in sorted(listed)}


def half(held_out: bool) -> list[str]:
    """The names of one half: styles of one family of classes (``cas-sc``, ``cas-dc``) stay together."""
    return [name for name, style in styles().items() if (_family(style) in _TUNED) != held_out]


def _family(style: Dialect) -> str:
    """The first letters of the class, which related classes share."""
    return style.cls[:3].lower()


def typeset(folder: Path, name: str, style: Dialect, article: Article) -> Path | None:
    """The PDF of one style, or None where its class is missing or stops with an error that leaves no page."""
    work = folder / name
    work.mkdir(parents=True, exist_ok=True)
    (work / f"{name}.tex").write_text(document(style, article), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", f"{name}.tex"]
    for _ in range(2):
        try:
            subprocess.run(command, cwd=work, timeout=_TIMEOUT, stdout=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return None
    log = (work / f"{name}.log").read_text(encoding="latin-1")
    pdf = work / f"{name}.pdf"
    failed = "Emergency stop" in log or "Undefined control sequence" in log
    failed = failed or not pdf.is_file() or not pdf.stat().st_size
    return None if failed else pdf


def write_article(chance: random.Random) -> Article:
    """The article: words, tables and references are drawn, the parts are always the same."""
    prose = Prose(chance)
    truth = Truth(untitled=["Abstract", "Keywords", "Contents"])
    article = Article(
        prose.title(),
        prose.authors(),
        prose.paragraph(4, cite=False),
        ["cuprates", "flux creep", "annealing"],
        [],
        [],
        truth,
    )
    for title in _SECTIONS:
        section = _section(prose, truth, title)
        for inner in _WITHIN.get(title, ()):
            section["subsections"].append(_section(prose, truth, inner))
        article.sections.append(section)
    _add_floats(article, prose, chance)
    truth.headings += ["Acknowledgments", "References"]
    thanks = prose.paragraph(2, cite=False)
    truth.paragraphs.append(bare(thanks))
    article.sections.append({"title": "Acknowledgments", "thanks": thanks, "blocks": [], "subsections": []})
    article.references = [_reference(prose, truth) for _ in range(18)]
    return article


def _section(prose: Prose, truth: Truth, title: str) -> dict:
    truth.headings.append(title)
    blocks: list[dict] = [{"kind": "paragraph", "text": prose.paragraph(sentences)} for sentences in (5, 7, 4)]
    if title == "Discussion":
        blocks.insert(1, {"kind": "itemize", "items": [prose.paragraph(2, cite=False) for _ in range(3)]})
    if title == "Synthesis":
        blocks.insert(1, {"kind": "enumerate", "items": [prose.sentence(cite=False) for _ in range(3)]})
    if title == "Measurements":
        blocks[0]["footnote"] = prose.sentence(cite=False)
    for block in blocks:
        if block["kind"] == "paragraph":
            truth.paragraphs.append(bare(block["text"]))
        else:
            numbered = block["kind"] == "enumerate"
            truth.paragraphs += [
                f"{k}. {bare(text)}" if numbered else bare(text) for k, text in enumerate(block["items"], 1)
            ]
    return {"title": title, "blocks": blocks, "subsections": []}


def _add_floats(article: Article, prose: Prose, chance: random.Random) -> None:
    """A figure and a table in each of three sections, the kinds of table in turn, a wide pair in the results."""
    kinds = (("booktabs", False), ("grid", False), ("spanner", True), ("words", False), ("bare", False))
    for section, (kind, wide) in zip(article.sections, kinds, strict=False):
        section["blocks"].insert(1, {"kind": "table", **_table(prose, article.truth, chance, kind), "wide": wide})
        if kind != "words":
            caption = prose.paragraph(2, cite=False)
            figure = {"kind": "figure", "caption": caption, "wide": wide, "seed": chance.randint(1, 9)}
            section["blocks"].insert(2, figure)
            article.truth.figures.append(TruthFigure("", bare(caption)))


def _table(prose: Prose, truth: Truth, chance: random.Random, kind: str) -> dict:
    caption = prose.paragraph(1, cite=False)
    if kind == "words":
        head = ["Sample", "Remarks"]
        rows = [[prose.formula(), prose.sentence(cite=False)] for _ in range(4)]
    else:
        columns = 6 if kind == "spanner" else 4
        head = ["Compound", *prose.quantities(columns - 1)]
        rows = [[prose.formula(), *(prose.number() for _ in range(columns - 1))] for _ in range(chance.randint(5, 8))]
        rows[1][2] = ""
    heads = [head]
    cells: list[TruthCell] = []
    if kind == "spanner":
        spans = [("", 1), ("Low field", 2), ("High field", 3)]
        column = 0
        for text, width in spans:
            cells.append(TruthCell(0, column, 1, width, text))
            column += width
        heads = [[], head]
    for r, row in enumerate([*heads, *rows]):
        cells += [TruthCell(r, c, 1, 1, bare(text)) for c, text in enumerate(row)]
    truth.tables.append(TruthTable("", bare(caption), tuple(cells)))
    return {"style": kind, "caption": caption, "head": head, "rows": rows}


def _reference(prose: Prose, truth: Truth) -> dict:
    entry = prose.reference()
    truth.references.append(TruthReference(entry["title"], entry["surname"], entry["doi"]))
    return entry


def main() -> int:
    """Print what is read of each style; 2 where none could be typeset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--held-out", action="store_true", help="measure the half that no rule was tuned on")
    parser.add_argument("--folder", type=Path, help="where the PDFs are left (default: a temporary folder)")
    arguments = parser.parse_args()
    if shutil.which("pdflatex") is None:
        print("pdflatex is missing: install texlive-publishers and texlive-latex-extra.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="pincite-latex-") as scratch:
        return _measure(half(arguments.held_out), arguments.folder or Path(scratch), totals_only=arguments.held_out)


def _measure(names: list[str], folder: Path, *, totals_only: bool) -> int:
    read = adapters.load("pincite")
    total, missing = Lines(), []
    for name in names:
        article = write_article(random.Random(name))
        pdf = typeset(folder, name, styles()[name], article)
        if pdf is None:
            missing.append(name)
            continue
        lines = score_reading(article.truth, read(pdf), cut=False)
        total.add(lines)
        if not totals_only:
            print(f"{name:20} {_row(lines)}", flush=True)
    print(f"{len(names) - len(missing)} styles: {_row(total)}")
    print(f"not typeset: {' '.join(missing) or 'none'}")
    return 0 if len(missing) < len(names) else 2


def _row(lines: Lines) -> str:
    parts = ("body", "sentences", "headings", "captions", "references")
    shown = [f"{part} {_share(getattr(lines, part))}" for part in parts]
    precision, tables = lines.headings.precision or 0, lines.tables.f1 or 0
    return "  ".join([*shown, f"heading precision {precision:.3f}", f"tables F1 {tables:.3f}"])


def _share(tally: Tally) -> str:
    return f"{tally.recall or 0:.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
