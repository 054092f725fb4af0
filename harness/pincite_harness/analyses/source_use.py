"""A4: from where right and wrong trials took what they know."""

from collections import Counter

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.calls import ToolUse
from pincite_harness.analyses.domains import domains_in
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData, outcome_of, outcome_order
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup, join
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.outcome_words import in_words

MOST_SOURCES = 8
"""Sources that the table names; the others stand together."""
OTHER = "other"


def sources_by_outcome(group: Group, data: TrialData) -> Analysis | None:
    """How often calls named each source, by the outcome of their trials."""
    rows: list[Row] = []
    pictures: list[Markup] = []
    for measured in group.measured:
        counts = _counts(measured, data)
        total = sum(counts.values(), Counter[str]())
        if not total:
            continue
        top = [name for name, _ in sorted(total.items(), key=lambda item: (-item[1], item[0]))[:MOST_SOURCES]]
        shown = [*top, OTHER] if len(total) > len(top) else top
        bars: list[tuple[str, dict[str, int]]] = []
        for outcome, own in counts.items():
            whole = sum(own.values())
            merged = {name: own[name] for name in top}
            merged[OTHER] = whole - sum(merged.values())
            for name in shown:
                share = merged[name] / whole if whole else None
                found = {"source": name, "count": merged[name], "of": whole, "share": share}
                rows.append({"run": measured.run.name, "outcome": in_words(outcome), **found})
            bars.append((in_words(outcome), merged))
        title = f"{measured.run.name}: sources named by calls, by outcome"
        pictures.append(stacks(title, shown, bars))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("outcome", "Outcome"),
        Column("source", "Source"),
        Column("count", "Calls"),
        Column("of", "Of"),
        Column("share", "Share", 3),
    )
    return Analysis(
        "sources",
        "Sources by outcome",
        "registered domains in what terminals were given and in what hosted searches brought, and the sources that"
        " results of MCP tools name; each source counts once a call; addresses that name formats (w3.org) are skipped",
        columns,
        tuple(rows),
        join(pictures),
    )


def sources_of(call: ToolUse) -> list[str]:
    """The sources that one call names, each once."""
    if call.kind == "shell":
        return list(dict.fromkeys(domains_in(call.arguments)))
    if call.kind == "hosted":
        return list(dict.fromkeys(domains_in(call.text)))
    return list(call.sources) if call.kind == "mcp" else []


def _counts(measured: Measured, data: TrialData) -> dict[str, Counter[str]]:
    """By outcome how often each source was named; unscored trials have none."""
    found: dict[str, Counter[str]] = {outcome: Counter() for outcome in outcome_order(measured)}
    for trial in measured.trials:
        outcome = outcome_of(measured, trial)
        calls = data.calls(measured.run, trial)
        if outcome is not None and calls is not None:
            found[outcome].update(source for call in calls for source in sources_of(call))
    return found
