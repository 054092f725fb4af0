"""A cast: scripts and functions that play the roles of a program by the labels of its requests."""

import json
import threading
from typing import Any

import httpx2
import pytest

from pincite_doors.testing import Request, ScriptedModel, call, fail, say
from pincite_models.label import HEADER

TOOL = {"name": "answer", "input_schema": {"type": "object"}}


def ask(model: ScriptedModel, role: str = "", who: str = "", text: str = "Go.", **body: Any) -> httpx2.Response:
    """One request in the name of a role, or of none."""
    headers = {HEADER.decode(): json.dumps({"role": role, "id": who})} if role else {}
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}], **body}
    return httpx2.post(f"{model.url}/v1/messages", json=asked, headers=headers, timeout=20)


def said(response: httpx2.Response) -> str:
    assert response.status_code == 200, response.text
    return response.json()["content"][0]["text"]


def test_each_role_plays_its_own_part() -> None:
    """Without tools in a conversation with tools too, which a client's side requests are told by."""

    def page(request: Request) -> Any:
        assert request.label is not None
        return say(f"{request.label.id} of {request.last}")

    with ScriptedModel([say("main")], cast={"page": page, "judge/a": [say("yes")], "judge": [say("no")]}) as model:
        answered = model.left
        ask(model, "judge", "a", tools=[TOOL])
        assert said(ask(model, "page", "p1", "page 1")) == "p1 of page 1"
        assert said(ask(model, "judge", "b")) == "no"
        assert said(ask(model, "page", "p2", "page 2")) == "p2 of page 2"
        assert said(ask(model)) == "main"
        assert (answered, model.left, model.troubles) == (3, 0, [])


def test_a_role_that_nobody_plays_fails_clearly() -> None:
    def broken(_: Request) -> Any:
        return {}["no key"]

    cases = {
        "critic": "no member for the role 'critic'",
        "editor": "script of 'editor' is over: it has 1 turns",
        "broken": "member 'broken' gave no answer: KeyError",
        "": "no label, and there is a cast alone",
    }
    with ScriptedModel(cast={"editor": [say("one")], "broken": broken}) as model:
        ask(model, "editor")
        for role, words in cases.items():
            response = ask(model, role)
            assert (response.status_code, words in response.text) == (400, True), response.text
        assert [words in told for words, told in zip(cases.values(), model.troubles, strict=True)] == [True] * 4


@pytest.mark.parametrize("member", [lambda _: [fail(429), say("good")], [[fail(429), say("good")]] * 2])
def test_faults_come_before_the_turn_for_scripts_and_functions(member: Any) -> None:
    with ScriptedModel(cast={"page": member}) as model:
        for text in ("one", "two"):
            assert [ask(model, "page", "p", text).status_code for _ in range(2)] == [429, 200]
        assert [request.fault for request in model.requests] == ["Fail", "", "Fail", ""]


def test_roles_that_ask_at_once_keep_to_their_parts() -> None:
    heard: list[tuple[str, str]] = []

    def play(model: ScriptedModel, role: str) -> None:
        heard.extend((role, said(ask(model, role))) for _ in range(5))

    cast = {role: [say(f"{role} {number}") for number in range(10)] for role in "ab"}
    cast["c"] = lambda request: say(f"c {request.number}")  # type: ignore[assignment]
    with ScriptedModel(cast=cast) as model:
        threads = [threading.Thread(target=play, args=(model, role)) for role in "aabbc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (model.left, model.troubles) == (0, [])
    assert all(words.startswith(role) for role, words in heard)
    assert sorted(words for role, words in heard if role == "a") == [f"a {number}" for number in range(10)]


def test_tools_of_a_member_are_those_that_the_request_offers() -> None:
    with ScriptedModel(cast={"page": [call("answer", value=1), call("other")]}) as model:
        assert ask(model, "page", tools=[TOOL]).json()["content"][0]["input"] == {"value": 1}
        assert ask(model, "page", tools=[TOOL]).status_code == 400
        assert "other" in model.troubles[0]
