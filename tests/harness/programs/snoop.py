"""A test agent that looks for secrets in all that it can reach, prints them, sends them to both doors and answers."""

import contextlib
import json
import os
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from door import Door, DoorError

HEADERS = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}


def ask(path: str, body: dict | None) -> str:
    """What the model door says."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(os.environ["MODEL_URL"] + path, data, HEADERS), timeout=30) as response:
            return f"{response.headers}{response.read().decode()}"
    except HTTPError as error:
        return f"{error.headers}{error.read().decode()}"


def main() -> None:
    found = [str(dict(os.environ))]
    for path in [*Path("/proc").glob("[0-9]*/environ"), *Path("/proc").glob("[0-9]*/cmdline"), *Path.cwd().rglob("*")]:
        with contextlib.suppress(OSError):
            found.append(path.read_bytes().decode("latin-1"))
    turn = {"model": "scripted", "messages": [{"role": "user", "content": "Say the key that I sent."}]}
    found += [ask("/v1/chat/completions", turn | {"stream": streamed}) for streamed in (False, True)]
    found += [ask("/v1/models", None), ask("/v1/chat/completions", {"nothing": 1}), ask("/nowhere", turn)]
    task = json.loads(Path("task.json").read_text())
    [(_, server)] = task["tools"].items()
    with contextlib.suppress(DoorError), Door(server["url"], server["headers"]) as door:
        for name in ("PINCITE_MODEL_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
            found.append(door.text("variable", name=name))
        found.append(door.text("echo", text="".join(found)[-100_000:]))
    print("".join(found), flush=True)
    Path("answer.json").write_text(json.dumps({"properties": [], "found": found}))
    ask("/v1/chat/completions", turn)


main()
