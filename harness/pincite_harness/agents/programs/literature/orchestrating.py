"""Orchestrating: the free-order loop, and what the program enforces at its end."""

from collections.abc import Sequence

from crew import Crew, Part
from crew.loop import work as loop
from crew.state import View
from pydantic_ai.tools import Tool

from . import roles
from .asking import Asking
from .events import Held, Stopped
from .outputs import Conclusion, conclusion
from .queue import Queue
from .settings import Settings
from .shelf import Shelf

CALLS_AFTER = 2
"""Model calls for which room is left when the orchestrator is asked: the synthesis and its mending."""


class Orchestrating:
    """The loop of one trial."""

    def __init__(self, crew: Crew, asking: Asking, settings: Settings, shelf: Shelf, queue: View[Queue]) -> None:
        self.crew = crew
        self.asking = asking
        self.settings = settings
        self.shelf = shelf
        self.queue = queue

    async def run(self, parts: Sequence[Part], tools: Sequence[Tool[object]], library: str) -> Conclusion:
        """Its conclusion; where it reaches its limit or gives nothing, one of what was gathered until then."""
        steps = self._affordable()
        if not steps:
            return self._note(self._gathered("the budget leaves no reply"), "limit")
        role = roles.orchestrator(self.settings, conclusion(self._fault))
        slots = {"inspections": self.settings.inspections, "steps": steps, "library": library}
        working = loop(
            self.crew, role, parts, tools, turns=steps, tell_turns=True, who="orchestrator", step="search", slots=slots
        )
        said, cause = await self.asking.attempt("orchestrator", working)
        if said is not None and said.value is not None:
            return self._note(said.value, "orchestrator")
        if said is not None and said.calls >= steps:
            cause = "limit"
        return self._note(self._gathered(f"the loop ended without a conclusion: {cause}"), cause)

    def _fault(self, said: Conclusion) -> str:
        """Why the orchestrator may not end yet; empty where it may."""
        queue = self.queue.now
        waiting = queue.waiting("must")
        if waiting and said.basis != "nothing" and queue.left(self.settings.inspections):
            names = [entry.name for entry in waiting]
            why = "these figures must be looked at first, or flagged as wrong ones"
            self.crew.state.emit(Held(why=why, figures=names))
            should = [entry.name for entry in queue.waiting("should")]
            note = f" These should be: {'; '.join(should)}." if should else ""
            return f"{why}: {'; '.join(names)}.{note}"
        if said.basis == "abstract" and not self.settings.abstracts:
            return "abstracts are not shown in this run: end on passages or figures, or with the basis nothing"
        unknown = [name for name in said.works if name not in self.shelf.works]
        if unknown:
            return f"no search gave these works: {', '.join(unknown)}"
        if said.basis == "abstract" and not said.works:
            return "name the works whose abstracts carry the answer"
        return ""

    def _affordable(self) -> int:
        """As many replies as leave room for the synthesis."""
        steps = self.settings.steps
        while steps and not self.crew.budget.room(steps + CALLS_AFTER):
            steps -= 1
        return steps

    def _gathered(self, why: str) -> Conclusion:
        """What there is: the best passages, or where there are none the abstracts of all works."""
        chunks = self.shelf.best(self.settings.kept)
        works = [] if chunks or not self.settings.abstracts else list(self.shelf.works)[: self.settings.kept]
        basis = "passages" if chunks else "abstract" if works else "nothing"
        return Conclusion(basis=basis, chunks=chunks, works=works, why=why)

    def _note(self, said: Conclusion, by: str) -> Conclusion:
        if said.basis == "passages" and not said.chunks:
            said = said.model_copy(update={"chunks": self.shelf.best(self.settings.kept)})
        waiting = [*self.queue.now.waiting("must"), *self.queue.now.waiting("should")]
        unseen = [entry.name for entry in waiting]
        concluded = Stopped(basis=said.basis, by=by, why=said.why, chunks=said.chunks, unseen=unseen)
        self.crew.state.emit(concluded)
        return said
