"""verify_quotes: which of many quotes stand in a paper, and on the pages that they name."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_papers import doubts
from pincite_papers.model import Paper
from pincite_papers.passages import locate

MOST_QUOTES = 100
"""Quotes of one call. Set by judgement."""
_MOST_CHARS = 4000
"""Characters of one quote: a long paragraph. Set by judgement."""
_SHOWN_CHARS = 300
"""Characters of the passage that the paper has in place of a quote that does not stand."""

_NO_PAGES: list[int] = []

Quote = Annotated[str, Field(min_length=1, max_length=_MOST_CHARS)]
Page = Annotated[int, Field(ge=0)]


class CheckedQuote(TypedDict):
    """``number`` counts the quotes from 1. ``paper_says`` is the passage nearest to one that does not stand."""

    number: int
    stands: bool
    locator: str
    page: NotRequired[int]
    fault: NotRequired[str]
    paper_says: NotRequired[str]
    unreliable: NotRequired[str]


class CheckedQuotes(TypedDict):
    """``faulty``: the quotes that do not stand, or not on their page."""

    checked: list[CheckedQuote]
    faulty: list[int]


def verify_quotes(
    paper: Paper,
    quotes: Annotated[list[Quote], Field(min_length=1, max_length=MOST_QUOTES)],
    pages: Annotated[
        list[Page], Field(max_length=MOST_QUOTES, description="Page of each quote, from 1, 0 for any; or none")
    ] = _NO_PAGES,
) -> CheckedQuotes:
    """Check many quotes at once: whether each stands in the paper, and on its page."""
    if pages and len(pages) != len(quotes):
        raise BadInputError(
            "There must be one page for each quote.",
            seen=f"{len(quotes)} quotes, {len(pages)} pages",
            next="Give 0 where any page will do, or leave pages out.",
        )
    named = pages or [0] * len(quotes)
    checked = [_checked(paper, number, quote, named[number - 1]) for number, quote in enumerate(quotes, start=1)]
    return CheckedQuotes(checked=checked, faulty=[each["number"] for each in checked if "fault" in each])


def _checked(paper: Paper, number: int, quote: str, page: int) -> CheckedQuote:
    from pincite_papers.quoting.quotes import find_quote

    match = find_quote(paper, quote, page or None)
    found = match.standing != "absent"
    checked = CheckedQuote(
        number=number, stands=match.stands, locator=locate(paper, match.start, match.end) if found else ""
    )
    if match.page is not None:
        checked["page"] = match.page
    if not match.stands:
        checked["fault"] = "the paper says something like it, not this" if found else "nothing like it stands there"
        if found:
            checked["paper_says"] = doubts.show(paper, match.start, min(match.end, match.start + _SHOWN_CHARS))
    elif match.wrong_page:
        checked["fault"] = f"it stands on page {match.page}, not on page {page}"
    unreliable = doubts.note(paper, match.start, match.end) if found else ""
    if unreliable:
        checked["unreliable"] = unreliable
    return checked
