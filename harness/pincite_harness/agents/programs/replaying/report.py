"""The report of a replay: report.json for programs, report.md for people."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .comparing import Difference
from .outcome import Outcome

SCHEMA = "pincite-replay/1"


@dataclass(slots=True)
class Played:
    """One recorded call: the live tool and what it brought, or why it was not played or not compared."""

    number: int
    tool: str
    arguments: Any
    live: Outcome | None
    skipped: str = ""
    followed: bool = False
    """Whether ids in the arguments were replaced by those that the live servers gave."""
    differences: list[Difference] = field(default_factory=list[Difference])

    @property
    def status(self) -> str:
        """same, different or skipped."""
        if self.skipped:
            return "skipped"
        return "different" if self.differences else "same"


def write_report(folder: Path, recording: Mapping[str, Any], played: Sequence[Played], stopped: str) -> str:
    """Write both files and give the summary in a line; ``stopped`` says why calls were left, where some were."""
    counts = Counter(one.status for one in played)
    left = len(recording["calls"]) - len(played)
    summary = {
        "schema_version": SCHEMA,
        "recording": recording["source"],
        "calls": len(recording["calls"]),
        **{status: counts[status] for status in ("same", "different", "skipped")},
        "not_played": left,
        "stopped": stopped or None,
        "parts": dict(Counter(part for one in played for part in {found.part for found in one.differences})),
    }
    results = [_result(one) for one in played]
    document = json.dumps({**summary, "results": results}, ensure_ascii=False, indent=1)
    (folder / "report.json").write_text(document, encoding="utf-8")
    line = f"replay: {counts['same']} same, {counts['different']} different, {counts['skipped']} skipped"
    line += f", {left} not played: {stopped}" if left else ""
    (folder / "report.md").write_text("\n".join([f"# {line}", "", *_pages(recording, played)]), encoding="utf-8")
    return line


def _result(one: Played) -> dict[str, Any]:
    found: dict[str, Any] = {"number": one.number, "tool": one.tool, "arguments": one.arguments, "status": one.status}
    if one.skipped:
        found["why"] = one.skipped
    if one.followed:
        found["followed"] = True
    if one.differences:
        found["differences"] = [asdict(difference) for difference in one.differences]
    return found


def _pages(recording: Mapping[str, Any], played: Sequence[Played]) -> list[str]:
    lines = [f"Recording: {recording['source']}", ""]
    for one in played:
        if one.status == "same":
            continue
        arguments = json.dumps(one.arguments, ensure_ascii=False)
        lines += [f"## {one.number}. {one.tool} {arguments[:300]}", ""]
        lines += [f"Not compared: {one.skipped}.", ""] if one.skipped else []
        for found in one.differences:
            place = f" at {found.place}" if found.place else ""
            lines += [
                f"- {found.part}{place}",
                f"  - recorded: {_line(found.recorded)}",
                f"  - live: {_line(found.live)}",
            ]
        lines.append("")
    return lines


def _line(text: str) -> str:
    return f"`{text}`" if "`" not in text and "\n" not in text else json.dumps(text, ensure_ascii=False)
