"""The client of model endpoints against real HTTP servers on the loopback that answer as they are scripted."""

import base64
import logging
import time
from types import ModuleType
from typing import Any

import anyio
import pytest
from pydantic import SecretStr

from pincite_core.errors import BadInputError, LimitReachedError, UnavailableError
from pincite_core.settings import Settings
from pincite_models.endpoint import ImagePart, Message, ModelEndpoint

KEY = "sk-never-to-be-seen"
PICTURE = ImagePart(b"\x89PNG picture", "image/png")
ASKED = [Message("user", ["What is it?", PICTURE]), Message("assistant", ["A curve."]), Message("user", ["Sure?"])]


def _endpoint(url: str, *, seconds: float = 20.0, **changes: Any) -> ModelEndpoint:
    options: dict[str, Any] = {"api_key": SecretStr(KEY), "dialect": None, "seconds": seconds}
    return ModelEndpoint(url, "seer-1", **(options | changes))


async def test_openai_chat_completions(endpoints: ModuleType) -> None:
    with endpoints.scripted(endpoints.Answered("yes"), endpoints.Answered("yes")) as server:
        endpoint = _endpoint(f"{server.url}/v1")
        reply = await endpoint.ask("Look.", ASKED, max_tokens=77)
        assert (reply.text, reply.model) == ("yes", "seer-1")
        await endpoint.ask("Look.", ASKED, effort="high")
    (path, headers, body), (_, _, careful) = server.requests
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body["max_tokens"] == 77
    assert "reasoning_effort" not in body
    assert careful["reasoning_effort"] == "high"
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    image = body["messages"][1]["content"][1]["image_url"]["url"]
    assert image == "data:image/png;base64," + base64.b64encode(PICTURE.data).decode()


async def test_anthropic_messages(endpoints: ModuleType) -> None:
    with endpoints.scripted(endpoints.Answered("yes"), endpoints.Answered("yes")) as server:
        endpoint = _endpoint(server.url, dialect="anthropic")
        assert (await endpoint.ask("Look.", ASKED, max_tokens=77)).text == "yes"
        await endpoint.ask("Look.", ASKED, max_tokens=77, effort="low")
    (path, headers, body), (_, _, careful) = server.requests
    assert path == "/v1/messages"
    assert headers["x-api-key"] == KEY
    assert headers["anthropic-version"]
    assert (body["system"], body["max_tokens"]) == ("Look.", 77)
    assert body["messages"][0]["content"][1]["source"]["media_type"] == "image/png"
    assert careful["max_tokens"] > careful["thinking"]["budget_tokens"] >= 1024


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("", "/v1/chat/completions"),
        ("/openai/deployments/x", "/openai/deployments/x/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/v1/messages", "/v1/messages"),
    ],
)
async def test_the_address_of_the_call_follows_from_that_of_the_api(endpoints: ModuleType, url: str, path: str) -> None:
    with endpoints.scripted(endpoints.Answered("yes")) as server:
        await _endpoint(server.url + url).ask("", ASKED)
    assert server.requests[0][0] == path


@pytest.mark.parametrize("status", [429, 500, 503, 529])
async def test_a_busy_endpoint_is_asked_again(endpoints: ModuleType, status: int) -> None:
    busy = endpoints.Answered(status=status, body=b"busy", headers={"retry-after": "0.2"})
    with endpoints.scripted(busy, busy, endpoints.Answered("at last")) as server:
        assert (await _endpoint(server.url).ask("", ASKED)).text == "at last"
    assert len(server.requests) == 3


async def test_a_pause_that_is_asked_for_is_kept(endpoints: ModuleType) -> None:
    busy = endpoints.Answered(status=429, headers={"retry-after": "1.5"})
    with endpoints.scripted(busy, endpoints.Answered("yes")) as server:
        started = time.monotonic()
        await _endpoint(server.url).ask("", ASKED)
        assert time.monotonic() - started >= 1.5
    assert len(server.requests) == 2


async def test_a_pause_beyond_the_time_ends_at_once(endpoints: ModuleType) -> None:
    busy = endpoints.Answered(status=429, headers={"retry-after": "3600"})
    with endpoints.scripted(busy) as server, pytest.raises(UnavailableError, match="HTTP 429"):
        await _endpoint(server.url).ask("", ASKED)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "PINCITE_VISION_API_KEY"), (404, "PINCITE_VISION_URL"), (307, "redirects")]
)
async def test_a_refusal_is_not_asked_again_and_never_shows_the_key(
    endpoints: ModuleType, status: int, advice: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = endpoints.Answered(
        status=status, body=f"bad key {KEY} given".encode(), headers={"location": "http://127.0.0.1:9/else"}
    )
    with endpoints.scripted(answer) as server, pytest.raises(UnavailableError) as caught:
        await _endpoint(server.url).ask("", ASKED)
    assert len(server.requests) == 1
    assert advice in caught.value.next
    assert "bad key *** given" in caught.value.seen
    assert KEY not in str(caught.value) + caplog.text


async def test_silence_ends_after_the_time(endpoints: ModuleType) -> None:
    with endpoints.scripted(endpoints.Answered("late", delay=5)) as server:
        with pytest.raises(UnavailableError, match="did not answer in time"):
            await _endpoint(server.url, seconds=0.5).ask("", ASKED)
        assert len(server.requests) == 1


async def test_a_closed_door_is_an_outage() -> None:
    with pytest.raises(UnavailableError, match="could not be reached") as caught:
        await _endpoint("http://127.0.0.1:9/v1", seconds=3).ask("", ASKED)
    assert "127.0.0.1" in caught.value.what


@pytest.mark.parametrize(
    "body", [b"not json", b"[]", b'{"choices": []}', b'{"choices": [{"message": {"content": null, "refusal": "No."}}]}']
)
async def test_an_answer_without_text_is_no_answer(endpoints: ModuleType, body: bytes) -> None:
    with endpoints.scripted(endpoints.Answered(body=body)) as server, pytest.raises(UnavailableError):
        await _endpoint(server.url).ask("", ASKED)
    assert len(server.requests) == 1


async def test_too_much_is_neither_sent_nor_read(endpoints: ModuleType) -> None:
    huge = ImagePart(b"x" * (30 << 20), "image/png")
    with endpoints.scripted(endpoints.Answered(body=b"x" * (5 << 20))) as server:
        with pytest.raises(LimitReachedError):
            await _endpoint(server.url).ask("", [Message("user", [huge])])
        with pytest.raises(UnavailableError, match="too long an answer"):
            await _endpoint(server.url).ask("", ASKED)


async def test_a_cancelled_question_ends_at_once(endpoints: ModuleType) -> None:
    with endpoints.scripted(endpoints.Answered("late", delay=3)) as server, anyio.move_on_after(0.3) as scope:
        await _endpoint(server.url).ask("", ASKED)
    assert scope.cancelled_caught


def test_settings_make_an_endpoint_or_say_what_is_missing() -> None:
    assert ModelEndpoint.of(Settings()) is None
    with pytest.raises(BadInputError, match="partly set up"):
        ModelEndpoint.of(Settings(vision_url="http://127.0.0.1:1/v1"))
    with pytest.raises(BadInputError, match="not an address"):
        ModelEndpoint.of(Settings(vision_url="seer", vision_model="m"))
    made = ModelEndpoint.of(
        Settings(vision_url="http://127.0.0.1:1/v1", vision_model="m", vision_api_key=SecretStr(KEY))
    )
    assert made is not None
    assert made.name == "m at 127.0.0.1"
    assert KEY not in repr(vars(made))


async def test_a_text_model_has_settings_and_words_of_its_own(endpoints: ModuleType) -> None:
    assert ModelEndpoint.of_text(Settings(vision_url="http://127.0.0.1:1/v1", vision_model="m")) is None
    with pytest.raises(BadInputError, match="text model is only partly set up") as half:
        ModelEndpoint.of_text(Settings(text_model="m"))
    assert half.value.next == "Set both PINCITE_TEXT_URL and PINCITE_TEXT_MODEL."
    with pytest.raises(BadInputError) as address:
        ModelEndpoint.of_text(Settings(text_url="seer", text_model="m"))
    assert "PINCITE_TEXT_URL" in address.value.next
    with endpoints.scripted(endpoints.Answered("yes"), endpoints.Answered(status=401, body=KEY.encode())) as server:
        made = ModelEndpoint.of_text(
            Settings(text_url=server.url, text_model="m", text_api_key=SecretStr(KEY), text_dialect="anthropic")
        )
        assert made is not None
        assert (await made.ask("", ASKED)).text == "yes"
        with pytest.raises(UnavailableError, match="text model") as refused:
            await made.ask("", ASKED)
    assert server.requests[0][0] == "/v1/messages"
    assert refused.value.next == "Check PINCITE_TEXT_API_KEY."
    assert KEY not in str(refused.value)
