"""The record of the model door: pictures become files, secrets nothing."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_doors.media import MediaStore
from pincite_doors.testing import ScriptedModel, say

pytestmark = pytest.mark.anyio

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
CODE = base64.b64encode(PNG).decode()
DATA_URL = f"data:image/png;base64,{CODE}"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": CODE}},
        {"type": "image_url", "image_url": {"url": DATA_URL}},
        {"type": "input_image", "image_url": DATA_URL},
        {"inlineData": {"mimeType": "image/png", "data": CODE}},
        {"inline_data": {"mime_type": "image/png", "data": base64.urlsafe_b64encode(PNG).decode().rstrip("=")}},
        {"type": "image_generation_call", "result": CODE},
        {"b64_json": CODE},
        {"text": f"see {DATA_URL}, there"},
    ],
)
def test_media_of_every_api_become_files(tmp_path: Path, part: dict[str, Any]) -> None:
    text = orjson.dumps(MediaStore(tmp_path).detach({"content": [part]})).decode()
    [file] = (tmp_path / "media").iterdir()
    assert file.read_bytes() == PNG
    assert file.suffix == ".png"
    assert f"media:media/{file.name}" in text
    assert "base64," not in text
    assert CODE[:40] not in text


@pytest.mark.parametrize(
    "part",
    [
        {"type": "redacted_thinking", "data": CODE},
        {"type": "thinking", "thinking": "hm", "signature": CODE},
        {"type": "reasoning", "encrypted_content": CODE},
        {"text": "x", "thoughtSignature": CODE},
        {"type": "text", "media_type": "text/plain", "data": "abcd"},
        {"type": "image", "source": {"type": "url", "url": "https://x.example/a.png"}},
        {"type": "file", "file": {"file_data": "not base64!"}},
        {"mimeType": "image/png", "data": {"an": "object"}},
    ],
)
def test_what_is_no_media_stays(tmp_path: Path, part: dict[str, Any]) -> None:
    assert MediaStore(tmp_path).detach(part) == part
    assert not (tmp_path / "media").exists()


async def test_pictures_that_agents_send_and_models_stream_are_kept_once(open_model: Any, raw_provider: Any) -> None:
    chunk = {"candidates": [{"content": {"parts": [{"inlineData": {"mimeType": "image/png", "data": CODE}}]}}]}
    last = {"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 5}}
    events = b"".join(b"data: " + orjson.dumps(event) + b"\r\n\r\n" for event in (chunk, last))

    async def draw(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + events)
        await writer.drain()

    async with (
        raw_provider(draw) as provider,
        open_model(provider.url, dialect="google.generate", name="gemini-next") as rig,
    ):
        body = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": CODE}}]}]}
        path = "/v1beta/models/gemini-next:streamGenerateContent?alt=sse"
        answer = await rig.agent.post(path, json=body)
        request, end = await rig.wire()
    assert answer.content == events, "the agent gets the picture itself"
    assert provider.asked[0].line == f"POST {path} HTTP/1.1"
    assert orjson.loads(provider.asked[0].body) == body
    [file] = (rig.folder / "media").iterdir()
    link = f"media:media/{file.name}"
    assert request["body"]["contents"][0]["parts"][0]["inlineData"]["data"] == link
    assert (request["path"], request["streamed"], request["model"]) == (path.partition("?")[0], True, "gemini-next")
    assert orjson.loads(end["stream"].splitlines()[0].removeprefix("data: "))["candidates"][0]["content"]["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": link}}
    ]
    assert (end["cause"], end["usage"]["input_tokens"]) == (None, 5)


async def test_an_array_that_is_streamed_is_a_stream(open_model: Any, raw_provider: Any) -> None:
    first = {"candidates": [{"content": {"parts": [{"inlineData": {"mimeType": "image/png", "data": CODE}}]}}]}
    last = {"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 5}}
    texts = [orjson.dumps([first, last]), orjson.dumps([first, last])[:-30]]

    async def draw(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n" + texts[len(provider.asked) - 1])
        await writer.drain()

    async with (
        raw_provider(draw) as provider,
        open_model(provider.url, dialect="google.generate", name="gemini-next") as rig,
    ):
        for text in texts:
            answer = await rig.agent.post("/v1beta/models/gemini-next:streamGenerateContent", json={"contents": []})
            assert answer.content == text
        whole, broken = await rig.ends()
    assert (whole["cause"], whole["complete"], whole["usage"]["input_tokens"]) == (None, True, 5)
    assert "media:media/" in whole["stream"]
    assert CODE not in whole["stream"]
    assert (broken["cause"], broken["complete"]) == ("cut_stream", False)


async def test_no_secret_is_written(open_model: Any) -> None:
    with ScriptedModel([say("it is sk-planted-real-key-0123456789")]) as model:
        async with open_model(model.url) as rig:
            answer = await rig.ask("my token is trial-token-of-the-model, is it not?", stream=False)
            await rig.door.close()
    assert "planted" not in answer.text
    text = b"".join(path.read_bytes() for path in rig.folder.rglob("*") if path.is_file())
    assert b"planted" not in text
    assert b"trial-token" not in text
    assert b"[trial token]" in text


async def test_a_key_of_one_letter_changes_neither_answer_nor_record(open_model: Any) -> None:
    with ScriptedModel([say("six boxes")]) as model:
        async with open_model(model.url, key="x") as rig:
            answer = await rig.ask("how many?", stream=False)
            [end] = await rig.ends()
    assert answer.json() == end["body"]
    assert answer.json()["content"][0]["text"] == "six boxes"


async def test_a_request_is_on_the_disk_before_its_answer(open_model: Any, raw_provider: Any) -> None:
    async def hang(_: Any, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async with raw_provider(hang) as provider, open_model(provider.url) as rig:
        call = asyncio.create_task(rig.ask("what was asked last?"))
        record = rig.folder / "wire" / "llm.jsonl"
        async with asyncio.timeout(30):
            while b"what was asked last?" not in record.read_bytes():
                await asyncio.sleep(0.02)
        await rig.door.close()
        await call
