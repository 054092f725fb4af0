"""Quotes of answers: a clause stands for a value and a page does not; what a poor page hides is not held against it."""

import io
from collections.abc import Callable
from typing import Any

import pypdfium2 as pdfium
import pytest
from tests.scoring.poor_pages import TRUE_QUOTE, bad_layer, clean, shifted_font

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quality import page_quality, poor_pages
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.quotations import MOST_EVIDENCE, check_quote, stands_in, verified_share

POOR = {"a font that maps letters to others": shifted_font, "a scan with a bad text layer": bad_layer}
FALSE_QUOTE = "The Debye temperature is 410 K"


@pytest.mark.parametrize("kind", POOR)
def test_a_quote_of_the_print_is_unverifiable_on_a_poor_page(kind: str) -> None:
    """Nobody can tell here whether the print has it, true or not; the standing says so with the page's quality."""
    papers = {"p.pdf": parse_pdf(POOR[kind](), max_pages=3)}
    assert page_quality(papers["p.pdf"], 1).poor
    for quote in (TRUE_QUOTE, FALSE_QUOTE):
        checked = check_quote(papers, quote, 1)
        assert checked.standing == "unverifiable"
        assert checked.note.startswith("page 1: its ")
        assert check_quote(papers, quote).standing == "unverifiable", "no page is named: any may be meant"
        assert stands_in(papers["p.pdf"], quote) == "unverifiable"
    assert check_quote(papers, TRUE_QUOTE, 2).standing == "no_such_page"


def test_on_a_clean_page_a_wrong_quote_is_wrong() -> None:
    papers = {"p.pdf": parse_pdf(clean(), max_pages=3)}
    assert poor_pages(papers["p.pdf"]) == []
    assert check_quote(papers, TRUE_QUOTE, 1).standing == "verified"
    assert check_quote(papers, FALSE_QUOTE, 1).standing == "absent"


def test_a_page_between_two_scans_is_judged_by_itself() -> None:
    document: Any = pdfium.PdfDocument.new()
    for page in (bad_layer(), clean(), bad_layer()):
        document.import_pages(pdfium.PdfDocument(page))
    file = io.BytesIO()
    document.save(file)
    paper = parse_pdf(file.getvalue(), max_pages=3)
    assert [each.page for each in poor_pages(paper)] == [1, 3]
    standings = [check_quote({"p.pdf": paper}, FALSE_QUOTE, page).standing for page in (1, 2, 3)]
    assert standings == ["unverifiable", "absent", "unverifiable"]


def test_a_score_counts_the_unverifiable_apart(raw: Callable[..., Any]) -> None:
    """Two records of a poor page: nothing is verified and nothing has failed; the values are right all the same."""
    papers = {"p.pdf": parse_pdf(bad_layer(), max_pages=3)}
    gold = {
        "properties": [raw(value="92.4", evidence=TRUE_QUOTE), raw("Debye temperature", "410", evidence=FALSE_QUOTE)]
    }
    result = score("property_extraction", Case(gold, gold, papers), ScoringOptions())
    assert (result.metrics["f1"], result.metrics["evidence_verified"], result.metrics["n_unverifiable"]) == (
        1.0,
        None,
        2,
    )
    assert {row["evidence"] for row in result.records} == {"unverifiable"}
    assert all("text layer" in row["evidence_note"] or "picture" in row["evidence_note"] for row in result.records)


def test_a_whole_page_grounds_no_value(raw: Callable[..., Any], paper: Callable[..., Paper]) -> None:
    """The length that separates a clause, sentence or row from a page is in characters of the quote."""
    sentence = "Tc of YBa2Cu3O7 is 93 K. "
    page = sentence + "The rest of the page says other things. " * 40
    papers = {"p.pdf": paper(page)}
    assert check_quote(papers, page[:MOST_EVIDENCE], 1, longest=MOST_EVIDENCE).standing == "verified"
    assert check_quote(papers, page[: MOST_EVIDENCE + 5], 1, longest=MOST_EVIDENCE).standing == "too_long"
    answer = {"properties": [raw(evidence=page.strip())]}
    result = score(
        "property_extraction", Case(answer, {"properties": [raw(evidence=sentence)]}, papers), ScoringOptions()
    )
    assert (result.metrics["evidence_verified"], result.metrics["value_in_quote"]) == (0.0, 0.0)
    assert result.records[0]["evidence"] == "too_long"


def test_shares_leave_out_what_cannot_be_verified() -> None:
    """Two of three that can be; none that can be."""
    assert verified_share(["verified", "absent", "unverifiable", "verified"]) == pytest.approx(2 / 3)
    assert verified_share(["unverifiable"]) is None
    assert verified_share([]) is None
