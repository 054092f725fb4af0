"""Hosting: the tools as the orchestrator has them, with what the program does around some of them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from crew import Crew
from door import RequestError, SlowError, ToolError
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import Tool
from toolbox import make_tool

from .bench import Bench, as_json, plain_name, server_of
from .events import Stocked
from .inspecting import Inspecting
from .queue import Queue
from .searching import Searching
from .settings import Settings
from .shelf import Shelf

SERVERS = ("literature", "library", "documents", "figures", "provenance")
_LEDGER = ("record_claim", "retract_claim", "list_claims", "export_claims", "audit_text")
_OWN = ("conclude_search", "view_figure", "zoom_figure", "view_page")
"""Tools that the program calls itself: the first after the synthesis, the others for the inspector."""
_FETCHING = ("fetch_fulltext", "add_papers", "search_web", "search_wikipedia")
"""Tools that bring procedures; closed where the gate was unsure, as far as they go beyond the task's papers."""
_CLOSED = {
    "grep": ("grep_chunks", "grep_paper"),
    "abstracts": ("get_abstract",),
    "fulltext": ("fetch_fulltext", "add_papers"),
    "status": ("publication_status",),
}
"""Tools that go with a component that is off."""
_INSPECT = {
    "type": "object",
    "properties": {
        "paper": {"type": "string", "description": "The paper, as in other calls"},
        "figure": {"type": "string", "description": '"Fig. 3", "#2" for the second one'},
        "question": {"type": "string", "description": "What the figure is to tell"},
    },
    "required": ["paper", "figure", "question"],
    "additionalProperties": False,
}
_INSPECT_ABOUT = "Have a figure looked at to answer a question; a model that sees zooms in where it has to."
_FIGURES = "mcp__figures__inspect_figure"

CALLS_LEFT = 5
"""Model calls for which there must be room when a tool is called: one that the tool makes itself, a reply that is told
that the budget is over, the conclusion, the synthesis, and its mending."""
_OVER = "The budget is used up: no tool is called any more. End now by the answer, with what you have."

Call = Callable[..., Awaitable[Any]]


class Hosting:
    """Makes the orchestrator's tools. ``unsure`` closes those that fetch what is not the task's own."""

    def __init__(
        self, crew: Crew, settings: Settings, bench: Bench, shelf: Shelf, searching: Searching, inspecting: Inspecting,
        queue: Callable[[], Queue],
    ) -> None:  # fmt: skip
        self.crew = crew
        self.settings = settings
        self.bench = bench
        self.shelf = shelf
        self.inspecting = inspecting
        self.queue = queue
        self._hooks: dict[str, Call] = {
            "search_papers": searching.papers,
            "search_passages": searching.passages,
            "add_papers": self.add,
            "prune_chunks": self.prune,
            "inspect_figure": self.inspect,
            "flag_wrong_figure": inspecting.flag,
        }

    def tools(self, *, unsure: bool) -> list[Tool[object]]:
        """The tools, those of components that are off left out."""
        closed = {*_LEDGER, *_OWN, *(_FETCHING if unsure else ())}
        for name, tools in _CLOSED.items():
            if not getattr(self.settings, name):
                closed |= set(tools)
        made: list[Tool[object]] = []
        for tool in self.bench.tools:
            server, name = server_of(tool.name), plain_name(tool.name)
            if server not in SERVERS or name in closed or (server == "figures" and not self.settings.inspect):
                continue
            if name != "inspect_figure":
                made.append(self._hosted(tool))
        if self.settings.inspect and self.bench.has("view_figure"):
            made.append(make_tool(self._told(self.inspect), _FIGURES, _INSPECT_ABOUT, _INSPECT))
        return made

    async def add(self, **arguments: Any) -> str:
        """add_papers, called until it has finished; the papers of the library are listed again."""
        while True:
            found = await self.bench.data("add_papers", **arguments)
            if found["finished"]:
                break
        states = {str(name): int(count) for name, count in cast("dict[str, int]", found["counts"]).items()}
        self.crew.state.emit(Stocked(sources=[str(each) for each in arguments.get("sources", [])], states=states))
        await self._restock()
        return as_json(found)

    async def prune(self, **arguments: Any) -> str:
        """prune_chunks; what it drops is not shown to the synthesis unless it is named."""
        found = await self.bench.data("prune_chunks", **arguments)
        self.shelf.dropped |= {str(each["locator"]) for each in found["dropped"]}
        self.shelf.dropped -= {str(each["locator"]) for each in found["kept"]}
        return as_json(found)

    async def inspect(self, **arguments: Any) -> str:
        """inspect_figure, with the figures that are still to be looked at."""
        said = json.loads(await self.inspecting.inspect(self.queue(), **arguments))
        queue = self.queue()
        said["inspections_left"] = queue.left(self.settings.inspections)
        for level in ("must", "should"):
            if waiting := queue.waiting(level):
                said[f"{level}_look_at"] = [entry.name for entry in waiting]
        return as_json(said)

    async def _restock(self) -> None:
        try:
            await self.shelf.restock()
        except ToolError:
            return  # nothing could be added: the library is empty, which it says by an error

    def _hosted(self, tool: Tool[object]) -> Tool[object]:
        hook = self._hooks.get(plain_name(tool.name), tool.function_schema.function)
        return make_tool(self._told(hook), tool.name, tool.description or "", tool.function_schema.json_schema)

    def _told(self, hook: Call) -> Call:
        """A call that is refused where the budget leaves room for the end alone, and whose tool's errors are told to
        the model; a door that cannot be reached is raised."""

        async def call(**arguments: Any) -> Any:
            if not self.crew.budget.room(CALLS_LEFT):
                raise ToolFailed(_OVER)
            try:
                return await hook(**arguments)
            except (ToolError, RequestError, SlowError, LookupError) as error:
                raise ToolFailed(str(error)) from error

        return call
