"""Memory: the knowledge that a role gathers with tools, one entry a call, and the tools that fill it."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crew import Crew, Data
from pydantic_ai.exceptions import ModelRetry, ToolFailed
from pydantic_ai.messages import BinaryContent
from pydantic_ai.tools import Tool
from toolbox import make_tool

from anagent.events import Learned

TOOLKITS: Mapping[str, Sequence[str]] = {
    "document": ("documents",),
    "knowledge": ("library", "databases", "materials", "provenance"),
    "search": ("literature", "search"),
    "vision": ("figures",),
    "sandbox": ("workbench",),
}
"""The five toolkits, by the servers whose tools are in them."""
OTHER = "other"
NO_MORE = "The task allows no further call of a tool. End now with what you have."
AGAIN = "You made this call before; its result was:\n"


class Enough(Exception):  # noqa: N818 - a state that ends a loop with what there is, not a fault
    """What is left of the budget is for the author: no more is looked up."""


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """What one call gave: ``text`` as the role saw it."""

    turn: int
    tool: str
    arguments: str
    outcome: str
    text: str
    pictures: int = 0


@dataclass
class Memory:
    """The knowledge of a trial: an entry a call, each call once."""

    crew: Crew
    who: str
    limit: int
    """Characters of a result that the role sees."""
    most: int | None
    """Calls that the task allows; None for any number."""
    has_room: Callable[[], bool]
    """Whether there is room for the model calls that must follow another call."""
    entries: list[MemoryEntry] = field(default_factory=list[MemoryEntry])
    _given: dict[tuple[str, str], Any] = field(default_factory=dict[tuple[str, str], Any])
    _turn: int = 0
    _made: int = 0
    """Calls that reached a tool."""

    def tools(self, toolbox: Sequence[Tool[object]]) -> list[Tool[object]]:
        """The same tools, whose results are cut to the limit, remembered, and given again for the same call."""
        return [self._remembering(tool) for tool in toolbox]

    @property
    def text(self) -> str:
        """All entries, in order."""
        blocks = [f"{entry.tool} {entry.arguments}\n{entry.text}" for entry in self.entries if entry.outcome == "ok"]
        return "\n\n".join(blocks)

    def data(self) -> Data:
        """All entries as data."""
        return Data(self.text, "results of tools")

    def _remembering(self, tool: Tool[object]) -> Tool[object]:
        definition = tool.tool_def

        async def call(**arguments: Any) -> Any:
            if not self.has_room():
                raise Enough(f"no budget for another call after {self._made}")
            self._turn += 1
            key = (tool.name, json.dumps(arguments, sort_keys=True, ensure_ascii=False))
            if key in self._given:
                entry = next(entry for entry in self.entries if (entry.tool, entry.arguments) == key)
                self._note(entry, known=True)
                return _again(self._given[key])
            if self.most is not None and self._made >= self.most:
                self._note(MemoryEntry(self._turn, *key, "refused", NO_MORE))
                raise ToolFailed(NO_MORE)
            self._made += 1
            try:
                given = await tool.function_schema.function(**arguments)
            except (ToolFailed, ModelRetry, ValueError) as error:
                self._note(MemoryEntry(self._turn, *key, "error", str(error)[: self.limit]))
                raise
            shown, text, was_cut = _cut(given, self.limit)
            pictures = sum(isinstance(part, BinaryContent) for part in shown)
            entry = MemoryEntry(self._turn, *key, "ok", text, pictures)
            self.entries.append(entry)
            self._given[key] = shown
            self._note(entry, was_cut=was_cut)
            return shown

        schema = definition.parameters_json_schema
        return make_tool(call, tool.name, definition.description or "", schema)

    def _note(self, entry: MemoryEntry, *, known: bool = False, was_cut: bool = False) -> None:
        noted = Learned(
            turn=self._turn,
            tool=entry.tool,
            toolkit=toolkit_of(entry.tool),
            arguments=entry.arguments,
            outcome=entry.outcome,
            chars=len(entry.text),
            cut=was_cut,
            pictures=entry.pictures,
            known=known,
            digest=hashlib.sha256(entry.text.encode()).hexdigest()[:12],
            who=self.who,
        )
        self.crew.state.emit(noted)


def toolkit_of(tool: str) -> str:
    """The toolkit of a tool, by its server."""
    server = tool.removeprefix("mcp__").partition("__")[0]
    return next((name for name, servers in TOOLKITS.items() if server in servers), OTHER)


def headings(toolbox: Sequence[Tool[object]]) -> str:
    """The tools under the names of their toolkits."""
    lines = ["Your tools, by what they are for:"]
    for kit in (*TOOLKITS, OTHER):
        names = [tool.name for tool in toolbox if toolkit_of(tool.name) == kit]
        if names:
            lines.append(f"- {kit}: {', '.join(names)}")
    return "\n".join(lines) if len(lines) > 1 else "There are no tools for this task: end with what you were given."


def _again(given: Any) -> Any:
    return AGAIN + given if isinstance(given, str) else [AGAIN, *given]


def _cut(given: Any, limit: int) -> tuple[Any, str, bool]:
    """A result whose texts have ``limit`` characters together, its text, and whether something was cut."""
    parts: list[Any] = [given] if isinstance(given, str) else list(given)
    room = limit
    shown: list[Any] = []
    texts: list[str] = []
    left_out = 0
    for part in parts:
        if not isinstance(part, str):
            shown.append(part)
            continue
        text = part[:room]
        left_out += len(part) - len(text)
        room -= len(text)
        if text or not part:
            shown.append(text)
            texts.append(text)
    if left_out:
        note = f"\n[Cut: {left_out} more characters. Ask for less at a time, or for the part that you need.]"
        shown.append(note)
        texts.append(note)
    if all(isinstance(part, str) for part in shown):
        return "".join(shown), "".join(texts), bool(left_out)
    return shown, "".join(texts), bool(left_out)
