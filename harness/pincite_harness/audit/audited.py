"""Audited: the audit of one text with what its agent saw; several of them are one document."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_harness.audit.inputs import Subject, open_subjects
from pincite_harness.audit.sight import Sights, see
from pincite_harness.audit.sources import OpenedSources
from pincite_provenance.audit.auditing import ReportAudit, audit_report
from pincite_provenance.audit.finding import Finding


@dataclass(frozen=True)
class Audited:
    """One text, its findings, and the sights of its agent, None where no trajectory is known."""

    subject: Subject
    audit: ReportAudit
    sights: Sights | None


def audit_path(path: Path, opened: OpenedSources) -> list[Audited]:
    """Audit each text at ``path`` against the sources; asks nothing of the web."""
    found: list[Audited] = []
    for subject in open_subjects(path):
        audit = audit_report(subject.text, opened.sources)
        found.append(Audited(subject, audit, see(subject, audit)))
    return found


def findings_of(audits: Sequence[Audited]) -> list[Finding]:
    """All findings of several audits."""
    return [finding for audited in audits for finding in audited.audit.findings]
