"""In-text citations linked to the entries of the reference list: by number, raised, by author and year, by key."""

from collections.abc import Callable

import pytest

from pincite_papers.model import Block, BlockKind, Paper, Reference
from pincite_papers.references import find_citations, find_pmid

AUTHORED = (
    "Garman, E. F. (2010). Radiation damage. Acta Cryst. 66, 339.",
    "Smith, J. & Doe, A. (2019). On two authors. J. Tests 1, 2.",
    "Smith, J., Roe, B. & Poe, C. (2019). On three authors. J. Tests 1, 3.",
    "Caswell TA, Lee A: A guide. J Tests 2020a, 1:2.",
    "Caswell TA, Lee A: Another guide. J Tests 2020b, 1:3.",
    "R Core Team (2022). R: A language. Vienna.",
    "van der Waals, J. D. (1873). Over de continuiteit. Leiden.",
    "J. T. White, M. Fienen. A title of it. Journal 3, 2016.",
    "García-López, M. (n.d.). A page. Retrieved today.",
)


def _cited(text: str, entries: tuple[str, ...], keys: tuple[str, ...] = ()) -> list[tuple[str, tuple[int, ...]]]:
    """What of ``text`` cites which of the ``entries``."""
    whole, references = text, list[Reference]()
    for k, entry in enumerate(entries):
        start = len(whole) + 2
        whole += "\n\n" + entry
        references.append(Reference(keys[k] if keys else "", start, start + len(entry)))
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    return [(whole[c.start : c.end], c.references) for c in find_citations(whole, [block], references)]


def _numbered(text: str, count: int = 12) -> list[tuple[str, tuple[int, ...]]]:
    return _cited(text, tuple(f"Author {k}. Title." for k in range(count)), tuple(str(k + 1) for k in range(count)))


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("As shown (Garman, 2010).", [("Garman, 2010", (0,))]),
        ("By Smith & Doe (2019) and Smith et al. (2019).", [("Smith & Doe (2019", (1,)), ("Smith et al. (2019", (2,))]),
        ("See (Caswell and Lee 2020a,b; Garman 2010).", [("Caswell and Lee 2020a,b", (3, 4)), ("Garman 2010", (0,))]),
        ("See Caswell et al. (2020a, 2020b).", [("Caswell et al. (2020a", (3,)), ("2020b", (4,))]),
        ("Written in R (R Core Team, 2022).", [("R Core Team, 2022", (5,))]),
        ("The law (van der Waals, 1873; J. T. White et al., 2016).", None),
        ("A page (García-López, n.d.).", [("García-López, n.d.", (8,))]),
        ("In the year 2010 nothing was cited, nor in 2019.", []),
        ("Caswell and Lee (2020) is one of two.", []),
        ("Garman (2011) is not in the list.", []),
    ],
)
def test_citations_by_author_and_year(text: str, citations: list[tuple[str, tuple[int, ...]]] | None) -> None:
    found = _cited(text, AUTHORED)
    if citations is None:
        assert [cited for _, cited in found] == [(6,), (7,)]
    else:
        assert found == citations


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("Shown in [1], in [2, 4] and [5–7].", [("[1]", (0,)), ("[2, 4]", (1, 3)), ("[5–7]", (4, 5, 6))]),
        ("One [1] two [2] three [12, p. 4] none [13] none [0].", [("[1]", (0,)), ("[2]", (1,)), ("[12, p. 4]", (11,))]),
        ("Cited [1], [2], [3]; x ∈ [1, 2], the range [3, 4], t[1].", [("[1]", (0,)), ("[2]", (1,)), ("[3]", (2,))]),
        (
            "Raised.^1 It is^{2,3} so^4–6 of 10^3 cm^2 and Fe^3+.",
            [("^1", (0,)), ("^{2,3}", (1, 2)), ("^4–6", (3, 4, 5))],
        ),
        ("So (1) and (2, 3) and (4–7) by Eq. (8) hold.", [("(1)", (0,)), ("(2, 3)", (1, 2)), ("(4–7)", (3, 4, 5, 6))]),
        ("Only 12 cm^2 and (1) one thing.", []),
        ("In Ref. 3 and [1] it is so.", [("Ref. 3", (2,)), ("[1]", (0,))]),
    ],
)
def test_citations_by_number(text: str, citations: list[tuple[str, tuple[int, ...]]]) -> None:
    assert _numbered(text) == citations


def test_citations_by_printed_key() -> None:
    entries = ("[BM86] J. Bednorz. Possible.", "[Smi20] A. Smith. Other.")
    assert _cited("As in [BM86, Smi20] and [XY99].", entries, ("BM86", "Smi20")) == [("[BM86, Smi20]", (0, 1))]


def test_numbers_that_start_again_belong_to_the_next_list(parsed: Callable[[str], Paper]) -> None:
    works = "\n".join(f"+ A. Author{k}, _A title of the work {k}_, J. Tests {k}, 1 ({2000 + k})." for k in range(4))
    part = '#lorem(30) [1], [2,3]. #lorem(20) [4].\n\n= References\n#set enum(numbering: "[1]")\n'
    paper = parsed(f"= Introduction\n{part}{works}\n\n= Appendix\n{part}{works}")
    assert len(paper.references) == 8
    assert [citation.references for citation in paper.citations] == [(0,), (1, 2), (3,), (4,), (5, 6), (7,)]


def test_a_typeset_paper_links_its_raised_numbers(parsed: Callable[[str], Paper]) -> None:
    works = "\n".join(f"+ A. Author{k}, _A title of the work {k}_, J. Tests {k}, 1 ({2000 + k})." for k in range(4))
    text = (
        "#set super(typographic: false)\n= Results\nIt is known#super[1] and shown.#super[2,3] #lorem(9) so.#super[4]"
    )
    paper = parsed(f'{text}\n\n= References\n#set enum(numbering: "1.")\n{works}')
    assert [paper.text[c.start : c.end] for c in paper.citations] == ["^1", "^2,3", "^4"]
    assert [c.references for c in paper.citations] == [(0,), (1, 2), (3,)]


@pytest.mark.parametrize(
    ("lines", "pmid"),
    [
        (["Nature 2011, 479. PMID: 22048313."], "22048313"),
        (["PubMed", "PMID:", "123456"], "123456"),
        (["https://pubmed.ncbi.nlm.nih.gov/", "31234567/"], "31234567"),
        (["https://www.ncbi.nlm.nih.gov/pubmed/1234567"], "1234567"),
        (["PMCID: PMC1234567, pages 12345"], None),
    ],
)
def test_pubmed_numbers_are_read(lines: list[str], pmid: str | None) -> None:
    assert find_pmid(lines) == pmid
