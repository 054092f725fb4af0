"""Run-in headings: bold words that open a paragraph and name it, parted from the text that follows on the line."""

import re
from collections import Counter

from pincite_papers.layout.blocks import Draft
from pincite_papers.layout.elements import Style, part_line
from pincite_papers.layout.sectionnames import is_lexical
from pincite_papers.model import BlockKind

_LONGEST = 80
_NO_HEADING = re.compile(r"^(?:abstract|key\s?words?)\b|\S\s*\d", re.IGNORECASE)
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s(?=[^\W\d_])")
_FEWEST = 3
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
            if (is_lexical(text.rstrip(".:")) and not slanted) or (signed[slanted] >= _FEWEST and text.endswith(_ENDS)):
                result.append(_cut(draft, count))
        result.append(draft)
    return result


def _lead(draft: Draft, body: Style) -> tuple[int, bool] | None:
    """How many words open a paragraph in bold, or slanted, before its first in the body's style; whether slanted."""
    if draft.kind is not BlockKind.PARAGRAPH or body.bold or body.italic:
        return None
    words = draft.lines[0][1].words
    bold, slanted = words[0].style.bold, words[0].style.italic
    if not bold and not slanted:
        return None
    count = next((k for k, word in enumerate(words) if not (word.style.bold if bold else word.style.italic)), 0)
    text = _text(draft, count)
    title = _NUMBERED.sub("", text)
    named = title[:1].isupper() and 2 < len(text) <= _LONGEST and not _NO_HEADING.search(title)
    return (count, not bold) if named and len(draft.text) > len(text) + _LONGEST / 2 else None


def _text(draft: Draft, count: int) -> str:
    return " ".join(word.text for word in draft.lines[0][1].words[:count])


def _cut(draft: Draft, count: int) -> Draft:
    """Take the first words off a paragraph as a heading."""
    page, line = draft.lines[0]
    heading = Draft(BlockKind.HEADING, [(page, part_line(line, line.words[:count]))], order=draft.order)
    heading.run_in = True
    draft.lines[0] = page, part_line(line, line.words[count:])
    return heading
