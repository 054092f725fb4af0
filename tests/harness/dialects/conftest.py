"""An endpoint that gives one answer to whatever is asked, and what the APIs' own SDKs make of it."""

import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

STREAMS = Path(__file__).parent / "streams"


@dataclass
class Answering:
    """Its address, and the requests it got as (method, path, body)."""

    url: str = ""
    requests: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)


Answer = Callable[..., Answering]


@pytest.fixture
def answering(endpoints: ModuleType) -> Iterator[Answer]:
    """A function that starts an endpoint which always gives the same answer."""
    with ExitStack() as stack:

        def start(content: bytes, *, status: int = 200, kind: str = "application/json") -> Answering:
            answering = Answering()

            class Handler(BaseHTTPRequestHandler):
                def do_POST(self) -> None:
                    body = self.rfile.read(int(self.headers.get("content-length", 0)))
                    answering.requests.append((self.command, self.path, json.loads(body or b"{}")))
                    self.send_response(status)
                    self.send_header("content-type", kind)
                    self.send_header("content-length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

                def do_GET(self) -> None:
                    self.do_POST()

                def log_message(self, *_: Any) -> None:
                    pass

            answering.url = stack.enter_context(endpoints.listening(Handler))
            return answering

        yield start


class Clients:
    """The SDKs, pointed at an address, each imported when it is asked for; their retries are as they come."""

    def __init__(self, url: str, stack: ExitStack, missing: Callable[[str], None]) -> None:
        self._url = url
        self._stack = stack
        self._missing = missing

    @cached_property
    def anthropic(self) -> Any:
        sdk = self._sdk("anthropic")
        return self._stack.enter_context(sdk.Anthropic(base_url=self._url, api_key="k"))

    @cached_property
    def openai(self) -> Any:
        sdk = self._sdk("openai")
        return self._stack.enter_context(sdk.OpenAI(base_url=f"{self._url}/v1", api_key="k"))

    @cached_property
    def google(self) -> Any:
        sdk = self._sdk("google.genai")
        client = sdk.Client(api_key="k", vertexai=False, http_options=sdk.types.HttpOptions(base_url=self._url))
        self._stack.callback(client.close)
        return client

    def _sdk(self, name: str) -> Any:
        try:
            return importlib.import_module(name)
        except ImportError:
            self._missing(f"no {name}: pip install -e '.[agents]'")


@pytest.fixture
def clients(missing: Callable[[str], None]) -> Iterator[Callable[[str], Clients]]:
    """A function that makes the SDKs' clients for an address."""
    with ExitStack() as stack:
        yield lambda url: Clients(url, stack, missing)


@pytest.fixture(params=sorted(path.name for path in STREAMS.iterdir()))
def stream(request: pytest.FixtureRequest) -> Path:
    """Each recorded stream; its name begins with its dialect's."""
    return STREAMS / request.param


@pytest.fixture
def stream_at() -> Callable[[str], Path]:
    """A function that finds a recorded stream by its name without the suffix."""
    return lambda name: next(STREAMS.glob(f"{name}.*"))
