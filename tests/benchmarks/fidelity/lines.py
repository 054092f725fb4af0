"""Lines: the measures that every parser's Reading is scored by, alike for all of them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from body import without_outside
from captions import SAME, likeness
from cells import grid_of, relations, truth_grid
from citations import is_entry
from normalise import letters, normalise
from rapidfuzz.distance import Levenshtein
from reading import Reading
from truth import Truth

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d\"'(])")
_SHORTEST_SENTENCE = 30
_SAME_BOX = 0.8
_SHORT_TITLE = 20


@dataclass(slots=True)
class Tally:
    """Counts that add up over papers: found of expected, of reported."""

    found: float = 0
    expected: float = 0
    reported: float = 0

    def add(self, other: "Tally") -> None:
        """Add the counts of another paper."""
        self.found += other.found
        self.expected += other.expected
        self.reported += other.reported

    @property
    def recall(self) -> float | None:
        """Found of expected; None where nothing was expected."""
        return self.found / self.expected if self.expected else None

    @property
    def precision(self) -> float | None:
        """Found of reported; None where nothing was reported."""
        return self.found / self.reported if self.reported else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; None where nothing was expected."""
        return 2 * self.found / (self.expected + self.reported) if self.expected else None


@dataclass(slots=True)
class Lines:
    """The scores of one parser on some papers. ``body``: characters right of the longer text."""

    body: Tally = field(default_factory=Tally)
    sentences: Tally = field(default_factory=Tally)
    headings: Tally = field(default_factory=Tally)
    captions: Tally = field(default_factory=Tally)
    tables: Tally = field(default_factory=Tally)
    references: Tally = field(default_factory=Tally)
    figures: Tally = field(default_factory=Tally)
    plots: Tally = field(default_factory=Tally)

    def add(self, other: "Lines") -> None:
        """Add the counts of another paper."""
        for name in self.__dataclass_fields__:
            getattr(self, name).add(getattr(other, name))


def score_reading(truth: Truth, reading: Reading, *, cut: bool) -> Lines:
    """All lines of one paper; with ``cut`` the prose is first cut to the body (see ``_cut_to_body``)."""
    sentences = _sentences(truth)
    whole = normalise(reading.whole)
    return Lines(
        _body(truth, reading, sentences, cut=cut),
        Tally(sum(sentence in whole for sentence in sentences), len(sentences)),
        _headings(truth, reading),
        _captions(truth, reading),
        _tables(truth, reading),
        _references(truth, reading),
        _figures(truth, reading),
        _plots(truth, reading),
    )


def _sentences(truth: Truth) -> list[str]:
    found = (part for text in truth.paragraphs for part in _SENTENCE_END.split(normalise(text)))
    return [part for part in found if len(part) >= _SHORTEST_SENTENCE]


def _body(truth: Truth, reading: Reading, sentences: list[str], *, cut: bool) -> Tally:
    expected, seen = normalise(" ".join(truth.paragraphs)), without_outside(truth, normalise(reading.text))
    if cut:
        seen = _cut_to_body(seen, sentences)
    longer = max(len(expected), len(seen))
    return Tally(longer - Levenshtein.distance(expected, seen), longer, longer)


def _cut_to_body(seen: str, sentences: list[str]) -> str:
    """Help for parsers that do not tell the body from the rest: drop what stands before and after all its sentences."""
    places = [(place, place + len(sentence)) for sentence in sentences if (place := seen.find(sentence)) >= 0]
    return seen[min(places)[0] : max(end for _, end in places)] if places else seen


def _headings(truth: Truth, reading: Reading) -> Tally:
    open_titles = Counter(_title(heading) for heading in reading.headings or [])
    found = 0
    for heading in truth.headings:
        wanted = _title(heading)
        if open_titles[wanted]:
            open_titles[wanted] -= 1
            found += 1
    untitled = {_title(title) for title in truth.untitled}
    reported = found + sum(count for title, count in open_titles.items() if title not in untitled)
    return Tally(found, len(truth.headings), reported)


def _title(text: str) -> str:
    """A heading as compared: case and its numbering aside."""
    return re.sub(r"^(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.)]?\s+", "", normalise(text).casefold()).strip(" .:")


def _captions(truth: Truth, reading: Reading) -> Tally:
    """Captions that stand in a block of their own (where the parser binds captions: that it binds)."""
    texts = reading.captions if reading.captions is not None else reading.blocks
    wanted = [(each.label, each.caption) for each in (*truth.figures, *truth.tables) if each.caption]
    near = [(label, caption, normalise(caption)) for label, caption in wanted]
    found = sum(any(_alike(label, caption, plain, text) for text in texts) for label, caption, plain in near)
    return Tally(found, len(wanted))


def _alike(label: str, caption: str, plain: str, text: str) -> bool:
    close = 0.8 * len(plain) <= len(text) <= 1.3 * len(plain) + 40
    return close and likeness(label, caption, text) >= SAME


def _tables(truth: Truth, reading: Reading) -> Tally:
    """Cell adjacency over all tables: each table of the XML is compared with the reported one that shares most."""
    grids = [
        grid_of((r, c, 1, 1, text) for r, row in enumerate(table) for c, text in enumerate(row))
        for table in reading.tables or []
    ]
    free = [relations(grid) for grid in grids]
    tally = Tally(reported=sum(each.total() for each in free))
    for table in truth.tables:
        wanted = relations(truth_grid(table))
        best = max(range(len(free)), key=lambda k: (wanted & free[k]).total(), default=None)
        shared = (wanted & free[best]).total() if best is not None else 0
        if best is not None and shared:
            free[best] = Counter()
        tally.found += shared
        tally.expected += wanted.total()
    return tally


def _references(truth: Truth, reading: Reading) -> Tally:
    """Entries that stand alone in one block: the work's title and first surname in it, and no other entry's title."""
    texts = reading.references if reading.references is not None else reading.blocks
    entries = [letters(text) for text in texts]
    titles = [letters(each.title) for each in truth.references]
    found = 0
    for k, wanted in enumerate(truth.references):
        hits = [entry for entry in entries if is_entry(entry, wanted)]
        alone = (all(not _holds(entry, other, titles[k]) for other in titles) for entry in hits)
        found += any(alone)
    return Tally(found, len(truth.references), len(reading.references or []))


def _holds(entry: str, other: str, own: str) -> bool:
    return len(other) > _SHORT_TITLE and other not in own and other in entry


def _figures(truth: Truth, reading: Reading) -> Tally:
    """Figures whose box is told by the truth, and reported with an intersection over union of at least 0.8."""
    boxes = [(each.page, each.bbox) for each in truth.figures if each.bbox is not None]
    if not boxes or reading.figures is None:
        return Tally()
    found = sum(
        any(page == at and overlap(box, seen) >= _SAME_BOX for at, seen in reading.figures) for page, box in boxes
    )
    return Tally(found, len(boxes), len(reading.figures))


def _plots(truth: Truth, reading: Reading) -> Tally:
    """Plotted series of which a reported one on the page is right: median error under 0.5 %, 95th percentile under 2 %.

    Errors are in y, at the plotted points, as shares of the range of y.
    """
    wanted = [(each.page, series) for each in truth.figures for series in each.series if each.page is not None]
    if not wanted or reading.plots is None:
        return Tally()
    found = 0
    for page, series in wanted:
        here = (seen for at, each in reading.plots if at == page for seen in each)
        found += any(_same_curve(series, seen) for seen in here)
    return Tally(found, len(wanted), sum(len(each) for _, each in reading.plots))


def _same_curve(series: list[list[float]], seen: list[list[float]]) -> bool:
    x, y = np.array(series).T
    order = np.argsort([point[0] for point in seen])
    if len(order) < 2:
        return False
    xs, ys = np.array(seen)[order].T
    errors = np.abs(np.interp(x, xs, ys) - y) / (y.max() - y.min())
    return bool(np.median(errors) < 0.005 and np.percentile(errors, 95) < 0.02)


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes (x0, y0, x1, y1)."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0.0) * max(height, 0.0)
    area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return shared / (area - shared) if area > shared else 0.0
