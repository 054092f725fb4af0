"""Audits as JSON."""

from collections.abc import Sequence
from typing import Any

from pincite_harness.audit.audited import Audited, findings_of
from pincite_harness.audit.sight import Sights
from pincite_harness.audit.sources import OpenedSources
from pincite_provenance.audit.citing import AuditSource
from pincite_provenance.audit.shown import claim_entry, summary_entry
from pincite_provenance.audit.summary import Share

FORM = "pincite-audit/1"
"""Of the document; a change of a field that is there raises the number."""


def to_json(audits: Sequence[Audited], opened: OpenedSources) -> dict[str, Any]:
    """The sources, the figures of all reports with their n, and each report with its figures and every claim."""
    return {
        "form": FORM,
        "sources": [_source(each) for each in opened.sources],
        "sources_not_read": opened.failed,
        "summary": summary_entry(findings_of(audits)),
        "reports": [_report(audited) for audited in audits],
    }


def _report(audited: Audited) -> dict[str, Any]:
    claims: list[dict[str, Any]] = []
    for at, finding in enumerate(audited.audit.findings):
        entry: dict[str, Any] = {**claim_entry(finding, audited.audit.report)}
        if audited.sights is not None and at in audited.sights.of:
            entry["sight"] = audited.sights.of[at]
        claims.append(entry)
    made: dict[str, Any] = {"report": audited.subject.name, "summary": summary_entry(audited.audit.findings)}
    if audited.sights is not None:
        made["trajectory"] = _trajectory(audited.sights)
    if audited.audit.not_in_report is not None:
        made["statements_not_in_report"] = audited.audit.not_in_report
    made["claims"] = claims
    return made


def _trajectory(sights: Sights) -> dict[str, Any]:
    return {
        "from_memory": _share(sights.before_sight),
        "cited_never_opened": _share(sights.never_opened),
        "never_opened": list(sights.unopened),
    }


def _share(share: Share) -> dict[str, int]:
    return {"count": share.count, "n": share.n}


def _source(source: AuditSource) -> dict[str, Any]:
    paper = source.paper
    return {"name": source.name, "paper_id": paper.paper_id, "title": paper.title, "doi": paper.doi}
