"""What passes the model door: the agent's own bytes there and back, with another key."""

import asyncio
import gzip
import ssl
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_doors.testing import ScriptedModel, say, slow, think, turn

pytestmark = pytest.mark.anyio

KEY = "sk-planted-real-key-0123456789"
TOKEN = "trial-token-of-the-model"
JSON_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
ANSWER = orjson.dumps({"id": "m1", "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"})


def whole(body: bytes, more: bytes = b"", head: bytes = JSON_HEAD) -> bytes:
    return head + more + b"content-length: %d\r\n\r\n%s" % (len(body), body)


def saying(data: bytes) -> Any:
    async def say_it(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return say_it


@pytest.mark.parametrize("stream", [True, False])
async def test_an_answer_passes_and_is_recorded_with_what_it_used(open_model: Any, stream: bool) -> None:
    with ScriptedModel([turn(think("hm"), say("κ is 2.0 Å"))], key=KEY) as model:
        async with open_model(model.url, price=lambda name, usage: usage.output_tokens / 1000) as rig:
            answer = await rig.ask("what?", stream=stream)
            [asked] = model.requests
            meter, trouble = rig.meter, rig.door.trouble
            request, response = await rig.wire()
    assert answer.status_code == 200
    assert ("κ is 2.0" in answer.text) or ("2.0" in answer.text)
    assert asked.headers["x-api-key"] == KEY
    assert TOKEN not in repr(asked.headers)
    assert trouble is None
    assert (meter.calls, meter.usage, meter.cost_usd) == (1, asked.usage, asked.usage.output_tokens / 1000)
    assert request["kind"] == "request"
    assert (request["seq"], request["operation"], request["model"]) == (1, "generate", "claude-next")
    assert (request["streamed"], request["body"]["messages"][0]["content"]) == (stream, "what?")
    assert (response["status"], response["complete"], response["cause"]) == (200, True, None)
    assert response["usage"]["output_tokens"] == asked.usage.output_tokens
    assert response["cost_usd"] == meter.cost_usd
    assert response["request_id"].startswith("req_")
    assert response["seconds"] >= response["first_byte_seconds"] > 0
    assert response["bytes"] == len(answer.content)
    if stream:
        assert response["stream"] == answer.text, "the record holds the stream as it came"
    else:
        assert response["body"] == answer.json()


async def test_every_sdk_reads_a_stream_through_the_door(open_model: Any, relayed: Any, sdk: Any) -> None:
    with ScriptedModel([say("seen")], key=KEY) as model:
        async with (
            open_model(model.url, dialect=sdk.dialect, name=sdk.model) as rig,
            relayed(rig.socket) as address,
        ):
            assert await sdk.stream(address, TOKEN) == "seen"
            [asked] = model.turns
            [end] = [record for record in await rig.ends() if record["usage"] is not None]
    assert asked.status == 200
    assert end["cause"] is None
    assert end["usage"]["output_tokens"] == asked.usage.output_tokens == rig.meter.usage.output_tokens


async def test_a_piece_is_passed_on_before_the_next_one_comes(open_model: Any, raw_provider: Any) -> None:
    more = asyncio.Event()

    async def dribble(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        for piece in (b"event: ping\n", b"data: {}\n\n", b"event: last\n\n"):
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await more.wait()
            more.clear()
        writer.write(b"0\r\n\r\n")

    body = {"model": "claude-next"}
    async with (
        raw_provider(dribble) as provider,
        open_model(provider.url) as rig,
        rig.agent.stream("POST", "/v1/messages", json=body) as answer,
    ):
        pieces: list[bytes] = []
        async for piece in answer.aiter_raw():
            pieces.append(piece)
            more.set()
    assert pieces == [b"event: ping\n", b"data: {}\n\n", b"event: last\n\n"]


async def test_an_agent_that_goes_away_cuts_the_provider_off(open_model: Any) -> None:
    with ScriptedModel([turn(slow(between=0.05), say("a word " * 200))]) as model:
        async with open_model(model.url) as rig:
            body = {"model": "claude-next", "stream": True, "messages": [{"role": "user", "content": "x"}]}
            async with rig.agent.stream("POST", "/v1/messages", json=body) as answer:
                async for piece in answer.aiter_raw():
                    assert piece
                    break
            gone = await asyncio.to_thread(model.wait_for, lambda: model.requests[0].left)
            [end] = await rig.ends()
    assert gone
    assert (end["cause"], end["complete"], end["status"]) == ("cancelled", False, 200)
    assert end["usage"]["input_tokens"] == rig.meter.usage.input_tokens > 0, "what it had told is counted"


async def test_an_agent_that_is_killed_in_its_sandbox_cuts_the_provider_off(
    open_model: Any, raw_provider: Any, relayed: Any
) -> None:
    async def hang(_: Any, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async with (
        raw_provider(hang) as provider,
        open_model(provider.url) as rig,
        relayed(rig.socket) as address,
        asyncio.timeout(30),
    ):
        _, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        body = b'{"model": "claude-next"}'
        head = f"POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: {TOKEN}\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        while not provider.asked:
            await asyncio.sleep(0.01)
        writer.transport.abort()
        await provider.left.wait()
        [end] = await rig.ends()
    assert (end["cause"], end["usage"], rig.meter.cost_usd) == ("cancelled", None, None)


@pytest.mark.parametrize(("token", "size", "status"), [("wrong", 10**7, b"401"), (TOKEN, 10**9, b"413")])
async def test_a_refusal_does_not_wait_for_the_body(open_model: Any, token: str, size: int, status: bytes) -> None:
    async with open_model("http://127.0.0.1:9") as rig, asyncio.timeout(30):
        reader, writer = await asyncio.open_unix_connection(rig.socket)
        head = f"POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: {token}\r\ncontent-length: {size}\r\n\r\n"
        writer.write(head.encode() + bytes(1 << 16))
        assert (await reader.readline()).split()[1] == status
        writer.close()
        assert (await rig.ask()).status_code == 502, "the door goes on"


async def test_closing_the_door_ends_what_is_under_way(open_model: Any, raw_provider: Any) -> None:
    async def hang(_: Any, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async with raw_provider(hang) as provider, open_model(provider.url) as rig:
        call = asyncio.create_task(rig.ask())
        while not provider.asked:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(30):
            await rig.door.close()
            assert (await call).status_code == 500
            await provider.left.wait()
        [end] = await rig.ends()
    assert (end["cause"], end["status"]) == ("cancelled", None)


async def test_only_the_trials_token_opens_and_only_the_key_goes_on(open_model: Any, raw_provider: Any) -> None:
    ways = [
        {"headers": {"x-api-key": TOKEN}},
        {"headers": {"authorization": f"Bearer {TOKEN}"}},
        {"headers": {"authorization": f"bearer {TOKEN}", "x-api-key": "leftover"}},
        {"headers": {"x-goog-api-key": TOKEN}},
        {"params": {"beta": "true", "key": TOKEN}},
    ]
    async with raw_provider(saying(whole(ANSWER))) as provider, open_model(provider.url) as rig:
        del rig.agent.headers["x-api-key"]
        body = {"model": "claude-next", "messages": []}
        for way in ways:
            assert (await rig.agent.post("/v1/messages", json=body, **way)).status_code == 200
        for way in ({}, {"headers": {"x-api-key": KEY}}, {"headers": {"authorization": f"Basic {TOKEN}"}}):
            answer = await rig.agent.post("/v1/messages", json=body, **way)
            assert answer.status_code == 401
            assert answer.json()["error"]["type"] == "authentication_error"
        wire = await rig.wire()
    assert len(provider.asked) == len(ways), "nothing else reached the provider"
    for asked in provider.asked:
        assert asked.header("x-api-key") == [KEY]
        assert TOKEN not in repr(asked)
        assert "authorization" not in dict(asked.headers)
    assert provider.asked[-1].line == "POST /v1/messages?beta=true HTTP/1.1"
    assert [record["status"] for record in wire if record["kind"] == "refused"] == [401] * 3


async def test_headers_of_one_connection_stay_there(open_model: Any, raw_provider: Any) -> None:
    sent = {
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "context-1m",
        "connection": "x-private",
        "x-private": "1",
        "te": "trailers",
        "accept-encoding": "br",
        "cookie": "a=b",
        "x-forwarded-for": "10.0.0.1",
        "openai-organization": "another",
        "x-http-method-override": "DELETE",
    }
    answered = b"set-cookie: s=1\r\nalt-svc: h3\r\nconnection: x-mine\r\nx-mine: 1\r\nrequest-id: r7\r\n"
    async with raw_provider(saying(whole(ANSWER, answered))) as provider, open_model(provider.url) as rig:
        answer = await rig.agent.post("/v1/messages", json={"model": "claude-next"}, headers=sent)
    [asked] = provider.asked
    names = {name for name, _ in asked.headers}
    assert {"anthropic-version", "anthropic-beta"} <= names
    assert not names & (set(sent) - {"anthropic-version", "anthropic-beta", "accept-encoding"})
    assert asked.header("accept-encoding") == ["identity"]
    assert asked.header("host") == [provider.url.removeprefix("http://")]
    assert answer.headers["request-id"] == "r7"
    assert not {"set-cookie", "alt-svc", "x-mine"} & set(answer.headers)
    assert answer.content == ANSWER


async def test_a_compressed_answer_is_opened(open_model: Any, raw_provider: Any) -> None:
    packed = whole(gzip.compress(ANSWER), b"content-encoding: gzip\r\n")
    async with raw_provider(saying(packed)) as provider, open_model(provider.url) as rig:
        answer = await rig.ask(stream=False)
        [end] = await rig.ends()
    assert answer.content == ANSWER
    assert "content-encoding" not in answer.headers
    assert end["body"]["id"] == "m1"


async def test_a_key_that_the_provider_repeats_does_not_come_back(open_model: Any, raw_provider: Any) -> None:
    text = orjson.dumps({"error": {"type": "authentication_error", "message": f"No such key: {KEY}."}})
    head = f"HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\nx-echo: {KEY}\r\n".encode()

    async def in_pieces(_: Any, writer: asyncio.StreamWriter) -> None:
        place = text.index(b"planted")
        writer.write(whole(text, head=head)[: -len(text)])
        for piece in (text[:place], text[place : place + 4], text[place + 4 :]):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.02)

    async with raw_provider(in_pieces) as provider, open_model(provider.url) as rig:
        answer = await rig.ask()
        wire = orjson.dumps(await rig.wire()).decode()
    assert answer.status_code == 401
    assert len(answer.content) == len(text)
    assert "planted" not in answer.text + repr(answer.headers) + wire
    assert (rig.door.trouble.kind, "No such key" in rig.door.trouble.detail) == ("auth", True)


def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


async def test_a_provider_behind_tls(
    open_model: Any, raw_provider: Any, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with raw_provider(saying(whole(ANSWER)), tls(certificate)) as provider, open_model(provider.url) as rig:
        assert [(await rig.ask(stream=False)).content for _ in range(2)] == [ANSWER, ANSWER]
    assert [asked.header("x-api-key") for asked in provider.asked] == [[KEY]] * 2


async def test_a_provider_whose_certificate_is_not_known_gets_no_key(
    open_model: Any, endpoints: Any, certificate: Path
) -> None:
    context, heard = tls(certificate), []

    class Impostor(BaseHTTPRequestHandler):
        def handle(self) -> None:
            try:
                with context.wrap_socket(self.request, server_side=True) as secured:
                    heard.append(secured.recv(1))
            except OSError:
                pass

    with endpoints.listening(Impostor) as url:
        async with open_model(url.replace("http://127.0.0.1", "https://localhost")) as rig:
            assert (await rig.ask()).status_code == 502
            [end] = await rig.ends()
    assert end["cause"] == "connection"
    assert "CERTIFICATE_VERIFY_FAILED" in end["detail"]
    assert heard == []


async def test_an_address_with_a_path_keeps_it(open_model: Any, raw_provider: Any) -> None:
    async with raw_provider(saying(whole(ANSWER))) as provider, open_model(f"{provider.url}/api/v1/") as rig:
        assert (await rig.ask(stream=False)).content == ANSWER
    assert provider.asked[0].line == "POST /api/v1/messages HTTP/1.1"


async def test_token_counts_and_lists_pass_uncounted(open_model: Any) -> None:
    with ScriptedModel([say("x")], models=["claude-next"]) as model:
        async with open_model(model.url) as rig:
            body = {"model": "claude-next", "messages": [{"role": "user", "content": "hello"}]}
            counted = await rig.agent.post("/v1/messages/count_tokens", json=body)
            listed = await rig.agent.get("/v1/models")
            meter, wire = rig.meter, await rig.wire()
    assert counted.json()["input_tokens"] > 0
    assert "claude-next" in listed.text
    assert (meter.calls, meter.cost_usd) == (0, 0.0)
    assert [record["operation"] for record in wire if record["kind"] == "request"] == ["count_tokens", "models"]
    assert all(record["usage"] is None for record in wire if record["kind"] == "response")


async def test_what_a_parser_could_read_two_ways_goes_on_in_one(open_model: Any, raw_provider: Any) -> None:
    twice = b'{"model": "claude-opus-4-1", "m\\u006fdel": "claude-next", "system": "half \\ud83d of a pair"}'
    async with raw_provider(saying(whole(ANSWER))) as provider, open_model(provider.url) as rig:
        assert (await rig.agent.post("/v1/messages", content=twice)).status_code == 200
        request, _ = await rig.wire()
    [asked] = provider.asked
    assert asked.body.count(b"model") == 1
    assert orjson.loads(asked.body.replace(b"\\ud83d", b""))["model"] == "claude-next"
    assert request["body"]["system"] == "half ? of a pair"
