"""Providers that fail: the agent sees the failure as it is and never hangs, and the record tells the cause."""

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pincite_doors.testing import ScriptedModel, cut, drip, drop, garble, hang, refuse, say, stumble

pytestmark = pytest.mark.anyio

DEEP = b'{"model": "claude-next", "messages": [{"role": "user", "content": %s%s}]}'
LONG = "a long answer " * 50
EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
START = b'event: message_start\ndata: {"type": "message_start", "message": {"usage": {"input_tokens": 7}}}\n\n'


def saying(data: bytes) -> Any:
    async def say_it(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return say_it


def failing(status: int, message: str) -> bytes:
    body = f'{{"error": {{"message": "{message}", "code": {status}}}}}'.encode()
    return b"HTTP/1.1 %d Failed\r\ncontent-length: %d\r\n\r\n%s" % (status, len(body), body)


@pytest.mark.parametrize(
    ("status", "message", "cause"),
    [
        (429, "slow down", "rate_limited"),
        (529, "Overloaded", "overloaded"),
        (503, "The model is overloaded.", "overloaded"),
        (500, "oops", "server_error"),
        (504, "too slow", "timeout"),
        (401, "bad key", "auth"),
        (403, "not yours", "auth"),
        (404, "model: no such", "model_not_found"),
        (400, "temperature is too hot", "bad_request"),
        (400, "prompt is too long: 200001 tokens > 200000 maximum", "context_overflow"),
        (400, "This model's maximum context length is 128000 tokens", "context_overflow"),
        (400, "The input token count exceeds the maximum number of tokens allowed", "context_overflow"),
        (302, "elsewhere", "bad_request"),
    ],
)
async def test_statuses_have_causes(open_model: Any, raw_provider: Any, status: int, message: str, cause: str) -> None:
    async with raw_provider(saying(failing(status, message))) as provider, open_model(provider.url) as rig:
        answer = await rig.ask()
        [end] = await rig.ends()
    assert answer.status_code == status
    assert message in answer.text
    assert (end["cause"], end["status"], end["usage"]) == (cause, status, None)
    assert message in end["detail"]
    assert (rig.door.trouble.kind, rig.meter.calls, rig.meter.cost_usd) == (cause, 1, 0.0)


@pytest.mark.parametrize(
    ("fault", "stream", "cause"),
    [
        (cut(after=300), True, "cut_stream"),
        (cut(after=20), False, "cut_stream"),
        (garble(), True, "malformed"),
        (garble(), False, "malformed"),
        (drop(), True, "connection"),
        (stumble("The model is overloaded."), True, "overloaded"),
    ],
)
async def test_broken_answers_break_for_the_agent_too(open_model: Any, fault: Any, stream: bool, cause: str) -> None:
    with ScriptedModel([[fault, say(LONG)]]) as model:
        async with open_model(model.url) as rig:
            try:
                answer = await rig.ask(stream=stream)
                whole = answer.status_code == 200
            except httpx2.RemoteProtocolError:
                whole = False
            assert whole is (cause in ("malformed", "overloaded"))
            kind = rig.door.trouble.kind
            good = await rig.ask(stream=stream)
            assert good.status_code == 200
            assert rig.door.trouble is None, "the last call was good"
            first, second = await rig.ends()
    assert kind == first["cause"] == cause
    assert first["complete"] is False
    assert (second["cause"], second["complete"]) == (None, True)
    assert rig.meter.calls == 2


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (EVENTS + b"\r\n" + START, "cut_stream"),
        (EVENTS + b"\r\n" + START + b'data: {"type": "ping"\n\n' + START, "malformed"),
        (EVENTS + b"\r\n", "malformed"),
        (EVENTS + b"content-length: 5000\r\n\r\n" + START, "cut_stream"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhm", "malformed"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "malformed"),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 2\r\n\r\nhm", "malformed"),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nhm", "malformed"),
        (b"SMTP ready\r\n\r\n", "malformed"),
        (b"", "connection"),
    ],
)
async def test_answers_that_are_none_have_causes(open_model: Any, raw_provider: Any, data: bytes, cause: str) -> None:
    async with raw_provider(saying(data)) as provider, open_model(provider.url) as rig:
        try:
            answer = await rig.ask()
            assert answer.status_code in (200, 502)
        except httpx2.RemoteProtocolError:
            assert data.startswith(b"HTTP"), "what had begun is broken off"
        [end] = await rig.ends()
    assert (end["cause"], rig.door.trouble.kind) == (cause, cause)


@pytest.mark.parametrize("fault", [hang(), hang(after=200)])
async def test_a_silent_provider_is_given_up(open_model: Any, fault: Any) -> None:
    with ScriptedModel([[fault, say(LONG)]]) as model:
        async with open_model(model.url, silence_seconds=0.3) as rig:
            try:
                assert (await rig.ask()).status_code == 504
            except httpx2.RemoteProtocolError:
                assert fault.after
            [end] = await rig.ends()
    assert (end["cause"], rig.door.trouble.kind) == ("timeout", "timeout")


@pytest.mark.parametrize("stream", [True, False])
async def test_a_provider_that_drips_is_given_up(open_model: Any, stream: bool) -> None:
    """Each byte comes in time, and the answer never does."""
    with ScriptedModel([[drip(0.05), say(LONG)]]) as model:
        async with open_model(model.url, silence_seconds=0.4) as rig:
            with pytest.raises(httpx2.RemoteProtocolError):
                await rig.ask(stream=stream)
            [end] = await rig.ends()
    assert (end["cause"], rig.door.trouble.kind) == ("timeout", "timeout")
    assert "next to nothing" in end["detail"]


async def test_a_provider_that_is_not_there(open_model: Any) -> None:
    async with open_model("http://127.0.0.1:9") as rig:
        answer = await rig.ask()
        [end] = await rig.ends()
    assert answer.status_code == 502
    assert answer.json()["error"]["type"] == "api_error"
    assert (end["cause"], end["status"], rig.meter.cost_usd) == ("connection", None, 0.0)


async def test_a_refusal_is_an_answer_and_told(open_model: Any) -> None:
    with ScriptedModel([refuse()]) as model:
        async with open_model(model.url) as rig:
            assert (await rig.ask()).status_code == 200
            assert rig.door.trouble.kind == "refused"
            [end] = await rig.ends()
    assert (end["cause"], end["complete"]) == (None, True)


@pytest.mark.parametrize(
    "content", [b"no json", b"[1]", b"", b'{"a": NaN}', DEEP % (b"[" * 500, b"]" * 500), DEEP % (b"[" * 10**5, b"")]
)
async def test_requests_that_are_no_plain_json_objects_stay_here(open_model: Any, content: bytes) -> None:
    async with open_model("http://127.0.0.1:9") as rig:
        answer = await rig.agent.post("/v1/messages", content=content)
        assert rig.door.trouble is None, "this is not an outage"
        [record] = await rig.wire()
    assert answer.status_code == 400
    assert (record["kind"], record["status"]) == ("refused", 400)


async def test_a_record_that_cannot_be_written_closes_the_door(open_model: Any) -> None:
    with ScriptedModel([say("one")]) as model:
        async with open_model(model.url, record=Path("/dev/full")) as rig:
            assert (await rig.ask()).status_code == 200
            async with asyncio.timeout(30):
                while (refused := await rig.ask()).status_code == 200:
                    await asyncio.sleep(0.01)
            assert (refused.status_code, rig.door.trouble.kind) == (400, "unrecorded")
            assert "No space left" in refused.text
