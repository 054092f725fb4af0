"""Records of the doors written by hand, line by line as the doors write them, and the trajectory built of them."""

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_models.dialects.model import Usage
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.build import Episode, build_trajectory, trajectory_json
from pincite_trajectory.validate import validate_trajectory

START = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
PROMPT = "Find the critical temperature in papers/a.pdf and write answer.json."
ANSWER = b'{"properties": []}'


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def blocks(parts: tuple[Any, ...]) -> list[Any]:
    return [text(part) if isinstance(part, str) else part for part in parts]


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"Does {name}.", "input_schema": {"type": "object", "properties": {}}}


@dataclass
class Wire:
    """The two records of a trial. ``ask`` writes a call of Anthropic Messages and how it ended; a second passes."""

    folder: Path
    system: str = "You are an agent."
    tools: tuple[str, ...] = ("Bash", "mcp__demo__echo", "mcp__demo__picture")
    model: str = "claude-x"
    seconds: float = 0.0
    model_lines: list[dict[str, Any]] = field(default_factory=list)
    tool_lines: list[dict[str, Any]] = field(default_factory=list)
    seq: int = 0
    tool_seq: int = 0

    @staticmethod
    def use(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
        return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}

    @staticmethod
    def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}

    @staticmethod
    def user(*parts: Any) -> dict[str, Any]:
        return {"role": "user", "content": blocks(parts)}

    @staticmethod
    def assistant(*parts: Any) -> dict[str, Any]:
        return {"role": "assistant", "content": blocks(parts)}

    def at(self) -> str:
        self.seconds += 1
        return (START + timedelta(seconds=self.seconds)).isoformat()

    def begin(self, messages: list[Any], *, label: dict[str, str] | None = None, **body: Any) -> int:
        """A request without its end, in the name of a role where it has a label."""
        self.seq += 1
        known = {
            "model": self.model,
            "max_tokens": 100,
            "system": self.system,
            "tools": [tool(name) for name in self.tools],
            "messages": messages,
        }
        self.model_lines.append(
            {
                "kind": "request",
                "seq": self.seq,
                "at": self.at(),
                "dialect": "anthropic.messages",
                "operation": "generate",
                "method": "POST",
                "path": "/v1/messages",
                "model": self.model,
                "streamed": False,
                "bytes": 1,
                **({"label": label} if label is not None else {}),
                "body": {name: value for name, value in (known | body).items() if value is not None},
            }
        )
        return self.seq

    def end(self, seq: int, **fields: Any) -> None:
        known: dict[str, Any] = {"status": 200, "complete": True, "cause": None, "detail": "", "usage": None}
        known |= {"cost_usd": None, "request_id": f"req_{seq}", "seconds": 0.5, "first_byte_seconds": 0.1}
        self.model_lines.append({"kind": "response", "seq": seq, "at": self.at(), "bytes": 1, **known, **fields})

    def answer(
        self,
        seq: int,
        *parts: Any,
        usage: Usage | None = None,
        cost: float | None = 0.25,
        stop: str = "",
        **fields: Any,
    ) -> dict[str, Any]:
        """End a request well; the message to send back."""
        usage = usage or Usage(10, 2, 4)
        content = blocks(parts)
        calls = any(part["type"] == "tool_use" for part in content)
        body = {
            "id": f"msg_{seq}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": stop or ("tool_use" if calls else "end_turn"),
            "usage": {
                "input_tokens": usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens,
                "cache_read_input_tokens": usage.cached_tokens,
                "cache_creation_input_tokens": usage.cache_write_tokens,
                "output_tokens": usage.output_tokens,
            },
        }
        self.end(seq, body=body, usage=asdict(usage), cost_usd=cost, **fields)
        return {"role": "assistant", "content": content}

    def ask(self, messages: list[Any], *parts: Any, body: dict[str, Any] | None = None, **answer: Any) -> list[Any]:
        """A call that went well; the messages that the next one would send before its own."""
        said = self.answer(self.begin(messages, **(body or {})), *parts, **answer)
        return [*messages, said]

    def fail(
        self,
        messages: list[Any],
        cause: str,
        status: int | None = 500,
        label: dict[str, str] | None = None,
        **fields: Any,
    ) -> None:
        seq = self.begin(messages, label=label)
        self.end(seq, status=status, cause=cause, detail=f"It was {cause}.", **fields)

    def serve(self, name: str, arguments: dict[str, Any], content: Any, *, server: str = "demo", **more: Any) -> None:
        """A tool call at the tool door."""
        self.tool_seq += 1
        params = {"name": name, "arguments": arguments}
        request = {"seq": self.tool_seq, "at": self.at(), "server": server, "method": "tools/call", "params": params}
        parts = [text(content)] if isinstance(content, str) else content
        outcome = {"seq": self.tool_seq, "at": self.at(), "seconds": 0.125, "result": {"content": parts, **more}}
        self.tool_lines += [{"kind": "request", **request}, {"kind": "response", **outcome}]

    def build(self, prompt: str = PROMPT) -> Trajectory:
        """The trajectory, which was written and is valid."""
        wire = self.folder / "wire"
        wire.mkdir(parents=True, exist_ok=True)
        for name, lines in (("llm", self.model_lines), ("mcp", self.tool_lines)):
            (wire / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
        episode = Episode("trial", "agent", "1", prompt, START.isoformat(), self.at(), ANSWER)
        trajectory = build_trajectory(self.folder, episode)
        path = self.folder / "trajectory.json"
        path.write_bytes(orjson.dumps(trajectory_json(trajectory)))
        return validate_trajectory(path)


@pytest.fixture
def wire(tmp_path: Path) -> Wire:
    return Wire(tmp_path / "trial")
