"""One count of tool calls: what a recorded trial's trajectory, its record and ``trajectory show`` say is the same."""

import io
from typing import Any

from rich.console import Console

from pincite_trajectory.call_counts import CallCounts
from pincite_trajectory.show import show_trajectory


def test_good_failed_refused_unknown_own_and_hosted_calls_are_counted_once_each_and_alike(wire: Any) -> None:
    """Ten calls: two good and one failed at a server; one beyond the limit, one withheld; one of a tool that the
    server has not, one of a tool that nobody offered; one of the client's own Bash, and one hosted search."""
    wire.serve("echo", {"n": 0}, "before any model was asked")
    start = [wire.user("Do it.")]
    asked = [
        wire.use("good", "mcp__demo__echo", n=1),
        wire.use("failed", "mcp__demo__echo", n=2),
        wire.use("limit", "mcp__demo__picture", n=3),
        wire.use("withheld", "mcp__demo__picture", n=4),
        wire.use("missing", "mcp__demo__echo", n=5),
        wire.use("made_up", "mcp__demo__telepathy"),
        wire.use("own", "Bash", command="ls"),
        {"type": "server_tool_use", "id": "hosted", "name": "web_search", "input": {"query": "Tc"}},
    ]
    messages = wire.ask(start, *asked)
    wire.serve("echo", {"n": 1}, "one")
    wire.serve("echo", {"n": 2}, "the server broke", isError=True)
    for name, number, why in (("picture", 3, "limit"), ("picture", 4, "not_offered"), ("echo", 5, "unknown")):
        wire.serve(name, {"n": number}, "no", isError=True)
        wire.tool_lines[-1]["refused"] = why
    results = [wire.result(each["id"], "said") for each in asked if each["type"] == "tool_use"]
    wire.ask([*messages, {"role": "user", "content": results}], "Done.")
    trajectory = wire.build()
    extra = trajectory.final_metrics.extra
    wanted = CallCounts(calls=3, failed=1, refused=2, unknown=2, own=1, hosted=1)
    assert {name: extra[name] for name in wanted.to_json()} == wanted.to_json()
    assert CallCounts.read(extra, trajectory.steps) == wanted, "as trial.json has it"
    shown = io.StringIO()
    show_trajectory(trajectory, Console(file=shown, width=200))
    last = shown.getvalue().strip().splitlines()[-1]
    told = "3 of tools (1 failed, 2 refused, 2 of unknown tools, 1 of the client's own tools, 1 hosted)"
    assert told in last


def test_a_resource_that_is_read_counts_as_a_call_and_one_beyond_the_limit_as_refused(wire: Any) -> None:
    wire.serve("", {"uri": "paper://1"}, "text")
    wire.serve("", {"uri": "paper://2"}, "no", isError=True)
    for line in wire.tool_lines:
        if line["kind"] == "request":
            line["method"] = "resources/read"
    wire.tool_lines[-1]["refused"] = "limit"
    extra = wire.build().final_metrics.extra
    assert (extra["tool_calls"], extra["refused_tool_calls"], extra["failed_tool_calls"]) == (1, 1, 0)
