"""Closing matter: what a publisher prints after the references in a face of its own, such as an advertisement."""

from pincite_papers.model import BlockKind
from pincite_papers.pdf.layout.blocks import Draft

_TEXT = frozenset((BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST))
_KNOWN = _TEXT | {BlockKind.REFERENCE}


def mark_closing(flow: list[Draft]) -> None:
    """Blocks after the last reference, on its page, in fonts that no block before uses become FOOTNOTE."""
    last = max((k for k, draft in enumerate(flow) if draft.kind is BlockKind.REFERENCE), default=None)
    if last is None:
        return
    known = set[str]().union(*(_fonts(draft) for draft in flow[: last + 1] if draft.kind in _KNOWN))
    for draft in flow[last + 1 :]:
        if draft.kind in _TEXT and draft.page == flow[last].lines[-1][0] and not _fonts(draft) & known:
            draft.kind = BlockKind.FOOTNOTE


def _fonts(draft: Draft) -> set[str]:
    return {word.style.font for _, line in draft.lines for word in line.words}
