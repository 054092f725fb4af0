"""An audit as data: what JSON and the tool give."""

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, NotRequired

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from pincite_provenance.audit.finding import Finding
    from pincite_provenance.audit.text import ReportText

_TEXT_CHARS = 500


class AuditedClaim(TypedDict):
    """A claim of the report at ``[start:end]`` of its file (characters), on ``line``, with its verdict.

    ``source_says`` is what stands at ``locator``: the words that bear it out, or those there instead.
    """

    kind: str
    verdict: str
    text: str
    line: int
    start: int
    end: int
    reason: str
    cited: NotRequired[list[str]]
    source: NotRequired[str]
    locator: NotRequired[str]
    page: NotRequired[int]
    source_says: NotRequired[str]
    status: NotRequired[str]


class Count(TypedDict):
    """``count`` of ``n``."""

    count: int
    n: int


def claim_entry(finding: "Finding", report: "ReportText") -> AuditedClaim:
    """A finding; what is empty is left out."""
    claim = finding.claim
    start, end = report.in_source(claim.start, claim.end)
    made = AuditedClaim(
        kind=claim.kind,
        verdict=finding.verdict,
        text=" ".join(claim.words.split())[:_TEXT_CHARS],
        line=report.line(start),
        start=start,
        end=end,
        reason=finding.reason,
    )
    if claim.cited:
        made["cited"] = list(dict.fromkeys(one.name for one in claim.cited))
    passage = finding.passage
    if passage is not None:
        made["source"], made["locator"], made["source_says"] = passage.source, passage.locator, passage.text
        if passage.page is not None:
            made["page"] = passage.page
    if finding.status:
        made["status"] = finding.status
    return made


def summary_entry(findings: "Sequence[Finding]") -> dict[str, int | Count]:
    """The figures of an audit by name."""
    from pincite_provenance.audit.summary import Share, summarise

    summary = summarise(findings)
    made: dict[str, int | Count] = {}
    for each in fields(summary):
        value = getattr(summary, each.name)
        made[each.name] = Count(count=value.count, n=value.n) if isinstance(value, Share) else value
    return made
