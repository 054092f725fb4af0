"""QuoteCheck and StatedValue: whether a quote, or a number of a statement, stands in a paper."""

from dataclasses import dataclass

from pincite_core.locator import Locator


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A number of a statement: ``verdict`` is ``value stands`` (the paper has it beside the same words), ``value
    differs``, ``not there`` or ``unsure``; ``locator`` (short, "" for none) and ``paper_says`` are what it was compared
    with."""

    words: str
    verdict: str
    reason: str
    locator: str
    paper_says: str


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """The result of ``Paper.verify_quote``; true in a condition where the quote stands on the page that was asked.

    ``standing`` is ``exact``, ``normalised`` (exact but for what ``overlooked`` names, such as line breaks), ``near``
    (the paper says something like it: ``paper_says``) or ``absent``. ``unreliable`` names characters of the passage
    that the source maps to doubtful signs: look at the page before citing them.
    """

    standing: str
    locator: Locator | None
    wrong_page: bool
    overlooked: tuple[str, ...]
    paper_says: str
    unreliable: str

    @property
    def stands(self) -> bool:
        """Whether the words are the paper's, on whatever page."""
        return self.standing in ("exact", "normalised")

    def __bool__(self) -> bool:
        return self.stands and not self.wrong_page
