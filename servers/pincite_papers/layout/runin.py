"""Run-in headings: bold words that open a paragraph and name it, parted from the text that follows on the line."""

import re

from pincite_papers.layout.blocks import Draft
from pincite_papers.layout.elements import Style, part_line
from pincite_papers.layout.sectionnames import is_lexical
from pincite_papers.model import BlockKind

_LONGEST = 80
_NO_HEADING = re.compile(r"^(?:abstract|key\s?words?)\b|\S\s*\d", re.IGNORECASE)
_FEWEST = 3


def part_run_in(drafts: list[Draft], body: Style) -> list[Draft]:
    """The blocks in order; a run-in heading with a usual name, or with others like it, becomes a HEADING of its own."""
    leads = {id(draft): lead for draft in drafts if (lead := _lead(draft, body))}
    signed = sum(_text(draft, lead).endswith((".", ":")) for draft in drafts if (lead := leads.get(id(draft))))
    result: list[Draft] = []
    for draft in drafts:
        lead = leads.get(id(draft))
        text = _text(draft, lead) if lead else ""
        if lead and (is_lexical(text.rstrip(".:")) or (signed >= _FEWEST and text.endswith((".", ":")))):
            result.append(_cut(draft, lead))
        result.append(draft)
    return result


def _lead(draft: Draft, body: Style) -> int:
    """How many words open a paragraph in bold before its first word in the body's weight; 0 where none or all do."""
    if draft.kind is not BlockKind.PARAGRAPH or body.bold:
        return 0
    words = draft.lines[0][1].words
    if not words[0].style.bold or not words[0].text[:1].isupper():
        return 0
    count = next((k for k, word in enumerate(words) if not word.style.bold), 0)
    text = _text(draft, count)
    named = 2 < len(text) <= _LONGEST and not _NO_HEADING.search(text)
    return count if named and len(draft.text) > len(text) + _LONGEST / 2 else 0


def _text(draft: Draft, count: int) -> str:
    return " ".join(word.text for word in draft.lines[0][1].words[:count])


def _cut(draft: Draft, count: int) -> Draft:
    """Take the first words off a paragraph as a heading."""
    page, line = draft.lines[0]
    heading = Draft(BlockKind.HEADING, [(page, part_line(line, line.words[:count]))], order=draft.order)
    heading.run_in = True
    draft.lines[0] = page, part_line(line, line.words[count:])
    return heading
