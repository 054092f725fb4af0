"""audit_text: an agent's own draft against its papers, before it hands it in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_provenance.audit.shown import AuditedClaim
from pincite_provenance.state import ProvenanceState

if TYPE_CHECKING:
    from pincite_papers.model import Paper

LONGEST_TEXT = 60_000
"""Characters of a draft: some 20 pages."""
_MOST_PAPERS = 20
_MOST_SHOWN = 40
"""Claims that are listed; of more the count is told."""
_SAYS_CHARS = 300


class TextAudit(TypedDict):
    """``claims`` are those that no paper bears out, those that differ first; ``not_shown`` is how many more there are.
    ``figures`` counts all. "value stands" (not listed) means number and unit stand beside the same words."""

    figures: list[str]
    claims: list[AuditedClaim]
    not_shown: int


async def audit_text(
    state: ProvenanceState,
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, description="Markdown")],
    papers: Annotated[
        list[str], Field(min_length=1, max_length=_MOST_PAPERS, description="Paths or ids of what it rests on")
    ],
    *,
    calling: Context[Any, Any],
) -> TextAudit:
    """Check a draft before you hand it in: every quotation, number with unit and reference in it against your papers.
    Lists what differs or is not there, and what stands there instead. Not listed is not proven."""
    opened = [(name, await state.opener.open(name, calling)) for name in papers]
    return await anyio.to_thread.run_sync(_audit, text, opened)


def _audit(text: str, opened: "Sequence[tuple[str, Paper]]") -> TextAudit:
    from pincite_provenance.audit.auditing import audit_report
    from pincite_provenance.audit.citing import AuditSource
    from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED
    from pincite_provenance.audit.reading import read_report
    from pincite_provenance.audit.shown import claim_entry
    from pincite_provenance.audit.summary import summary_lines

    audit = audit_report(read_report(text), [AuditSource(name, paper) for name, paper in opened])
    missing = [each for each in audit.findings if each.verdict not in SUPPORTED and each.verdict != "exists"]
    missing.sort(key=lambda each: each.verdict not in ALTERED | INVENTED)
    shown = [claim_entry(each, audit.report) for each in missing[:_MOST_SHOWN]]
    for entry in shown:
        if "source_says" in entry:
            entry["source_says"] = entry["source_says"][:_SAYS_CHARS]
    return TextAudit(figures=summary_lines(audit.findings), claims=shown, not_shown=len(missing) - len(shown))
