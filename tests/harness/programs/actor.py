"""A test agent that does what its command line says, a word and a value at a time: ``answer '{}' sleep 3 exit 1``."""

import json
import os
import subprocess
import sys
import time
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from door import Door, DoorError

TASK = json.loads(Path("task.json").read_text())


def call(value: str) -> None:
    """Call one tool: ``name`` or ``name {json arguments}``."""
    tool, _, arguments = value.partition(" ")
    [(_, server)] = TASK["tools"].items()
    try:
        with Door(server["url"], server["headers"]) as door:
            print(door.text(tool, **json.loads(arguments or "{}")), flush=True)
    except DoorError as error:
        print(f"error: {error}", flush=True)


def call_oddly(value: str) -> None:
    """Call ``name {json params}``, with params of any shape, as a client does that knows no better."""
    tool, _, params = value.partition(" ")
    [(_, server)] = TASK["tools"].items()
    try:
        with Door(server["url"], server["headers"]) as door:
            print(door._request("tools/call", {"name": tool, **json.loads(params)}), flush=True)
    except DoorError as error:
        print(f"error: {error}", flush=True)


def tools(_: str) -> None:
    """List the tools."""
    [(_, server)] = TASK["tools"].items()
    with Door(server["url"], server["headers"]) as door:
        print(*door.tools(), flush=True)


def answer(value: str) -> None:
    """Leave an answer."""
    Path("answer.json").write_text(value)


def big_answer(size: str) -> None:
    """Leave an answer of a size in bytes."""
    Path("answer.json").write_text(json.dumps({"properties": [], "notes": "x" * int(size)}))


def flood(count: str) -> None:
    """Ask the tool door without the token, again and again, until it has left ten requests without an answer."""
    [(_, server)] = TASK["tools"].items()
    unanswered = 0
    for _ in range(int(count)):
        try:
            urlopen(Request(server["url"], data=b"{}"), timeout=60)
        except HTTPError:
            continue
        except (OSError, HTTPException):
            unanswered += 1
            if unanswered == 10:
                break


def linger(seconds: str) -> None:
    """Leave a child in a session of its own behind."""
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({seconds})"], start_new_session=True)


def show(value: str) -> None:
    """Print a file of the working folder in two halves, a moment apart."""
    text = Path(value).read_text()
    for half in (text[: len(text) // 2], text[len(text) // 2 :]):
        print(half, end="", flush=True)
        time.sleep(0.05)


def leak(_: str) -> None:
    """Print the token, send it through a tool and answer with it."""
    [(_, server)] = TASK["tools"].items()
    token = server["headers"]["Authorization"].removeprefix("Bearer ")
    print(f"my token is {token}", flush=True)
    call("echo " + json.dumps({"text": token}))
    answer(json.dumps({"properties": token}))


def model(attempts: str) -> None:
    """Ask the model, streamed, so many times at most; give up where none goes well."""
    for _ in range(int(attempts)):
        try:
            print("model:", ask(), flush=True)
        except (OSError, HTTPException, ValueError, KeyError) as error:
            print(f"model error: {error!r}", flush=True)
            time.sleep(0.02)
        else:
            return
    sys.exit(4)


def ask() -> str:
    """The model's answer over the chat API; ValueError where it does not come to its end."""
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Go on."}]}
    body["stream_options"] = {"include_usage": True}
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    request = Request(f"{os.environ['MODEL_URL']}/v1/chat/completions", json.dumps(body).encode(), headers)
    said, ended = "", False
    with urlopen(request, timeout=600) as response:
        for line in response:
            data = line.decode().removeprefix("data:").strip()
            if data == "[DONE]":
                ended = True
            elif data:
                choices = json.loads(data)["choices"]
                said += "".join(choice["delta"].get("content") or "" for choice in choices)
    if not ended:
        raise ValueError("the answer broke off")
    return said


def memory(mebibytes: str) -> None:
    """Fill memory."""
    kept = [bytearray(os.urandom(1 << 16)) * 16 for _ in range(int(mebibytes))]
    print(len(kept))


def disk(mebibytes: str) -> None:
    """Fill the working folder."""
    with Path("much").open("wb") as file:
        file.writelines(bytes(1 << 20) for _ in range(int(mebibytes)))


def forks(number: str) -> None:
    """Start processes that stay, without end."""
    for _ in range(int(number)):
        if os.fork() == 0:
            time.sleep(600)


def main() -> None:
    words = sys.argv[1:]
    actions = {
        "call": call,
        "call_oddly": call_oddly,
        "tools": tools,
        "answer": answer,
        "big_answer": big_answer,
        "flood": flood,
        "linger": linger,
        "show": show,
        "leak": leak,
        "model": model,
        "memory": memory,
        "disk": disk,
        "forks": forks,
        "print": lambda value: print(value, flush=True),
        "sleep": lambda value: time.sleep(float(value)),
        "exit": lambda value: sys.exit(int(value)),
    }
    for word, value in zip(words[::2], words[1::2], strict=True):
        actions[word](value)


main()
