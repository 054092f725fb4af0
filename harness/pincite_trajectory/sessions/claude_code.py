"""Sessions of Claude Code: ``projects/SLUG/SESSION.jsonl``, its sub-agents in ``SESSION/subagents/agent-*.jsonl``."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pincite_models.dialects.anthropic_blocks import read_blocks, read_usage
from pincite_models.dialects.fields import dump, first, join_texts, load, mapping, mappings, text, texts
from pincite_models.dialects.instruction import texts_of
from pincite_models.dialects.model import Call, Part, Result, Text
from pincite_trajectory.sessions.records import Record, SessionFile
from pincite_trajectory.sessions.story import Story

SOURCE = "claude-code session"
_SYNTHETIC = "<synthetic>"
_QUIET = {"uuid", "parentUuid", "sessionId", "cwd", "timestamp"}


def is_claude_code(file: SessionFile) -> bool:
    """Whether the records are Claude Code's: they have a chain of uuids and messages of the Messages API."""
    return any("parentUuid" in record and "isSidechain" in record for record in file.records)


def is_subagent(file: SessionFile) -> bool:
    """Whether all of a file was said by a sub-agent."""
    chained = [record for record in file.records if "isSidechain" in record]
    return bool(chained) and all(record["isSidechain"] is True for record in chained)


def read_claude_code(file: SessionFile) -> Story:
    """The session with its sub-agents, in files of their own or (older versions) in the same one."""
    own, records = is_subagent(file), file.kept().records
    story = _story([record for record in records if own or record.get("isSidechain") is not True])
    inner = [] if own else [record for record in records if record.get("isSidechain") is True]
    subs: list[tuple[Story, str, str]] = []
    for number, chain in enumerate(_chains(inner), start=1):
        subs.append((_story(chain, f"{story.session_id}:sidechain-{number}"), "", _prompt(chain)))
    folder = file.path.parent / file.path.stem / "subagents"
    subs += [_subagent(file, path) for path in sorted(folder.rglob("agent-*.jsonl")) if not own]
    everyone = [story, *(sub for sub, _, _ in subs)]
    for sub, call_id, prompt in subs:
        _adopt(everyone, sub, call_id, prompt)
    return story


def _subagent(file: SessionFile, path: Path) -> tuple[Story, str, str]:
    """A sub-agent's story, the id of the call that started it, and the prompt that it was given."""
    records = file.beside(path).kept().records
    sub = _story(records, path.stem.removeprefix("agent-"))
    meta = path.with_name(f"{path.stem}.meta.json")
    told = mapping(load(meta.read_bytes())) if meta.is_file() else {}
    sub.extra |= {"agent_type": text(told.get("agentType")), "depth": told.get("spawnDepth")}
    return sub, text(told.get("toolUseId")), _prompt(records)


def _story(records: Iterable[Record], name: str = "") -> Story:
    chained = [record for record in _once(records) if "uuid" in record]
    head = first(chained)
    story = Story("claude-code", text(head.get("version")), name or text(head.get("sessionId")))
    for record in chained:
        _tell(story, record)
    return story


def _tell(story: Story, record: Record) -> None:
    kind, at, message = text(record.get("type")), record.get("timestamp"), mapping(record.get("message"))
    parts = read_blocks(message.get("content"))
    if kind == "assistant":
        _answer(story, record, message, parts)
    elif kind == "user":
        for part in parts:
            if isinstance(part, Result):
                story.bring(part, at, **_told(record))
        words = [part for part in parts if not isinstance(part, Result)]
        if record.get("isCompactSummary") is True:
            story.compact(words, at)
        else:
            story.say("user", words, at, **({"meta": True} if record.get("isMeta") is True else {}))
    elif kind == "attachment":
        held = mapping(record.get("attachment"))
        story.say("system", [_attachment(held)], at, attachment=text(held.get("type")))
    elif kind == "system" and record.get("content") and record.get("subtype") != "compact_boundary":
        story.say("system", [Text(text(record["content"]))], at, subtype=text(record.get("subtype")))


def _answer(story: Story, record: Record, message: dict[str, Any], parts: tuple[Part, ...]) -> None:
    """Each block of an answer is a record of its own; the last usage told for the answer counts."""
    scene = story.answer(parts, record.get("timestamp"), key=text(message.get("id")) or text(record.get("uuid")))
    model = text(message.get("model"))
    if model == _SYNTHETIC:
        scene.asked_model = False
        scene.extra["synthetic"] = True
        if record.get("isApiErrorMessage") is True:
            scene.extra["error"] = {"detail": join_texts(texts_of(parts))}
        return
    story.model = story.model or model
    scene.model, scene.usage = model, read_usage(message.get("usage")) or scene.usage
    if record.get("requestId"):
        scene.extra["request_id"] = text(record["requestId"])
    if message.get("stop_reason") == "refusal":
        scene.extra["refusal"] = "refusal"


def _told(record: Record) -> dict[str, Any]:
    """What the client notes beside a result: structured content of MCP, and which sub-agent it came from."""
    structured = mapping(record.get("mcpMeta")).get("structuredContent")
    more = {"structured_content": structured} if structured is not None else {}
    agent = mapping(record.get("toolUseResult")).get("agentId")
    return more | ({"agent_id": text(agent)} if agent else {})


def _attachment(held: dict[str, Any]) -> Text:
    """What the client put into the context itself, as far as the file has its words."""
    for field in ("content", "addedBlocks", "addedLines"):
        value = held.get(field)
        if isinstance(value, str):
            return Text(text(value))
        if lines := texts(value):
            return Text("\n".join(lines))
    return Text(dump({key: value for key, value in held.items() if key not in _QUIET}))


def _once(records: Iterable[Record]) -> list[Record]:
    """Records without those that a resumed session repeats."""
    seen: set[str] = set()
    found: list[Record] = []
    for record in records:
        name = text(record.get("uuid"))
        if name and name in seen:
            continue
        seen.add(name)
        found.append(record)
    return found


def _chains(records: list[Record]) -> list[list[Record]]:
    """Sub-agents in one file, told apart by which record each goes on from."""
    chains: dict[str, list[Record]] = {}
    root: dict[str, str] = {}
    for record in records:
        name, before = text(record.get("uuid")), text(record.get("parentUuid"))
        root[name] = root.get(before, name)
        chains.setdefault(root[name], []).append(record)
    return list(chains.values())


def _prompt(records: Iterable[Record]) -> str:
    """The first words that a sub-agent was given."""
    for record in records:
        if record.get("type") == "user":
            content = mapping(record.get("message")).get("content")
            return text(content) if isinstance(content, str) else text(first(mappings(content)).get("text"))
    return ""


def _adopt(everyone: list[Story], sub: Story, call_id: str, prompt: str) -> None:
    """Embed a sub-agent where the call stands that started it, known by its id, by the agent's, or by the prompt that
    it gave; one whose call is not found belongs to the main conversation."""

    def started(call: Call, noted: Mapping[str, Any]) -> bool:
        if call_id:
            return call.call_id == call_id
        return noted.get("agent_id") == sub.session_id or bool(prompt and call.arguments.get("prompt") == prompt)

    for story in everyone:
        if story is not sub and (found := story.call(started)):
            story.adopt(sub, found)
            return
    everyone[0].adopt(sub, "")
