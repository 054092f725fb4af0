"""Audits as one HTML page: no script, nothing fetched from anywhere, every text escaped."""

from collections.abc import Iterator, Sequence
from importlib.resources import files

from pincite_harness.audit.audited import Audited, findings_of
from pincite_harness.audit.console import sight_lines
from pincite_harness.audit.sources import OpenedSources
from pincite_harness.reports.templating import render
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED, Finding
from pincite_provenance.audit.summary import summary_lines


def to_html(audits: Sequence[Audited], opened: OpenedSources) -> str:
    """The page: the figures, then each report with its claims in a table and marked in its text."""
    return render(
        "audit.html",
        {
            "title": "pincite audit: " + ", ".join(audited.subject.name for audited in audits[:3]),
            "style": files("pincite_harness.audit").joinpath("audit.css").read_text(encoding="utf-8"),
            "sources": _sources(opened),
            "lines": summary_lines(findings_of(audits)),
            "reports": [_report(number, audited) for number, audited in enumerate(audits)],
        },
        "pincite_harness.audit",
    )


def _sources(opened: OpenedSources) -> str:
    names = ", ".join(source.name for source in opened.sources) or "none"
    failed = f" Not read: {', '.join(opened.failed)}." if opened.failed else ""
    return f"Sources: {names}.{failed} “Value stands” says where to look; it is not yet the claim."


def _report(number: int, audited: Audited) -> dict[str, object]:
    claims = [_claim(number, at, audited) for at in range(len(audited.audit.findings))]
    return {
        "name": audited.subject.name,
        "lines": sight_lines(audited.sights),
        "sighted": audited.sights is not None,
        "claims": claims,
        "pieces": list(_pieces(audited, claims)),
    }


def _claim(number: int, at: int, audited: Audited) -> dict[str, object]:
    """One row of the table; its anchor is told from those of other reports by their number."""
    finding = audited.audit.findings[at]
    report = audited.audit.report
    start, _ = report.in_source(finding.claim.start, finding.claim.end)
    words = " ".join(finding.claim.words.split())
    sight = audited.sights.of.get(at) if audited.sights is not None else None
    return {
        "anchor": f"{number}-{at}",
        "line": report.line(start),
        "words": f"{finding.claim.kind}: {words}",
        "verdict": finding.verdict,
        "class": _class(finding),
        "reason": finding.reason,
        "passage": finding.passage,
        "status": finding.status,
        "seen": sight_words(sight["seen_step"], sight["claimed_step"]) if sight is not None else "",
    }


def sight_words(seen: int | None, claimed: int | None) -> str:
    """Where a claim's passage was shown and where it was said."""
    said = f", said in step {claimed}" if claimed is not None else ""
    if seen is None:
        return f"never shown{said}"
    return f"step {seen}{said}" + (" (before it was shown)" if claimed is not None and claimed <= seen else "")


def _pieces(audited: Audited, claims: Sequence[dict[str, object]]) -> Iterator[dict[str, object]]:
    """The report's text in pieces, those of claims with their row; of claims that overlap the first."""
    text = audited.audit.report.text
    at = 0
    for finding, claim in zip(audited.audit.findings, claims, strict=True):
        start, end = finding.claim.start, finding.claim.end
        if start < at:
            continue
        yield {"text": text[at:start], "claim": None}
        yield {"text": text[start:end], "claim": claim}
        at = end
    yield {"text": text[at:], "claim": None}


def _class(finding: Finding) -> str:
    if finding.verdict in ALTERED | INVENTED:
        return "bad"
    return "good" if finding.verdict in SUPPORTED or finding.verdict == "exists" else "open"
