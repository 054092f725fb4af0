"""The marked characters: exactly those of the quote, as the print has them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pincite_core.settings import load_settings
from pincite_harness.desk.marks import mark, read_spans, write_spans
from pincite_harness.desk.papers import Papers
from pincite_papers.model import Span

REPOSITORY = Path(__file__).parents[3]
FOLDERS = sorted(REPOSITORY.glob("tasks/*/papers"))


@pytest.fixture(scope="module")
def papers() -> Iterator[Papers]:
    opened = Papers(load_settings())
    yield opened
    opened.close()


def test_a_mark_covers_the_glyphs_of_the_quote_and_no_others(
    papers: Papers, module_at: Callable[[Path], ModuleType]
) -> None:
    glyphs = module_at(REPOSITORY / "tests" / "mark_glyphs.py")
    files = [path for folder in FOLDERS for path in sorted(folder.glob("*.pdf"))[:2]]
    results = [glyphs.compare(papers, path) for path in files[:12]]
    compared = sum(count for count, _ in results)
    wrong = [each for _, faults in results for each in faults]
    assert compared >= 100, compared
    assert not wrong, wrong[:3]


def test_ranges_come_back_from_an_address_and_others_are_refused(papers: Papers) -> None:
    paper = papers.open(FOLDERS[0].parent.parent / "property_extraction" / "papers" / "ybco_oxygen.pdf")
    spans = [Span(3, 9), Span(20, 31)]
    assert read_spans(paper, write_spans(spans)) == spans
    assert mark(paper, spans).quote == f"{paper.text[3:9]} … {paper.text[20:31]}"
    assert mark(paper, [], 2).pages[0].boxes == ()
    refused = ["9-3", "0-999999999", "5-5", "a-b", "1-2;3-4", "-1-3", "1-2,", "1-2" + ",1-2" * 50, "٣-٩"]
    for text in refused:
        with pytest.raises(Exception, match="range"):
            read_spans(paper, text)
