"""What holds for every Paper."""

import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pincite_papers.model import BlockKind, Paper
from pincite_papers.pdf.parse import PARSER_VERSION, parse_pdf

_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_SETS = ("jats-pdf-pairs", "papers-cc-by")
_FILES = [path for name in _SETS for path in sorted((_DATA / name).glob("*.pdf"))]

_SOURCE = """#set page(width: 16cm, height: 12cm, columns: 2, numbering: "1")
#set heading(numbering: "1")
= First part of it
#lorem(120)
#figure(table(columns: 2, [a], [b], [1], [2]), caption: [Letters and numbers.])
#lorem(60)
#figure(rect(width: 50%, height: 2cm)[inside], caption: [A frame.])
= Second part of it
#lorem(150)
"""


def check(paper: Paper) -> None:
    """The promises of the Paper model."""
    assert paper.pages[0].start == 0
    assert paper.pages[-1].end == len(paper.text)
    assert all(a.end == b.start <= b.end for a, b in itertools.pairwise(paper.pages))
    assert paper.geometry.rows.shape == (len(paper.text), 4)
    assert paper.geometry.rows.dtype == np.float32
    end = -2
    for block in paper.blocks:
        assert block.start == end + 2, "blocks are parted by an empty line"
        assert block.end > block.start
        assert paper.page_at(block.start) == block.page
        text = paper.text[block.start : block.end]
        assert text == text.strip("\n ")
        if block.kind in {BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CAPTION, BlockKind.LIST}:
            assert "\n" not in text
            assert "  " not in text
        end = block.end
    assert end in {len(paper.text), -2}
    for section in paper.sections:
        assert section.start < section.heading_end <= section.end <= len(paper.text)
        assert paper.text[section.start : section.heading_end].endswith(section.title)
    for table in paper.tables:
        for cell in table.cells:
            assert paper.text[cell.start : cell.end] == cell.text
            grids = [(b.start, b.end) for b in paper.blocks if b.kind is BlockKind.TABLE and b.page == cell.page]
            assert any(start <= cell.start <= cell.end <= end for start, end in grids)
            assert cell.page != table.page or table.start <= cell.start <= cell.end <= table.end
    for reference in paper.references:
        assert reference.start < reference.end
    _check_boxes(paper)


def _check_boxes(paper: Paper) -> None:
    sizes = {page.number: (page.width, page.height) for page in paper.pages}
    for page in paper.pages:
        rows = paper.geometry.rows[page.start : page.end]
        rows = rows[~np.isnan(rows[:, 0])]
        width, height = sizes[page.number]
        assert (rows[:, 0] <= rows[:, 2]).all()
        assert (rows[:, 1] <= rows[:, 3]).all()
        assert not len(rows) or (rows.max() <= max(width, height) + 50 and rows.min() >= -50)
    spaces = [k for k, c in enumerate(paper.text) if c in "\n\t"]
    assert all(math.isnan(paper.geometry.rows[k, 0]) for k in spaces)


def test_typeset_paper_keeps_the_promises(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(_SOURCE)
    check(paper)
    assert paper.parser == PARSER_VERSION
    assert len(paper.paper_id) == len("sha256:") + 64
    assert [t.label for t in paper.tables] == ["Table 1"]
    assert [f.label for f in paper.figures] == ["Figure 1"]


def test_same_bytes_give_the_same_paper(typeset: Callable[[str], bytes]) -> None:
    data = typeset(_SOURCE)
    one, other = parse_pdf(data, max_pages=9), parse_pdf(data, max_pages=9)
    assert np.array_equal(one.geometry.rows, other.geometry.rows, equal_nan=True)
    for name in ("text", "pages", "blocks", "sections", "tables", "figures", "references", "suspects", "metadata"):
        assert getattr(one, name) == getattr(other, name)


@pytest.mark.skipif(not _FILES, reason="the papers of ../shared/data are not here")
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_real_papers_keep_the_promises(path: Path) -> None:
    paper = parse_pdf(path.read_bytes(), max_pages=200)
    check(paper)
    assert paper.title
    assert paper.authors
    assert paper.sections
    assert paper.references
