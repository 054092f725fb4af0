"""Labels at the model door: taken off before the provider sees them, and recorded beside the call."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from pincite_doors.testing import ScriptedModel, say
from pincite_models.label import HEADER, Label
from pincite_tasks.trial_record import TokenCount
from pincite_trajectory.build import Episode, build_trajectory

pytestmark = pytest.mark.anyio

NAME = HEADER.decode()
BODY = {"model": "claude-next", "max_tokens": 9, "messages": [{"role": "user", "content": "Read the page."}]}
MALFORMED = {
    "no JSON": "is JSON",
    "[]": "JSON object",
    '"page"': "JSON object",
    "{}": "has a role",
    '{"role":""}': "has a role",
    '{"role":"page","key":"sk"}': "not key",
    '{"role":"page","id":7}': "id of a label",
    '{"role":"page\\n"}': "role of a label",
    '{"role":"page","id":"\\ud800"}': "is JSON",
    '{"role":"' + "x" * 600 + '"}': "512 bytes",
    "[" * 500: "is JSON",
}


async def test_a_label_is_recorded_and_stays_on_this_side(open_model: Any) -> None:
    fields = {"role": "page", "id": "p07", "step": "fill/κ/2", "parent": "main"}
    with ScriptedModel([say("ok")] * 3) as model:
        async with open_model(model.url) as rig:
            for headers in ({NAME: json.dumps(fields)}, {NAME.upper(): '{"role":"page"}'}, {"x-pincite-other": "1"}):
                assert (await rig.agent.post("/v1/messages", json=BODY, headers=headers)).status_code == 200
            first, second, third = [line for line in await rig.wire() if line["kind"] == "request"]
    assert first["label"] == fields
    assert second["label"] == Label("page").to_json()
    assert set(first) - set(third) == {"label"}, "a request without a label is recorded as ever"
    assert not any("pincite" in name for request in model.requests for name in request.headers)


async def test_malformed_labels_pass_as_requests_without_one(open_model: Any) -> None:
    with ScriptedModel([say("ok")] * 20) as model:
        async with open_model(model.url) as rig:
            for value in MALFORMED:
                assert (await rig.agent.post("/v1/messages", json=BODY, headers={NAME: value})).status_code == 200
            for pairs in ([(NAME, "{}")] * 2, [(NAME.encode(), b'{"role":"\xff"}')]):
                assert (await rig.agent.post("/v1/messages", json=BODY, headers=pairs)).status_code == 200
            assert rig.door.trouble is None
            lines = [line for line in await rig.wire() if line["kind"] == "request"]
    assert not any("label" in line for line in lines)
    told = [line["malformed_label"] for line in lines]
    wanted = [*MALFORMED.values(), "one label", "ASCII"]
    assert [(said, words) for said, words in zip(told, wanted, strict=True) if words not in said] == []


async def test_no_secret_hides_in_a_label(open_model: Any) -> None:
    with ScriptedModel([say("ok")]) as model:
        async with open_model(model.url) as rig:
            label = json.dumps({"role": "trial-token-of-the-model"})
            await rig.agent.post("/v1/messages", json=BODY, headers={NAME: label})
            await rig.door.close()
    assert b"trial-token" not in (rig.folder / "wire" / "llm.jsonl").read_bytes()


async def test_many_equal_requests_at_once_become_as_many_sub_agents(open_model: Any) -> None:
    """Twenty-three pages ask the same at the same time; nothing but the label tells them apart."""
    pages = [f"p{number:02}" for number in range(1, 24)]
    with ScriptedModel([say(f"Answer {number}.") for number in range(23)]) as model:
        async with open_model(model.url, price=lambda _, usage: usage.output_tokens / 1000) as rig:
            headers = [{NAME: json.dumps({"role": "page", "id": page, "step": "probe/Tc"})} for page in pages]
            await asyncio.gather(*(rig.agent.post("/v1/messages", json=BODY, headers=one) for one in headers))
            meter = rig.meter
            wire = await rig.wire()
    at = wire[0]["at"]
    trajectory = build_trajectory(rig.folder, Episode("t", "crew", "1", "Go.", at, at, b"{}"))
    names = [one.trajectory_id for one in trajectory.subagent_trajectories or []]
    assert sorted(names, key=str) == [f"t:page/{page}" for page in pages]
    delegating = trajectory.steps[1]
    assert delegating.observation is not None
    references = [ref for result in delegating.observation.results for ref in result.subagent_trajectory_ref or []]
    assert Counter(ref.trajectory_id for ref in references) == Counter(names)
    embedded = [one.final_metrics for one in trajectory.subagent_trajectories or []]
    whole = trajectory.final_metrics
    assert whole is not None
    assert sum(one.total_completion_tokens or 0 for one in embedded if one) == meter.usage.output_tokens
    assert (whole.total_prompt_tokens, whole.total_completion_tokens) == (
        meter.usage.input_tokens,
        meter.usage.output_tokens,
    )
    assert whole.total_cost_usd == pytest.approx(meter.cost_usd)
    roles = (whole.extra or {})["roles"]
    tokens = TokenCount.of(meter.usage).model_dump()
    assert roles == {
        "page": {"model_calls": 23, "other_calls": 0, "tokens": tokens, "cost_usd": pytest.approx(meter.cost_usd)}
    }
