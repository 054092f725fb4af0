"""The scores of one paper and their totals."""

from dataclasses import dataclass

from body import BODY_KINDS, BodyScore, body_text, score_body
from captions import CaptionScore, score_captions
from cells import CellScore, score_cells
from citations import ReferenceScore, score_references
from front import FrontScore, front_totals, score_front
from headings import HeadingScore, score_headings
from truth import Truth
from xrefs import XrefScore, score_xrefs

from pincite_papers.model import Paper


@dataclass(frozen=True, slots=True)
class PaperScore:
    """All scores of one paper; ``floor`` is the body similarity of PDFium's plain text."""

    name: str
    floor: float
    body: BodyScore
    headings: HeadingScore
    figures: CaptionScore
    tables: CaptionScore
    cells: CellScore
    references: ReferenceScore
    xrefs: XrefScore
    front: FrontScore

    @property
    def misses(self) -> list[str]:
        """Every miss, part by part."""
        parts = (
            self.front,
            self.headings,
            self.figures,
            self.tables,
            self.cells,
            self.references,
            self.xrefs,
            self.body,
        )
        return [miss for part in parts for miss in part.misses]


def score_paper(name: str, truth: Truth, paper: Paper, raw_text: str) -> PaperScore:
    """Score ``paper`` against ``truth``; ``raw_text`` is the plain text that gives the floor."""
    blocks = [paper.text[block.start : block.end] for block in paper.blocks if block.kind in BODY_KINDS]
    figures, tables = score_captions(truth, paper)
    return PaperScore(
        name,
        score_body(truth, raw_text, []).similarity,
        score_body(truth, body_text(paper), blocks),
        score_headings(truth, paper),
        figures,
        tables,
        score_cells(truth, paper),
        score_references(truth, paper),
        score_xrefs(truth, paper),
        score_front(truth.front, paper, raw_text),
    )


def totals(scores: list[PaperScore]) -> dict[str, float | int | None]:
    """Sums over papers; the similarity is over all characters, and the least of the papers stands beside it."""
    cells = sum(score.cells.cells for score in scores)
    relations = sum(s.cells.relations_expected + s.cells.relations_reported for s in scores)
    return {
        "papers": len(scores),
        "body": 1 - sum(s.body.distance for s in scores) / max(sum(s.body.length for s in scores), 1),
        "body_least": min((s.body.similarity for s in scores), default=None),
        "whole_paragraphs": sum(s.body.whole_paragraphs for s in scores),
        "paragraphs": sum(s.body.paragraphs for s in scores),
        "headings_found": sum(s.headings.found for s in scores),
        "headings": sum(s.headings.expected for s in scores),
        "headings_reported": sum(s.headings.reported for s in scores),
        "figure_captions_found": sum(s.figures.found for s in scores),
        "figure_captions": sum(s.figures.expected for s in scores),
        "table_captions_found": sum(s.tables.found for s in scores),
        "table_captions": sum(s.tables.expected for s in scores),
        "cells_exact": sum(s.cells.exact for s in scores),
        "cells": cells,
        "cells_share": sum(s.cells.exact for s in scores) / cells if cells else None,
        "adjacency_f1": 2 * sum(s.cells.relations_found for s in scores) / relations if relations else None,
        "references_found": sum(s.references.found for s in scores),
        "references": sum(s.references.expected for s in scores),
        "references_reported": sum(s.references.reported for s in scores),
        "dois": sum(s.references.dois for s in scores),
        "dois_expected": sum(s.references.expected_dois for s in scores),
        "citations_found": sum(s.xrefs.found for s in scores),
        "citations": sum(s.xrefs.expected for s in scores),
        "citations_reported": sum(s.xrefs.reported for s in scores),
        **{
            f"{name}{part}": value
            for name, counts in front_totals([s.front for s in scores]).items()
            for part, value in zip(("_found", "", "_reported"), counts, strict=True)
        },
    }
