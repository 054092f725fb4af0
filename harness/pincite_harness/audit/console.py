"""An audit on the terminal: the claims that are not borne out, or all of them, and the figures."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_harness.audit.inputs import Subject
from pincite_harness.audit.sources import OpenedSources
from pincite_provenance.audit.auditing import ReportAudit
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED, Finding
from pincite_provenance.audit.summary import summarise

_SHOWN = 160
"""Characters of a claim, and of what the source says."""


def style_of(finding: Finding) -> str:
    """The colour of a verdict."""
    if finding.verdict in ALTERED | INVENTED:
        return "red"
    if finding.verdict in SUPPORTED or finding.verdict == "exists":
        return "green"
    return "yellow"


def print_audit(subject: Subject, audit: ReportAudit, opened: OpenedSources, screen: Console, *, full: bool) -> None:
    """Print the claims that are altered or invented (``full``: all), and the summary."""
    chosen = [each for each in audit.findings if full or each.verdict in ALTERED | INVENTED]
    if chosen:
        screen.print(_table(subject, audit, chosen))
    for name, why in opened.failed.items():
        screen.print(Text(f"Not read: {name}: {why}", style="yellow"), soft_wrap=True)
    for line in summary_lines(audit.findings):
        screen.print(Text(line), soft_wrap=True)


def summary_lines(findings: Sequence[Finding]) -> list[str]:
    """The figures in words, each with its n."""
    summary = summarise(findings)
    return [
        f"{summary.claims} claims.",
        f"Supported: {summary.supported} quotations and values; neither supported nor contradicted: {summary.open}.",
        (
            f"Altered: {summary.quotes_altered} quotations; {summary.values_differ} values differ,"
            f" {summary.values_without_source} stand in no source."
        ),
        (
            f"References: {summary.references_invented} invented or another work, "
            f"{summary.references_not_checked} not checked or unsure, {summary.retracted} retracted."
        ),
    ]


def _table(subject: Subject, audit: ReportAudit, findings: Sequence[Finding]) -> Table:
    table = Table(title=Text(subject.name), title_justify="left", box=SIMPLE_HEAD, padding=(0, 1))
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("claim", overflow="fold", ratio=3)
    table.add_column("verdict", overflow="fold", min_width=10)
    table.add_column("what the source says", overflow="fold", ratio=4)
    for finding in findings:
        start, _ = audit.report.in_source(finding.claim.start, finding.claim.end)
        words = _cut(finding.claim.words)
        verdict = Text(finding.verdict, style=style_of(finding))
        table.add_row(str(audit.report.line(start)), Text(f"{finding.claim.kind}: {words}"), verdict, _source(finding))
    return table


def _source(finding: Finding) -> Text:
    parts = [finding.reason]
    if finding.passage is not None:
        parts.append(f"{_cut(finding.passage.text)} ({finding.passage.source}, {finding.passage.locator})")
    if finding.status:
        parts.append(finding.status)
    return Text("\n".join(part for part in parts if part))


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
