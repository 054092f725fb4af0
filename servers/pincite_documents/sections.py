"""read_section: a section by its number, its title or its locator."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Annotated

from pydantic import Field

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.locator import parse_locator
from pincite_core.paging import DEFAULT_CHARS
from pincite_documents.prose import render_prose
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.model import BlockKind, Paper, Section
from pincite_papers.passages import locate, section_name, short_id

_ALIKE = 0.8
"""Similarity of 0 to 1 (rapidfuzz) from which a title is taken for the one that was asked for. Set by judgement."""
_LISTED = 40
"""Sections that an error names."""


def read_section(
    paper: Paper,
    section: Annotated[str, Field(description="Number, title or locator, as open_paper lists them")],
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> str:
    """Read one section, its subsections included, each block behind its [locator]. A title need not be exact."""
    found = find_section(paper, section)
    heading = f"Paper {short_id(paper)}, section {section_name(found)!r}"
    query = ("read_section", found.start, found.end)
    spans = [(found.start, found.end)]
    return render_prose(paper, spans, heading=heading, query=query, cursor=cursor, max_chars=max_chars)


def find_section(paper: Paper, wanted: str) -> Section:
    """The section that ``wanted`` names best; NotFoundError lists the sections, BadInputError those that fit alike."""
    sections = [*front_matter(paper), *paper.sections]
    if wanted.startswith("pc:"):
        at = parse_locator(wanted)
        matches = [s for s in sections if s.start <= at.start < max(s.heading_end, s.start + 1)]
        if matches:
            return matches[-1]
        raise NotFoundError(f"No heading stands at {wanted}.", next=_listing(paper, sections))
    for matches in _candidates(sections, _plain(wanted)):
        if len(matches) == 1:
            return matches[0]
        if matches:
            listed = "; ".join(
                f"{section_name(s)} [{locate(paper, s.start, s.heading_end)}]" for s in matches[:_LISTED]
            )
            raise BadInputError(
                f"{wanted[:80]!r} matches {len(matches)} sections.",
                seen=listed,
                next="Give the locator of the one you mean.",
            )
    raise NotFoundError(f"No section is called {wanted[:80]!r}.", next=_listing(paper, sections))


def _candidates(sections: Sequence[Section], wanted: str) -> "list[list[Section]]":
    """The sections that fit, from the strictest sense to the loosest."""
    if not wanted:
        return []
    bare = re.sub(r"^(sections?|sec\.?|§|chapter|appendix)\s*", "", wanted)
    named = [(s, _plain(s.number), _plain(s.title), _plain(section_name(s))) for s in sections]
    alike = sorted(((_likeness(wanted, title, name), s) for s, _, title, name in named), key=lambda pair: -pair[0])
    closest = [s for likeness, s in alike if likeness >= _ALIKE and likeness >= alike[0][0] - 0.02]
    return [
        [s for s, number, _, _ in named if number and number in (wanted, bare)],
        [s for s, _, title, name in named if wanted in (title, name)],
        [s for s, _, title, name in named if title.startswith(wanted) or name.startswith(wanted)],
        [s for s, _, title, _ in named if wanted in title],
        [s for s, _, title, _ in named if len(title) > 3 and title in wanted],
        closest,
    ]


def _likeness(wanted: str, title: str, name: str) -> float:
    return max(SequenceMatcher(None, wanted, title).ratio(), SequenceMatcher(None, wanted, name).ratio())


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w.§]+", " ", text.casefold()).split()).strip(" .")


def front_matter(paper: Paper) -> list[Section]:
    """The abstract as a section without a printed heading, where the paper sets it apart so."""
    first_heading = paper.sections[0].start if paper.sections else len(paper.text)
    blocks = [block for block in paper.blocks if block.kind is BlockKind.ABSTRACT and block.start < first_heading]
    if not blocks or any(_plain(s.title) == "abstract" for s in paper.sections):
        return []
    first, last = blocks[0], blocks[-1]
    return [Section("", "Abstract", 1, first.page, first.start, first.start, last.end)]


def _listing(paper: Paper, sections: Sequence[Section]) -> str:
    if not sections:
        pages = f" (1 to {len(paper.pages)})" if paper.pages else ""
        return f"The paper has no headings: use read_pages{pages} or grep_paper."
    listed = "; ".join(section_name(s) for s in sections[:_LISTED])
    more = f"; and {len(sections) - _LISTED} more in open_paper" if len(sections) > _LISTED else ""
    return f"Give one of: {listed}{more}."
