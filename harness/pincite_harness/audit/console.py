"""An audit on the terminal: the claims that are not borne out, or all of them, and the figures."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_harness.audit.audited import Audited, findings_of
from pincite_harness.audit.sight import Sights
from pincite_harness.audit.sources import OpenedSources
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED, Finding
from pincite_provenance.audit.summary import summary_lines

_SHOWN = 160
"""Characters of a claim, and of what the source says."""


def style_of(finding: Finding) -> str:
    """The colour of a verdict."""
    if finding.verdict in ALTERED | INVENTED:
        return "red"
    if finding.verdict in SUPPORTED or finding.verdict == "exists":
        return "green"
    return "yellow"


def print_audits(audits: Sequence[Audited], opened: OpenedSources, screen: Console, *, full: bool) -> None:
    """Print of each report the claims that are altered or invented (``full``: all), then the figures of all."""
    for audited in audits:
        findings = audited.audit.findings
        chosen = [at for at, each in enumerate(findings) if full or each.verdict in ALTERED | INVENTED]
        if chosen:
            screen.print(_table(audited, chosen))
        for line in sight_lines(audited.sights):
            screen.print(Text(line), soft_wrap=True)
        if audited.audit.not_in_report:
            line = f"Left out: {audited.audit.not_in_report} statements of the model that are not in the report."
            screen.print(Text(line, style="yellow"), soft_wrap=True)
    for name, why in opened.failed.items():
        screen.print(Text(f"Not read: {name}: {why}", style="yellow"), soft_wrap=True)
    for line in summary_lines(findings_of(audits)):
        screen.print(Text(line), soft_wrap=True)


def sight_lines(sights: Sights | None) -> list[str]:
    """What the agent saw, in words; nothing without a trajectory."""
    if sights is None:
        return []
    return [
        f"From memory: {sights.before_sight} quotations and values came before their passage was shown, or without it.",
        f"Cited but never opened: {sights.never_opened} references.",
    ]


def _table(audited: Audited, chosen: Sequence[int]) -> Table:
    title = Text(audited.subject.name)
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1))
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("claim", overflow="fold", ratio=3)
    table.add_column("verdict", overflow="fold", min_width=10)
    table.add_column("what the source says", overflow="fold", ratio=4)
    if audited.sights is not None:
        table.add_column("seen", overflow="fold", min_width=6)
    report = audited.audit.report
    for at in chosen:
        finding = audited.audit.findings[at]
        start, _ = report.in_source(finding.claim.start, finding.claim.end)
        verdict = Text(finding.verdict, style=style_of(finding))
        claim = Text(f"{finding.claim.kind}: {_cut(finding.claim.words)}")
        row = [Text(str(report.line(start))), claim, verdict, _source(finding)]
        if audited.sights is not None:
            row.append(Text(_seen(audited.sights, at)))
        table.add_row(*row)
    return table


def _seen(sights: Sights, at: int) -> str:
    sight = sights.of.get(at)
    if sight is None:
        return ""
    seen = sight["seen_step"]
    return "never" if seen is None else f"step {seen}"


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
