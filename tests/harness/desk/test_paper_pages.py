"""A paper on the desk: what the parser found, over the print; search; selected text with its locator."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

REPOSITORY = Path(__file__).parents[3]
PAPERS = REPOSITORY / "tasks" / "property_extraction" / "papers"


@pytest.fixture(scope="module")
def papers(open_desk: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A desk with a PDF and with an HTML page."""
    page = tmp_path_factory.mktemp("papers") / "page.html"
    page.write_text(
        "<html><head><title>On glass</title></head><body><article><h1>On glass</h1><h2>Results</h2>"
        f"<p>{'The glass softens at 612 K. ' * 20}</p></article></body></html>"
    )
    with open_desk(PAPERS / "ybco_oxygen.pdf", page) as opened:
        yield opened


def test_layers_show_what_the_parser_found_where_it_is(papers: Any) -> None:
    key = papers.site.given[0]
    paper = papers.site.papers.get(key)
    drawn = papers.text(f"paper/{key}/layers/1")
    cells = [cell for table in paper.tables for cell in table.cells if cell.page == 1 and cell.bbox is not None]
    tables = drawn[drawn.index('class="layer tables"') : drawn.index('class="layer figures"')]
    assert tables.count('class="cell"') + tables.count('class="head"') == len(cells)
    assert "row 2, column 2: 3.8202(3)" in tables
    order = [int(number) for number in re.findall(r"<title>(\d+): ", drawn)]
    assert order == sorted(order)
    assert "Fig. 1, panel" in drawn or "<title>Fig. 1</title>" in drawn
    assert "level 1: 1 Introduction" in drawn
    assert "header: Journal of Invented Materials" in drawn
    assert 'class="layer hidden"' not in drawn, "this paper hides nothing"


def test_a_selected_range_has_quote_locator_and_annotation(papers: Any) -> None:
    key = papers.site.given[0]
    paper = papers.site.papers.get(key)
    start = paper.text.index("orthorhombic")
    told = papers.get(f"paper/{key}/selection?spans={start - 1}-{start + 13}").json()
    assert told["quote"] == "orthorhombic"
    assert told["locator"] == str(paper.locator(start, start + 12))
    assert told["section"] == "3.1 Structure"
    assert [selector["type"] for selector in told["annotation"]["target"]["selector"]][:2] == [
        "TextQuoteSelector",
        "TextPositionSelector",
    ]
    ((_, box),) = paper.boxes(start, start + 12)
    assert told["boxes"] == {"1": [[box.x0, box.y0, box.x1, box.y1]]}
    for spans in ("5-3", "0-99999999", "1-2,3-4", "x", ""):
        assert papers.get(f"paper/{key}/selection?spans={spans}").status_code == 400


def test_search_finds_what_print_and_query_spell_differently(papers: Any) -> None:
    key = papers.site.given[0]
    found = papers.text(f"paper/{key}/find?q=RESISTIVE+transitions")
    assert "p. 1" in found
    assert "does not stand" in papers.text(f"paper/{key}/find?q=perovskite+solar")
    assert papers.text(f"paper/{key}/find?q=-dHc2").count('class="hit"') >= 1, "a minus sign is a dash"


def test_a_pattern_is_searched_and_one_that_is_not_says_why(papers: Any) -> None:
    key = papers.site.given[0]
    text = papers.site.papers.get(key).text
    pattern = quote(r"\d+\.\d K\b")
    found = papers.text(f"paper/{key}/find?regex=on&q={pattern}")
    assert found.count('class="hit"') == len(re.findall(r"\d+\.\d K\b", text)) > 0
    assert "does not stand" in papers.text(f"paper/{key}/find?q={pattern}")
    assert "matches nothing" in papers.text(f"paper/{key}/find?regex=on&q=perovskite.*solar")
    assert 'role="alert"' in papers.text(f"paper/{key}/find?regex=on&q={quote('(?=K)')}")


def test_a_paper_without_pages_shows_its_text_with_marks(papers: Any) -> None:
    key = papers.site.given[1]
    assert "The glass softens" in papers.text(f"paper/{key}")
    paper = papers.site.papers.get(key)
    start = paper.text.index("612 K")
    shown = papers.text(f"paper/{key}/place?spans={start}-{start + 5}")
    assert "<mark>612 K</mark>" in shown


def test_text_is_selected_with_the_mouse_and_layers_with_keys(papers: Any, browser: Any) -> None:
    key = papers.site.given[0]
    paper = papers.site.papers.get(key)
    browser.open(f"{papers.address}/paper/{key}")
    browser.until("document.querySelector('.print g.selected') && document.querySelector('.print img').complete")
    drawn = "getComputedStyle(document.querySelector('.layer.tables')).display"
    assert browser.run(drawn) == "none"
    browser.press("3")
    assert browser.run(drawn) == "inline"
    start = paper.text.index("Four crystals")
    ((_, box),) = paper.boxes(start, start + 13)
    rect = "document.querySelector('.print').getBoundingClientRect()"
    frame = browser.run(f"(({{left, top, width}}) => [left, top, width])({rect})")
    scale = frame[2] / paper.pages[0].width
    y = frame[1] + (box.y0 + box.y1) / 2 * scale
    ends = [frame[0] + (box.x0 + 1) * scale, frame[0] + (box.x1 - 1) * scale]
    browser.drag(ends[0], y, ends[1], y)
    browser.until("document.querySelector('#selection .locator')")
    assert browser.run("document.querySelector('#selection blockquote').textContent") == "Four crystals"
    assert browser.run("document.querySelector('#selection .locator').textContent") == str(
        paper.locator(start, start + 13)
    )
    assert not browser.complaints
