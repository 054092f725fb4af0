"""Audits as one HTML page: no script, nothing fetched from anywhere, every text escaped."""

from collections.abc import Sequence
from importlib.resources import files

from pincite_harness.audit.audited import Audited, findings_of
from pincite_harness.audit.console import sight_lines
from pincite_harness.audit.sources import OpenedSources
from pincite_harness.reports.markup import Markup, join, tag
from pincite_provenance.audit.finding import ALTERED, INVENTED, SUPPORTED, Finding
from pincite_provenance.audit.summary import summary_lines

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(audits: Sequence[Audited], opened: OpenedSources) -> str:
    """The page: the figures, then each report with its claims in a table and marked in its text."""
    style = files("pincite_harness.audit").joinpath("audit.css").read_text(encoding="utf-8")
    title = "pincite audit: " + ", ".join(audited.subject.name for audited in audits[:3])
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        tag("title", title),
        tag("style", Markup(style)),
    )
    figures = tag("ul", [tag("li", line) for line in summary_lines(findings_of(audits))], class_="figures")
    parts = [tag("h1", "Audit"), tag("p", _sources(opened), class_="sub"), figures]
    parts += [_report(number, audited) for number, audited in enumerate(audits)]
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', tag('main', parts)), lang='en')}\n"


def _sources(opened: OpenedSources) -> str:
    names = ", ".join(source.name for source in opened.sources) or "none"
    failed = f" Not read: {', '.join(opened.failed)}." if opened.failed else ""
    return f"Sources: {names}.{failed} “Value stands” says where to look; it is not yet the claim."


def _report(number: int, audited: Audited) -> Markup:
    lines = [tag("li", line) for line in sight_lines(audited.sights)]
    figures = tag("ul", lines, class_="figures") if lines else Markup("")
    head = ("line", "claim", "verdict", "what the source says", *(("seen",) if audited.sights is not None else ()))
    rows = [_row(number, at, audited) for at in range(len(audited.audit.findings))]
    cells = tag("tr", [tag("th", name, scope="col", class_="line" if name == "line" else None) for name in head])
    table = tag("div", tag("table", tag("thead", cells), tag("tbody", rows)), class_="scroll")
    text = tag("pre", _marked(number, audited), class_="report")
    return tag("section", tag("h2", audited.subject.name), figures, table, tag("h2", "The text"), text)


def _row(number: int, at: int, audited: Audited) -> Markup:
    finding = audited.audit.findings[at]
    report = audited.audit.report
    start, _ = report.in_source(finding.claim.start, finding.claim.end)
    passage = finding.passage
    source = [tag("div", finding.reason, class_="reason")]
    if passage is not None:
        where = f"{passage.source}, {passage.locator}"
        source += [tag("div", passage.text), tag("div", where, class_="source")]
    if finding.status:
        source.append(tag("div", finding.status, class_="bad"))
    words = " ".join(finding.claim.words.split())
    cells = [
        tag("td", str(report.line(start)), class_="line"),
        tag("td", tag("a", f"{finding.claim.kind}: {words}", href=f"#text{number}-{at}")),
        tag("td", tag("span", finding.verdict, class_=f"verdict {_class(finding)}")),
        tag("td", source),
    ]
    if audited.sights is not None:
        sight = audited.sights.of.get(at)
        cells.append(tag("td", sight_words(sight["seen_step"], sight["claimed_step"]) if sight is not None else ""))
    return tag("tr", cells, id=f"claim{number}-{at}")


def sight_words(seen: int | None, claimed: int | None) -> str:
    """Where a claim's passage was shown and where it was said."""
    said = f", said in step {claimed}" if claimed is not None else ""
    if seen is None:
        return f"never shown{said}"
    return f"step {seen}{said}" + (" (before it was shown)" if claimed is not None and claimed <= seen else "")


def _marked(number: int, audited: Audited) -> Markup:
    """The report's text with each claim marked by its verdict; of claims that overlap the first."""
    text = audited.audit.report.text
    parts: list[Markup] = []
    at = 0
    for index, finding in enumerate(audited.audit.findings):
        start, end = finding.claim.start, finding.claim.end
        if start < at:
            continue
        parts.append(tag("span", text[at:start]))
        link = tag("a", text[start:end], href=f"#claim{number}-{index}")
        parts.append(tag("mark", link, class_=_class(finding), id=f"text{number}-{index}", title=finding.verdict))
        at = end
    parts.append(tag("span", text[at:]))
    return join(parts)


def _class(finding: Finding) -> str:
    if finding.verdict in ALTERED | INVENTED:
        return "bad"
    return "good" if finding.verdict in SUPPORTED or finding.verdict == "exists" else "open"
