"""Papers typeset by us: the truth is what was written, to the character and the point."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typst
from prose import Prose, bare
from truth import Truth, TruthCell, TruthFigure, TruthReference, TruthTable

_SOURCES = Path(__file__).with_name("typeset")
TYPESET = "typeset"
STYLES = ("plain", "letter", "journal", "narrow", "manuscript", "booklet")
_SEEDS = (1, 2)
_SECTIONS = ("Introduction", "Samples and methods", "Results", "Discussion", "Conclusions")
_WITHIN = {"Samples and methods": ("Synthesis", "Measurements"), "Results": ("Transport", "Calorimetry")}


def typeset_papers(folder: Path) -> Iterator[tuple[Path, Truth]]:
    """Each style twice with different words, as PDFs in ``folder``, with their truths."""
    for style in STYLES:
        for seed in _SEEDS:
            yield typeset_paper(folder, style, seed)


def typeset_paper(folder: Path, style: str, seed: int) -> tuple[Path, Truth]:
    """One paper: its words are drawn with ``seed``, its form is ``typeset/<style>.typ``."""
    paper = _write(random.Random(f"{style}{seed}"))
    name = f"{style}-{seed}"
    (folder / "content.json").write_text(json.dumps(paper.content), encoding="utf-8")
    for source in _SOURCES.glob("*.typ"):
        (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    main = folder / f"{style}.typ"
    pdf = folder / f"{name}.pdf"
    typst.compile(main, output=pdf)
    boxes = json.loads(typst.query(main, "<figure-box>", field="value"))
    for figure, box in zip(paper.truth.figures, boxes, strict=True):
        figure.page = box["page"]
        figure.bbox = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
    return pdf, paper.truth


@dataclass(slots=True)
class _Paper:
    """What the style sheets set, and what a reader should find."""

    content: dict
    truth: Truth


def _write(chance: random.Random) -> _Paper:
    prose = Prose(chance)
    truth = Truth()
    sections = []
    for number, title in enumerate(_SECTIONS):
        section = {"title": title, "blocks": _paragraphs(prose, truth, title), "subsections": []}
        for inner in _WITHIN.get(title, ()):
            section["subsections"].append({"title": inner, "blocks": _paragraphs(prose, truth, inner)})
        if title in ("Samples and methods", "Results", "Discussion"):
            section["figure"] = _figure(prose, truth)
            section["table"] = _table(prose, truth, chance, number)
        sections.append(section)
    references = [_reference(prose, truth) for _ in range(18)]
    content = {
        "title": prose.title(),
        "authors": prose.authors(),
        "abstract": prose.paragraph(4, cite=False),
        "sections": sections,
        "references": references,
    }
    truth.headings.append("References")
    return _Paper(content, truth)


def _paragraphs(prose: Prose, truth: Truth, title: str) -> list[str]:
    truth.headings.append(title)
    texts = [prose.paragraph(sentences) for sentences in (5, 7, 4)]
    truth.paragraphs += [bare(text) for text in texts]
    return texts


def _figure(prose: Prose, truth: Truth) -> dict:
    caption = prose.paragraph(2, cite=False)
    series = prose.series()
    truth.figures.append(TruthFigure(f"Figure {len(truth.figures) + 1}", bare(caption), series=series))
    return {"caption": caption, "series": series, "x": "Temperature (K)", "y": "Resistivity (µΩ cm)"}


def _table(prose: Prose, truth: Truth, chance: random.Random, number: int) -> dict:
    caption = prose.paragraph(1, cite=False)
    columns = chance.randint(3, 5)
    head = ["Compound", *prose.quantities(columns - 1)]
    rows = [[prose.formula(), *(prose.number() for _ in range(columns - 1))] for _ in range(chance.randint(4, 9))]
    if number == 2:
        rows[1][2] = ""
    cells = tuple(
        TruthCell(r, c, 1, 1, bare(text)) for r, row in enumerate([head, *rows]) for c, text in enumerate(row)
    )
    truth.tables.append(TruthTable(f"Table {len(truth.tables) + 1}", bare(caption), cells))
    return {"caption": caption, "head": head, "rows": rows}


def _reference(prose: Prose, truth: Truth) -> dict:
    entry = prose.reference()
    truth.references.append(TruthReference(entry["title"], entry["surname"], entry["doi"]))
    return entry
