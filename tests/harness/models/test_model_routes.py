"""Routes of the model door: a role's and a server's own models, each with its address, key, API and price."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx2
import orjson
import pytest

from pincite_doors.models.route import Route, unpriced
from pincite_doors.testing import ScriptedModel, say
from pincite_models.choice import ModelChoice
from pincite_models.label import HEADER
from pincite_tasks.family import FamilyLimits
from pincite_trajectory.model_wire import read_model_record
from pincite_trajectory.totals import by_model, by_role

pytestmark = pytest.mark.anyio

CRITIC_KEY = "key-of-the-critic-0123"
SEER_KEY = "key-of-the-seer-4567"
SERVER_TOKEN = "token-of-the-servers-89"
CHAT = "/v1/chat/completions"


def chosen(name: str, url: str) -> ModelChoice:
    return ModelChoice(provider="compatible", name=name, base_url=url)


def asks(name: str, words: str = "Look.") -> dict[str, Any]:
    return {"model": name, "messages": [{"role": "user", "content": words}]}


@contextmanager
def numbers(endpoints: Any, answers: dict[str, Any]) -> Iterator[tuple[str, list[tuple[str, str, Any]]]]:
    """A provider of vectors and rankings: its address, and path, key and body of what it was asked."""
    asked: list[tuple[str, str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append((self.path, self.headers["authorization"], body))
            content = orjson.dumps(answers[self.path])
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with endpoints.listening(Handler) as url:
        yield url, asked


async def test_a_role_has_its_own_address_key_api_and_price(open_model: Any) -> None:
    with ScriptedModel([say("main")]) as main, ScriptedModel([say("critic")], key=CRITIC_KEY) as critic:
        choice = chosen("critic-1", critic.url)
        dear = lambda _, usage: usage.output_tokens * 2.0  # noqa: E731
        more = [Route(choice, CRITIC_KEY, "openai.chat", price=dear, role="critic")]
        async with open_model(main.url, price=lambda _, usage: usage.output_tokens / 4, more=more) as rig:
            body = {"model": "claude-next", "max_tokens": 9, "messages": [{"role": "user", "content": "Go."}]}
            assert "main" in (await rig.agent.post("/v1/messages", json=body)).text
            assert "critic" in (await rig.agent.post(f"/role/critic{CHAT}", json=asks("critic-1"))).text
            for path, wrong in (
                ("/role/judge/v1/chat/completions", asks("critic-1")),
                ("/role/critic/v1/messages", body),
                (CHAT, asks("critic-1")),
                ("/server/figures/vision/v1/chat/completions", asks("critic-1")),
            ):
                assert (await rig.agent.post(path, json=wrong)).status_code == 404, path
            other = await rig.agent.post(f"/role/critic{CHAT}", json=asks("claude-next"))
            assert other.status_code == 400
            assert "only critic-1" in other.text
            await rig.door.close()
            assert rig.door.meter.calls == 2
        spent = [request.usage for request in (*main.requests, *critic.requests)]
    record = read_model_record(rig.folder / "wire" / "llm.jsonl")
    first, second, _ = record.exchanges
    assert (first.route, second.route, second.dialect) == ("", "role/critic", "openai.chat")
    assert [one.cost_usd for one in (first, second)] == [spent[0].output_tokens / 4, spent[1].output_tokens * 2.0]
    models = by_model(record.exchanges[:2])
    assert list(models) == ["compatible:claude-next", "compatible:critic-1"]
    assert models["compatible:critic-1"].cost_usd == spent[1].output_tokens * 2.0
    assert {role: one.model_calls for role, one in by_role(record.exchanges[:2]).items()} == {"": 1, "critic": 1}
    assert CRITIC_KEY.encode() not in (rig.folder / "wire" / "llm.jsonl").read_bytes()


@pytest.mark.parametrize("dialect", ["openai.chat", "openai.responses"])
async def test_vectors_are_counted_and_costed_and_not_recorded(open_model: Any, endpoints: Any, dialect: Any) -> None:
    vector = [0.015625] * 256
    answer = {
        "model": "embed-3",
        "data": [{"index": place, "embedding": vector} for place in range(2)],
        "usage": {"prompt_tokens": 40, "total_tokens": 40},
    }
    with ScriptedModel([]) as main, numbers(endpoints, {"/v1/embeddings": answer}) as (url, asked):
        limits = FamilyLimits(model_calls=1, tokens=100)
        cheap = lambda _, usage: usage.input_tokens / 10  # noqa: E731
        priced = Route(chosen("embed-3", url), "key-of-vectors-123", dialect, price=cheap, role="embedder")
        async with open_model(main.url, limits=limits, more=[priced]) as rig:
            place = "/role/embedder/v1/embeddings"
            sent = {"model": "embed-3", "input": ["one", "two"]}
            told = await rig.agent.post(place, json=sent, headers={HEADER.decode(): '{"role":"index"}'})
            assert told.json() == answer, "the agent gets the vectors"
            for wrong in ({"input": [{"image": "https://example.org/a.png"}]}, {"input": ["a"], "route": "x"}):
                refused = await rig.agent.post(place, json={"model": "embed-3", **wrong})
                assert refused.status_code == 400
            assert (rig.door.meter.calls, rig.door.meter.tokens) == (0, 40)
            assert [(await rig.agent.post(place, json=sent)).status_code for _ in range(3)] == [200, 200, 400]
            assert rig.door.limited.is_set()
            assert rig.door.meter.exceeded == "tokens: 100"
            await rig.door.close()
    assert [(path, key) for path, key, _ in asked] == [("/v1/embeddings", "Bearer key-of-vectors-123")] * 3
    record = read_model_record(rig.folder / "wire" / "llm.jsonl")
    assert b"0.015625" not in (rig.folder / "wire" / "llm.jsonl").read_bytes()
    assert b"2 vectors of 256 numbers, not kept" in (rig.folder / "wire" / "llm.jsonl").read_bytes()
    first = record.exchanges[0]
    assert (first.kind, first.cost_usd) == ("embeddings", 4.0)
    spent = by_role(record.exchanges)
    assert (spent["index"].model_calls, spent["index"].other_calls, spent["index"].tokens.input) == (0, 1, 40)


async def test_servers_ask_at_a_port_of_their_own(open_model: Any, endpoints: Any) -> None:
    ranked = {"results": [{"index": 0, "relevance_score": 0.5}], "meta": {"tokens": {"input_tokens": 7}}}
    limits = FamilyLimits(model_calls=2)
    with (
        ScriptedModel([say("It is red."), say("It is blue.")], key=SEER_KEY) as seer,
        numbers(endpoints, {"/v2/rerank": ranked}) as (url, asked),
    ):
        more = [
            Route(chosen("seer", seer.url), SEER_KEY, "openai.chat", price=unpriced, server="figures", use="vision"),
            Route(chosen("rank", url), "key-of-ranking-12", "rerank", price=unpriced, server="library", use="rerank"),
        ]
        async with open_model(seer.url, limits=limits, more=more, server_token=SERVER_TOKEN) as rig:
            label = {HEADER.decode(): '{"role":"server:figures.inspect_figure","id":"7"}'}
            vision = f"{rig.door.address('figures', 'vision')}{CHAT}"
            rerank = f"{rig.door.address('library', 'rerank')}/v2/rerank"
            own = {"authorization": f"Bearer {SERVER_TOKEN}"}
            async with httpx2.AsyncClient(timeout=30) as server:
                for wrong in ("trial-token-of-the-model", ""):
                    refused = await server.post(vision, json=asks("seer"), headers={"x-api-key": wrong})
                    assert refused.status_code == 401, "the agent's token opens nothing there"
                for _ in range(2):
                    told = await server.post(vision, json=asks("seer"), headers=own | label)
                    assert told.status_code == 200
                body = {"model": "rank", "query": "red", "documents": ["a"], "top_n": 1}
                forged = {HEADER.decode(): '{"role":"server:figures.inspect_figure","id":"7"}'}
                assert (await server.post(rerank, json=body, headers=own | forged)).json() == ranked
                assert not rig.door.limited.is_set()
                over = await server.post(vision, json=asks("seer"), headers=own | label)
                assert (over.status_code, rig.door.limited.is_set()) == (400, True)
                assert rig.door.trouble is None, "what a server's model fails of is not the agent's"
            lines = [line for line in await rig.wire() if line["kind"] == "request"]
    assert asked[0][:2] == ("/v2/rerank", "Bearer key-of-ranking-12")
    steps = [(line["label"]["role"], line["label"]["id"], line["label"]["step"]) for line in lines]
    seen = ("server:figures.inspect_figure", "7")
    assert steps[:3] == [(*seen, "vision 1"), (*seen, "vision 2"), ("server:library", "", "rerank 1")]
    assert not any("authorization" in json.dumps(line).lower() for line in lines)


async def test_an_agent_cannot_pass_for_a_server(open_model: Any) -> None:
    with ScriptedModel([say("ok")]) as model:
        async with open_model(model.url) as rig:
            body = {"model": "claude-next", "max_tokens": 9, "messages": [{"role": "user", "content": "Go."}]}
            claimed = {HEADER.decode(): '{"role":"server:figures.inspect_figure","id":"1"}'}
            assert (await rig.agent.post("/v1/messages", json=body, headers=claimed)).status_code == 200
            [line] = [line for line in await rig.wire() if line["kind"] == "request"]
    assert "label" not in line
    assert "server's" in line["malformed_label"]
