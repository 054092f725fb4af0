"""A6: which tools were called, how often it went wrong and how."""

import re
from collections import Counter
from collections.abc import Sequence

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.calls import ToolUse
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup, join
from pincite_harness.reports.measured import Measured

SLOW_SECONDS = 60.0
"""A result that took longer is told as slow: the MCP TypeScript SDK, and clients built on it, wait 60 s by default."""
FAULTS = ("unknown tool", "bad arguments", "refused", "tool error", "slow", "empty")
_BAD_ARGUMENTS = re.compile(r"-32602|validation error|invalid (?:arguments|params|input)", re.IGNORECASE)
"""How servers say that arguments do not fit: JSON-RPC's code for invalid params, and the words of MCP SDKs."""


def tool_use(group: Group, data: TrialData) -> Analysis | None:
    """Calls by tool, with the share that brought a good result and the kinds of faults."""
    rows: list[Row] = []
    for measured in group.measured:
        rows += _rows(measured, data)
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("toolkit", "Toolkit"),
        Column("tool", "Tool"),
        Column("calls", "Calls"),
        Column("a_trial", "A trial", 2),
        Column("good", "Good", 3),
        *[Column(fault, fault.capitalize()) for fault in FAULTS],
    )
    return Analysis(
        "tools",
        "Tool use",
        "calls of all conversations by tool; good is the share without a fault. A call has one fault at most: a tool"
        " that nobody offered, arguments that do not fit, turned away by the door, an error of the tool, longer than"
        f" {SLOW_SECONDS:.0f} s, nothing in the result",
        columns,
        tuple(rows),
        join(_picture(measured, rows) for measured in group.measured),
    )


def toolkits_by_group(group: Group, data: TrialData) -> Analysis | None:
    """The share of calls of each toolkit, by what tasks are about."""
    rows: list[Row] = []
    pictures: list[Markup] = []
    for measured in group.measured:
        keys = data.keys.get(measured.run.path)
        for breakdown in measured.breakdowns if keys is not None else ():
            counts: dict[str, Counter[str]] = {one.value: Counter() for one in breakdown.groups}
            for trial in measured.trials:
                calls = data.calls(measured.run, trial) or []
                for value in keys.values(trial, breakdown.key) if keys is not None else ():
                    counts[value].update(call.toolkit for call in calls)
            rows += _shares(measured.run.name, breakdown.key, counts)
            pictures.append(_stack(f"{measured.run.name}: calls by toolkit and {breakdown.key}", counts))
    if not any(row["calls"] for row in rows):
        return None
    columns = (
        Column("run", "Run"),
        Column("key", "Key"),
        Column("group", "Value"),
        Column("toolkit", "Toolkit"),
        Column("calls", "Calls"),
        Column("of", "Of"),
        Column("share", "Share", 3),
    )
    about = "calls of the trials of each group of tasks by toolkit: the server, or who ran the call"
    return Analysis("toolkits", "Toolkits by group", about, columns, tuple(rows), join(pictures))


def fault_of(call: ToolUse) -> str:
    """One of ``FAULTS``, or empty for a good call."""
    if call.kind == "unknown" or call.refused == "unknown":
        return "unknown tool"
    if call.refused:
        return "refused"
    if call.is_error:
        return "bad arguments" if _BAD_ARGUMENTS.search(call.text[:1000]) else "tool error"
    if call.seconds is not None and call.seconds > SLOW_SECONDS:
        return "slow"
    return "empty" if call.kind == "mcp" and call.empty else ""


def _rows(measured: Measured, data: TrialData) -> list[Row]:
    trials = 0
    by_tool: dict[tuple[str, str], Counter[str]] = {}
    for trial in measured.trials:
        calls = data.calls(measured.run, trial)
        trials += calls is not None
        for call in calls or []:
            by_tool.setdefault((call.toolkit, call.name), Counter())[fault_of(call)] += 1
    rows: list[Row] = []
    for (toolkit, tool), faults in sorted(by_tool.items(), key=lambda item: (-item[1].total(), item[0])):
        calls, good = faults.total(), faults[""]
        counted = {"calls": calls, "a_trial": calls / trials, "good": good / calls}
        told = {fault: faults[fault] for fault in FAULTS}
        rows.append({"run": measured.run.name, "toolkit": toolkit, "tool": tool, **counted, **told})
    return rows


def _picture(measured: Measured, rows: Sequence[Row]) -> Markup:
    own = [row for row in rows if row["run"] == measured.run.name][:20]
    if not own:
        return Markup("")
    bars: list[tuple[str, dict[str, int]]] = []
    names = Counter(str(row["tool"]) for row in own)
    for row in own:
        counts = {fault: int(row[fault]) for fault in FAULTS}
        counts["good"] = int(row["calls"]) - sum(counts.values())
        tool = str(row["tool"])
        bars.append((tool if names[tool] == 1 else f"{row['toolkit']}.{tool}", counts))
    return stacks(f"{measured.run.name}: calls by tool", ("good", *FAULTS), bars)


def _shares(run: str, key: str, counts: dict[str, Counter[str]]) -> list[Row]:
    rows: list[Row] = []
    for value, own in counts.items():
        whole = own.total()
        for toolkit in sorted(own):
            counted = {"calls": own[toolkit], "of": whole, "share": own[toolkit] / whole}
            rows.append({"run": run, "key": key, "group": value, "toolkit": toolkit, **counted})
    return rows


def _stack(title: str, counts: dict[str, Counter[str]]) -> Markup:
    names = sorted({name for own in counts.values() for name in own})
    if not names:
        return Markup("")
    return stacks(title, names, [(value, dict(own)) for value, own in counts.items()])
