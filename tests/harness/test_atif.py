"""ATIF 1.8: a table of documents that must be accepted and of documents that must be refused."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_trajectory.sources import open_source
from pincite_trajectory.validate import validate_trajectory

AGENT = {"name": "a", "version": "1"}
USER = {"step_id": 1, "source": "user", "message": "Read."}
CALL = {"tool_call_id": "c1", "function_name": "grep", "arguments": {"pattern": "Tc"}}
RESULT = {"source_call_id": "c1", "content": "92 K"}


def document(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"schema_version": "ATIF-v1.8", "agent": AGENT, "steps": list(steps) or [USER], **fields}


def agent_step(step_id: int = 2, **fields: Any) -> dict[str, Any]:
    return {"step_id": step_id, "source": "agent", "message": "", **fields}


def image(path: str, media_type: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"media_type": media_type, "path": path}}


def observed(content: Any) -> dict[str, Any]:
    return document({**USER, "observation": {"results": [{"content": content}]}})


METRICS = {"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 8, "cost_usd": 0.001, "logprobs": [-0.5]}

ACCEPTED: dict[str, dict[str, Any]] = {
    "the least": document(),
    "version left out": {"agent": AGENT, "steps": [USER]},
    "an older version": document(schema_version="ATIF-v1.4"),
    "empty message": document({**USER, "message": ""}),
    "parts as message": document({**USER, "message": [{"type": "text", "text": "a"}, image("https://x.org/a.png")]}),
    "call and result": document(USER, agent_step(tool_calls=[CALL], observation={"results": [RESULT]})),
    "call without result": document(USER, agent_step(tool_calls=[CALL])),
    "result without a call": document({**USER, "observation": {"results": [{"content": None}]}}),
    "deterministic dispatch": document(USER, agent_step(llm_call_count=0, tool_calls=[CALL])),
    "metrics": document(USER, agent_step(metrics=METRICS, reasoning_content="because", llm_call_count=1)),
    "effort as a number": document(USER, agent_step(reasoning_effort=0.5, model_name="m")),
    "effort as a word": document(USER, agent_step(reasoning_effort="high")),
    "timestamp with Z": document({**USER, "timestamp": "2026-11-21T08:00:00Z"}),
    "timestamp with offset": document({**USER, "timestamp": "2026-11-21T08:00:00.123+02:00"}),
    "compaction": document(
        {
            "step_id": 1,
            "source": "system",
            "message": "summary",
            "extra": {"context_management": {"type": "compaction", "boundary": "replace"}},
        }
    ),
    "tool definitions": document(agent=AGENT | {"tool_definitions": [{"type": "function", "function": {"name": "x"}}]}),
    "final metrics": document(final_metrics={"total_prompt_tokens": 1, "total_cost_usd": 0, "extra": {"n": 1}}),
    "embedded trajectory": document(
        subagent_trajectories=[document(trajectory_id="s1"), document(trajectory_id="s2")], trajectory_id="main"
    ),
    "reference by id": document(
        {**USER, "observation": {"results": [{"subagent_trajectory_ref": [{"trajectory_id": "s1"}]}]}}
    ),
    "copied context": document({**USER, "is_copied_context": True}),
    "audio": observed([{"type": "audio", "source": {"media_type": "audio/wav", "path": "s3://b/x.wav"}}]),
}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no steps": ({"agent": AGENT, "steps": []}, "steps"),
    "no agent": ({"steps": [USER]}, "agent"),
    "agent without version": (document(agent={"name": "a"}), "version"),
    "unknown version": (document(schema_version="ATIF-v2.0"), "schema_version"),
    "unknown key at the top": (document(model="m"), "model"),
    "unknown key on a step": (document({**USER, "role": "user"}), "role"),
    "unknown key on an observation": (document({**USER, "observation": {"results": [], "extra": {}}}), "extra"),
    "unknown key on a part": (observed([{"type": "text", "text": "a", "extra": {}}]), "extra"),
    "unknown key on a source": (observed([image("a.png") | {"detail": "high"}]), "detail"),
    "unknown key on a call": (document(USER, agent_step(tool_calls=[CALL | {"id": "c"}])), "id"),
    "steps from zero": (document({**USER, "step_id": 0}), "step_id"),
    "a gap in the steps": (document(USER, agent_step(3)), "step_id 3 stands where 2 belongs"),
    "a step twice": (document(USER, agent_step(1)), "step_id 1 stands where 2 belongs"),
    "step_id as text": (document({**USER, "step_id": "1"}), "step_id"),
    "unknown source": (document({**USER, "source": "assistant"}), "source"),
    "no message": (document({"step_id": 1, "source": "user"}), "message"),
    "message null": (document({**USER, "message": None}), "message"),
    "a call on a user step": (document({**USER, "tool_calls": [CALL]}), "tool_calls cannot stand on a user step"),
    "metrics on a system step": (
        document({"step_id": 1, "source": "system", "message": "", "metrics": METRICS}),
        "metrics cannot stand on a system step",
    ),
    "a model on a user step": (document({**USER, "model_name": "m"}), "model_name"),
    "reasoning on a user step": (document({**USER, "reasoning_content": "hm"}), "reasoning_content"),
    "effort on a user step": (document({**USER, "reasoning_effort": "low"}), "reasoning_effort"),
    "metrics without a model call": (
        document(USER, agent_step(llm_call_count=0, metrics=METRICS)),
        "metrics cannot stand on a step without a model call",
    ),
    "reasoning without a model call": (
        document(USER, agent_step(llm_call_count=0, reasoning_content="hm")),
        "reasoning_content",
    ),
    "a negative call count": (document(USER, agent_step(llm_call_count=-1)), "llm_call_count"),
    "a result of another step's call": (
        document(USER, agent_step(tool_calls=[CALL]), agent_step(3, observation={"results": [RESULT]})),
        "'c1' is not a tool call of step 3",
    ),
    "a result of no call": (document({**USER, "observation": {"results": [RESULT]}}), "c1"),
    "arguments as text": (document(USER, agent_step(tool_calls=[CALL | {"arguments": "{}"}])), "arguments"),
    "a call without id": (document(USER, agent_step(tool_calls=[{"function_name": "f", "arguments": {}}])), "call_id"),
    "inline image": (observed([image("data:image/png;base64,AAAA")]), "inline data"),
    "image of another kind": (observed([image("a.bmp", "image/bmp")]), "media_type"),
    "image without source": (observed([{"type": "image"}]), "source"),
    "text part without text": (observed([{"type": "text"}]), "text"),
    "unknown part": (observed([{"type": "video", "source": {}}]), "video"),
    "a bad timestamp": (document({**USER, "timestamp": "yesterday"}), "timestamp"),
    "negative tokens": (document(USER, agent_step(metrics={"prompt_tokens": -1})), "prompt_tokens"),
    "embedded without id": (document(subagent_trajectories=[document()]), "needs a trajectory_id"),
    "embedded id twice": (
        document(subagent_trajectories=[document(trajectory_id="s"), document(trajectory_id="s")]),
        "'s' is there twice",
    ),
    "embedded id of the document": (
        document(trajectory_id="s", subagent_trajectories=[document(trajectory_id="s")]),
        "'s' is there twice",
    ),
    "a reference by session only": (
        document({**USER, "observation": {"results": [{"subagent_trajectory_ref": [{"session_id": "s"}]}]}}),
        "trajectory_id or trajectory_path",
    ),
    "a missing image file": (observed([image("media/gone.png")]), "media/gone.png"),
}


def written(folder: Path, value: Any) -> Path:
    path = folder / "trajectory.json"
    path.write_bytes(orjson.dumps(value))
    return path


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(tmp_path: Path, name: str) -> None:
    trajectory = validate_trajectory(written(tmp_path, ACCEPTED[name]))
    again = trajectory.model_dump(mode="json", exclude_none=True)
    assert validate_trajectory(written(tmp_path, again)) == trajectory


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    value, seen = REFUSED[name]
    with pytest.raises(BadInputError, match=seen) as caught:
        validate_trajectory(written(tmp_path, value))
    assert caught.value.seen


def test_an_image_beside_the_document_is_found(tmp_path: Path) -> None:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "a.png").write_bytes(b"\x89PNG")
    trajectory = validate_trajectory(written(tmp_path, observed([image("media/a.png")])))
    assert trajectory.media_paths() == ["media/a.png"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_fault(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, next(iter(ACCEPTED.values())))
    plain = validate_trajectory(path)
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    assert validate_trajectory(path) == plain
    assert open_source(path).trajectory == plain


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        validate_trajectory(tmp_path / "trajectory.json")
