"""Expert: looks things up with tools, one call a turn, and sums up what it found."""

from collections.abc import Mapping, Sequence
from typing import Any

from crew import Crew, Part, Said
from crew.loop import work
from pydantic_ai.tools import Tool

from anagent import guards
from anagent.brief import Brief
from anagent.events import Guarded, Summarised
from anagent.memory import Memory, headings
from anagent.pace import Pace
from anagent.roles import EXPERT, Summary
from anagent.settings import Settings

CALLS_AFTER = 2
"""Model calls for which room is left when a tool is called: the summary and the analysis."""
LAST_WORD = "Your turns are over. These are the results that you have; write the summary of them, and of nothing else."


class Expert:
    """The expert of one trial; ``memory`` is the knowledge that it gathers."""

    def __init__(self, pace: Pace, settings: Settings, brief: Brief, toolbox: Sequence[Tool[object]]) -> None:
        self.crew: Crew = pace.crew
        self.pace = pace
        self.settings = settings
        self.brief = brief
        self.memory = knowledge(self.crew, "expert", settings, brief)
        self.tools = self.memory.tools(toolbox)

    async def summarise(self, parts: Sequence[Part]) -> str:
        """The summary: as said in its loop, else asked for once more, else the results themselves, cut; empty where
        there is neither summary nor result."""
        turns = affordable(self.crew, self.settings.turns)
        said = await self._looked(parts, turns) if turns else None
        if said is not None and said.value is not None:
            return self._note(await self._guarded(parts, said.value), "said")
        if not self.memory.entries:
            return ""
        if self.crew.budget.room(CALLS_AFTER):
            asked = await self.pace.attempt("expert", "expert", self._ask(parts, LAST_WORD, "look/last"))
            if asked is not None and asked.value is not None:
                return self._note(asked.value, "asked")
        text = self.memory.text[: self.settings.summary_len]
        return self._note(Summary(summary=text), "cut") if text else ""

    async def _looked(self, parts: Sequence[Part], turns: int) -> Said[Summary] | None:
        slots = {"turns": turns, "summary_len": self.settings.summary_len, "toolkits": headings(self.tools)}
        looking = work(
            self.crew,
            EXPERT,
            parts,
            self.tools,
            turns=turns,
            one_call=True,
            tell_turns=True,
            who="expert",
            step="look",
            slots=slots,
        )
        return await self.pace.attempt("expert", "expert", looking)

    async def _guarded(self, parts: Sequence[Part], summary: Summary) -> Summary:
        """The summary, asked for again once where it is a piece of the analysis."""
        leaked = self.settings.guards and guards.leaks(summary.summary, self.brief.numbers)
        if not leaked or not self.crew.budget.room(CALLS_AFTER):
            return summary
        note = f"You wrote:\n{summary.summary}\n\n{guards.LEAK_NOTE}"
        again = await self.pace.attempt("expert", "expert", self._ask(parts, note, "look/again"))
        better = again.value if again is not None and again.value is not None else summary
        mended = not guards.leaks(better.summary, self.brief.numbers)
        self.crew.state.emit(Guarded(role="expert", guard="leak", mended=mended))
        return better

    async def _ask(self, parts: Sequence[Part], note: str, step: str) -> Said[Summary]:
        """The summary alone, by what is known."""
        slots = {"turns": 1, "summary_len": self.settings.summary_len, "toolkits": "There are no tools any more."}
        shown = [*parts, self.memory.data(), note]
        return await self.crew.ask(EXPERT, shown, who="expert", step=step, slots=slots)

    def _note(self, summary: Summary, how: str) -> str:
        noted = Summarised(summary=summary.summary, how=how, entries=len(self.memory.entries), thought=summary.thought)
        self.crew.state.emit(noted)
        return summary.summary


def knowledge(crew: Crew, who: str, settings: Settings, brief: Brief) -> Memory:
    """An empty knowledge, bounded by the task's limit of tool calls and by the model calls that must follow."""
    limits: Mapping[str, Any] = crew.task.get("limits") or {}
    limit = int(limits.get("tool_calls") or 0)
    most = max(0, limit - brief.calls) if limit else None
    return Memory(crew, who, settings.result_limit, most, lambda: crew.budget.room(CALLS_AFTER))


def affordable(crew: Crew, turns: int) -> int:
    """As many of the turns as leave room for the analysis; 0 where there is no room for any."""
    while turns and not crew.budget.room(turns + 1):
        turns -= 1
    return turns
