"""Context: what stands before a chunk's text when it is indexed and embedded, in parts that can be weighed apart.

How much of the abstract, measured over 100 papers by BM25 as ``ranking.fields`` weighs it: queries of two words of the
title and three of the passage have nDCG@10 .45 without a context, .87 with title and headings, .86 with 240 characters
of the abstract too, .84 with 500 and .76 with all of it; those of two words of the abstract have .64, .63, .66, .69 and
.87. Known items hardly change (.96). The more of the abstract, the less the title counts; 240 keep nearly all of both.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pincite_papers.model import BlockKind, Paper
from pincite_papers.passages import cut_point, sentence_breaks

Context = Literal["short", "full_abstract", "none"]
"""How much stands before a passage: title, headings and 240 characters of the abstract, all of the abstract, nothing.
"""

_TITLE = 200
"""Characters of a paper's title in the context of its chunks."""
_LEAD = 240
"""Characters of the paper's first sentences in the context."""
_LEAST_LEAD = 50
"""Characters from which a text is a sentence and not a label. Set by judgement."""
_WHOLE_ABSTRACT = 6000
"""Characters of an abstract that is given whole: longer ones are papers taken for an abstract. Set by judgement."""
_SECTION = 120
"""Characters of the headings above a chunk, the nearest ones."""
_AUTHORS = 3
"""Authors that the context names."""
_NAME = re.compile(
    r"\s*(?:Abstract|Summary|Background|Objectives?|Introduction|Purpose)\s*(?:[:.—–-]\s*|\n)", re.IGNORECASE
)


class ContextParts(NamedTuple):
    """The parts of a context; "" for those that a chunk does not have."""

    title: str
    section: str
    lead: str
    """First sentences of the abstract, or all of it."""
    description: str


_NOTHING = ContextParts("", "", "", "")


def paper_lead(paper: Paper) -> str:
    """The first sentences of the abstract, at most 240 characters; a heading within it ("Aims") is passed over."""
    for block in paper.blocks:
        if block.kind is BlockKind.ABSTRACT:
            text = _NAME.sub("", paper.text[block.start : block.end])
            if len(text) > _LEAST_LEAD:
                return shortened(text, _LEAD)
        elif block.kind is BlockKind.PARAGRAPH:
            break
    return ""


def paper_abstract(paper: Paper) -> str:
    """The whole abstract in one line, at most 6,000 characters; "" where there is none."""
    blocks = [block for block in paper.blocks if block.kind is BlockKind.ABSTRACT]
    text = " ".join(paper.text[block.start : block.end] for block in blocks)
    return shortened(_NAME.sub("", text, count=1), _WHOLE_ABSTRACT)


def shortened(text: str, most: int) -> str:
    """The first sentences that fit ``most`` characters, one cut between words where none fits."""
    text = " ".join(text[: 4 * most].split())
    if len(text) <= most:
        return text
    ends = [at for at in sentence_breaks(text, 0, len(text)) if at <= most]
    return text[: ends[-1] if ends else cut_point(text, 0, most)].strip()


def compose(parts: ContextParts) -> str:
    """The context: a line for each part."""
    return "\n".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class PaperContext:
    """What all contexts of a paper share."""

    title: str
    lead: str
    front: str
    """The paper as it is cited, and its keywords: what stands with title and authors only."""
    bare: bool = False
    """Nothing stands before passages, and before tables and figures their descriptions alone."""

    @classmethod
    def of(cls, paper: Paper, mode: Context = "short") -> "PaperContext":
        """The title shortened to 200 characters."""
        who = ", ".join(paper.authors[:_AUTHORS]) + (" et al." if len(paper.authors) > _AUTHORS else "")
        when = f"({paper.year})" if paper.year else ""
        cited = " ".join(filter(None, (who, when, f"{paper.title}.", paper.journal)))
        keywords = f"Keywords: {'; '.join(paper.keywords)}" if paper.keywords else ""
        front = "\n".join(filter(None, (cited, keywords)))
        lead = paper_abstract(paper) if mode == "full_abstract" else paper_lead(paper)
        return cls(shortened(paper.title, _TITLE), lead, front, bare=mode == "none")

    def passage(self, section: str) -> ContextParts:
        """Of a text chunk: title, headings, first sentences of the abstract."""
        if self.bare:
            return _NOTHING
        return ContextParts(self.title, section[-_SECTION:], self.lead, "")

    def described(self, section: str, description: str, part: str) -> ContextParts:
        """Of a table or figure: title, headings, description and which part of it."""
        said = f"{description} {part}".strip()
        return _NOTHING._replace(description=said) if self.bare else self._headed(section, said)

    def front_of(self) -> ContextParts:
        """Of the chunk with title and authors: the title again, in the words of a citation too.

        All other chunks have the title in their contexts: a search for it shall find this one first.
        """
        return _NOTHING if self.bare else ContextParts(self.title, "", "", self.front)

    def headed(self, section: str) -> ContextParts:
        """Of the abstract, of authors and notes, and of entries of the reference list: title and heading."""
        return _NOTHING if self.bare else self._headed(section)

    def _headed(self, section: str, description: str = "") -> ContextParts:
        return ContextParts(self.title, section[-_SECTION:], "", description)
