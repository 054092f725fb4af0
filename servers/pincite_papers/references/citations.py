"""Citations: where a text cites entries of its reference lists; what is doubtful is left out."""

from collections.abc import Sequence

from pincite_papers.model import Block, BlockKind, Citation, Reference
from pincite_papers.references.named import named_citations
from pincite_papers.references.numbered import Prose, numbered_citations

_CITING = frozenset(
    (
        BlockKind.ABSTRACT,
        BlockKind.PARAGRAPH,
        BlockKind.LIST,
        BlockKind.CAPTION,
        BlockKind.FOOTNOTE,
        BlockKind.TABLE,
    )
)
_KEYED_BY_NUMBER = 0.5
"""Share of entries with a number from which a list is numbered. Set by judgement."""
_CITED_BY_NUMBER = 0.2
"""Share of entries that are cited by number from which citations are numbers. Set by judgement."""


def find_citations(text: str, blocks: Sequence[Block], references: Sequence[Reference]) -> tuple[Citation, ...]:
    """The citations in ``blocks`` of ``text`` in order: by number where entries have one, else by author and year."""
    if not references:
        return ()
    parts = [Prose(b.start, text[b.start : b.end], b.kind is BlockKind.TABLE) for b in blocks if b.kind in _CITING]
    numbers = sum(reference.key.isdigit() for reference in references)
    found: list[Citation] = []
    if numbers >= _KEYED_BY_NUMBER * len(references):
        found = numbered_citations(parts, references)
        cited = {index for citation in found for index in citation.references}
        if len(cited) >= _CITED_BY_NUMBER * len(references):
            return tuple(found)
    named = named_citations(parts, references, text)
    return tuple(named if len(named) > len(found) else found)
