"""The model door in front of a scripted model, or of a provider that says byte for byte what a test wants."""

import asyncio
import importlib.util
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest

from pincite_doors.media import MediaStore
from pincite_doors.models.door import ModelDoor
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import Route
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic, TrafficLimits
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import DialectName, Usage
from pincite_sandbox.guest.relay import Relay
from pincite_tasks.family import FamilyLimits, ModelPolicy

TOKEN = "trial-token-of-the-model"
KEY = "sk-planted-real-key-0123456789"
MODEL = "claude-next"


@dataclass
class ModelRig:
    """An open model door, a client of it, and its record."""

    door: ModelDoor
    agent: httpx2.AsyncClient
    folder: Path
    socket: Path

    @property
    def meter(self) -> ModelMeter:
        return self.door.meter

    async def ask(self, text: str = "hi", *, stream: bool = True, **more: Any) -> httpx2.Response:
        """One call of Anthropic's API, its answer read to the end."""
        body = {"model": MODEL, "max_tokens": 9, "messages": [{"role": "user", "content": text}], "stream": stream}
        return await self.agent.post("/v1/messages", json=body | more)

    async def wire(self) -> list[dict[str, Any]]:
        """The record, as it is once the door is closed."""
        await self.door.close()
        return [orjson.loads(line) for line in (self.folder / "wire" / "llm.jsonl").read_bytes().splitlines()]

    async def ends(self) -> list[dict[str, Any]]:
        return [record for record in await self.wire() if record["kind"] == "response"]


OpenModel = Callable[..., AbstractAsyncContextManager[ModelRig]]


@pytest.fixture
def open_model(tmp_path: Path, sockets: Path) -> OpenModel:
    @asynccontextmanager
    async def opened(
        url: str,
        *,
        dialect: DialectName = "anthropic.messages",
        limits: FamilyLimits | None = None,
        policy: ModelPolicy | None = None,
        price: Callable[[str, Usage], float | None] | None = None,
        name: str = MODEL,
        record: Path | None = None,
        key: str = KEY,
        traffic: TrafficLimits | None = None,
        more: Sequence[Route] = (),
        **options: Any,
    ) -> AsyncGenerator[ModelRig]:
        folder, socket = tmp_path / "trial", sockets / "model.sock"
        metered = Traffic(traffic)
        door = ModelDoor(
            socket,
            TOKEN,
            Route(ModelChoice(provider="compatible", name=name, base_url=url), key, dialect, policy or ModelPolicy()),
            *more,
            meter=ModelMeter(limits or FamilyLimits(), price),
            recorder=ModelRecorder(
                record or folder / "wire" / "llm.jsonl",
                Redactor([TOKEN], [key]),
                MediaStore(folder, metered),
                metered,
            ),
            traffic=metered,
            **options,
        )
        transport = httpx2.AsyncHTTPTransport(uds=str(socket))
        async with (
            door,
            httpx2.AsyncClient(
                transport=transport, base_url="http://127.0.0.1", headers={"x-api-key": TOKEN}, timeout=30
            ) as agent,
        ):
            yield ModelRig(door, agent, folder, socket)

    return opened


@dataclass
class Asked:
    """One request as the provider got it."""

    line: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]


@dataclass
class Provider:
    """Its address, and what it was asked."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """The door has cut a connection while the answer was not over."""


Say = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
def raw_provider() -> Callable[..., AbstractAsyncContextManager[Provider]]:
    """A provider whose answers are written by the test's own function; the connection ends with it."""

    @asynccontextmanager
    async def provided(say: Say, secure: ssl.SSLContext | None = None) -> AsyncGenerator[Provider]:
        provider = Provider()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                pairs = [line.partition(": ")[::2] for line in head[1:] if line]
                headers = [(name.lower(), value) for name, value in pairs]
                size = int(dict(headers).get("content-length", 0))
                provider.asked.append(asked := Asked(head[0], headers, await reader.readexactly(size)))
                speaking = asyncio.create_task(say(asked, writer))
                listening = asyncio.create_task(reader.read())
                await asyncio.wait({speaking, listening}, return_when=asyncio.FIRST_COMPLETED)
                if not speaking.done():
                    provider.left.set()
                for task in (speaking, listening):
                    task.cancel()
                await asyncio.gather(speaking, listening, return_exceptions=True)
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=secure) as server:
            provider.url = f"{'https' if secure else 'http'}://localhost:{server.sockets[0].getsockname()[1]}"
            yield provider

    return provided


@asynccontextmanager
async def _relayed(socket: Path) -> AsyncGenerator[str]:
    relay = Relay(str(socket))
    try:
        yield f"http://127.0.0.1:{await relay.start()}"
    finally:
        await relay.close()


@pytest.fixture
def relayed() -> Callable[[Path], AbstractAsyncContextManager[str]]:
    """A socket's address on the loopback, as a sandbox has it."""
    return _relayed


@dataclass(frozen=True)
class SDK:
    """How an API's own client streams one answer."""

    dialect: DialectName
    model: str
    stream: Callable[[str, str], Awaitable[str]]


async def _anthropic(address: str, token: str) -> str:
    from anthropic import AsyncAnthropic

    async with AsyncAnthropic(base_url=address, api_key=token) as client:
        asked = [{"role": "user", "content": "look"}]
        async with client.messages.stream(model=MODEL, max_tokens=9, messages=asked) as stream:
            return await stream.get_final_text()


async def _responses(address: str, token: str) -> str:
    from openai import AsyncOpenAI

    async with (
        AsyncOpenAI(base_url=f"{address}/v1", api_key=token) as client,
        client.responses.stream(model="gpt-5", input="look") as stream,
    ):
        return (await stream.get_final_response()).output_text


async def _chat(address: str, token: str) -> str:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=f"{address}/v1", api_key=token) as client:
        asked = [{"role": "user", "content": "look"}]
        options = {"include_usage": True}
        stream = await client.chat.completions.create(
            model="gpt-5", messages=asked, stream=True, stream_options=options
        )
        return "".join([piece.choices[0].delta.content or "" async for piece in stream if piece.choices])


async def _google(address: str, token: str) -> str:
    from google.genai import Client

    client = Client(api_key=token, http_options={"base_url": address})
    try:
        pieces = await client.aio.models.generate_content_stream(model="gemini-2.5-flash", contents="look")
        return "".join([piece.text or "" async for piece in pieces])
    finally:
        await client.aio.aclose()
        client.close()


_SDKS = {
    "anthropic": SDK("anthropic.messages", MODEL, _anthropic),
    "openai responses": SDK("openai.responses", "gpt-5", _responses),
    "openai chat": SDK("openai.chat", "gpt-5", _chat),
    "google.genai": SDK("google.generate", "gemini-2.5-flash", _google),
}


@pytest.fixture(params=list(_SDKS))
def sdk(request: pytest.FixtureRequest, missing: Callable[[str], None]) -> SDK:
    library = request.param.partition(" ")[0]
    if importlib.util.find_spec(library.partition(".")[0]) is None:
        missing(f"{library} is not installed: pip install 'pincite[agents]'")
    return _SDKS[request.param]
