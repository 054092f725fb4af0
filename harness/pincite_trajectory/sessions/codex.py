"""Rollouts of Codex: ``sessions/YYYY/MM/DD/rollout-*.jsonl``, those of sub-agents beside them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pincite_models.dialects.fields import first, join_texts, mapping, mappings, text, texts
from pincite_models.dialects.model import Result, Text, Usage
from pincite_models.dialects.openai import make_tools, read_usage
from pincite_models.dialects.responses_items import is_result, read_item, role_of
from pincite_trajectory.sessions.records import Record, SessionFile, head_of
from pincite_trajectory.sessions.story import Scene, Story

SOURCE = "codex rollout"
_NOTICES = {"error", "stream_error", "turn_aborted", "thread_rolled_back"}


def is_codex(file: SessionFile) -> bool:
    """Whether the records are a rollout: they begin with ``session_meta``."""
    return any(record.get("type") == "session_meta" and "payload" in record for record in file.records[:3])


def is_subagent(file: SessionFile) -> bool:
    """Whether another thread started this one."""
    return bool(_parent(_meta(file.records)))


def read_codex(file: SessionFile) -> Story:
    """The thread, with the threads that it and they started, as far as their rollouts stand nearby."""
    story = _Rollout(file.kept().records).story
    beside = sorted(file.path.parent.parent.glob("*/rollout-*.jsonl")) if file.path.parent.name.isdigit() else []
    nearby = beside or sorted(file.path.parent.glob("rollout-*.jsonl"))
    _add_children(story, [path for path in nearby if path != file.path and _parent(_meta([head_of(path)]))], file)
    return story


def _add_children(story: Story, left: list[Path], file: SessionFile) -> None:
    """Embed the threads that a thread started; each rollout is taken once."""
    mine = [path for path in left if _parent(_meta([head_of(path)])) == story.session_id]
    left[:] = [path for path in left if path not in mine]
    for path in mine:
        sub = _Rollout(file.beside(path).kept().records).story
        story.adopt(sub, story.call(lambda _, noted, name=sub.session_id: name in noted.get("started_threads", ())))
        _add_children(sub, left, file)


def _meta(records: Iterable[Record]) -> dict[str, Any]:
    return mapping(first([one for one in records if one.get("type") == "session_meta"]).get("payload"))


def _parent(meta: dict[str, Any]) -> str:
    spawned = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    return text(meta.get("parent_thread_id")) or text(spawned.get("parent_thread_id"))


class _Rollout:
    """Items are put together to answers: one reaches until its token counts (``token_usage_record``), or in older
    versions, which write none, until the first result."""

    def __init__(self, records: Iterable[Record]) -> None:
        every = list(records)
        meta = _meta(every)
        self._counted = any(record.get("type") == "token_usage_record" for record in every)
        self._total: Any = None
        self._number = 0
        self._open: Scene | None = None
        self._last: Scene | None = None
        self._effort: str | None = None
        self.story = Story("codex", text(meta.get("cli_version")), text(meta.get("id")))
        base = mapping(meta.get("base_instructions")).get("text") or meta.get("instructions")
        self.story.say("system", [Text(text(base))] if base else [], meta.get("timestamp"))
        for tool in mappings(meta.get("dynamic_tools")):
            self.story.tools += make_tools({"type": "function"} | tool)
        for record in every:
            self._take(text(record.get("type")), mapping(record.get("payload")), record.get("timestamp"))

    def _take(self, kind: str, payload: dict[str, Any], at: Any) -> None:
        if kind == "turn_context":
            self.story.model = text(payload.get("model")) or self.story.model
            self._effort = text(payload.get("effort")) or self._effort
        elif kind == "response_item":
            self._item(payload, at)
        elif kind == "token_usage_record":
            self._count(payload.get("usage"), at, text(payload.get("response_id")))
        elif kind == "compacted":
            self._close()
            self.story.compact([Text(text(payload.get("message")) or "The history was compacted.")], at)
        elif kind == "event_msg":
            self._event(payload, at)

    def _item(self, item: dict[str, Any], at: Any) -> None:
        parts = read_item(item)
        if is_result(item):
            for part in parts:
                if isinstance(part, Result):
                    self.story.bring(part, at)
            if not self._counted:
                self._close()
        elif (side := role_of(item)) != "assistant":
            self._close()
            self.story.say(side, parts, at)
        elif parts:
            if self._open is None:
                self._number += 1
            self._open = self._last = self.story.answer(parts, at, key=f"answer-{self._number}")
            self._open.model, self._open.effort = self.story.model, self._effort

    def _close(self) -> None:
        self._open = None

    def _count(self, usage: Any, at: Any, response_id: str = "") -> None:
        """Counts close an answer; those of an answer without items make a step of their own."""
        scene = self._open or self._last
        if scene is None or scene.usage is not None:
            scene = self.story.answer((), at)
        scene.usage = _usage(usage)
        if response_id:
            scene.extra["response_id"] = response_id
        self._close()

    def _event(self, payload: dict[str, Any], at: Any) -> None:
        kind = text(payload.get("type"))
        if kind == "token_count" and not self._counted:
            info = mapping(payload.get("info"))
            if info and info.get("total_token_usage") != self._total:
                self._total = info.get("total_token_usage")
                self._count(info.get("last_token_usage"), at)
        elif kind == "task_complete" and (error := mapping(payload.get("error"))):
            self._close()
            self.story.fail(text(error.get("message")), at)
        elif kind in _NOTICES:
            said = join_texts([text(payload.get("message")), text(payload.get("reason"))])
            self.story.say("system", [Text(said or kind)], at, event=kind)
        elif kind == "item_completed":
            self._completed(mapping(payload.get("item")))
        elif kind == "mcp_tool_call_end":
            outcome = mapping(payload.get("result"))
            self._mcp(text(payload.get("call_id")), mapping(outcome.get("Ok")) or outcome, "Err" in outcome)
        elif kind == "collab_agent_spawn_end":
            self._started(text(payload.get("call_id")), [text(payload.get("new_thread_id"))])
        elif kind == "sub_agent_activity":
            self._started(text(payload.get("event_id")), [text(payload.get("agent_thread_id"))])

    def _completed(self, item: dict[str, Any]) -> None:
        """What the client knows of a call besides what it told the model, which does not learn of MCP errors."""
        kind, call_id = text(item.get("type")), text(item.get("id"))
        if kind == "McpToolCall":
            self._mcp(call_id, mapping(item.get("result")), bool(item.get("error")) or item.get("status") == "failed")
        elif kind == "CollabAgentToolCall" and item.get("tool") == "spawn_agent":
            self._started(call_id, texts(item.get("receiver_thread_ids")))
        elif kind == "SubAgentActivity":
            self._started(call_id, [text(item.get("agent_thread_id"))])

    def _started(self, call_id: str, threads: list[str]) -> None:
        """Which threads a call started; a later word about one that is known already changes nothing."""
        if not self.story.call(lambda _, noted: set(threads) <= set(noted.get("started_threads", ()))):
            self.story.note(call_id, started_threads=threads)

    def _mcp(self, call_id: str, result: dict[str, Any], failed: bool) -> None:
        failed = failed or result.get("isError") is True or result.get("is_error") is True
        structured = result.get("structuredContent", result.get("structured_content"))
        self.story.note(call_id, is_error=True if failed else None, structured_content=structured)


def _usage(value: Any) -> Usage | None:
    """Codex's own names for the counts of the API."""
    usage = mapping(value)
    if not usage:
        return None
    return read_usage(
        usage
        | {
            "input_tokens_details": {
                "cached_tokens": usage.get("cached_input_tokens"),
                "cache_write_tokens": usage.get("cache_write_input_tokens"),
            },
            "output_tokens_details": {"reasoning_tokens": usage.get("reasoning_output_tokens")},
        }
    )
