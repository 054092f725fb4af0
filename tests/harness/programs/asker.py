"""A test agent that asks its model three times and answers."""

import json
from pathlib import Path
from urllib.request import Request, urlopen

TASK = json.loads(Path("task.json").read_text())
MODEL = TASK["model"]

for number in range(3):
    body = {"model": MODEL["name"], "messages": [{"role": "user", "content": f"Question {number}."}]}
    headers = {"Authorization": f"Bearer {MODEL['api_key']}", "Content-Type": "application/json"}
    url = f"{MODEL['url'].removesuffix('/v1')}/v1/chat/completions"
    with urlopen(Request(url, json.dumps(body).encode(), headers), timeout=600) as reply:
        print(reply.read().decode(), flush=True)
Path("answer.json").write_text(json.dumps({"properties": []}))
