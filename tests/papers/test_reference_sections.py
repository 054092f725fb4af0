"""Reference sections: several lists, notes among entries, lists over columns and pages, lists without a heading."""

from collections.abc import Callable

import pytest

from pincite_papers.model import BlockKind, Paper

_HEAD = "#text(size: 16pt)[A Paper With References]\n\nJane Doe and John Roe\n\n"
_INTRODUCTION = f"{_HEAD}= Introduction\n#lorem(120) [1], [2].\n\n"


def _works(count: int, first: int = 1) -> list[str]:
    return [
        f"Author{k} AB, Other{k} CD. A title of the work number {k} which is long enough to run over a line. "
        f"J Tests. {1980 + k};{k}:1-9. doi:10.1000/test.{k}. PMID: {20000000 + k}"
        for k in range(first, first + count)
    ]


def _listed(works: list[str], numbering: str = "1.") -> str:
    return f'#set enum(numbering: "{numbering}")\n' + "\n".join(f"+ {work}" for work in works) + "\n\n"


def _keys(paper: Paper) -> list[str]:
    return [reference.key for reference in paper.references]


def test_several_lists_start_again(parsed: Callable[[str], Paper]) -> None:
    more = f"= Supplementary text\n#lorem(60)\n\n= Supplementary references\n{_listed(_works(5, 30))}"
    paper = parsed(f"{_INTRODUCTION}= References\n{_listed(_works(6))}{more}")
    assert _keys(paper) == [*map(str, range(1, 7)), *map(str, range(1, 6))]
    assert [r.pmid for r in paper.references][:2] == ["20000001", "20000002"]
    assert all(reference.doi for reference in paper.references)


def test_notes_among_the_entries_keep_their_numbers(parsed: Callable[[str], Paper]) -> None:
    works = [*_works(4), "We note that the sample was annealed twice.", *_works(3, 6)]
    paper = parsed(f"{_INTRODUCTION}= References and Notes\n{_listed(works)}")
    assert _keys(paper) == list(map(str, range(1, 9)))
    assert paper.references[4].doi is None


@pytest.mark.parametrize("page", ["width: 16cm, height: 12cm, columns: 2", "width: 14cm, height: 9cm"])
def test_hanging_entries_over_columns_and_pages_before_an_appendix(parsed: Callable[[str], Paper], page: str) -> None:
    works = [work.split(" doi:")[0] for work in _works(14)]
    paper = parsed(
        f'#set page({page}, numbering: "1", header: [Doe et al. #h(1fr) J. Tests])\n{_INTRODUCTION}= References\n'
        "#set par(hanging-indent: 12pt, spacing: 0.65em)\n"
        + "\n\n".join(works)
        + "\n\n#set par(hanging-indent: 0pt)\n= Appendix\n#lorem(60)"
    )
    assert len(paper.references) == 14
    texts = [paper.text[r.start : r.end] for r in paper.references]
    assert [text.split()[0] for text in texts] == [f"Author{k}" for k in range(1, 15)]
    assert paper.sections[-1].title == "Appendix"


def test_a_list_without_a_heading(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(f"{_INTRODUCTION}#line(length: 30%)\n{_listed(_works(9), '[1]')}")
    assert _keys(paper) == list(map(str, range(1, 10)))
    assert [citation.references for citation in paper.citations] == [(0,), (1,)]


def test_a_list_of_steps_is_no_reference_list(parsed: Callable[[str], Paper]) -> None:
    steps = [f"Heat the sample number {k} slowly and let it cool for some hours in the dark." for k in range(8)]
    paper = parsed(f"{_INTRODUCTION}{_listed(steps, '[1]')}")
    assert paper.references == ()
    assert any(block.kind is BlockKind.LIST for block in paper.blocks)
