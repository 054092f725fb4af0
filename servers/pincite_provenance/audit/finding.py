"""Finding: what the audit says of a claim of a report, and where that stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pincite_provenance.audit.claim import ReportClaim

AuditVerdict = Literal[
    "exact",
    "exact but for print",
    "reworded",
    "value stands",
    "value differs",
    "not there",
    "borne out",
    "contradicted",
    "source not at hand",
    "unsure",
    "exists",
    "does not exist",
    "is another work",
    "not checked",
]
"""``value stands``: the number with its unit stands beside words of the claim, which is not yet the claim. ``unsure``
is never a yes, and ``not checked`` neither. ``borne out`` and ``contradicted`` are what a model says of
statements."""

SUPPORTED: frozenset[AuditVerdict] = frozenset({"exact", "exact but for print", "value stands", "borne out"})
ALTERED: frozenset[AuditVerdict] = frozenset({"reworded", "value differs", "not there", "contradicted"})
INVENTED: frozenset[AuditVerdict] = frozenset({"does not exist", "is another work"})


def kinds_of(findings: "Iterable[Finding]") -> set[str]:
    """Which kinds of faults there are: ``altered``, ``invented``, and ``unsupported`` for any claim of the text that no
    source bears out."""
    found: set[str] = set()
    for finding in findings:
        said = finding.claim.kind in ("quote", "value", "statement")
        if finding.verdict in INVENTED:
            found.add("invented")
        elif finding.verdict in ALTERED:
            found.add("altered")
        if said and finding.verdict not in SUPPORTED:
            found.add("unsupported")
    return found


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """``text`` as it stands in the source (its name, and its paper's id) at ``locator`` (short); ``[start:end]`` are
    its offsets there."""

    source: str
    paper_id: str
    locator: str
    text: str
    page: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one claim, why, and what stands in the source: the words that bear it out, or what is there
    instead."""

    claim: ReportClaim
    verdict: AuditVerdict
    reason: str
    passage: SourcePassage | None = None
    status: str = ""
    """What became of the work where that is known: retracted, corrected; "" where it was not asked or nothing was."""
