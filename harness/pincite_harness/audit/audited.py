"""Audited: the audit of one text with what its agent saw; several of them are one document."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread

from pincite_core.settings import Settings
from pincite_harness.audit.inputs import Subject, open_subjects
from pincite_harness.audit.sight import Sights, see
from pincite_harness.audit.sources import OpenedSources, open_all
from pincite_provenance.audit.auditing import ReportAudit, audit_report
from pincite_provenance.audit.fetching import FetchedPapers, cited_dois, fetch_cited
from pincite_provenance.audit.finding import Finding
from pincite_provenance.audit.registry import check_references, registries
from pincite_provenance.audit.statements import check_statements


@dataclass(frozen=True)
class Audited:
    """One text, its findings, and the sights of its agent, None where no trajectory is known."""

    subject: Subject
    audit: ReportAudit
    sights: Sights | None


def audit_path(path: Path, opened: OpenedSources) -> list[Audited]:
    """Audit each text at ``path`` against the sources; asks nothing of the web."""
    return [_audited(subject, opened) for subject in open_subjects(path)]


async def audit_online(
    path: Path,
    papers: Sequence[Path],
    settings: Settings,
    *,
    fetch: bool,
    registry: bool,
    library: Path | None = None,
    model: bool = False,
) -> tuple[list[Audited], OpenedSources]:
    """The same with the open texts of works that are cited by DOI (``fetch``), and with what the registries say of the
    references (``registry``). With ``model`` the text model of the settings finds and judges statements besides."""
    subjects = list(open_subjects(path))
    async with registries(settings) as state:
        fetched = FetchedPapers()
        if fetch:
            dois = dict.fromkeys(doi for subject in subjects for doi in cited_dois(subject.text))
            fetched = await fetch_cited(state, dois)
        opened = await anyio.to_thread.run_sync(open_all, [*papers, *fetched.files.values()], library, settings)
        opened.failed.update(fetched.failed)
        audits = [await anyio.to_thread.run_sync(_audited, subject, opened) for subject in subjects]
        for audited in audits if model else []:
            found = await check_statements(audited.audit, settings)
            audited.audit.add(found.findings)
            audited.audit.not_in_report = found.not_in_report
        if registry:
            for audited in audits:
                audited.audit.findings = await check_references(state, audited.audit.findings)
    return audits, opened


def _audited(subject: Subject, opened: OpenedSources) -> Audited:
    audit = audit_report(subject.text, opened.sources)
    return Audited(subject, audit, see(subject, audit))


def findings_of(audits: Sequence[Audited]) -> list[Finding]:
    """All findings of several audits."""
    return [finding for audited in audits for finding in audited.audit.findings]
