"""A paper that we typeset, a ledger with claims about it, and how a marked page is looked at."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
import typst
from pypdf import PdfReader, PdfWriter

from pincite_core.settings import Settings
from pincite_papers.passages import locate
from pincite_papers.pdf.parse import parse_pdf
from pincite_provenance.claims.check import check_claim
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.entry import Caller, claim_content, read_entries, retraction_content
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.model import Claim

SOURCE = r"""
#set page(paper: "a5", margin: 18mm)
#set text(size: 10pt)
#set document(title: "A made-up cuprate")
= Results
Crystals of YBa#sub[2]Cu#sub[3]O#sub[7] show a transition temperature of 92.5 K in zero field, as was found on samples
that were grown from a flux over many hours and then annealed in oxygen. See #link("https://example.org")[our data].
#lorem(60)

A sentence that begins here runs on #pagebreak() to the second page, where it says that 88.1 K was measured.
"""
HOLDS = "show a transition temperature of 92.5 K in zero field"
LINES = "that were grown from a flux over many hours and then annealed in oxygen"


@pytest.fixture(scope="session")
def pdf() -> bytes:
    """Two pages, with cross-references in streams, objects in streams and a link."""
    return typst.compile(SOURCE.encode())


@pytest.fixture(scope="session")
def rewritten(pdf) -> Callable[..., bytes]:
    """The PDF after a function has changed it, with plain objects and a table of cross-references."""

    def rewritten(change: Callable[[PdfWriter], object] = lambda _writer: None) -> bytes:
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
        change(writer)
        out = io.BytesIO()
        writer.write(out)
        return out.getvalue()

    return rewritten


class Book:
    """A ledger to which claims about papers are recorded as the server does."""

    def __init__(self, path: Path) -> None:
        self.ledger = Ledger(path)

    def claim(self, paper, quote, *, supersedes="", note="", caller=None, at=None, **claimed) -> str:
        """Record a claim about a quote of the paper, and return its id."""
        start = paper.text.replace("\n", " ").find(quote)
        locator = at or (locate(paper, start, start + len(quote)) if start >= 0 else f"pc:{paper.paper_id[7:15]}")
        claim = Claim(quote, locator, **claimed)
        caller = caller or Caller("tester", "7", "m-1", "s", "1")
        content = claim_content(claim, check_claim(paper, claim), paper, caller, supersedes=supersedes, note=note)
        return self.ledger.append(lambda _past: content).row.id

    def retract(self, claim: str, reason: str = "wrong") -> str:
        """Take a claim back."""
        content = retraction_content(claim, reason, Caller("tester", "7", "", "s", "2"))
        return self.ledger.append(lambda _past: content).row.id

    def read(self):
        """What the audit says, and what the ledger holds."""
        rows = []
        audited = audit(self.ledger.path, visit=rows.append)
        assert audited.intact
        return audited, read_entries(rows)


@pytest.fixture
def book(tmp_path) -> Book:
    return Book(tmp_path / "ledger" / "claims.db")


@pytest.fixture(scope="session")
def paper(pdf):
    return parse_pdf(pdf, max_pages=10)


@pytest.fixture
def filled(book, paper) -> tuple[Book, dict[str, str]]:
    """Claims that hold, fail, were superseded, were retracted, whose quote stands nowhere; by what they are."""
    temperature = {"property": "transition temperature", "unit": "K"}
    wrong = book.claim(paper, HOLDS, value="93.5", **temperature)
    ids = {
        "wrong": wrong,
        "right": book.claim(paper, HOLDS, value="92.5", supersedes=wrong, note="seen", **temperature),
        "lines": book.claim(paper, LINES, caller=Caller("other", "1")),
        "absent": book.claim(paper, "An emu laid eleven eggs in March."),
        "taken": book.claim(paper, "See our data"),
    }
    ids["retraction"] = book.retract(ids["taken"])
    return book, ids


@pytest.fixture
def settings(tmp_path, pdf) -> Settings:
    """Settings with the paper as cuprate.pdf in the only root."""
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers/cuprate.pdf").write_bytes(pdf)
    return Settings(roots=(tmp_path / "papers",), cache_dir=tmp_path / "cache", parse_workers=1)
