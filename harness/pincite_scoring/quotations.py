"""Quotations: whether the words that an answer quotes stand where it says. All families ask here.

A quote that our text does not have is *absent* only where our text can be trusted. On a page that was read poorly
(OCR, a scan's text layer, fonts that do not say which letters they print) the print may well have it: it is
*unverifiable* here, with the reason, and counts neither for nor against.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from pincite_core.locator import digits_of
from pincite_papers.model import Paper
from pincite_papers.passages import suspects_in
from pincite_papers.quality import page_quality, poor_pages
from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS, QuoteMatch, find_quote, quote_stands
from pincite_scoring.shown import NOTHING_SHOWN, Shown

MOST_EVIDENCE = 600
"""Characters of a quote that can ground a value: a clause, a sentence or a row of a table. Of 1,073
sentences of six open papers none is longer than 493; a column of a page has 2,000 and more."""

QuoteStanding = Literal["verified", "wrong_page", "unverifiable", "too_long", "no_such_page", "absent", "no_quote"]
ORDER: tuple[QuoteStanding, ...] = (
    "verified", "too_long", "wrong_page", "unverifiable", "no_such_page", "absent", "no_quote"
)  # fmt: skip
"""From what tells most for a quote to what tells least: of several papers the best counts."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How a quote stands, and ``text[start:end]`` of ``paper`` (its name) where it does; ``note`` says why it cannot
    be verified here."""

    standing: QuoteStanding
    paper: str = ""
    start: int = 0
    end: int = 0
    note: str = ""

    @property
    def located(self) -> bool:
        """Whether the words stand in the paper, on whatever page."""
        return self.end > self.start


def check_quote(
    papers: Mapping[str, Paper],
    quote: str,
    page: int | None = None,
    named: str = "",
    longest: int = MAX_QUOTE_CHARS,
    shown: Shown = NOTHING_SHOWN,
) -> Checked:
    """Whether ``quote`` stands in the paper that is named (its file's name), else in any, on ``page`` where one is
    given; or in what a tool showed of the paper in the trial (``shown``: the page is then not known, the words are
    verified). One of more than ``longest`` characters stands for no single statement: ``too_long``."""
    if not quote.strip():
        return Checked("no_quote")
    name = PurePosixPath(named).name
    chosen = [name] if name in papers else list(papers)
    found = [check_in_paper(papers[each], quote, page, each, longest) for each in chosen]
    best = min(found, key=lambda checked: ORDER.index(checked.standing), default=Checked("absent"))
    if best.standing in ("absent", "unverifiable") and len(quote.strip()) <= longest:
        return _as_shown(papers, quote, chosen, shown) or best
    return best


def _as_shown(papers: Mapping[str, Paper], quote: str, chosen: Sequence[str], shown: Shown) -> Checked | None:
    """How a quote stands that a tool showed of one of the ``chosen`` papers; None for one that none did, or that stands
    in another paper of the task: then that is the one that was shown."""
    if any(quote_stands(paper, quote) for name, paper in papers.items() if name not in chosen):
        return None
    by = next((name for name in chosen if shown.holds(quote, (name, digits_of(papers[name].paper_id)))), None)
    return Checked("verified", by, note="as a tool showed it") if by is not None else None


def check_in_paper(
    paper: Paper, quote: str, page: int | None = None, name: str = "", longest: int = MAX_QUOTE_CHARS
) -> Checked:
    """See ``check_quote``, of one paper."""
    if not quote.strip():
        return Checked("no_quote")
    if len(quote) > MAX_QUOTE_CHARS:
        return Checked("too_long", name)
    known = page is None or not paper.pages or any(each.number == page for each in paper.pages)
    match = find_quote(paper, quote, page if paper.pages else None)
    if match.stands:
        standing: QuoteStanding = "wrong_page" if match.wrong_page or not known else "verified"
        if len(quote.strip()) > longest:
            standing = "too_long"
        return Checked(standing, name, match.start, match.end)
    if not known:
        return Checked("no_such_page", name)
    note = _misread(paper, match, page)
    return Checked("unverifiable", name, note=note) if note else Checked("absent", name)


def stands_in(paper: Paper, quote: str) -> Literal["verified", "unverifiable", "absent", "no_quote"]:
    """Whether a quote stands anywhere in a paper, without a look for what is near it."""
    if not quote.strip() or len(quote) > MAX_QUOTE_CHARS:
        return "no_quote"
    if quote_stands(paper, quote):
        return "verified"
    return "unverifiable" if poor_pages(paper) else "absent"


def verified_share(standings: Iterable[str]) -> float | None:
    """The share of the quotes that stand, over those that can be verified here; None without any."""
    counted = [standing for standing in standings if standing != "unverifiable"]
    return sum(standing == "verified" for standing in counted) / len(counted) if counted else None


def _misread(paper: Paper, match: QuoteMatch, page: int | None) -> str:
    """Why the print may have a quote that our text has not; "" where the text can be trusted. Without a page any page
    may be meant."""
    if match.end > match.start and suspects_in(paper, match.start, match.end):
        return f"page {match.page}: the passage has characters that its fonts do not map reliably"
    poor = poor_pages(paper) if page is None else [page_quality(paper, page)]
    return next((f"page {each.page}: {each.why}" for each in poor if each.poor), "")
