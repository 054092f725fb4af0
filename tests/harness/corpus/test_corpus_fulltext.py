"""Full texts of a corpus: what is written in the small language is read by every parser, word by word."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_papers.opening.source import parse_source
from pincite_papers.quoting.quotes import find_quote
from pincite_tasks.corpus.fulltext import as_html, as_jats, as_latex, read_blocks
from pincite_tasks.corpus.work import CorpusWork

RENDERINGS = (as_latex, as_jats, as_html)
ODD = "At 5 % of x_1 & y^2 the cost is $3 (#4): {a} ~ b \\ c, 1 < 2 > 0, \"q\" 'r' α ≤ δ − 3 × 10 °C – \u00fcber."
WORK = CorpusWork(
    id="odd2020",
    title="On 100 % odd characters: x_1 & <y>",
    authors=["Muñoz & Sons, Ana", "Collaboration"],
    published="2020-03-04",
    doi="10.5555/odd.1",
    arxiv="2003.90001",
    pmcid="PMC99000009",
    abstract=f"We write: {ODD}",
)


def test_blocks_are_told_apart() -> None:
    tables = "Table 2. A caption.\n\n| a | b |\n|---|---|\n| 1 | -- |\n\n| c |\n| 3 |\n"
    text = f"# One\n\nA paragraph\nof two lines.\n\n{tables}"
    heading, paragraph, table, bare = read_blocks(text)
    assert (heading.kind, heading.text) == ("heading", "One")
    assert (paragraph.kind, paragraph.text) == ("paragraph", "A paragraph of two lines.")
    assert (table.text, table.rows) == ("Table 2. A caption.", (("a", "b"), ("1", "--")))
    assert (bare.text, bare.rows) == ("", (("c",), ("3",)))


@pytest.mark.parametrize("render", RENDERINGS)
def test_odd_characters_arrive(render: Callable[..., str]) -> None:
    text = (
        f"# Results & more\n\n{ODD}\n\nTable 1. Odd & even.\n\n| x_1 & % | # {{}} |\n| --- | --- |\n| <1> | 2~3^4 |\n"
    )
    paper = parse_source(render(WORK, text, [WORK]).encode(), max_pages=10)
    for quote in (ODD, WORK.abstract, "Results & more"):
        assert find_quote(paper, quote).stands, quote
    [table] = paper.tables
    assert [cell.text for cell in table.cells] == ["x_1 & %", "# {}", "<1>", "2~3^4"]
    assert paper.title == WORK.title
    assert "et al., On 100 % odd characters" in paper.text


@pytest.mark.parametrize("render", RENDERINGS)
def test_a_work_that_cites_nothing_has_no_list_of_references(render: Callable[..., Any]) -> None:
    assert "eferences" not in render(WORK, "# Results\n\nNothing is cited.", ())
