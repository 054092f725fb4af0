"""Faults of a scripted model: each arrives at the real SDKs as the trouble that it names, and only as often as told."""

import json
import time
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import httpx
import pytest

from pincite_doors.testing import ScriptedModel, cut, drop, garble, hang, say, slow, stumble

BODY = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Go."}]}


@pytest.mark.parametrize("fault", [cut, drop, garble, stumble], ids=["cut", "drop", "garble", "stumble"])
def test_a_fault_spoils_one_request_and_then_the_turn_is_played(asking, fault) -> None:
    with ScriptedModel([[fault(), say("A whole answer, long enough to be cut.")]]) as model:
        with pytest.raises(Exception) as trouble:
            asking(model)
        assert not isinstance(trouble.value, AssertionError)
        assert asking(model).text == "A whole answer, long enough to be cut."
    assert [request.fault for request in model.requests] == [fault.__name__.capitalize(), ""]
    assert model.requests[0].usage is None
    assert model.usage == model.requests[1].usage


@pytest.mark.parametrize("streamed", [False])
def test_a_fault_without_a_number_stays(asking) -> None:
    with ScriptedModel([[drop(times=None), say("Never.")]]) as model:
        for _ in range(3):
            with pytest.raises(Exception, match=r"(?i)connect|disconnect|closed"):
                asking(model)
    assert model.left == 1


@pytest.mark.parametrize("streamed", [False])
def test_a_client_that_gives_up_on_a_hanging_model_is_noticed(asking) -> None:
    with ScriptedModel([[hang(), say("Later.")]]) as model:
        with pytest.raises(Exception, match=r"(?i)time"):
            asking(model, timeout=0.3)
        assert model.wait_for(lambda: bool(model.requests) and model.requests[0].left)
        assert asking(model).text == "Later."


def test_a_model_that_hangs_in_the_midst_has_sent_what_it_said() -> None:
    with ScriptedModel([[hang(after=40), say("Later.")]]) as model:
        with httpx.stream("POST", f"{model.url}/v1/messages", json=BODY | {"stream": True}, timeout=20) as response:
            pieces = response.iter_bytes()
            assert len(next(pieces)) == 40
            assert not model.requests[0].done.is_set()
        assert model.wait_for(lambda: model.requests[0].left)


def test_a_hang_of_some_seconds_ends_with_a_closed_connection() -> None:
    with ScriptedModel([[hang(seconds=0.05), say("Later.")]]) as model, pytest.raises(httpx.RemoteProtocolError):
        httpx.post(f"{model.url}/v1/messages", json=BODY)
    assert not model.requests[0].left


@pytest.mark.parametrize("after", [0, 1, 100])
@pytest.mark.parametrize("streamed", [True, False])
def test_a_cut_comes_after_so_many_bytes(after: int, streamed: bool) -> None:
    got = b""
    with (
        ScriptedModel([[cut(after=after), say("Half of it.")]]) as model,
        pytest.raises(httpx.RemoteProtocolError),
        httpx.stream("POST", f"{model.url}/v1/messages", json=BODY | {"stream": streamed}) as response,
    ):
        assert response.status_code == 200
        for piece in response.iter_bytes():
            got += piece
    assert len(got) == after


def test_a_slow_model_streams_what_it_has() -> None:
    with ScriptedModel([[slow(first=0.05, between=0.02), say("One and two and three.")]]) as model:
        began = time.monotonic()
        with httpx.stream("POST", f"{model.url}/v1/messages", json=BODY | {"stream": True}) as response:
            arrivals = [time.monotonic() - began for _ in response.iter_raw()]
    assert arrivals[0] >= 0.05
    assert arrivals[-1] - arrivals[0] >= 0.02 * 5


def test_a_client_that_leaves_a_slow_stream_is_noticed() -> None:
    with ScriptedModel([[slow(between=5), say("One and two and three.")]]) as model:
        with httpx.stream("POST", f"{model.url}/v1/messages", json=BODY | {"stream": True}) as response:
            next(response.iter_raw())
        assert model.wait_for(lambda: model.requests[0].left)
    assert model.requests[0].usage is None


def test_leaving_the_model_ends_what_hangs() -> None:
    import socket

    with ScriptedModel([[hang(), say("Never.")]]) as model:
        host, port = model.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as waiting:
            text = json.dumps(BODY)
            waiting.sendall(f"POST /v1/messages HTTP/1.1\r\ncontent-length: {len(text)}\r\n\r\n{text}".encode())
            assert model.wait_for(lambda: bool(model.turns))
            model.__exit__(None, None, None)
            waiting.settimeout(5)
            assert waiting.recv(10) == b""


def test_a_body_in_chunks_is_read() -> None:
    with ScriptedModel([say("Yes.")]) as model:
        text = json.dumps(BODY).encode()
        request = HttpRequest(f"{model.url}/v1/messages", iter([text[:9], text[9:]]), method="POST")
        with urlopen(request, timeout=5) as response:
            assert json.load(response)["content"] == [{"type": "text", "text": "Yes."}]
    assert model.requests[0].body == BODY


def test_gemini_streams_an_array_where_events_are_not_asked_for() -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}
    with ScriptedModel([say("One and two and three.")]) as model:
        answers = httpx.post(f"{model.url}/v1beta/models/m:streamGenerateContent", json=body).json()
    parts = [part for answer in answers for part in answer["candidates"][0]["content"]["parts"]]
    assert "".join(part["text"] for part in parts) == "One and two and three."
