"""Furniture: running headers and footers, page numbers, line numbers and stamps, taken out of the lines."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import pairwise
from statistics import median

from pincite_papers.imprint import cites
from pincite_papers.model import Furniture, FurnitureKind, Rect
from pincite_papers.pdf.captions.labels import read_label
from pincite_papers.pdf.elements import Line, PageLayout
from pincite_papers.pdf.layout.linenumbers import take_line_numbers

_ZONE = 0.12
"""Share of the page's height, at its top and at its bottom, in which a line that repeats may be a running header or
footer. Set by judgement."""
_WIDE_ZONE = 0.2
"""Share of the page's height at its edges in which running lines repeat: small type areas stand low (LNCS: 0.15)."""
_NUMBER_ZONE = 0.1
"""Share of the page's height, at its top and at its bottom, in which a number alone may be the page's. Set by
judgement."""
_FEWEST_NUMBERED = 3
"""Pages that number themselves in step before a number further in than the margins is one: small type areas (LaTeX's
article: 0.15 of the height, in type of 10 points) print it there. Set by judgement."""
_INNER_ROOM = 1.25
"""The room under a running line in the wide zone, in the page's usual steps from line to line, at least."""
_APART = 2.2
"""Type sizes from a line in the margin of a lone page to the next line: more parts a running line from the text. Set
by judgement."""
_MOST_RUNNING = 24
"""Lines in the margins of a lone page; where there are more, the text reaches into them and none is a running line.
Set by judgement."""
_ROW = 4.0
"""Points: lines whose baselines differ by less stand in one row. Set by judgement."""
_MOST_IN_ROW = 4
"""Lines in one row of a header or footer; a row of more is one of a table. Set by judgement."""
_MOST_BESIDE = 2
"""Lines beside a page number in its row; with more it is a cell of a table. Set by judgement."""
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{2}")
_PAGE_NUMBER = re.compile(
    r"^(?:page\s*|p\.\s*|[-–—(\[|]\s*)?(\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,5})?(?:\s*[-–—)\]|])?$",
    re.IGNORECASE,
)


def set_furniture_apart(pages: list[PageLayout]) -> list[list[Furniture]]:
    """Take the furniture out of each page's lines; returns it page by page."""
    found: list[list[Furniture]] = [[] for _ in pages]
    take_line_numbers(pages, found)
    for page, apart in zip(pages, found, strict=True):
        _take_stamps(page, apart)
    repeated = _repeated(pages) if len(pages) > 1 else _lone(pages)
    numbers = _page_numbers(pages)
    for k, (page, apart) in enumerate(zip(pages, found, strict=True)):
        kept: list[Line] = []
        outer = _outermost(page, lambda line, k=k: id(line) in numbers or (k, id(line)) in repeated)
        for line in page.lines:
            if id(line) in numbers:
                apart.append(_furniture(FurnitureKind.PAGE_NUMBER, line))
            elif (k, id(line)) in repeated and id(line) in outer:
                top = line.y1 < page.height / 2
                apart.append(_furniture(FurnitureKind.HEADER if top else FurnitureKind.FOOTER, line))
            else:
                kept.append(line)
        page.lines = kept
    return found


def _furniture(kind: FurnitureKind, line: Line) -> Furniture:
    return Furniture(kind, line.text, Rect(line.x0, line.y0, line.x1, line.y1))


def _zone(page: PageLayout, share: float = _ZONE) -> Iterable[Line]:
    """The lines in the top and bottom margins of a page, each a ``share`` of its height."""
    top, bottom = share * page.height, (1 - share) * page.height
    return (line for line in page.lines if not line.rotation and (line.y1 < top or line.y0 > bottom))


def _outermost(page: PageLayout, running: Callable[[Line], bool]) -> set[int]:
    """The ids of the lines at the top and bottom edge of a page with nothing but ``running`` lines further out.

    So a table's row is none that stands at the same height as the like row of another page. Only the outermost row of
    all may hold other lines too, such as a running title that changes.
    """
    found: set[int] = set()
    edge = {id(line) for line in _zone(page)}
    zone = sorted(_zone(page, _WIDE_ZONE), key=lambda line: line.baseline)
    middle = page.height / 2
    for lines in ([line for line in zone if line.y1 < middle], [line for line in reversed(zone) if line.y1 >= middle]):
        rows: list[list[Line]] = []
        for line in lines:
            if rows and abs(line.baseline - rows[-1][0].baseline) < _ROW:
                rows[-1].append(line)
            else:
                rows.append([line])
        for k, row in enumerate(rows):
            enough = all(map(running, row)) if k else any(map(running, row))
            if not enough or len(row) > _MOST_IN_ROW or not (id(row[0]) in edge or _stands_apart(row[0], page)):
                break
            found.update(map(id, row))
    return found


def _stands_apart(line: Line, page: PageLayout) -> bool:
    """Whether more room than between the page's lines parts a line from those further in."""
    bases = sorted({round(other.baseline, 1) for other in page.lines if not other.rotation})
    steps = [below - above for above, below in pairwise(bases) if below - above > _ROW]
    inner = [abs(base - line.baseline) for base in bases if (base > line.baseline) == (line.y1 < page.height / 2)]
    inner = [step for step in inner if step > _ROW]
    return bool(steps and inner) and min(inner) > _INNER_ROOM * median(steps)


def _repeated(pages: list[PageLayout]) -> set[tuple[int, int]]:
    """Lines of the margins whose text stands at the same height on other pages: (page index, id).

    Digits may differ in a text that has words; one without must be the very same on most pages. The label of a table or
    figure does not count, as ``Table 1: Continued.`` stands at one height on all pages of the table.
    """
    places: defaultdict[str, list[tuple[int, Line]]] = defaultdict(list)
    for k, page in enumerate(pages):
        for line in _zone(page, _WIDE_ZONE):
            if read_label(line.text) is not None:
                continue
            text = line.text.casefold()
            places[_DIGITS.sub("#", text) if _WORD.search(text) else text].append((k, line))
    few = 2 if len(pages) < 8 else 3
    repeated: set[tuple[int, int]] = set()
    for text, lines in places.items():
        needed = few if _WORD.search(text) else max(3, len(pages) // 2 + 1)
        if len({k for k, _ in lines}) < needed:
            continue
        for k, line in lines:
            same = {j for j, other in lines if j != k and abs(other.baseline - line.baseline) < 8}
            if len(same) + 1 >= needed:
                repeated.add((k, id(line)))
    return repeated


def _lone(pages: list[PageLayout]) -> set[tuple[int, int]]:
    """On the only page of a paper: the lines of a margin that stand apart from the text and cite the paper, or are
    parted over the width of the page, as running lines are."""
    found: set[tuple[int, int]] = set()
    for page in pages:
        zone = list(_zone(page))
        if len(zone) > _MOST_RUNNING:
            continue
        inside = {id(line) for line in zone}
        inner = [line for line in page.lines if not line.rotation and id(line) not in inside]
        for line in zone:
            row = [other for other in zone if abs(other.baseline - line.baseline) < 2]
            gaps = [
                abs(other.baseline - line.baseline) for other in [*zone, *inner] if all(other is not one for one in row)
            ]
            apart = not gaps or min(gaps) > _APART * line.style.size
            wide = max(each.x1 for each in row) - min(each.x0 for each in row) > page.width / 2
            if apart and (cites(" ".join(each.text for each in row)) or (len(row) > 1 and wide)):
                found.add((0, id(line)))
    return found


def _page_numbers(pages: list[PageLayout]) -> set[int]:
    """The ids of lines in the outermost margins that hold only a number in step with the pages.

    A number further in counts where nothing stands further out and most pages print theirs at its height.
    """
    outer = [each for k, page in enumerate(pages) for each in _numbers(k, page, _NUMBER_ZONE)]
    offsets = Counter(value - k for k, value, _ in outer if value >= 0)
    steady = {offset for offset, count in offsets.items() if count >= 2 or len(pages) == 1 or offset == 1}
    found = {id(line) for k, value, line in outer if value < 0 or value - k in steady}
    inner = [each for k, page in enumerate(pages) for each in _numbers(k, page, _WIDE_ZONE) if _is_last(each[2], page)]
    needed = max(_FEWEST_NUMBERED, len(pages) // 2 + 1)
    for k, value, line in inner:
        level = (number - j for j, number, other in inner if abs(other.baseline - line.baseline) < _ROW)
        if value >= 0 and sum(offset == value - k for offset in level) >= needed:
            found.add(id(line))
    return found


def _numbers(k: int, page: PageLayout, share: float) -> Iterable[tuple[int, int, Line]]:
    """The lines in the margins that hold a number alone: the page's index, the number (-1: a roman one), the line."""
    for line in _zone(page, share):
        match = _PAGE_NUMBER.match(line.text.strip())
        if match and _stands_alone(line, page):
            yield k, int(match[1]) if match[1].isdigit() else -1, line


def _is_last(line: Line, page: PageLayout) -> bool:
    """Whether no line stands further out, above one in the upper half or below one in the lower half, and room parts it
    from those further in."""
    below = line.y1 >= page.height / 2
    further = (other for other in page.lines if not other.rotation and other is not line)
    outside = any((other.baseline > line.baseline) == below for other in further)
    return not outside and _stands_apart(line, page)


def _stands_alone(line: Line, page: PageLayout) -> bool:
    """Whether a number has at most a running line to either side and no other number: else it is a cell of a table."""
    row = [other for other in page.lines if other is not line and abs(other.baseline - line.baseline) < _ROW]
    return len(row) <= _MOST_BESIDE and not any(_PAGE_NUMBER.match(other.text.strip()) for other in row)


def _take_stamps(page: PageLayout, apart: list[Furniture]) -> None:
    """Upright stamps in the outer margins, such as a preprint server's."""
    kept: list[Line] = []
    for line in page.lines:
        outer = line.x1 < 0.08 * page.width or line.x0 > 0.94 * page.width
        if line.rotation in {90, 270} and outer and line.y1 - line.y0 > 60:
            apart.append(_furniture(FurnitureKind.WATERMARK, line))
        else:
            kept.append(line)
    page.lines = kept
