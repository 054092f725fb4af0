"""Record: the agent's own account of a trial, an ATIF trajectory in which keystrokes are tool calls."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .conversation import HandOff, ModelAnswer
from .reply import TerminalReply

_VERSION = "ATIF-v1.8"


class Record:
    """Rewritten whole after each step, so that what is there can be read when the agent is ended."""

    def __init__(self, path: Path, model: str) -> None:
        self._path = path
        self._agent = {"name": "terminus", "version": "1", "model_name": model}
        self._steps: list[dict[str, Any]] = []
        self._subagents: list[dict[str, Any]] = []
        self._usages: list[ModelAnswer] = []

    def said(self, source: str, text: str) -> None:
        """A message to the model: from the ``system`` or the ``user``."""
        self._add(source=source, message=text)

    def acted(self, answer: ModelAnswer, reply: TerminalReply, shown: str) -> None:
        """A reply that was carried out, and what it led to."""
        step = self._add(source="agent", message=f"{reply.analysis}\n\n{reply.plan}", **self._spent(answer))
        calls = [_call("bash_command", {"keystrokes": c.keystrokes, "duration": c.duration}) for c in reply.commands]
        calls += [_call("mark_task_complete", {})] if reply.done else []
        for number, call in enumerate(calls, start=1):
            call["tool_call_id"] = f"call_{step['step_id']}_{number}"
        result: dict[str, Any] = {"content": shown}
        if calls:
            step["tool_calls"] = calls
            result["source_call_id"] = calls[-1]["tool_call_id"]
        step["observation"] = {"results": [result]}
        self._write()

    def failed(self, answer: ModelAnswer, shown: str) -> None:
        """A reply that could not be read, as it came, and what the model was told."""
        step = self._add(source="agent", message=answer.text, **self._spent(answer))
        step["observation"] = {"results": [{"content": shown}]}
        self._write()

    def handed_over(self, hand_off: HandOff) -> None:
        """The memory was emptied: what follows knows only the message that stands here."""
        references: list[dict[str, Any]] = []
        for prompt, answer in hand_off.exchanges:
            name = f"hand-off-{len(self._subagents) + 1}"
            steps = [
                {"step_id": 1, "source": "user", "message": prompt},
                {"step_id": 2, "source": "agent", "message": answer.text, **self._spent(answer)},
            ]
            self._subagents.append(
                {"schema_version": _VERSION, "trajectory_id": name, "agent": self._agent, "steps": steps}
            )
            references.append({"trajectory_id": name})
        step = self._add(source="system", message="The memory was full and was emptied.")
        step["extra"] = {"context_management": {"type": "compaction", "boundary": "replace"}}
        if references:
            step["observation"] = {"results": [{"subagent_trajectory_ref": references}]}
        self.said("user", hand_off.resumed_with)

    def _add(self, **fields: Any) -> dict[str, Any]:
        step = {"step_id": len(self._steps) + 1, "timestamp": datetime.now(UTC).isoformat(), **fields}
        self._steps.append(step)
        self._write()
        return step

    def _spent(self, answer: ModelAnswer) -> Mapping[str, Any]:
        self._usages.append(answer)
        fields: dict[str, Any] = {"metrics": _metrics(answer), "llm_call_count": 1}
        return fields | ({"reasoning_content": answer.reasoning} if answer.reasoning else {})

    def _write(self) -> None:
        usages = [answer.usage for answer in self._usages]
        totals = {
            "total_prompt_tokens": sum(usage.input_tokens for usage in usages),
            "total_completion_tokens": sum(usage.output_tokens for usage in usages),
            "total_cached_tokens": sum(usage.cache_read_tokens for usage in usages),
            "total_steps": len(self._steps),
        }
        document: dict[str, Any] = {
            "schema_version": _VERSION,
            "trajectory_id": "terminus",
            "agent": self._agent,
            "steps": self._steps,
            "final_metrics": totals,
        }
        if self._subagents:
            document["subagent_trajectories"] = self._subagents
        partial = self._path.with_suffix(".part")
        partial.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        partial.replace(self._path)


def _call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"tool_call_id": "", "function_name": name, "arguments": arguments}


def _metrics(answer: ModelAnswer) -> dict[str, int]:
    usage = answer.usage
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "cached_tokens": usage.cache_read_tokens,
    }
