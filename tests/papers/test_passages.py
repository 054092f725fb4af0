"""Passages: each stands on the page that its locator names."""

from collections.abc import Callable

from pincite_papers.model import Paper
from pincite_papers.passages import locate, on_page, passages, sentence_around


def test_a_paragraph_over_a_page_break_is_cut_there(parsed: Callable[[str], Paper]) -> None:
    words = " ".join(f"Sentence {k} tells of the sample that was measured at {k} kelvin." for k in range(80))
    paper = parsed(f'#set page(paper: "a6", margin: 12mm)\n#set par(justify: true)\n{words}')
    assert len(paper.pages) > 2
    [block] = [block for block in paper.blocks if "Sentence 40" in paper.text[block.start : block.end]]
    found = passages(paper, 0, len(paper.text))
    assert [passage.continued for passage in found if passage.start > block.start][:1] == [True]
    assert "".join(paper.text[p.start : p.end] for p in found).replace(" ", "") == "".join(paper.text.split())
    for passage in found:
        pages = {number for number, _ in paper.boxes(passage.start, passage.end)}
        assert len(pages) == 1 or passage.end - passage.start < 20
        assert f"#p{min(pages)}:" in locate(paper, passage.start, passage.end)
    span = (paper.text.index("at 50 kelvin"), paper.text.index("at 50 kelvin") + 12)
    start, end = sentence_around(paper.text, span, on_page(paper, span, (block.start, block.end)), 10_000)
    assert paper.page_at(start) == paper.page_at(span[0]) and start <= span[0] < span[1] <= end
