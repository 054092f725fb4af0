"""Evidence: each quote of an answer with its verdict, and where the desk shows it on the paper's page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite_harness.desk.marks import write_spans
from pincite_harness.desk.papers import key_of
from pincite_harness.reports.trials.quotations import Found, Quote, locate, quotes_of
from pincite_papers.model import Paper

_PLACED = frozenset({"stands", "wrong page"})
"""Verdicts of quotes whose own characters are known: nothing else is marked."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote and how it stands. ``paper`` is the key of the paper to show, "" where there is none; ``spans`` are the
    ranges to mark, "" for a quote that cannot be placed."""

    number: int
    quote: Quote
    found: Found
    paper: str = ""
    spans: str = ""

    @property
    def placed(self) -> bool:
        """Whether its characters are marked."""
        return bool(self.spans)

    @property
    def pageless(self) -> bool:
        """Whether there is nothing to show of it."""
        return not self.spans and self.found.page is None


def cited_in(answer: object, papers: Mapping[str, Paper]) -> list[Cited]:
    """The quotes of an answer, each looked for in the papers of its task."""
    return [_cited(number, quote, papers) for number, quote in enumerate(quotes_of(answer))]


def _cited(number: int, quote: Quote, papers: Mapping[str, Paper]) -> Cited:
    found = locate(quote, papers)
    paper = papers.get(found.paper)
    if paper is None:
        return Cited(number, quote, found)
    spans = write_spans(found.spans) if found.verdict in _PLACED else ""
    return Cited(number, quote, found, key_of(paper), spans)


def count_verdicts(cited: Sequence[Cited]) -> dict[str, int]:
    """How many quotes have each verdict, in the order in which they first appear."""
    counts: dict[str, int] = {}
    for each in cited:
        counts[each.found.verdict] = counts.get(each.found.verdict, 0) + 1
    return counts
