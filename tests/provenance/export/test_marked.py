"""Claims become marks in their paper's PDF, drawn by a process of its own; what cannot be marked is said, with why."""

import io
from dataclasses import replace

import pypdfium2 as pdfium
import pytest
from pypdf import PdfReader

from pincite_core.errors import BadInputError, DamagedError, NotFoundError
from pincite_papers.jats.article import parse_jats
from pincite_papers.limits import ParseLimits
from pincite_papers.pdf.parse import parse_pdf
from pincite_provenance.export.marked import COLORS, mark_up
from pincite_provenance.export.pool import MarkingPool
from pincite_provenance.export.sources import Sources

JATS = b"<article><body><sec><title>Emus</title><p>The emu weighs 41.5 kg in winter.</p></sec></body></article>"


@pytest.fixture(scope="module")
def pool():
    with MarkingPool(ParseLimits(1024, 60.0, 100), workers=1, entry="") as pool:
        yield pool


def highlights(data: bytes) -> dict[str, dict]:
    """The highlights of a PDF by name, with the number of their page."""
    found = {}
    for number, page in enumerate(PdfReader(io.BytesIO(data), strict=True).pages, start=1):
        for reference in page.get("/Annots", []):
            annotation = reference.get_object()
            if annotation["/Subtype"] == "/Highlight":
                found[annotation["/NM"]] = {**annotation, "page": number}
    return found


def test_every_claim_with_a_place_is_marked_in_the_colour_of_its_verdict(filled, paper, pdf, pool):
    book, ids = filled
    _, entries = book.read()
    marked = mark_up(paper, pdf, entries.claims, pool)
    assert marked.kept
    assert marked.data.startswith(pdf)
    found = highlights(marked.data)
    both = f"{ids['wrong']}+{ids['right']}"
    assert set(found) == {both, ids["lines"], ids["taken"]}, "claims with one quote share a highlight"
    assert marked.placed == 4
    assert marked.left_out == [f"{ids['absent']}: its quote was not found in the paper"]
    lines = found[both]["/Contents"].splitlines()
    time = entries.claims[1].content["time"]
    assert lines[:2] == ["transition temperature: 93.5 K", "quote stands, value does not stand, claim fails"]
    assert f"Superseded by {ids['right']}" in lines
    assert lines[lines.index("") + 1 :][:2] == [
        "transition temperature: 92.5 K",
        "quote stands, value stands, claim holds",
    ]
    assert lines[-2:] == ["Note: seen", f"{ids['right']}, {time}"]
    assert found[both]["/T"] == "tester 7, m-1"
    assert found[both]["/M"].startswith("D:20")
    assert [float(part) for part in found[both]["/C"]] == pytest.approx(COLORS["holds"]), "what stands decides"


def test_the_colour_is_that_of_the_worst_verdict_that_stands(book, paper, pdf, pool):
    for value in ("92.5", "93.5"):
        book.claim(paper, "show a transition temperature of 92.5 K", value=value, unit="K")
    book.claim(paper, "in zero field", property="hardness")
    _, entries = book.read()
    assert [entry.verdict for entry in entries.claims] == ["holds", "fails", "unsure"]
    marked = mark_up(paper, pdf, entries.claims, pool)
    colors = [[float(part) for part in each["/C"]] for each in highlights(marked.data).values()]
    assert colors == [pytest.approx(COLORS["fails"]), pytest.approx(COLORS["unsure"])]


def test_a_quote_over_two_pages_is_marked_on_both(book, paper, pdf, pool):
    quote = "that begins here runs on to the second page, where it says"
    assert quote in paper.text.replace("\n\n", " ").replace("\n", " ")
    start = paper.text.index("that begins here")
    end = paper.text.index("where it says") + len("where it says")
    name = book.claim(paper, quote, at=f"pc:{paper.paper_id[7:15]}#p1:{start}-{end}")
    _, entries = book.read()
    if entries.claims[0].locator() is None:
        pytest.fail(f"the quote is not found: {entries.claims[0].failed}")
    found = highlights(mark_up(paper, pdf, entries.claims, pool).data)
    assert {key: each["page"] for key, each in found.items()} == {name: 1, f"{name}-2": 2}
    assert found[f"{name}-2"]["/Contents"].startswith("Goes on from page 1.\nthat begins here")


def test_a_paper_that_is_read_otherwise_now_is_not_marked_in_the_wrong_place(filled, paper, pdf, pool):
    book, _ = filled
    _, entries = book.read()
    shifted = replace(paper, text=f"{paper.text[:5]}x{paper.text[5:]}")
    marked = mark_up(shifted, pdf, entries.claims, pool)
    assert marked.placed == 0
    assert marked.data == pdf
    assert len(marked.left_out) == 5
    assert "reads the paper otherwise" in marked.left_out[0]


def test_a_file_that_is_no_pdf_any_more_is_damaged(filled, paper, pool):
    book, _ = filled
    _, entries = book.read()
    with pytest.raises(DamagedError):
        mark_up(paper, b"%PDF-1.7\nnothing else", entries.claims, pool)


def test_sources_find_the_paper_by_its_file_its_id_or_its_bytes(filled, settings):
    book, _ = filled
    _, entries = book.read()
    file = settings.roots[0] / "cuprate.pdf"
    with Sources(settings, file) as sources:
        assert sources.marked(entries.claims).placed == 4
    (settings.roots[0] / "sub").mkdir()
    file.rename(settings.roots[0] / "sub/renamed.pdf")
    with Sources(settings) as sources:
        assert sources.marked(entries.claims).placed == 4


def test_a_source_that_has_changed_or_is_not_there_is_refused_with_the_reason(filled, settings, rewritten, tmp_path):
    book, _ = filled
    _, entries = book.read()
    other = tmp_path / "other.pdf"
    other.write_bytes(rewritten())
    with Sources(settings, other) as sources, pytest.raises(BadInputError, match="has changed since"):
        sources.marked(entries.claims)
    (settings.roots[0] / "cuprate.pdf").write_bytes(rewritten())
    with Sources(settings) as sources, pytest.raises(NotFoundError, match="was not found") as raised:
        sources.marked(entries.claims)
    assert "--paper" in raised.value.next


def test_a_source_without_pages_has_no_pdf(book, settings):
    book.claim(parse_jats(JATS, max_pages=9), "weighs 41.5 kg in winter")
    _, entries = book.read()
    with Sources(settings) as sources, pytest.raises(BadInputError, match="JATS, which has no pages"):
        sources.marked(entries.claims)


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_legend_tells_the_colours_once_at_the_upper_left_as_shown(book, rewritten, pool, turn):
    data = rewritten(lambda writer: [page.rotate(turn) for page in writer.pages])
    paper = parse_pdf(data, max_pages=9)
    book.claim(paper, "consectetur adipiscing elit, sed do eiusmod")
    book.claim(paper, "to the second page, where it says")
    _, entries = book.read()
    marked = mark_up(paper, data, entries.claims, pool)
    annotations = [
        (number, reference.get_object())
        for number, page in enumerate(PdfReader(io.BytesIO(marked.data)).pages, start=1)
        for reference in page.get("/Annots", [])
    ]
    ((page, legend),) = [(n, each) for n, each in annotations if each["/Subtype"] == "/FreeText"]
    assert page == 1
    assert legend["/Contents"] == "Colours: claim holds, claim unsure, claim fails"
    with pdfium.PdfDocument(marked.data) as document:
        shown = document[0].render(scale=2).to_numpy()[:26, :320, :3]
    for red, green, blue in COLORS.values():
        wanted = [round(255 * part) for part in (blue, green, red)]
        assert (abs(shown.astype(int) - wanted).max(axis=2) <= 2).sum() > 50, "each colour is there, in the corner"


def test_a_turned_page_is_read_and_marked(book, rewritten, pool):
    data = rewritten(lambda writer: [page.rotate(90) for page in writer.pages])
    turned = parse_pdf(data, max_pages=9)
    book.claim(turned, "consectetur adipiscing elit, sed do eiusmod")
    _, entries = book.read()
    marked = mark_up(turned, data, entries.claims, pool)
    assert marked.placed == 1
