"""Sessions that the real CLIs wrote, playing one script, told as trajectories."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_trajectory.atif import ImagePart, Step, Trajectory
from pincite_trajectory.build import trajectory_json
from pincite_trajectory.sessions import read_session
from pincite_trajectory.validate import validate_trajectory

FILES = Path(__file__).parent / "files"
CLIS = ["claude", "codex", "gemini", "qwen"]
COUNTED = {
    "claude": (173144, 151, 12000, 800, 0, 7),
    "codex": (103892, 154, 12000, 800, 28, 8),
    "gemini": (110118, 150, 12000, 0, 26, 7),
    "qwen": (141557, 149, 12000, 0, 28, 7),
}
"""What the scripted model counted: prompt, completion, cached, written, reasoning tokens, calls of the model."""
VERSIONS = {"claude": "2.1.197", "codex": "0.169.0", "gemini": "unknown", "qwen": "0.15.10"}


@pytest.fixture(params=CLIS)
def cli(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def trajectory(cli: str, tmp_path: Path) -> Trajectory:
    return read_session(FILES / cli, tmp_path)


def answers(trajectory: Trajectory) -> list[Step]:
    return [step for step in trajectory.steps if step.source == "agent"]


def names(step: Step) -> list[str]:
    """Tools without what each client puts before the server's name for them."""
    return [call.function_name.rpartition("demo_")[2].lstrip("_") for call in step.tool_calls or []]


def results(step: Step) -> list[Any]:
    return step.observation.results if step.observation else []


def test_steps_follow_the_script(cli: str, trajectory: Trajectory) -> None:
    told = answers(trajectory)
    spawn = {"claude": [["Agent"]], "gemini": [["invoke_agent"]], "qwen": [["agent"]]}.get(
        cli, [["multi_agent_v1__spawn_agent"], ["multi_agent_v1__wait_agent"]]
    )
    assert [names(step) for step in told] == [["echo", "picture"], ["fail"], *spawn, ["count"], []]
    assert (told[0].message, told[0].reasoning_content) == ("Let me look.", "First look.")
    assert told[-1].message == "Done, all written."
    assert (told[0].tool_calls or [])[0].arguments == {"text": "hello é中"}
    assert [step.source for step in trajectory.steps].count("user") >= 1
    assert any(step.source == "user" and "Read the paper" in str(step.message) for step in trajectory.steps)
    assert all(step.timestamp for step in trajectory.steps)
    agent = trajectory.agent
    assert agent.version == VERSIONS[cli]
    assert agent.model_name == told[0].model_name != ""


def test_results_stand_with_their_calls(trajectory: Trajectory) -> None:
    first, second = answers(trajectory)[:2]
    echo, picture = results(first)
    assert [result.source_call_id for result in (echo, picture)] == [
        call.tool_call_id for call in first.tool_calls or []
    ]
    assert "hello é中" in echo.content and not (echo.extra or {}).get("is_error")
    assert [part.source.media_type for part in picture.content if isinstance(part, ImagePart)] == ["image/png"]
    (failed,) = results(second)
    assert failed.extra["is_error"] is True and "fail" in failed.content
    assert not any(step.source == "user" and "a pixel" in str(step.message) for step in trajectory.steps)


def test_images_are_files(trajectory: Trajectory, tmp_path: Path) -> None:
    """The written trajectory is valid, and no base64 is left in it."""
    written = tmp_path / "trajectory.json"
    written.write_text(json.dumps(trajectory_json(trajectory)))
    assert validate_trajectory(written) == trajectory
    assert "iVBOR" not in written.read_text()
    (image,) = set(trajectory.media_paths())
    assert (tmp_path / image).read_bytes().startswith(b"\x89PNG")


def test_tokens_are_those_that_the_model_counted(cli: str, trajectory: Trajectory) -> None:
    total = trajectory.final_metrics
    assert total is not None and total.extra is not None
    prompt, completion, cached, written, reasoning, calls = COUNTED[cli]
    assert (total.total_prompt_tokens, total.total_completion_tokens, total.total_cached_tokens) == (
        prompt,
        completion,
        cached,
    )
    assert total.extra == {"model_calls": calls, "cache_write_tokens": written, "reasoning_tokens": reasoning}


def test_sub_agents_are_embedded_and_referred_to(cli: str, trajectory: Trajectory) -> None:
    (sub,) = trajectory.subagent_trajectories or []
    referring = [
        (names(step), reference.trajectory_id)
        for step in answers(trajectory)
        for result in results(step)
        for reference in result.subagent_trajectory_ref or []
    ]
    assert [identifier for _, identifier in referring] == [sub.trajectory_id]
    assert referring[0][0][0].rpartition("__")[2] in {"Agent", "spawn_agent", "invoke_agent", "agent"}
    told = answers(sub)
    assert names(told[0]) == ["count"]
    if cli == "qwen":
        assert results(told[0])[0].extra == {"not_told": True}
    else:
        assert "3" in str(results(told[0])[0].content)
        assert "SUBTASK" in str(next(step.message for step in sub.steps if "SUBTASK" in str(step.message)))
    assert sub.steps[0].step_id == 1
    assert sub.final_metrics is not None and (sub.final_metrics.total_prompt_tokens or 0) > 0


def test_what_the_agent_was_told_itself(tmp_path: Path) -> None:
    """Codex keeps its instruction, Claude Code what it adds to the context."""
    codex = read_session(FILES / "codex", tmp_path)
    assert codex.steps[0].source == "system"
    assert str(codex.steps[0].message).startswith("You are a coding agent running in the Codex CLI")
    claude = read_session(FILES / "claude", tmp_path)
    added = [step for step in claude.steps if (step.extra or {}).get("attachment") == "mcp_instructions_delta"]
    assert [step.message for step in added] == ["## demo\nSay hello first."]


def test_a_compaction_is_a_step(tmp_path: Path) -> None:
    trajectory = read_session(FILES / "claude_compacted.jsonl", tmp_path)
    (compaction,) = [step for step in trajectory.steps if (step.extra or {}).get("context_management")]
    assert compaction.source == "system"
    assert (compaction.extra or {})["context_management"] == {"type": "compaction", "boundary": "replace"}
    assert answers(trajectory)[-1].message == "After."
    synthetic = [step for step in answers(trajectory) if step.llm_call_count == 0]
    assert [step.metrics for step in synthetic] == [None]


def changed(cli: str, folder: Path, change: Any) -> Path:
    """A copy of a CLI's main session whose records went through ``change``."""
    shutil.copytree(FILES / cli, folder / cli)
    path = max((folder / cli).rglob("*.jsonl"), key=lambda one: one.stat().st_size)
    records = change([json.loads(line) for line in path.read_text().splitlines()])
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


def test_gemini_takes_back_and_replaces(tmp_path: Path) -> None:
    """Later records of a message replace it, ``$rewindTo`` takes back; older versions wrote one JSON object."""

    def rewound(records: list[Any]) -> list[Any]:
        last = [record for record in records if record.get("type") == "gemini"][-1]
        return [*records, {"$rewindTo": last["id"]}, last | {"id": "new", "content": "Otherwise."}]

    path = changed("gemini", tmp_path, rewound)
    told = answers(read_session(path, tmp_path))
    assert told[-1].message == "Otherwise."
    assert "Done, all written." not in [step.message for step in told]
    records = [json.loads(line) for line in path.read_text().splitlines()]
    messages = {record["id"]: record for record in records if "id" in record}
    old = tmp_path / "old" / "session-1.json"
    old.parent.mkdir()
    old.write_text(json.dumps(records[0] | {"messages": list(messages.values())}))
    assert [step.message for step in answers(read_session(old, tmp_path))][-1] == "Otherwise."


def test_gemini_puts_a_summary_in_place_of_its_history(tmp_path: Path) -> None:
    """What was said before is told all the same; a result that then holds its neighbours' answers keeps to its own."""

    def summed_up(records: list[Any]) -> list[Any]:
        messages = {record["id"]: record for record in records if "id" in record}
        first, *_, last = [message for message in messages.values() if message["type"] == "gemini"]
        answers = [part for call in first["toolCalls"] for part in call["result"]]
        both = first | {"toolCalls": [call | {"result": answers} for call in first["toolCalls"]]}
        summary = {"id": "s1", "type": "user", "content": [{"text": "<state_snapshot>We echoed."}]}
        thanks = {"id": "s2", "type": "gemini", "content": [{"text": "Got it."}]}
        kept = last | {"content": [{"text": last["content"]}]}
        after = last | {"id": "s3", "content": "After."}
        return [*records, both, {"$set": {"messages": [summary, thanks, kept]}}, after]

    whole = read_session(FILES / "gemini", tmp_path)
    told = read_session(changed("gemini", tmp_path, summed_up), tmp_path)
    *before, compaction, after = told.steps
    assert [step.message for step in before] == [step.message for step in whole.steps]
    assert results(answers(told)[0]) == results(answers(whole)[0])
    assert (compaction.extra or {})["context_management"]["type"] == "compaction"
    assert "We echoed." in str(compaction.message)
    assert after.message == "After."


def test_codex_without_token_records(tmp_path: Path) -> None:
    """Older rollouts count tokens only in ``token_count`` events, after the results."""
    path = changed("codex", tmp_path, lambda records: [one for one in records if one["type"] != "token_usage_record"])
    now, before = read_session(FILES / "codex", tmp_path), read_session(path, tmp_path)
    assert [names(step) for step in answers(before)] == [names(step) for step in answers(now)]
    assert [step.metrics for step in answers(before)] == [step.metrics for step in answers(now)]


def test_qwen_follows_the_branch_that_was_kept(tmp_path: Path) -> None:
    def branched(records: list[Any]) -> list[Any]:
        first = records[0]
        return [*records, {**records[-1], "uuid": "new", "parentUuid": first["uuid"]}]

    told = read_session(changed("qwen", tmp_path, branched), tmp_path)
    assert [step.source for step in told.steps] == ["user", "agent"]


def test_qwen_compresses_and_its_model_fails(tmp_path: Path) -> None:
    def later(records: list[Any]) -> list[Any]:
        last = records[-1]

        def system(name: str, after: str, subtype: str, payload: Any) -> Any:
            more = {"type": "system", "subtype": subtype, "systemPayload": payload, "uuid": name, "parentUuid": after}
            return {key: value for key, value in last.items() if key != "message"} | more

        history = [{"role": "user", "parts": [{"text": "<state_snapshot>We echoed."}]}, last["message"]]
        error = {"event.name": "qwen-code.api_error", "error_message": "429 Slow down.", "status_code": 429}
        return [
            *records,
            system("s1", last["uuid"], "chat_compression", {"info": {}, "compressedHistory": history}),
            system("s2", "s1", "ui_telemetry", {"uiEvent": error}),
        ]

    *_, compaction, failed = read_session(changed("qwen", tmp_path, later), tmp_path).steps
    assert compaction.message == "<state_snapshot>We echoed."
    assert (failed.message, failed.extra) == ("", {"error": {"detail": "429 Slow down."}})


def test_codex_compacts_and_its_model_fails(tmp_path: Path) -> None:
    def later(records: list[Any]) -> list[Any]:
        def line(kind: str, **payload: Any) -> Any:
            return {"timestamp": records[-1]["timestamp"], "type": kind, "payload": payload}

        ended = line("event_msg", type="task_complete", error={"message": "HTTP 500"})
        return [*records, line("compacted", message="We echoed.", replacement_history=[]), ended]

    *_, compaction, failed = read_session(changed("codex", tmp_path, later), tmp_path).steps
    assert (compaction.source, compaction.message) == ("system", "We echoed.")
    assert (compaction.extra or {})["context_management"]["type"] == "compaction"
    assert (failed.extra or {})["error"] == {"detail": "HTTP 500"}


def test_claude_repeats_nothing_after_a_resume(tmp_path: Path) -> None:
    path = changed("claude", tmp_path, lambda records: [*records, *records])
    assert len(read_session(path, tmp_path).steps) == len(read_session(FILES / "claude", tmp_path).steps)


def test_a_cut_file_is_read_as_far_as_it_goes(cli: str, tmp_path: Path) -> None:
    path = changed(cli, tmp_path, lambda records: records)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * 0.6)])
    cut = read_session(path, tmp_path)
    assert 0 < len(answers(cut)) < len(answers(read_session(FILES / cli, tmp_path)))


def spoiled(value: Any, chance: random.Random) -> Any:
    """A copy in which some values are of another kind, and some fields are gone."""
    if chance.random() < 0.02:
        return chance.choice([None, [], {}, 7, "x", "\ud800", [None]])
    if isinstance(value, dict):
        return {key: spoiled(item, chance) for key, item in value.items() if chance.random() >= 0.02}
    return [spoiled(item, chance) for item in value] if isinstance(value, list) else value


def test_no_record_of_any_shape_raises(cli: str, tmp_path: Path) -> None:
    """Fields that are missing or of another kind are passed over; only what nothing tells for a session is refused."""
    refused = 0
    for seed in range(25):
        chance = random.Random(seed)
        path = changed(
            cli, tmp_path / str(seed), lambda records, chance=chance: [spoiled(one, chance) for one in records]
        )
        try:
            trajectory_json(read_session(path, tmp_path / "out"))
        except BadInputError:
            refused += 1
    assert refused <= 5


def test_a_sub_agent_in_the_same_file(tmp_path: Path) -> None:
    """Older versions of Claude Code write sub-agents into the session itself, between its own records."""
    (aside,) = (FILES / "claude").rglob("agent-*.jsonl")
    inner = [json.loads(line) for line in aside.read_text().splitlines()]

    def mixed(records: list[Any]) -> list[Any]:
        return [*records[:-3], *inner, *records[-3:]]

    path = changed("claude", tmp_path, mixed)
    shutil.rmtree(path.with_suffix(""))
    told, whole = read_session(path, tmp_path), read_session(FILES / "claude", tmp_path)
    assert told.steps[-1].message == whole.steps[-1].message and len(told.steps) == len(whole.steps)
    (sub,), (same,) = told.subagent_trajectories or [], whole.subagent_trajectories or []
    assert sub.steps == same.steps
    referring = [result for step in answers(told) for result in results(step) if result.subagent_trajectory_ref]
    assert [result.subagent_trajectory_ref[0].trajectory_id for result in referring] == [sub.trajectory_id]


def test_sub_agents_of_sub_agents(tmp_path: Path) -> None:
    """Claude Code keeps all sub-agents in one folder: the call that started one tells where it belongs."""
    shutil.copytree(FILES / "claude", tmp_path / "claude")
    (path,) = (tmp_path / "claude").rglob("agent-*.jsonl")
    inner = path.with_name("agent-inner.jsonl")
    inner.write_text(path.read_text().replace('"uuid":"', '"uuid":"inner-').replace('"id":"toolu_', '"id":"inner_'))
    records = [json.loads(line) for line in path.read_text().splitlines()]
    calls = [one["message"]["content"] for one in records if one.get("type") == "assistant"]
    started = next(block["id"] for content in calls for block in content if block["type"] == "tool_use")
    inner.with_suffix(".meta.json").write_text(json.dumps({"toolUseId": started, "spawnDepth": 2}))
    (sub,) = read_session(tmp_path / "claude", tmp_path).subagent_trajectories or []
    assert [one.trajectory_id for one in sub.subagent_trajectories or []] == ["inner"]
    assert results(answers(sub)[0])[0].subagent_trajectory_ref[0].trajectory_id == "inner"


def test_ids_lead_nowhere_else(tmp_path: Path) -> None:
    """A session is what an agent wrote: its ids name no folders elsewhere, and threads that start each other end."""
    outside = tmp_path / "outside"
    shutil.copytree(FILES / "gemini", outside)
    path = changed("gemini", tmp_path, lambda records: [records[0] | {"sessionId": str(outside)}, *records[1:]])
    assert read_session(path, tmp_path).subagent_trajectories is None
    loop = changed("gemini", tmp_path / "loop", lambda records: records)
    own = json.loads(loop.read_text().splitlines()[0])["sessionId"]
    (sub,) = (loop.parent / own).glob("*.jsonl")
    sub.write_text(loop.read_text())
    (embedded,) = read_session(loop, tmp_path).subagent_trajectories or []
    assert embedded.trajectory_id != own
    again = changed("codex", tmp_path, lambda records: records)
    (child,) = [one for one in again.parent.glob("*.jsonl") if one != again]
    text = child.read_text()
    meta = json.loads(text.splitlines()[0])
    child.write_text(text.replace(meta["payload"]["parent_thread_id"], meta["payload"]["id"]))
    assert read_session(again, tmp_path).subagent_trajectories is None
    assert len(read_session(child, tmp_path).steps) > 3


def test_images_name_only_kept_files(tmp_path: Path) -> None:
    def elsewhere(records: list[Any]) -> list[Any]:
        text = json.dumps(records)
        start = text.index('"iVBOR') + 1
        return json.loads(text.replace(text[start : text.index('"', start)], "media:../../secret.png"))

    told = read_session(changed("claude", tmp_path, elsewhere), tmp_path)
    assert told.media_paths() == []


def test_what_is_no_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no session file"):
        read_session(tmp_path / "none.jsonl", tmp_path)
    with pytest.raises(NotFoundError, match="no session of a known agent"):
        read_session(tmp_path, tmp_path)
    other = tmp_path / "other.json"
    other.write_text('{"steps": []}')
    with pytest.raises(BadInputError, match="no session of a known agent") as refused:
        read_session(other, tmp_path)
    assert "steps" in str(refused.value)
    for name in ("one", "two"):
        shutil.copytree(FILES / "qwen", tmp_path / "both" / name)
    with pytest.raises(BadInputError, match="2 sessions"):
        read_session(tmp_path / "both", tmp_path)
