"""Author: writes the analysis, alone or with tools, and again with the critic's feedback."""

from collections.abc import Sequence

from crew import Crew, Part, Said
from crew.loop import work
from pydantic_ai.tools import Tool

from anagent import guards
from anagent.brief import Brief
from anagent.events import Drafted, Guarded
from anagent.expert import affordable, knowledge
from anagent.memory import headings
from anagent.pace import Pace
from anagent.roles import SOLVER, SOLVER_WITH_TOOLS, Analysis
from anagent.settings import Settings


class Author:
    """The author of one trial, the role solver; ``prose`` is a reply in another form that can stand for an analysis."""

    def __init__(self, pace: Pace, settings: Settings, brief: Brief, toolbox: Sequence[Tool[object]]) -> None:
        self.crew: Crew = pace.crew
        self.pace = pace
        self.settings = settings
        self.brief = brief
        self.prose = ""
        self.memory = knowledge(self.crew, "solver", settings, brief)
        self.tools = self.memory.tools(toolbox)

    async def write(self, parts: Sequence[Part], number: int) -> str:
        """The analysis of that number; empty where there is none."""
        stage = "solver" if number == 1 else "solver again"
        said = await self.pace.attempt(stage, "solver", self._asking(parts, number))
        if said is None:
            return ""
        if said.value is None:
            self.prose = self.prose or prose_of(said.text)
            return ""
        analysis = await self._guarded(parts, said.value, stage, number)
        written = Drafted(
            number=number, answer=analysis.answer, words=len(analysis.answer.split()), thought=analysis.thought
        )
        self.crew.state.emit(written)
        return analysis.answer

    async def _asking(self, parts: Sequence[Part], number: int) -> Said[Analysis]:
        step = f"solve/{number}"
        turns = affordable(self.crew, self.settings.turns) if self.settings.author_has_tools else 0
        if not turns:
            return await self.crew.ask(SOLVER, parts, who="solver", step=step)
        slots = {"turns": turns, "toolkits": headings(self.tools)}
        return await work(
            self.crew,
            SOLVER_WITH_TOOLS,
            parts,
            self.tools,
            turns=turns,
            one_call=True,
            tell_turns=True,
            who="solver",
            step=step,
            slots=slots,
        )

    async def _guarded(self, parts: Sequence[Part], analysis: Analysis, stage: str, number: int) -> Analysis:
        """The analysis, asked for again once where it repeats itself."""
        if not self.settings.guards or not guards.repeats(analysis.answer) or not self.crew.budget.room():
            return analysis
        note = f"You wrote:\n{analysis.answer}\n\n{guards.REPETITION_NOTE}"
        asking = self.crew.ask(SOLVER, [*parts, note], who="solver", step=f"solve/{number}/again")
        again = await self.pace.attempt(stage, "solver", asking)
        better = again.value if again is not None and again.value is not None else analysis
        mended = not guards.repeats(better.answer)
        self.crew.state.emit(Guarded(role="solver", guard="repetition", mended=mended))
        return better


def prose_of(text: str) -> str:
    """A reply that is prose in place of the form that was asked for; nothing where it is broken JSON or tags."""
    plain = text.strip()
    return "" if plain.startswith(("{", "[", "<", "`")) else plain
