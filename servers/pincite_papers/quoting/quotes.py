"""Quotes: whether a quote stands in a paper, where, and how it differs from what does.

``exact`` is code point for code point. ``normalised`` is exact after the normalisations that are named, none of which
turns a number, sign, power, unit or word into another one. ``near`` is not a quote of the paper: something like it
stands there. Case is never overlooked.
"""

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal

from pincite_core.errors import BadInputError
from pincite_papers.doubts import bare
from pincite_papers.model import BlockKind, Furniture, FurnitureKind, Paper, Span
from pincite_papers.passages import PerPaper
from pincite_papers.quoting.differing import Difference, described, differences
from pincite_papers.quoting.ends import whole
from pincite_papers.quoting.nearest import Near, nearest
from pincite_papers.quoting.skeleton import Skeleton
from pincite_papers.quoting.spellings import ELLIPSIS, Spelling, parts, spellings
from pincite_papers.quoting.standing import Standing, standings

MAX_QUOTE_CHARS = 10_000
"""Longest quote, in code points."""

SHORTEST = 3
"""A quote of fewer characters, white space, dashes and marks apart, is looked for nowhere: it proves nothing."""

FURTHEST_PART = 1000
"""Most characters of the paper that an ellipsis may stand for."""

_PLACES = 5
"""Other places of a quote that are named."""
_MOST_PARTS = 8
"""Parts that ellipses may leave of a quote."""

_FLOATS = frozenset({BlockKind.CAPTION, BlockKind.TABLE, BlockKind.FIGURE, BlockKind.FOOTNOTE})

StandingName = Literal["exact", "normalised", "near", "absent"]


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """How a quote stands in a paper. ``text[start:end]`` is the passage (of a near one too); nothing where absent."""

    standing: StandingName
    start: int = 0
    end: int = 0
    page: int | None = None
    """Page on which the passage begins; None where it is absent or the paper has no pages."""
    distance: int = 0
    """Differing characters, as edits; 0 for a quote that stands."""
    normalisations: tuple[str, ...] = ()
    """What was overlooked, in words; empty for an exact quote."""
    differences: tuple[Difference, ...] = ()
    """What a near passage says instead."""
    spans: tuple[Span, ...] = ()
    """The parts of the passage, where an ellipsis or a figure parts it; else the passage alone."""
    count: int = 0
    """Places where the quote stands."""
    places: tuple[Span, ...] = ()
    """The first few of the other places."""
    wrong_page: bool = False
    """Whether it stands, but on no part of the page that was named."""
    remark: str = ""
    """What else there is to know: too short a quote, words found only in hidden text, a cut number."""

    @property
    def stands(self) -> bool:
        """Whether the words are the paper's: exact, or exact after what ``normalisations`` names."""
        return self.standing in ("exact", "normalised")


@dataclass
class _Index:
    """A paper's skeletons."""

    paper: Paper
    text: Skeleton = field(init=False)

    def __post_init__(self) -> None:
        self.text = Skeleton.of(self.paper.text)

    @cached_property
    def lowered(self) -> str:
        """``text.bare`` in lower case, one code point for one."""
        lowered = self.text.bare.lower()
        if len(lowered) == len(self.text.bare):
            return lowered
        return "".join(c.lower() if len(c.lower()) == 1 else c for c in self.text.bare)

    @cached_property
    def prose(self) -> Skeleton:
        """The skeleton without floats and footnotes, so that what they part stands together."""
        import numpy as np

        kept = np.ones(len(self.text.bare), np.bool_)
        for block in self.paper.blocks:
            if block.kind in _FLOATS:
                low, high = np.searchsorted(self.text.offsets, [block.start, block.end])
                kept[low:high] = False
        bare = "".join(character for character, keep in zip(self.text.bare, kept.tolist(), strict=True) if keep)
        return Skeleton(self.paper.text, bare, self.text.offsets[kept])

    @cached_property
    def asides(self) -> list[tuple[int, Furniture, Skeleton]]:
        """What stands in margins or is hidden, with the number of its page."""
        return [(page.number, item, Skeleton.of(item.text)) for page in self.paper.pages for item in page.furniture]


_indices = PerPaper(_Index)


@dataclass(frozen=True, slots=True)
class _Found:
    """A place where a quote stands, in its parts."""

    spans: tuple[Span, ...]
    names: frozenset[str]

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def end(self) -> int:
        return self.spans[-1].end


def find_quote(paper: Paper, quote: str, page: int | None = None, near: tuple[int, int] | None = None) -> QuoteMatch:
    """Where ``quote`` stands in the paper. Of several places the one that overlaps ``near`` (offsets) is taken, else
    one on ``page``, else an exact one, else the nearest to ``near``, else the first.

    Raises BadInputError for a quote that is empty or longer than MAX_QUOTE_CHARS.
    """
    _check(quote)
    quote = bare(quote)
    index = _indices.of(paper)
    broken: list[tuple[Skeleton, Standing]] = []
    if found := _found(index, quote, broken):
        return _match(paper, found, page, near)
    skeleton = Skeleton.of(quote.strip())
    if len(skeleton.bare) < SHORTEST:
        return QuoteMatch("absent", remark=f"The quote has fewer than {SHORTEST} characters: it proves nothing.")
    return _no_quote(index, skeleton, broken, page)


def quote_stands(paper: Paper, quote: str) -> bool:
    """Whether ``find_quote`` would say that it stands, without a look for what is near: much less work where it does
    not. Raises BadInputError as ``find_quote`` does."""
    _check(quote)
    return bool(_found(_indices.of(paper), bare(quote), []))


def _found(index: _Index, quote: str, broken: list[tuple[Skeleton, Standing]]) -> list[_Found]:
    """The places of the first spelling of the quote that stands; ``broken`` gathers those that are cut."""
    for spelling in spellings(quote):
        skeleton = Skeleton.of(spelling.text)
        if len(skeleton.bare) < SHORTEST:
            continue
        if found := _whole(index, skeleton, spelling, broken) or _apart(index, spelling):
            return found
    return []


def _check(quote: str) -> None:
    if not bare(quote).strip():
        raise BadInputError("The quote is empty.", next="Give the words as they stand in the paper.")
    if len(quote) > MAX_QUOTE_CHARS:
        raise BadInputError(
            f"The quote is longer than {MAX_QUOTE_CHARS} characters.",
            seen=f"{len(quote)} characters",
            next="Quote the sentence that says it.",
        )


def _whole(index: _Index, quote: Skeleton, spelling: Spelling, broken: list[tuple[Skeleton, Standing]]) -> list[_Found]:
    """The places of the quote in one piece: in the text as it is, else across floats."""
    found: list[_Found] = []
    for text, is_whole in ((index.text, True), (index.prose, False)):
        for standing in standings(text, quote, whole_text=is_whole):
            if not standing.holds:
                if is_whole:
                    broken.append((quote, standing))
            elif spelling.fits(index.paper, standing.start, standing.end):
                spans = _pieces(index, standing, len(quote.bare), is_whole)
                found.append(_Found(spans, standing.names | spelling.names))
        if found:
            break
    return found


def _pieces(index: _Index, standing: Standing, length: int, is_whole: bool) -> tuple[Span, ...]:
    """The parts of a passage between the floats it runs across."""
    if is_whole:
        return (Span(standing.start, standing.end),)
    offsets = index.prose.offsets[standing.at : standing.at + length].tolist()
    spans: list[Span] = []
    start = standing.start
    floats = [block for block in index.paper.blocks if block.kind in _FLOATS]
    for before, after in pairwise(offsets):
        if after - before > 1 and any(before < block.start and block.end <= after for block in floats):
            spans.append(Span(start, before + 1))
            start = after
    return (*spans, Span(start, standing.end))


def _apart(index: _Index, spelling: Spelling) -> list[_Found]:
    """The places of a quote with an ellipsis: its parts in order, none too far behind the one before."""
    pieces = [Skeleton.of(part) for part in parts(spelling.text)]
    if not 0 < len(pieces) <= _MOST_PARTS or any(len(piece.bare) < SHORTEST for piece in pieces):
        return []
    options = [[standing for standing in standings(index.text, piece) if standing.holds] for piece in pieces]
    found: list[_Found] = []
    for first in options[0]:
        chain = [first]
        for option in options[1:]:
            end = chain[-1].end
            at = bisect_left(option, end, key=lambda standing: standing.start)
            if at == len(option) or option[at].start > end + FURTHEST_PART:
                break
            chain.append(option[at])
        if len(chain) == len(pieces):
            names = frozenset[str]().union(*(standing.names for standing in chain))
            spans = tuple(Span(standing.start, standing.end) for standing in chain)
            found.append(_Found(spans, names | spelling.names | {ELLIPSIS}))
    return found


def _match(paper: Paper, found: list[_Found], page: int | None, near: tuple[int, int] | None) -> QuoteMatch:
    bounds = next(((p.start, p.end) for p in paper.pages if p.number == page), None) if page is not None else None

    def rank(place: _Found) -> tuple[bool, bool, bool, int, int]:
        overlaps = near is not None and place.start < near[1] and near[0] < place.end
        away = min(abs(place.start - near[0]), abs(place.end - near[1])) if near is not None else 0
        return not overlaps, not _on(place, bounds), bool(place.names), away, place.start

    best, *others = sorted(found, key=rank)
    return QuoteMatch(
        standing="normalised" if best.names else "exact",
        start=best.start,
        end=best.end,
        page=paper.page_at(best.start),
        normalisations=tuple(sorted(best.names)),
        spans=best.spans,
        count=len(found),
        places=tuple(Span(other.start, other.end) for other in sorted(others, key=lambda o: o.start)[:_PLACES]),
        wrong_page=page is not None and bool(paper.pages) and not _on(best, bounds),
    )


def _on(place: _Found, bounds: tuple[int, int] | None) -> bool:
    return bounds is not None and any(span.start < bounds[1] and bounds[0] < span.end for span in place.spans)


def _no_quote(index: _Index, quote: Skeleton, broken: list[tuple[Skeleton, Standing]], page: int | None) -> QuoteMatch:
    """The nearest passage of a quote that does not stand, or none."""
    paper = index.paper
    remark = _set_apart(index, quote)
    if broken:
        said, standing = min(broken, key=lambda pair: len(pair[1].broken) + pair[1].cut)
        length = len(said.bare)
        low, high = whole(paper.text, standing.start, standing.end)
        ranges = [(max(k - 1, 0), k + 1, standing.at + max(k - 1, 0), standing.at + k + 1) for k in standing.broken]
        shown = described(said, index.text, ranges)
        if standing.cut:
            shown += described(said, index.text, [(0, length, standing.at, standing.at + length)]) if not shown else ()
            remark = remark or "The quote begins or stops inside a word, a number or a unit of the paper."
        distance = len(standing.broken) + (high - low) - (standing.end - standing.start)
        return _near(paper, low, high, max(distance, 1), shown, remark)
    found = _in_another_case(index, quote) or nearest(index.text.bare, index.lowered, quote.bare)
    if found is None:
        return QuoteMatch("absent", remark=remark)
    low, high = index.text.span(found.start, max(found.end - found.start, 1))
    shown = differences(quote, index.text, found.start, found.end)
    if quote.bare.casefold() == index.text.bare[found.start : found.end].casefold():
        remark = remark or "Only the case of letters differs."
    return _near(paper, *whole(paper.text, low, high), found.distance, shown, remark)


def _in_another_case(index: _Index, quote: Skeleton) -> Near | None:
    """The first place that differs in the case of letters alone."""
    at = index.lowered.find(quote.bare.lower())
    if at < 0:
        return None
    there = index.text.bare[at : at + len(quote.bare)]
    return Near(at, at + len(there), sum(a != b for a, b in zip(there, quote.bare, strict=False)))


def _near(paper: Paper, start: int, end: int, distance: int, shown: tuple[Difference, ...], remark: str) -> QuoteMatch:
    return QuoteMatch(
        "near", start, end, paper.page_at(start), distance, differences=shown, spans=(Span(start, end),), remark=remark
    )


def _set_apart(index: _Index, quote: Skeleton) -> str:
    """Where the words stand in text that is not part of the paper's: hidden, or in the margins."""
    for number, item, text in index.asides:
        if any(standing.holds for standing in standings(text, quote)):
            kind = item.kind.value.replace("_", " ")
            hidden = f", which no reader sees ({item.reason})" if item.kind is FurnitureKind.HIDDEN else ""
            return f"The words stand in the {kind} text of page {number} alone{hidden}."
    return ""
