"""Pipeline: plan, look up, write, and write again with feedback; whatever a role fails to give, an answer is left."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crew import Crew, Data, Part, Spent
from pydantic_ai.tools import Tool
from thinking import ThinkingError
from toolbox import Toolbox

from anagent import exemplars, guards
from anagent.author import Author
from anagent.brief import Brief, read_brief
from anagent.events import Advised, Answered, Drafted, Exemplified, Graded, Guarded, Lost, Planned, Shown
from anagent.expert import Expert
from anagent.given import plan_of, refinement_of
from anagent.pace import Pace
from anagent.roles import CRITIC, PLANNER, Critique, Plan
from anagent.settings import Settings

LEFT_AFTER_PLAN = 2
"""Model calls for which there is room when a plan is asked for: the plan and the analysis."""


@dataclass(frozen=True, slots=True)
class Version:
    """One analysis, and its critique where there is one."""

    number: int
    answer: str
    critique: Critique | None = None
    feedback: str = ""
    """What the author is told of it; of a critique, or from a file."""


async def work(crew: Crew) -> None:
    """One trial: the answer is written as soon as there is one, and again when it is bettered."""
    settings = Settings.of(crew.options)
    brief = await read_brief(crew.task, settings)
    crew.state.emit(_shown(brief))
    if brief.missing:
        crew.state.emit(Lost(role="context", cause="fault", why=brief.missing))
    needs_tools = settings.looks_up or settings.author_has_tools
    with Toolbox(crew.task["tools"] if needs_tools else {}) as toolbox:
        await Pipeline(crew, settings, brief, toolbox.tools).run()


class Pipeline:
    """The roles of one trial at work."""

    def __init__(self, crew: Crew, settings: Settings, brief: Brief, toolbox: Sequence[Tool[object]]) -> None:
        self.crew = crew
        self.settings = settings
        self.brief = brief
        self.pace = Pace(crew)
        self.expert = Expert(self.pace, settings, brief, toolbox)
        self.author = Author(self.pace, settings, brief, toolbox)
        self._examples: dict[str, list[Part]] = {}

    async def run(self) -> None:
        """All stages. Raises ThinkingError where there is nothing to answer with, and Outage where a role could not be
        asked although there is."""
        plan = await self._plan() if self.settings.plans else ""
        summary = await self._look_up(plan) if self.settings.looks_up else ""
        given = [*self._parts(plan, "solver"), *_summary_part(summary)]
        versions: list[Version] = []
        if self.settings.feedback_file is not None:
            versions = await self._refined_as_given(plan, summary, self.settings.feedback_file)
        elif first := await self.author.write(given, 1):
            versions.append(Version(1, first))
            self.crew.answer(self._fitting(first))
            versions = await self._refined(plan, summary, versions[0])
        self._answer(versions, summary)
        self.pace.finish()

    async def _plan(self) -> str:
        """The plan, asked for again once where it is a piece of the analysis; empty where there is none."""
        if self.settings.plans_file is not None:
            given = plan_of(self.settings.plans_file, self.crew.task["task_id"])
            self.crew.state.emit(Planned(plan=given, given=True))
            return given
        if not self.crew.budget.room(LEFT_AFTER_PLAN):
            self.crew.state.emit(Lost(role="planner", cause="spent", why=str(self.crew.budget)))
            return ""
        parts = self._parts("", "planner")
        found = await self._asked_plan(parts, "plan")
        if found is None:
            return ""
        if self.settings.guards and guards.leaks(found.plan, self.brief.numbers) and self.crew.budget.room(2):
            note = f"You wrote:\n{found.plan}\n\n{guards.LEAK_NOTE}"
            found = await self._asked_plan([*parts, note], "plan/again") or found
            mended = not guards.leaks(found.plan, self.brief.numbers)
            self.crew.state.emit(Guarded(role="planner", guard="leak", mended=mended))
        self.crew.state.emit(Planned(plan=found.plan, thought=found.thought))
        return found.plan

    async def _asked_plan(self, parts: Sequence[Part], step: str) -> Plan | None:
        slots = {"plan_limit": self.settings.plan_limit}
        asking = self.crew.ask(PLANNER, parts, who="planner", step=step, slots=slots)
        said = await self.pace.attempt("planner", "planner", asking)
        return said.value if said is not None else None

    async def _look_up(self, plan: str) -> str:
        return await self.expert.summarise(self._parts(plan, "expert"))

    async def _refined(self, plan: str, summary: str, first: Version) -> list[Version]:
        """The first analysis and those that followed the critic's feedback, with their critiques."""
        versions = [first]
        for _ in range(self.settings.rounds):
            last = versions[-1]
            if not self.crew.budget.room(2):
                self.crew.state.emit(Lost(role="critic", cause="spent", why=str(self.crew.budget)))
                return versions
            critique = await self._criticise(plan, summary, last)
            if critique is None:
                return versions
            versions[-1] = Version(last.number, last.answer, critique, critique.feedback)
            if self.settings.stop_at is not None and critique.total >= self.settings.stop_at:
                return versions
            again = await self.author.write(self._with_feedback(plan, summary, versions[-1]), last.number + 1)
            if not again:
                return versions
            versions.append(Version(last.number + 1, again))
            self.crew.answer(self._fitting(again))
        if self.settings.rounds and self.settings.accept == "best" and self.crew.budget.room():
            critique = await self._criticise(plan, summary, versions[-1])
            versions[-1] = Version(versions[-1].number, versions[-1].answer, critique)
        return versions

    async def _refined_as_given(self, plan: str, summary: str, path: Path) -> list[Version]:
        """The analysis that a file gives, and the author's next one with the file's feedback."""
        given = refinement_of(path, self.crew.task["task_id"])
        first = Version(1, given.answer, feedback=given.feedback)
        self.crew.state.emit(Drafted(number=1, answer=first.answer, words=len(first.answer.split()), given=True))
        self.crew.state.emit(Advised(number=1, feedback=given.feedback))
        self.crew.answer(self._fitting(first.answer))
        again = await self.author.write(self._with_feedback(plan, summary, first), 2)
        if not again:
            return [first]
        self.crew.answer(self._fitting(again))
        return [first, Version(2, again)]

    async def _criticise(self, plan: str, summary: str, version: Version) -> Critique | None:
        parts = [*self._parts(plan, "critic"), *_summary_part(summary), _version_part(version)]
        slots = {"feedback_limit": self.settings.feedback_limit}
        step = f"criticise/{version.number}"
        asking = self.crew.ask(CRITIC, parts, who="critic", step=step, slots=slots)
        said = await self.pace.attempt("critic", "critic", asking)
        if said is None or said.value is None:
            return None
        feedback = said.value.feedback[: self.settings.feedback_limit]
        critique = said.value.model_copy(update={"feedback": feedback})
        graded = Graded(
            number=version.number,
            grades=critique.grades(),
            total=critique.total,
            feedback=feedback,
            thought=critique.thought,
        )
        self.crew.state.emit(graded)
        return critique

    def _with_feedback(self, plan: str, summary: str, version: Version) -> list[Part]:
        critique = version.critique
        grades = critique.grades() if critique is not None else {}
        lines = [f"{name}: {grade} of 2" for name, grade in grades.items()]
        feedback = "\n".join(
            ["# The feedback on it", *lines, "", version.feedback, "", "Write the analysis again, whole."]
        )
        return [*self._parts(plan, "solver"), *_summary_part(summary), _version_part(version), feedback]

    def _parts(self, plan: str, role: str) -> list[Part]:
        """What a role is shown: its examples, the task, and the plan where there is one."""
        if role not in self._examples:
            self._examples[role] = self._chosen(role)
        parts: list[Part] = [*self._examples[role], *self.brief.parts]
        if plan:
            parts.append(f"# The plan\n\n{plan}")
        return parts

    def _chosen(self, role: str) -> list[Part]:
        """The examples that a role is shown."""
        if not self.settings.shots:
            return []
        chosen = exemplars.choose(
            exemplars.read(role),
            self.settings.shots,
            data_type=self.brief.data_type,
            papers=list(self.crew.task["papers"]),
            seed=self.settings.shots_seed,
        )
        self.crew.state.emit(Exemplified(role=role, papers=[example["paper"] for example in chosen]))
        return [exemplars.shown(role, chosen)] if chosen else []

    def _answer(self, versions: Sequence[Version], summary: str) -> None:
        """Write the answer: of the versions the last one or the best, else the author's reply in another form, else
        the summary. ThinkingError or Spent where there is none of them."""
        source, number, text = "prose", 0, self.author.prose
        if versions:
            chosen = versions[-1] if self.settings.accept == "last" else _best(versions)
            source, number, text = "analysis", chosen.number, chosen.answer
        elif not text:
            source, text = "summary", summary
        if not text:
            raise self._nothing()
        faults = self.crew.answer(self._fitting(text))
        guarded = [event.guard for event in self.crew.state.events if isinstance(event, Guarded)]
        answered = Answered(
            source=source,
            number=number,
            leaks=guarded.count("leak"),
            repeats=guarded.count("repetition"),
            faults=faults,
        )
        self.crew.state.emit(answered)

    def _nothing(self) -> Exception:
        """Why there is no answer: Spent where the budget was, else what the author met."""
        lost = [event for event in self.crew.state.events if isinstance(event, Lost) and event.role == "solver"]
        why = f"there is no analysis: {lost[-1].cause}: {lost[-1].why}" if lost else "there is no analysis"
        return Spent(why) if lost and lost[-1].cause == "spent" else ThinkingError(why)

    def _fitting(self, text: str) -> str:
        """The text, cut where the task's schema has a greatest length."""
        schema: dict[str, Any] = json.loads(Path("schema.json").read_text(encoding="utf-8"))
        return text[: int(schema["maxLength"])] if "maxLength" in schema else text


def _best(versions: Sequence[Version]) -> Version:
    """The version with the highest sum of grades, the later of two; one that was not graded comes last."""
    return max(versions, key=lambda version: (version.critique.total if version.critique else -1, version.number))


def _summary_part(summary: str) -> list[Part]:
    return [Data(summary, "summary of what was looked up")] if summary else []


def _version_part(version: Version) -> Data:
    return Data(version.answer, f"version {version.number} of the analysis")


def _shown(brief: Brief) -> Shown:
    return Shown(
        data_type=brief.data_type,
        files=brief.files,
        pictures=brief.pictures,
        context_tokens=brief.context_tokens,
        context_of=brief.context_of,
        stated=brief.stated,
    )
