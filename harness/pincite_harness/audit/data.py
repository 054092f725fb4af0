"""An audit as JSON."""

from typing import Any

from pincite_harness.audit.inputs import Subject
from pincite_harness.audit.sources import OpenedSources
from pincite_provenance.audit.auditing import ReportAudit
from pincite_provenance.audit.shown import claim_entries, summary_entry

VERSION = 1
"""Of the form of the file."""


def to_json(subject: Subject, audit: ReportAudit, opened: OpenedSources) -> dict[str, Any]:
    """The report's name, the sources, the figures with their n, and every claim."""
    sources = [_source(each.name, each.paper) for each in opened.sources]
    return {
        "version": VERSION,
        "report": subject.name,
        "sources": sources,
        "sources_not_read": opened.failed,
        "summary": summary_entry(audit.findings),
        "claims": claim_entries(audit),
    }


def _source(name: str, paper: Any) -> dict[str, Any]:
    return {"name": name, "paper_id": paper.paper_id, "title": paper.title, "doi": paper.doi}
