"""Run-in headings: bold words that open a paragraph and name it, parted from the text that follows on the line."""

import re
from collections import Counter

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Line, Style, Word, part_line
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.sectionnames import is_lexical

_LONGEST = 80
"""Characters of a run-in heading without a number; longer bold or slanted openings are emphasis (PLOS, BMC)."""
_LONGEST_NUMBERED = 220
"""Characters of one with a number, as of a heading on lines of its own."""
_MOST_LINES = 3
"""Lines that such a heading takes at most (Hindawi: two)."""
_NO_HEADING = re.compile(r"^(?:abstract|key\s?words?)\b|\S\s*\d", re.IGNORECASE)
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}[.:]?\s(?=[^\W\d_])")
_DEEP = re.compile(r"^\d{1,2}(?:\.\d{1,2}){1,3}[.:]?$")
_ABBREVIATED = re.compile(r"^(?:[A-Z]|[Ss]pp?|[Ss]sp|[Ss]ubsp|[Vv]ars?|cv|vs|al|cf|e\.g|i\.e|No|Figs?|St|ca|approx)\.$")
"""Words whose full stop ends no heading."""
_FEWEST = 3
"""Run-in leads of one look, each closed by a sign, that make headings of them; a numbered one needs no others. Set by
judgement."""
_FEWEST_SMALL = 0.2
"""Share of words in lower case that running text has at least; lists of names (``Supervision: …``, PLOS) have less."""
_ENDS = (".", ":")


def part_run_in(drafts: list[Draft], body: Style) -> list[Draft]:
    """The blocks in order; a run-in heading with a usual name, or with others like it, becomes a HEADING of its own."""
    leads = {id(draft): lead for draft in drafts if (lead := _lead(draft, body))}
    signed = Counter(
        slanted
        for draft in drafts
        if id(draft) in leads
        for count, slanted in [leads[id(draft)]]
        if _text(draft, count).endswith(_ENDS)
    )
    result: list[Draft] = []
    for draft in drafts:
        if id(draft) in leads:
            count, slanted = leads[id(draft)]
            text = _text(draft, count)
            numbered = bool(_DEEP.match(text.split(" ")[0]))
            named = is_lexical(text.rstrip(".:")) and not slanted
            if named or (signed[slanted] >= (1 if numbered else _FEWEST) and text.endswith(_ENDS)):
                result.append(_cut(draft, count))
        result.append(draft)
    return result


def _lead(draft: Draft, body: Style) -> tuple[int, bool] | None:
    """How many words open a paragraph in bold, or slanted, before its first in the body's style; whether slanted."""
    if draft.kind is not BlockKind.PARAGRAPH or body.bold or body.italic:
        return None
    words = _words(draft)
    deep = bool(_DEEP.match(words[0].text)) and len(words) > 1
    style = words[1 if deep else 0].style  # the number may stand upright before a bold title (AMS)
    bold, slanted = style.bold, style.italic
    if not bold and not slanted:
        return None
    if deep and (count := _numbered(words)):
        return (count, not bold) if _leads(draft, count) else None
    first = words if bold else words[: len(draft.lines[0][1].words)]
    count = next((k for k, word in enumerate(first) if not (word.style.bold if bold else word.style.italic)), 0)
    text = _text(draft, count)
    title = _NUMBERED.sub("", text)
    named = title[:1].isupper() and 2 < len(text) <= _LONGEST and not _NO_HEADING.search(title)
    return (count, not bold) if named and _leads(draft, count) else None


def _leads(draft: Draft, count: int) -> bool:
    """Whether running text follows: enough of it, and no mere list of names."""
    rest = [word.text for _, line in draft.lines for word in line.words][count:]
    small = sum(word[:1].islower() for word in rest)
    return sum(map(len, rest)) + len(rest) > _LONGEST / 2 and small > _FEWEST_SMALL * len(rest)


def _numbered(words: list[Word]) -> int:
    """How many words a heading with a number of several parts takes, up to its full stop before running text; 0 where
    there is none. Names of species and the like may stand upright in it."""
    length = 0
    for k, word in enumerate(words[:-1]):
        length += len(word.text) + 1
        if length > _LONGEST_NUMBERED:
            return 0
        behind = words[k + 1]
        ends = k and word.text.endswith(_ENDS) and not _ABBREVIATED.match(word.text)
        if ends and not behind.style.bold and behind.text[:1].upper() == behind.text[:1]:
            return k + 1 if words[1].text[:1].isalpha() else 0
    return 0


def _words(draft: Draft) -> list[Word]:
    return [word for _, line in draft.lines[:_MOST_LINES] for word in line.words]


def _text(draft: Draft, count: int) -> str:
    return " ".join(word.text for word in _words(draft)[:count])


def _cut(draft: Draft, count: int) -> Draft:
    """Take the first words off a paragraph as a heading."""
    lines: list[tuple[int, Line]] = []
    while count >= len(draft.lines[0][1].words):
        count -= len(draft.lines[0][1].words)
        lines.append(draft.lines.pop(0))
    if count:
        page, line = draft.lines[0]
        lines.append((page, part_line(line, line.words[:count])))
        draft.lines[0] = page, part_line(line, line.words[count:])
    heading = Draft(BlockKind.HEADING, lines, order=draft.order)
    heading.run_in = True
    return heading
