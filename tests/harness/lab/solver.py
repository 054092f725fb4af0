"""A small agent: looks the number up where it has the tool, asks its model, and writes what that says."""

import json
from pathlib import Path
from urllib.request import Request, urlopen

TASK = json.loads(Path("task.json").read_text())


def post(url: str, headers: dict, body: dict) -> tuple[str, dict]:
    data = json.dumps(body).encode()
    with urlopen(Request(url, data, {"Content-Type": "application/json", **headers})) as answer:
        return answer.read().decode(), dict(answer.headers)


def look_up(server: dict) -> str:
    """The text of the tool's result; empty for an error."""
    headers = {"Accept": "application/json, text/event-stream", **server["headers"]}
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "solver", "version": "1"}}
    _, told = post(server["url"], headers, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about})
    headers |= {name: value for name, value in told.items() if name.lower() == "mcp-session-id"}
    asked = {"name": "look_up", "arguments": {"task": TASK["task_id"]}}
    text, _ = post(server["url"], headers, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked})
    lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
    result = json.loads(lines[-1] if lines else text)["result"]
    return "" if result.get("isError") else result["content"][0]["text"]


found = look_up(TASK["tools"]["facts"]) if "facts" in TASK["tools"] else ""
model = TASK["model"]
messages = [{"role": "user", "content": f"What is the number of {TASK['task_id']}? {found}"}]
labelled = {"Authorization": f"Bearer {model['api_key']}", "x-pincite-label": json.dumps({"role": "solver"})}
text, _ = post(f"{model['url']}/v1/chat/completions", labelled, {"model": model["name"], "messages": messages})
said = json.loads(text)["choices"][0]["message"]["content"]
Path("answer.json").write_text(json.dumps({"answer": said}))
