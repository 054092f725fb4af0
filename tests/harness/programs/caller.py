"""A test agent: makes the calls ``SERVER.TOOL [TEXT]`` that stand in ``CALLS`` and answers nothing, or is asleep."""

import json
import time
from pathlib import Path
from urllib.request import Request, urlopen

CALLS = "$CALLS"
TASK = json.loads(Path("task.json").read_text())


def ask(server, method, params, session):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    headers |= TASK["tools"][server]["headers"] | session
    with urlopen(Request(TASK["tools"][server]["url"], body, headers)) as answer:
        text = answer.read().decode()
        given = {"Mcp-Session-Id": answer.headers["Mcp-Session-Id"]} if "Mcp-Session-Id" in answer.headers else {}
    lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
    return json.loads(lines[-1] if lines else text), given


for line in CALLS.split(";"):
    place, _, text = line.strip().partition(" ")
    server, _, tool = place.partition(".")
    if server == "sleep":
        time.sleep(float(tool))
        continue
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "caller", "version": "1"}}
    _, session = ask(server, "initialize", start, {})
    method = "tools/call" if tool else "tools/list"
    params = {"name": tool, "arguments": {"text": text}} if tool else {}
    answer, _ = ask(server, method, params, session)
    print(line, "->", json.dumps(answer.get("result", answer)), flush=True)
Path("answer.json").write_text('{"properties": []}')
