"""Sessions of Gemini CLI: ``tmp/PROJECT/chats/session-*.jsonl`` (or ``.json``), sub-agents in ``SESSION/*.jsonl``."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pincite_models.dialects.fields import count, first, join_texts, make_call, mapping, mappings, text
from pincite_models.dialects.google_contents import read_answers, read_parts
from pincite_models.dialects.model import Call, Part, Reasoning, Result, Text, Usage
from pincite_trajectory.sessions.records import Record, SessionFile
from pincite_trajectory.sessions.story import Story

SOURCE = "gemini-cli session"
_NAME = re.compile(r"\w[\w-]*")
"""What a session's id must be like to name a folder."""
_SUMMARY = "summary"
_NOTICES = {"info", "warning", "error"}


def is_gemini_cli(file: SessionFile) -> bool:
    """Whether the records are Gemini CLI's: the first names the session and its project."""
    head = first(list(file.records))
    return "sessionId" in head and ("projectHash" in head or "messages" in head) and "type" not in head


def is_subagent(file: SessionFile) -> bool:
    """Whether the session is a sub-agent's."""
    return first(list(file.records)).get("kind") == "subagent"


def read_gemini_cli(file: SessionFile) -> Story:
    """The session with its sub-agents, whose files stand in a folder named after it."""
    return _read(file, {file.path})


def _read(file: SessionFile, seen: set[Path]) -> Story:
    head = first(list(file.records))
    story = Story("gemini-cli", text(head.get("version")), text(head.get("sessionId")))
    for message in _messages(file.kept().records):
        _tell(story, message)
    folder = file.path.parent / story.session_id
    for path in sorted(folder.glob("*.json*")) if _NAME.fullmatch(story.session_id) else []:
        other = file.beside(path)
        if path not in seen and is_gemini_cli(other):
            seen.add(path)
            sub = _read(other, seen)
            story.adopt(sub, story.call(lambda _, noted, name=sub.session_id: noted.get("agent_id") == name))
    return story


def _messages(records: Iterable[Record]) -> list[Record]:
    """The messages as they stand at the end: records set, replace and take back what came before."""
    found: dict[str, Record] = {}
    for record in records:
        if "$set" in record:
            placed = mapping(record["$set"])
            _replace(found, _by_id(placed.get("messages")), placed)
        elif "$rewindTo" in record:
            names = list(found)
            back = text(record["$rewindTo"])
            kept = names[: names.index(back)] if back in names else []
            found = {name: found[name] for name in kept}
        elif "id" in record:
            found[text(record["id"])] = found.get(text(record["id"]), {}) | record
        elif "messages" in record:
            found |= _by_id(record["messages"])
    return list(found.values())


def _by_id(messages: Any) -> dict[str, Record]:
    return {text(one.get("id")) or str(number): one for number, one in enumerate(mappings(messages))}


def _replace(found: dict[str, Record], history: dict[str, Record], placed: dict[str, Any]) -> None:
    """A history that the CLI put in place of the one before. What it shortened or left out was said all the same; what
    is new in it, where something is gone, is a summary."""
    fresh = {name: message for name, message in history.items() if name not in found}
    if fresh and any(name not in history for name in found):
        parts = [part for message in fresh.values() for part in _content(message.get("content"))]
        summary = {"type": _SUMMARY, "content": parts, "timestamp": placed.get("lastUpdated")}
        fresh = {next(iter(fresh)): summary}
    found |= fresh


def _tell(story: Story, message: Record) -> None:
    kind, at = text(message.get("type")), message.get("timestamp")
    if kind == "gemini":
        _answer(story, message, at)
    elif kind == "user":
        # Results stand with their calls in the answer's own record.
        parts = [part for part in _content(message.get("content")) if "functionResponse" not in part]
        answering = any("functionResponse" in part for part in mappings(message.get("content")))
        words = [part for part in read_parts(parts) if not answering or isinstance(part, Text)]
        story.say("user", words, at)
    elif kind == _SUMMARY:
        story.compact(read_parts(_content(message.get("content"))), at)
    elif kind in _NOTICES:
        story.say("system", read_parts(_content(message.get("content"))), at, notice=kind)


def _answer(story: Story, message: Record, at: Any) -> None:
    calls = [_call(one) for one in mappings(message.get("toolCalls"))]
    thoughts: list[Part] = [Reasoning(_thought(one)) for one in mappings(message.get("thoughts"))]
    told = [part for part in read_parts(_content(message.get("content"))) if not isinstance(part, Reasoning)]
    said = [part for part in told if not calls or not isinstance(part, Call)]
    scene = story.answer([*thoughts, *said, *calls], at, key=text(message.get("id")))
    scene.model = text(message.get("model"))
    scene.usage = _usage(message.get("tokens"))
    story.model = story.model or scene.model
    for one, call in zip(mappings(message.get("toolCalls")), calls, strict=True):
        story.note(call.call_id, agent_id=text(one.get("agentId")) or None)
        for part in read_answers(_own(mappings(one.get("result")), call.call_id), [call]):
            if isinstance(part, Result):
                failed = part.is_error or one.get("status") == "error"
                story.bring(Result(call.call_id, part.parts, failed), one.get("timestamp"))


def _own(parts: list[dict[str, Any]], call_id: str) -> list[dict[str, Any]]:
    """Of parts that answer several calls those for one of them, with the media that follow."""
    found: list[dict[str, Any]] = []
    mine = True
    for part in parts:
        answer = mapping(part.get("functionResponse"))
        mine = text(answer.get("id")) in {"", call_id} if answer else mine
        found += [part] if mine else []
    return found or parts


def _call(one: dict[str, Any]) -> Call:
    return make_call(one.get("id"), one.get("name"), one.get("args") or {})


def _content(value: Any) -> list[dict[str, Any]]:
    """Parts of a message: a string is one text."""
    return [{"text": value}] if isinstance(value, str) else mappings(value)


def _thought(one: dict[str, Any]) -> str:
    subject, description = text(one.get("subject")), text(one.get("description"))
    return join_texts([f"**{subject}**" if subject else "", description])


def _usage(value: Any) -> Usage | None:
    """Counts under the CLI's own names: ``tool`` is what its tools added to the prompt."""
    tokens = mapping(value)
    if not tokens:
        return None
    thoughts = count(tokens.get("thoughts"))
    return Usage(
        count(tokens.get("input")) + count(tokens.get("tool")),
        count(tokens.get("output")) + thoughts,
        count(tokens.get("cached")),
        reasoning_tokens=thoughts,
    )
