"""Standing: whether a quote stands where its skeleton does, and which differences had to be forgiven."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from pincite_papers.quoting.ends import close_braces, open_marks, whole
from pincite_papers.quoting.gaps import SCRIPTS, TIMES, Side, compare_characters, compare_gaps
from pincite_papers.quoting.skeleton import DASHES, MARKS, Skeleton, folded

_ROUND = 40
"""Characters on both sides of a difference by which it is judged."""
ACROSS = "a figure, table or note between"
_MOST = 1000
"""Places of one quote that are looked at; a quote that stands oftener says nothing anyway."""

_MOST_CHARACTERS = 1_000_000
"""Characters that are compared for one quote, all places together."""


@dataclass(frozen=True, slots=True)
class Standing:
    """``text[start:end]`` has the quote's skeleton from ``at`` on; it is the quote where nothing is ``broken``.

    ``broken`` are places in the skeleton, counted from ``at``, where the two say different things; ``cut`` says that
    the quote begins or stops inside a word or number. ``names`` are the normalisations, none where it is exact.
    """

    at: int
    start: int
    end: int
    names: frozenset[str]
    broken: tuple[int, ...] = ()
    cut: bool = False

    @property
    def holds(self) -> bool:
        """Whether the quote stands here."""
        return not self.broken and not self.cut


def standings(paper: Skeleton, quote: Skeleton, *, whole_text: bool = True) -> Iterator[Standing]:
    """Every place with the quote's skeleton, in order; ``whole_text`` says that nothing is left out of the paper's."""
    most = min(_MOST, max(_MOST_CHARACTERS // len(quote.bare), 1))
    at, seen = paper.bare.find(quote.bare), 0
    while at >= 0 and seen < most:
        yield stand(paper, quote, at, whole_text=whole_text)
        at, seen = paper.bare.find(quote.bare, at + 1), seen + 1


def stand(paper: Skeleton, quote: Skeleton, at: int, *, whole_text: bool = True) -> Standing:
    """How ``quote`` stands at the place ``at`` of the paper's skeleton, where its own skeleton is."""
    length = len(quote.bare)
    start, end = paper.span(at, length)
    names: set[str] = set()
    broken: list[int] = []
    start, end, signed = _outside(paper.text, quote, start, end, names)
    if not signed:
        broken.append(0)
    end = close_braces(paper.text, start, end)
    start = open_marks(paper.text, start)
    cut = whole(paper.text, start, end) != (start, end) or _inside_a_ligature(paper, at, length)
    if paper.text[start:end] == quote.text:
        return Standing(at, start, end, frozenset(), tuple(broken), cut)
    theirs, ours = paper.offsets[at : at + length].tolist(), quote.offsets.tolist()
    for k in range(length):
        if k:
            found = _gap(paper, quote, (theirs[k - 1], theirs[k]), (ours[k - 1], ours[k]), whole_text)
            if found is None:
                broken.append(k)
            else:
                names |= found
        said, printed = quote.text[ours[k]], paper.text[theirs[k]]
        if said != printed:
            name = compare_characters(said, printed)
            if name == TIMES and (_beside_a_letter(quote.text, ours[k]) or _beside_a_letter(paper.text, theirs[k])):
                broken.append(k)
            names.add(name)
    if paper.text[start] in MARKS and quote.text[0] not in MARKS:
        names.add(SCRIPTS)
    return Standing(at, start, end, frozenset(names), tuple(broken), cut)


def _gap(
    paper: Skeleton, quote: Skeleton, theirs: tuple[int, int], ours: tuple[int, int], whole_text: bool
) -> frozenset[str] | None:
    side = Side(paper.text, *theirs)
    left_out = not whole_text and any(folded(character) for character in side.raw())
    if left_out:
        side = _without_floats(side)
    found = compare_gaps(Side(quote.text, *ours), side)
    return found | {ACROSS} if left_out and found is not None else found


def _without_floats(side: Side) -> Side:
    """The gap as it would be if what stands between two parts of a paragraph stood elsewhere."""
    raw = side.raw()
    lead = "".join(takewhile(lambda character: not folded(character), raw)).rstrip()
    trail = "".join(takewhile(lambda character: not folded(character), reversed(raw)))[::-1].lstrip()
    first = side.text[max(side.before - _ROUND, 0) : side.before + 1]
    gap = f"{lead}\n\n{trail}"
    text = first + gap + side.text[side.after : side.after + _ROUND]
    return Side(text, len(first) - 1, len(first) + len(gap))


def _outside(text: str, quote: Skeleton, start: int, end: int, names: set[str]) -> tuple[int, int, bool]:
    """The span with the dashes and marks that the quote has outside its skeleton, and whether they stand there."""
    lead = quote.text[: int(quote.offsets[0])]
    tail = quote.text[int(quote.offsets[-1]) + 1 :]
    signed = True
    for _ in range(sum(character in DASHES for character in lead)):
        at = _over(text, start, -1)
        dashed = at >= 0 and text[at] in DASHES
        signed, start = signed and dashed, at if dashed else start
    if any(character in "^_" for character in lead) and text[start - 1 : start] not in ("^", "_", "{"):
        names.add(SCRIPTS)
    for _ in range(sum(character in DASHES for character in tail)):
        at = _over(text, end - 1, 1)
        dashed = at < len(text) and text[at] in DASHES
        signed, end = signed and dashed, at + 1 if dashed else end
    return start, end, signed


def _over(text: str, at: int, step: int) -> int:
    """The first place from ``at`` on, itself left out, that is neither white space nor a script mark."""
    at += step
    while 0 <= at < len(text) and (text[at].isspace() or text[at] in MARKS):
        at += step
    return at


def _inside_a_ligature(paper: Skeleton, at: int, length: int) -> bool:
    offsets, end = paper.offsets, at + length
    return bool(at and offsets[at - 1] == offsets[at]) or bool(end < len(offsets) and offsets[end] == offsets[end - 1])


def _beside_a_letter(text: str, at: int) -> bool:
    return (text[max(at - 1, 0)].isalpha() and at > 0) or text[at + 1 : at + 2].isalpha()
