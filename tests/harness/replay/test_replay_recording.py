"""What is read from a trajectory for playing it again."""

import hashlib
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.agents.recording import read_recording, read_recordings
from pincite_harness.agents.registry import get_agent


def _step(number: int, calls: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    step: dict[str, Any] = {"step_id": number, "source": "agent", "message": "", **more}
    return step | ({"tool_calls": calls} if calls else {})


def _call(name: str, call_id: str = "c1", **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": arguments}


def _results(**by_call: Any) -> dict[str, Any]:
    return {"results": [{"source_call_id": call_id, **result} for call_id, result in by_call.items()]}


def _write(folder: Path, *steps: Any, **more: Any) -> Path:
    path = folder / "trajectory.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    agent = {"name": "codex", "version": "1"}
    path.write_bytes(orjson.dumps({"schema_version": "ATIF-v1.7", "agent": agent, "steps": list(steps), **more}))
    return path


def test_calls_with_what_they_brought(tmp_path: Path) -> None:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "a.png").write_bytes(b"pixels")
    image = {"type": "image", "source": {"media_type": "image/png", "path": "media/a.png"}}
    steps = [
        _step(1, [_call("old")], is_copied_context=True),
        _step(
            2,
            [
                _call("view", "c1", page=1),
                *(_call(name, f"c{n}") for n, name in enumerate(("grep", "cut", "lost", "late"), 2)),
            ],
            observation=_results(
                c2={"content": "no", "extra": {"is_error": True}},
                c1={"content": [{"type": "text", "text": "see"}, image], "extra": {"structured_content": {"n": 1}}},
                c3={"content": "begin…", "extra": {"full_text": "beginning and end"}},
                c5={"content": "No result: the trial ended first.", "extra": {"is_error": True}},
            ),
        ),
    ]
    recording = read_recording(_write(tmp_path, *steps))
    assert [(call["name"], call["arguments"]) for call in recording["calls"]] == [
        *(("view", {"page": 1}), ("grep", {}), ("cut", {}), ("lost", {}), ("late", {})),
    ]
    view, grep, cut, lost, late = (call["expected"] for call in recording["calls"])
    assert view == {
        "text": "see", "structured": {"n": 1}, "failed": False,
        "images": [hashlib.sha256(b"pixels").hexdigest()],
    }  # fmt: skip
    assert (grep["text"], grep["failed"]) == ("no", True)
    assert cut["text"] == "beginning and end"
    assert lost is None
    assert late is None
    assert recording["answer"] is None


def test_sub_agents_calls_stand_where_they_were_made(tmp_path: Path) -> None:
    times = [f"2026-01-01T00:00:0{number}+00:00" for number in range(5)]
    inner = {
        "trajectory_id": "sub",
        "agent": {"name": "codex", "version": "1"},
        "steps": [_step(1, [_call("second")], timestamp=times[2])],
    }
    steps = [_step(1, [_call("first")], timestamp=times[1]), _step(2, [_call("third")], timestamp=times[3])]
    recording = read_recording(_write(tmp_path, *steps, subagent_trajectories=[inner]))
    assert [call["name"] for call in recording["calls"]] == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        (_step(2, message='{"a": 1}', extra={"file": "answer.json"}), '{"a": 1}'),
        (_step(2, [_call("Write", file_path="/work/answer.json", content='{"a": 2}')]), '{"a": 2}'),
        (_step(2, [_call("write_file", path="answer.json", file_text='{"a": 3}')]), '{"a": 3}'),
        (_step(2, message='{"a": 4}'), '{"a": 4}'),
        (_step(2, [_call("Bash", command="mkdir x && cat > answer.json <<'END'\n{\n}\nEND\nls")]), "{\n}"),
        (_step(2, [_call("exec_command", cmd="cat <<X >/work/answer.json\n{}\nX")]), "{}"),
        (_step(2, [_call("Bash", command="cat > notes.md <<X\nanswer.json\nX")]), None),
        (_step(2, message="I am done."), None),
    ],
)
def test_the_answer_is_found_where_agents_leave_it(tmp_path: Path, step: Any, answer: str | None) -> None:
    path = _write(tmp_path, _step(1, [_call("x")]), step)
    assert read_recording(path)["answer"] == answer
    (tmp_path / "answer.json").write_text("{}")
    assert read_recording(path)["answer"] == "{}", "the file that was kept says it best"


def test_a_run_gives_each_tasks_first_attempt(tmp_path: Path, note_trial: Any) -> None:
    for task, attempt in (("a", 2), ("a", 1), ("b", 1)):
        folder = tmp_path / "trials" / f"{task}__{attempt}"
        _write(folder, _step(1, [_call(f"{task}{attempt}")]))
        note_trial(folder, "f", task, attempt)
    recordings = read_recordings(tmp_path)
    assert {task: recording["calls"][0]["name"] for task, recording in recordings.items()} == {"f/a": "a1", "f/b": "b1"}
    assert list(read_recordings(tmp_path / "trials" / "b__1")) == ["*"]


def test_what_cannot_be_played_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="holds no trajectory"):
        get_agent(f"replay:{tmp_path / 'absent'}")
    with pytest.raises(BadInputError, match="none is named"):
        get_agent("replay")
    path = _write(tmp_path, _step(1))
    with pytest.raises(BadInputError, match="no tool call"):
        get_agent(f"replay:{path}")
    path.write_text("{}")
    with pytest.raises(BadInputError, match="not an ATIF"):
        get_agent(f"replay:{path}")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("[[volatile]", "not TOML"),
        ("[[volatile]]\nkey = ['a']", "volatile.0.key"),
        ("[[volatile]]\ntext = ['(']", "not a regular expression"),
        ("", "volatile: Field required"),
    ],
)
def test_rules_that_cannot_be_read_are_said(tmp_path: Path, rules: str, said: str) -> None:
    path = _write(tmp_path, _step(1, [_call("x")]))
    (tmp_path / "rules.toml").write_text(rules)
    with pytest.raises(BadInputError, match=said.replace("(", "\\(")):
        get_agent(f"replay:{path}", {"volatile": str(tmp_path / "rules.toml")})


def test_a_resumed_run_must_play_the_same(tmp_path: Path) -> None:
    path = _write(tmp_path, _step(1, [_call("x")]))
    before = get_agent(f"replay:{path}").digests()
    assert get_agent(f"replay:{path}").digests() == before
    _write(tmp_path, _step(1, [_call("y")]))
    after = get_agent(f"replay:{path}").digests()
    assert {name for name in after if after[name] != before[name]} == {"recordings"}
