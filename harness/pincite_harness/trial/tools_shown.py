"""Whether an agent's model was shown the tools of the trial: a client that loses a server goes on without a word."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pincite_models.dialects.dialect import Operation
from pincite_models.dialects.fields import mapping, mappings
from pincite_models.dialects.table import DIALECTS
from pincite_trajectory.items import tool_name
from pincite_trajectory.wire import read_records


def lost_tools(trial_folder: Path, servers: Sequence[str]) -> str | None:
    """Which tools of the servers were missing in the first request that offered the model any; None when none was.

    Clients name a tool by its server and its own name (``mcp__documents__open_paper``).
    """
    shown = _first_shown(trial_folder / "wire" / "llm.jsonl")
    if shown is None:
        return None
    listed = _listed(trial_folder / "wire" / "mcp.jsonl")
    lost: list[str] = []
    for server in servers:
        if server not in listed:
            lost.append(f"{server} (its tools were never asked for)")
        elif missing := [tool for tool in listed[server] if not _is_among(server, tool, shown)]:
            lost.append(f"{server} ({', '.join(missing)})")
    return f"The agent's model was not shown tools of the trial: {'; '.join(lost)}." if lost else None


def _first_shown(path: Path) -> list[str] | None:
    """Names of the functions that the first request with any offers."""
    for record in read_records(path):
        name = record.get("dialect")
        if record.get("kind") != "request" or record.get("operation") != "generate" or name not in tuple(DIALECTS):
            continue
        dialect = DIALECTS[name]
        operation = Operation(dialect.name, "generate", model=str(record.get("model") or ""))
        tools: Iterable[dict[str, Any]] = dialect.read_request(operation, mapping(record.get("body"))).tools
        if names := [tool_name(tool) for tool in tools if tool.get("type") == "function"]:
            return names
    return None


def _listed(path: Path) -> dict[str, list[str]]:
    """The tools that each server listed, by server."""
    asked: dict[str, str] = {}
    listed: dict[str, list[str]] = {}
    for record in read_records(path):
        number = str(record.get("seq"))
        if record.get("kind") == "request" and record.get("method") == "tools/list":
            asked[number] = str(record.get("server"))
        elif record.get("kind") == "response" and number in asked and "result" in record:
            names = [str(tool.get("name", "")) for tool in mappings(mapping(record["result"]).get("tools"))]
            listed.setdefault(asked[number], []).extend(names)
    return listed


def _is_among(server: str, tool: str, shown: Iterable[str]) -> bool:
    pattern = re.compile(rf"(?:^|[^a-z0-9]){re.escape(server)}[^a-z0-9]+{re.escape(tool)}$", re.IGNORECASE)
    return any(pattern.search(name) for name in shown)
