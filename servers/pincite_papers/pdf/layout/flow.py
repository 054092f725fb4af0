"""Flow: the blocks of all pages in one sequence, paragraphs that run over columns and pages made whole."""

from pincite_papers.model import BlockKind
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.order import order_drafts
from pincite_papers.pdf.layout.paragraphs import continues

_RUNNING = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.HEADING, BlockKind.EQUATION))


def flow_page(running: list[Draft], floats: list[Draft], width: float) -> list[Draft]:
    """The blocks of one page in reading order: its running text with the floats at their places in the stream."""
    ordered = order_drafts(running, width)
    rest = sorted(floats, key=lambda draft: draft.order)
    flow: list[Draft] = []
    for draft in ordered:
        while rest and rest[0].order < draft.order:
            flow.append(rest.pop(0))
        flow.append(draft)
    return flow + rest


def join_flow(pages: list[list[Draft]]) -> list[Draft]:
    """The blocks of all pages, with each paragraph that runs on joined to its start."""
    flow: list[Draft] = []
    for page in pages:
        for draft in page:
            host = _host(flow, draft)
            if host is None:
                flow.append(draft)
                continue
            between = flow[host + 1 :]
            open_draft = flow[host]
            earlier = [other for other in between if other.lines[-1][0] < draft.page or draft.page == open_draft.page]
            later = [other for other in between if other not in earlier]
            open_draft.lines.extend(draft.lines)
            open_draft.full = draft.full
            flow[host:] = [*earlier, open_draft, *later]
    return flow


def _host(flow: list[Draft], draft: Draft) -> int | None:
    """The place of the paragraph that ``draft`` carries on, None where it starts a new one."""
    for place in range(len(flow) - 1, max(len(flow) - 40, -1), -1):
        other = flow[place]
        if other.kind not in _RUNNING:
            continue
        if other.kind in {BlockKind.HEADING, BlockKind.EQUATION} or not _broken(other, draft):
            return None
        if not continues(other, draft):
            return None
        blocked = [
            b for b in flow[place + 1 :] if other.page < b.lines[-1][0] < draft.page or b.page < other.lines[-1][0]
        ]
        crossed = other.page < other.lines[-1][0] and any(b.page == other.lines[-1][0] for b in flow[place + 1 :])
        return None if blocked or crossed else place
    return None


def _broken(one: Draft, other: Draft) -> bool:
    """Whether the two stand in different columns or on different pages, or a float parts them."""
    (page, line), (next_page, next_line) = one.lines[-1], other.lines[0]
    if next_page != page:
        return next_page - page <= 2
    beside = next_line.x0 > line.x1 or next_line.baseline < line.baseline
    return beside or next_line.baseline - line.baseline > 4 * line.style.size
