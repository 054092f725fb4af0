"""Pull quotes: sentences of the text that a journal prints again, larger or slanted, between its paragraphs."""

from pincite_papers.model import BlockKind
from pincite_papers.pdf.elements import Style
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.headings import look, plain

_SET_OUT = frozenset((BlockKind.HEADING, BlockKind.PARAGRAPH))
_LARGER = 1.1
"""A pull quote's type size over that of running text at least, unless it is slanted."""
_FEWEST_WORDS = 7
"""Words from which on a repeated run is not an accident: the names of sections are shorter."""
_MOST_LINES = 12
"""Lines of one block of a pull quote; a block of more is running text. Set by judgement."""


def mark_pull_quotes(flows: list[list[Draft]], body: Style) -> None:
    """Blocks set out from running text that repeat words of a paragraph become FOOTNOTE, so that the paragraphs around
    them join again; not on the first page, whose title is repeated in how to cite the paper."""
    groups = [group for flow in flows[1:] for group in _groups(flow, body)]
    if not groups:
        return
    set_out = {id(draft) for group in groups for draft in group}
    running = plain(
        " ".join(
            draft.text
            for flow in flows
            for draft in flow
            if draft.kind in {BlockKind.PARAGRAPH, BlockKind.LIST} and id(draft) not in set_out
        )
    )
    for group in groups:
        if plain(_unbroken(group)) in running or plain(" ".join(draft.text for draft in group)) in running:
            for draft in group:
                draft.kind = BlockKind.FOOTNOTE


def _unbroken(group: list[Draft]) -> str:
    """The text of blocks without the hyphens of its line ends."""
    return " ".join(line.text for draft in group for _, line in draft.lines).replace("- ", "")


def _groups(flow: list[Draft], body: Style) -> list[list[Draft]]:
    """Runs of blocks of a page that are set alike, out of running text, and long enough to quote it."""
    groups: list[list[Draft]] = []
    for draft in flow:
        style = draft.lines[0][1].style
        larger = style.size > _LARGER * body.size or (style.italic and not body.italic)
        if draft.kind not in _SET_OUT or not larger or len(draft.lines) > _MOST_LINES:
            continue
        if groups and look(groups[-1][-1]) == look(draft):
            groups[-1].append(draft)
        else:
            groups.append([draft])
    return [group for group in groups if sum(len(draft.text.split()) for draft in group) >= _FEWEST_WORDS]
