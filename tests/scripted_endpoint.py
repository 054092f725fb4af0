"""A model's HTTP endpoint on the loopback that answers as it is scripted, in both dialects."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answered:
    """One scripted answer: a reply of the model (text or a function of the request), or a status with a body."""

    reply: str | Callable[[dict[str, Any]], str] | None = None
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass
class Endpoint:
    """Its address and the requests it got, as (path, headers, body)."""

    url: str
    requests: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)


@contextmanager
def scripted(*answers: Answered) -> Iterator[Endpoint]:
    """Serve the answers one after the other; what comes after them is answered with 500."""
    left = list(answers)
    endpoint = Endpoint("")
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                endpoint.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                answer = left.pop(0) if left else Answered(status=500, body=b"the script is over")
            time.sleep(answer.delay)
            content = answer.body
            if answer.reply is not None:
                text = answer.reply if isinstance(answer.reply, str) else answer.reply(body)
                content = json.dumps(_envelope(self.path, body, text)).encode()
            try:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except ConnectionError:
                pass

        def log_message(self, *_: Any) -> None:
            pass

    with listening(Handler) as endpoint.url:
        yield endpoint


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """A server on a free port of the loopback, in threads of its own: its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _envelope(path: str, body: dict[str, Any], text: str) -> dict[str, Any]:
    if path.endswith("/messages"):
        return {"model": body["model"], "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}
    return {"model": body["model"], "choices": [{"message": {"role": "assistant", "content": text}}]}


def pictures(body: dict[str, Any]) -> list[bytes]:
    """The pictures of a request of either dialect, in order."""
    import base64

    found: list[bytes] = []
    for message in body["messages"]:
        parts = message["content"] if isinstance(message["content"], list) else []
        for part in parts:
            if part["type"] == "image_url":
                found.append(base64.b64decode(part["image_url"]["url"].partition("base64,")[2]))
            elif part["type"] == "image":
                found.append(base64.b64decode(part["source"]["data"]))
    return found


def texts(body: dict[str, Any]) -> str:
    """All the texts of a request's messages, one a line."""
    found: list[str] = []
    for message in body["messages"]:
        content = message["content"]
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        found += [part["text"] for part in parts if part["type"] == "text"]
    return "\n".join(found)
