"""Whether a model was shown the tools of its servers, as the two doors recorded it."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.trial.tools_shown import lost_tools


def function(name: str) -> dict[str, Any]:
    return {"name": name, "input_schema": {"type": "object"}}


def asked(*tools: str, operation: str = "generate") -> dict[str, Any]:
    body = {"model": "m", "messages": [], "tools": [function(name) for name in tools]}
    kind = {"kind": "request", "dialect": "anthropic.messages", "operation": operation, "model": "m", "streamed": True}
    return {**kind, "body": body}


def listed(number: int, server: str, *tools: str) -> list[dict[str, Any]]:
    request = {"kind": "request", "seq": number, "server": server, "method": "tools/list"}
    return [request, {"kind": "response", "seq": number, "result": {"tools": [{"name": name} for name in tools]}}]


BOTH = ("mcp__papers__open", "mcp__papers__read_table")


@pytest.mark.parametrize(
    ("model", "tools", "lost"),
    [
        ([asked("Bash", *BOTH)], listed(1, "papers", "open", "read_table"), None),
        ([asked("mcp_papers_open", "mcp_papers_read_table")], listed(1, "papers", "open", "read_table"), None),
        (
            [asked("Bash", BOTH[0]), asked("Bash", *BOTH)],
            listed(1, "papers", "open", "read_table"),
            "papers (read_table)",
        ),
        ([asked("mcp__others__open")], listed(1, "papers", "open"), "papers (open)"),
        ([asked("Bash")], [], "papers (its tools were never asked for)"),
        ([asked(), asked(*BOTH)], [*listed(1, "papers", "open"), *listed(2, "papers", "read_table")], None),
        ([asked("Bash", operation="count_tokens")], [], None),
        ([], [], None),
    ],
    ids=["all", "other names", "one too late", "of another server", "none", "two pages", "no answer asked", "no model"],
)
def test_the_first_request_with_tools_must_show_them_all(
    model: list[dict[str, Any]], tools: list[dict[str, Any]], lost: str | None, tmp_path: Path
) -> None:
    (tmp_path / "wire").mkdir()
    for name, records in (("llm", model), ("mcp", tools)):
        (tmp_path / "wire" / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in records))
    found = lost_tools(tmp_path, ["papers"])
    assert found == (f"The agent's model was not shown tools of the trial: {lost}." if lost else None)
