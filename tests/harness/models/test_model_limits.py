"""The limits that the model door keeps, and what its policy opens."""

import asyncio
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_doors.models.meter import ModelMeter
from pincite_doors.testing import ScriptedModel, fail, say, turn
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import Usage
from pincite_models.pricing import price_of
from pincite_tasks.family import FamilyLimits, ModelPolicy

pytestmark = pytest.mark.anyio


def no_price(model: str, usage: Usage) -> float | None:
    return None


async def test_the_limit_of_calls_counts_failed_ones_too(open_model: Any) -> None:
    with ScriptedModel([[fail(500), say("one")], say("two"), say("three")]) as model:
        async with open_model(model.url, limits=FamilyLimits(model_calls=2)) as rig:
            statuses = [(await rig.ask()).status_code for _ in range(2)]
            assert not rig.door.limited.is_set()
            refused = await rig.ask()
            await asyncio.wait_for(rig.door.limited.wait(), 30)
            ends = await rig.ends()
    assert statuses == [500, 200]
    assert refused.status_code == 400
    assert refused.headers["x-should-retry"] == "false"
    assert "model calls: 2" in refused.json()["error"]["message"]
    assert (rig.meter.calls, rig.meter.exceeded, len(model.requests)) == (2, "model calls: 2", 2)
    assert [end["cause"] for end in ends] == ["server_error", None, "limit"]


async def test_calls_at_once_do_not_slip_through(open_model: Any) -> None:
    with ScriptedModel([say("one")] * 9) as model:
        async with open_model(model.url, limits=FamilyLimits(model_calls=3)) as rig:
            answers = await asyncio.gather(*(rig.ask() for _ in range(9)))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [400] * 6
    assert len(model.requests) == 3


async def test_no_sdk_asks_again_when_the_limit_is_reached(open_model: Any, relayed: Any, sdk: Any) -> None:
    with ScriptedModel() as model:
        async with (
            open_model(model.url, dialect=sdk.dialect, name=sdk.model, limits=FamilyLimits(model_calls=0)) as rig,
            relayed(rig.socket) as address,
        ):
            with pytest.raises(Exception, match="limit of this trial"):
                await sdk.stream(address, "trial-token-of-the-model")
            assert [end["cause"] for end in await rig.ends()] == ["limit"]
    assert model.requests == []


@pytest.mark.parametrize("stream", [True, False])
async def test_an_answer_that_passes_the_limit_of_tokens_is_the_last(open_model: Any, stream: bool) -> None:
    script = [turn(say("a"), usage=Usage(400, 90, 300)), turn(say("b"), usage=Usage(600, 10)), say("c")]
    with ScriptedModel(script) as model:
        async with open_model(model.url, limits=FamilyLimits(tokens=1000)) as rig:
            assert (await rig.ask(stream=stream)).status_code == 200
            assert not rig.door.limited.is_set()
            assert (await rig.ask(stream=stream)).status_code == 200
            assert rig.door.limited.is_set()
            assert (await rig.ask(stream=stream)).status_code == 400
    assert rig.meter.exceeded == "tokens: 1000"
    assert rig.meter.usage == Usage(1000, 100, 300)


async def test_a_limit_of_cost(open_model: Any) -> None:
    script = [turn(say("a"), usage=Usage(10, 1)), say("b")]
    limits = FamilyLimits(cost_usd=0.5)
    with ScriptedModel(script) as model:
        async with open_model(model.url, limits=limits, price=lambda name, usage: usage.input_tokens / 20) as rig:
            assert (await rig.ask()).status_code == 200
            assert (await rig.ask()).status_code == 400
    assert (rig.meter.cost_usd, rig.meter.exceeded) == (0.5, "cost: 0.5 USD")


async def test_an_unknown_price_is_an_unknown_cost(open_model: Any) -> None:
    with ScriptedModel([say("a")]) as model:
        async with open_model(model.url, price=no_price) as rig:
            await rig.ask()
            [end] = await rig.ends()
    assert rig.meter.cost_usd is None
    assert end["cost_usd"] is None
    assert end["usage"]["output_tokens"] > 0


def test_a_limit_of_cost_needs_a_price() -> None:
    with pytest.raises(BadInputError, match="price"):
        ModelMeter(FamilyLimits(cost_usd=1), None)


def test_prices_are_the_published_ones() -> None:
    choice = ModelChoice(provider="anthropic", name="claude-sonnet-4-5", base_url="http://127.0.0.1:9")
    price = price_of(choice)
    assert price is not None
    usage = Usage(1000, 100, cached_tokens=400, cache_write_tokens=200)
    cost = (400 * 3 + 400 * 0.3 + 200 * 3.75 + 100 * 15) / 1e6
    assert price("claude-sonnet-4-5-20250929", usage) == pytest.approx(cost)
    assert price("an answer names it otherwise", usage) == pytest.approx(cost)
    assert price_of(choice.model_copy(update={"name": "no-such-model"})) is None
    assert price_of(choice.model_copy(update={"provider": "compatible"})) is None
    router = ModelChoice(provider="compatible", name="openai/gpt-5", base_url="https://openrouter.ai/api")
    assert price_of(router) is not None


SEARCH = {"type": "web_search_20250305", "name": "web_search"}


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"model": "claude-dear"}, "claude-dear"),
        ({"model": ""}, "''"),
        ({"fallbacks": [{"model": "claude-dear"}]}, "fallbacks"),
        ({"tools": [SEARCH]}, "web_search_20250305"),
        ({"mcp_servers": [{"type": "url", "url": "https://evil.example"}]}, "mcp_servers"),
        ({"background": True}, "background"),
    ],
)
async def test_what_the_task_does_not_open_is_refused(open_model: Any, more: dict[str, Any], word: str) -> None:
    with ScriptedModel([say("one")]) as model:
        async with open_model(model.url) as rig:
            answer = await rig.ask(**more)
            request, end = await rig.wire()
    assert answer.status_code == 400
    assert word in answer.json()["error"]["message"]
    assert (model.requests, rig.meter.calls, rig.door.limited.is_set()) == ([], 0, False)
    assert (end["cause"], request["seq"], end["seq"]) == ("policy", 1, 1)


async def test_what_the_task_opens_passes(open_model: Any) -> None:
    policy = ModelPolicy(hosted_tools=["web_search"], models=["claude-small"])
    with ScriptedModel([say("one"), say("two")]) as model:
        async with open_model(model.url, policy=policy) as rig:
            assert (await rig.ask(model="claude-small", tools=[SEARCH])).status_code == 200
            other = {"type": "code_execution_20250825", "name": "code_execution"}
            assert (await rig.ask(tools=[SEARCH, other])).status_code == 400


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/messages/batches"),
        ("POST", "/v1/files"),
        ("POST", "/v1/chat/completions"),
        ("GET", "/v1/messages/../files"),
        ("POST", "/v1/messages%2f..%2ffiles"),
        ("DELETE", "/v1/models/claude-next"),
        ("GET", "/v1/models/..%2f..%2fv1%2ffiles"),
        ("GET", "/"),
    ],
)
async def test_other_doors_of_the_provider_are_closed(open_model: Any, method: str, path: str) -> None:
    with ScriptedModel() as model:
        async with open_model(model.url) as rig:
            answer = await rig.agent.request(method, path)
            [record] = await rig.wire()
    assert answer.status_code == 404
    assert model.requests == []
    assert (record["kind"], record["status"]) == ("refused", 404)


@pytest.mark.parametrize("limits", [FamilyLimits(), FamilyLimits(tokens=10**6)])
async def test_chat_streams_tell_their_usage_where_a_limit_needs_it(open_model: Any, limits: FamilyLimits) -> None:
    body = {"model": "claude-next", "stream": True, "messages": [{"role": "user", "content": "x"}]}
    with ScriptedModel([say("one")]) as model:
        async with open_model(model.url, dialect="openai.chat", limits=limits) as rig:
            assert (await rig.agent.post("/v1/chat/completions", json=body)).status_code == 200
    assert ("stream_options" in model.requests[0].body) is (limits.tokens is not None)
    assert (rig.meter.tokens > 0) is (limits.tokens is not None)
