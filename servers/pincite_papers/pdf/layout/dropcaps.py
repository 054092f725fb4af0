"""Drop caps: the large first letter of a paragraph, given back to the word that it starts."""

from collections import Counter

from pincite_papers.pdf.elements import Line, PageLayout, Word

_LARGER = 1.7
"""Times the size of the line beside it: a letter that is larger is a drop cap, a smaller one an ordinary capital. Set
by judgement."""
_BESIDE = 1.6
"""Type sizes from a drop cap to the line beside it at most; a line further off belongs to another column. Set by
judgement."""
_WHOLE_WORDS = frozenset("AIOÀÉYEU")


def join_drop_caps(pages: list[PageLayout]) -> None:
    """Join each drop cap to the first of the lines beside it, which all start where it does, in place."""
    caps = [(page, line) for page in pages for line in page.lines if _may_be_cap(line)]
    if not caps:
        return
    words = Counter(word.text.casefold() for page in pages for line in page.lines for word in line.words)
    for page, cap in caps:
        beside = sorted((line for line in page.lines if _beside(cap, line)), key=lambda line: line.baseline)
        if len(beside) < 2:
            continue
        first = beside[0]
        letter, rest = cap.words[0], first.words[0]
        apart = letter.text in _WHOLE_WORDS and words[rest.text.casefold()] > 1
        opening = [letter, rest] if apart else [_joined(letter, rest)]
        first.replace_words(opening + first.words[1:])
        for line in beside:
            line.x0 = cap.x0
        first.y0 = min(first.y0, cap.y0)
        page.lines = [line for line in page.lines if line is not cap]


def _may_be_cap(line: Line) -> bool:
    text = line.words[0].text
    return len(text) == 1 and len(line.words) == 1 and text.isupper() and not line.rotation


def _beside(cap: Line, line: Line) -> bool:
    """Whether a line runs to the right of a letter that is much larger."""
    size = line.style.size
    level = cap.y0 - size < line.baseline - 0.3 * size and line.baseline < cap.baseline + 0.4 * size
    near = -0.3 * size < line.x0 - cap.x1 < _BESIDE * size
    return line is not cap and not line.rotation and level and near and cap.style.size > _LARGER * size


def _joined(letter: Word, rest: Word) -> Word:
    boxes = (letter.x0, min(letter.y0, rest.y0), rest.x1, max(letter.y1, rest.y1))
    return Word(letter.text + rest.text, *boxes, rest.style, letter.glyphs + rest.glyphs)
