"""Formulas: the parts of a displayed formula in a line, fractions as numerator / denominator, limits at their sign."""

import re
from dataclasses import dataclass

from pincite_papers.pdf.elements import Line, Rule, Style, Word

_LIMITED = frozenset("∑∏∫⋃⋂⨁∮") | {"max", "min", "sup", "inf", "lim"}
_OPERATOR = re.compile(r"[+−±×=<>/-]")
_PLAIN = Style("", 10.0, bold=False, italic=False)
_REACH = 2.6
"""Type sizes from a fraction's bar to the middle of what stands on it or hangs from it; what is further off is
another row's. Set by judgement."""
_NEAR = 0.9
"""Type sizes of white between a bar and the nearest sign of its numerator or denominator at most. Set by judgement."""
_ROW_GAP = 0.45
"""Type sizes of white between two signs of one numerator or denominator, one above the other; more parts two rows.
Set by judgement."""
_NARROWEST = 0.4
"""Type sizes: a rule that is shorter is a minus or an overline and not a fraction's bar. Set by judgement."""
_MOST_WORDS = 150
"""Words of a formula that is put into reading order; one of more stays as the file has it. Bounds the time. Set by
judgement."""
_SHARE = 0.35
"""Share of the lower one's height that two signs have in common: more puts them on one row. Set by judgement."""


@dataclass(slots=True)
class _Item:
    """Words that read one after the other, and the box around them."""

    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


def linear_lines(lines: list[Line], rules: list[Rule]) -> list[Line]:
    """The print lines of one displayed formula as the lines in which it reads; ``rules`` are those of its page."""
    words = [word for line in lines for word in line.words]
    if len(words) > _MOST_WORDS or any(line.rotation for line in lines):
        return lines
    size = max(line.style.size for line in lines)
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    y0, y1 = min(line.y0 for line in lines), max(line.y1 for line in lines)
    bars = [
        rule for rule in rules if rule.horizontal and x0 - size < rule.x0 and rule.x1 < x1 + size and y0 < rule.y0 < y1
    ]
    bars = [bar for bar in bars if bar.x1 - bar.x0 > _NARROWEST * size]
    words = [part for word in words for part in _parted(word)]
    items = [_Item([word], word.x0, word.y0, word.x1, word.y1) for word in words]
    for bar in sorted(bars, key=lambda bar: bar.x1 - bar.x0):
        items = _make_fraction(items, bar, size)
    items = _attach_limits(items)
    base = max(lines, key=lambda line: (line.style.size, line.x1 - line.x0))
    return [_line(row, base) for row in _rows(items)]


def _parted(word: Word) -> list[Word]:
    """A word, a sign with limits at its end parted from it."""
    if len(word.text) < 2 or word.text[-1] not in _LIMITED or len(word.glyphs) != len(word.text):
        return [word]
    edge = max(word.x1 - word.style.size, word.x0)
    before = Word(word.text[:-1], word.x0, word.y0, edge, word.y1, word.style, word.glyphs[:-1])
    return [before, Word(word.text[-1], edge, word.y0, word.x1, word.y1, word.style, word.glyphs[-1:])]


def _make_fraction(items: list[_Item], bar: Rule, size: float) -> list[_Item]:
    """The items with those over and under a bar made one; as they were where nothing stands on one of its sides."""
    across = [item for item in items if bar.x0 - 1.5 <= item.middle[0] <= bar.x1 + 1.5]
    over = _stacked([item for item in across if item.middle[1] < bar.y0], bar.y0, size, up=True)
    under = _stacked([item for item in across if item.middle[1] > bar.y0], bar.y0, size, up=False)
    if not over or not under:
        return items
    above, below = _grouped(over), _grouped(under)
    words = [*above[:-1], _joined([above[-1], _mark("/"), below[0]]), *below[1:]]
    parts = over + under
    whole = _box(words, parts)
    whole.x0, whole.x1 = min(whole.x0, bar.x0), max(whole.x1, bar.x1)
    used = {id(item) for item in parts}
    return [item for item in items if id(item) not in used] + [whole]


def _stacked(items: list[_Item], start: float, size: float, *, up: bool) -> list[_Item]:
    """Those of the items that stand on a bar (or hang from it) without a gap as wide as that between two rows."""
    found: list[_Item] = []
    reached, most = start, _NEAR * size
    for item in sorted(items, key=lambda item: -item.y1 if up else item.y0):
        gap = reached - item.y1 if up else item.y0 - reached
        if gap > most or abs(item.middle[1] - start) > _REACH * size:
            break
        found.append(item)
        reached, most = min(reached, item.y0) if up else max(reached, item.y1), _ROW_GAP * size
    return found


def _grouped(items: list[_Item]) -> list[Word]:
    """Items in reading order, in brackets where they are several words."""
    words = [word for row in _rows(_attach_limits(items)) for item in row for word in item.words]
    if len(words) < 2 and not _OPERATOR.search(words[0].text[1:]):
        return words
    if len(words) < 2:
        return [_joined([_mark("("), words[0], _mark(")")])]
    return [_joined([_mark("("), words[0]]), *words[1:-1], _joined([words[-1], _mark(")")])]


def _mark(text: str) -> Word:
    """A sign that was not printed."""
    return Word(text, 0.0, 0.0, 0.0, 0.0, _PLAIN, [-1] * len(text))


def _joined(words: list[Word]) -> Word:
    """Words as one, without spaces."""
    printed = [word for word in words if word.style is not _PLAIN]
    box = (
        min(word.x0 for word in printed),
        min(word.y0 for word in printed),
        max(word.x1 for word in printed),
        max(word.y1 for word in printed),
    )
    return Word("".join(w.text for w in words), *box, printed[0].style, [glyph for w in words for glyph in w.glyphs])


def _attach_limits(items: list[_Item]) -> list[_Item]:
    """What stands small over and under a sign of sum, product or integral set behind it as its scripts."""
    signs = [item for item in items if len(item.words) == 1 and item.words[0].text in _LIMITED]
    used: set[int] = set()
    for sign in signs:
        size = sign.words[0].style.size
        scripts: list[Word] = []
        for above in (False, True):
            near = [item for item in items if _is_limit(sign, item, size, above=above) and id(item) not in used]
            if near:
                used |= {id(item) for item in near}
                row = [word for item in sorted(near, key=lambda item: item.x0) for word in item.words]
                scripts += _script(row, "^" if above else "_")
        word = _joined([*sign.words, *scripts])
        sign.words, sign.x0, sign.y0, sign.x1, sign.y1 = [word], word.x0, word.y0, word.x1, word.y1
    return [item for item in items if id(item) not in used]


def _is_limit(sign: _Item, item: _Item, size: float, *, above: bool) -> bool:
    small = item is not sign and all(word.style.size < 0.85 * size for word in item.words)
    beyond = sign.y0 - item.y1 if above else item.y0 - sign.y1
    shared = min(item.x1, sign.x1 + size) - max(item.x0, sign.x0 - size)
    return small and -0.35 * size < beyond < 0.8 * size and shared > 0.6 * (item.x1 - item.x0)


def _script(words: list[Word], sign: str) -> list[Word]:
    """Words as one script between its marks, which were not printed."""
    whole = _joined(words)
    return [_mark(sign), whole] if len(whole.text) == 1 else [_mark(sign + "{"), whole, _mark("}")]


def _rows(items: list[_Item]) -> list[list[_Item]]:
    """Items in rows from above, each from left to right."""
    rows: list[list[_Item]] = []
    for item in sorted(items, key=lambda item: item.middle[1]):
        for row in rows:
            y0, y1 = min(each.y0 for each in row), max(each.y1 for each in row)
            shared = min(y1, item.y1) - max(y0, item.y0)
            if shared > _SHARE * min(y1 - y0, item.y1 - item.y0):
                row.append(item)
                break
        else:
            rows.append([item])
    return [sorted(row, key=lambda item: item.x0) for row in rows]


def _box(words: list[Word], items: list[_Item]) -> _Item:
    return _Item(
        words,
        min(item.x0 for item in items),
        min(item.y0 for item in items),
        max(item.x1 for item in items),
        max(item.y1 for item in items),
    )


def _line(row: list[_Item], base: Line) -> Line:
    words = [word for item in row for word in item.words]
    box = _box(words, row)
    return Line(words, box.x0, box.y0, box.x1, box.y1, base.baseline, base.style)
