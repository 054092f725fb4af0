"""Synthesising: the answer from kept evidence alone, checked, mended once, and stripped of what does not stand."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from crew import Crew, Part, Role
from door import DoorError

from . import roles
from .asking import Asking
from .bench import Bench, as_json
from .checks import Checker, Report, numbers
from .events import Checked, Removed
from .evidence import Evidence
from .outputs import Precedent, Synthesis
from .settings import Settings

T = TypeVar("T", Synthesis, Precedent)
FORMS = {
    "answer": "Give the answer in the form that the task asks for, and the claims that carry it.",
    "precedent": "Give what was reported, each record with the evidence that it stands in, by the rules of the task.",
}
DECLINE = "Nothing that was found answers the task. Decline, and say in the note what was looked for and not found."


class Synthesising:
    """The synthesis of one trial. ``task`` is what the task says, ``files`` its own pictures and texts."""

    def __init__(
        self, crew: Crew, asking: Asking, settings: Settings, bench: Bench, task: str, files: Sequence[Part]
    ) -> None:
        self.crew = crew
        self.asking = asking
        self.settings = settings
        self.bench = bench
        self.task = task
        self.files = files

    async def answer(self, evidence: Sequence[Evidence], *, decline: bool) -> tuple[Synthesis | None, Report]:
        """The answer to a question, and what the checks left of it; None where the role gave nothing."""
        return await self._written(roles.answer(self.settings), "answer", evidence, decline=decline)

    async def precedent(self, evidence: Sequence[Evidence], *, decline: bool) -> tuple[Precedent | None, Report]:
        """What was reported, and what the checks left of it; None where the role gave nothing."""
        return await self._written(roles.precedent(self.settings), "precedent", evidence, decline=decline)

    async def _written(
        self, role: Role[T], form: str, evidence: Sequence[Evidence], *, decline: bool
    ) -> tuple[T | None, Report]:
        parts: list[Part] = [f"# The task\n\n{self.task}", *self.files, *(each.data for each in evidence)]
        parts += [DECLINE] if decline else []
        slots = {"form": FORMS[form]}
        call = self.crew.ask(role, parts, who="synthesis", step="write", slots=slots)
        said, _ = await self.asking.attempt("synthesis", call)
        if said is None or said.value is None:
            return None, Report()
        if decline or not self.settings.checks or (self.files and not evidence):
            return said.value, Report()
        kept, report = await self._checked(said.value, evidence, "first")
        if not report.faults or not self.crew.budget.room():
            return self._stripped(kept, report), report
        told = "\n".join(f"- {fault}" for fault in report.faults)
        note = f"You wrote:\n{as_json(said.value.model_dump(mode='json'))}\n\nThat does not stand:\n{told}\n"
        again = f"{note}Write it again, whole: mend each of these, or leave it out."
        call = self.crew.ask(role, [*parts, again], who="synthesis", step="mend", slots=slots)
        mended, _ = await self.asking.attempt("synthesis", call)
        if mended is not None and mended.value is not None:
            kept, report = await self._checked(mended.value, evidence, "mended")
        return self._stripped(kept, report), report

    async def _checked(self, said: T, evidence: Sequence[Evidence], stage: str) -> tuple[T, Report]:
        by_id = {each.id: each for each in evidence}
        checker = Checker(by_id, self.task, await self._stand_elsewhere(said, by_id))
        kept, report = checker.synthesis(said) if isinstance(said, Synthesis) else checker.precedent(said)
        self.crew.state.emit(Checked(stage=stage, faults=report.faults))
        return cast("T", kept), report

    async def _stand_elsewhere(self, said: Synthesis | Precedent, evidence: Mapping[str, Evidence]) -> set[str]:
        """Numbers of the statements that conclude_search finds in the chunks shown; none where it could not be
        asked."""
        chunks = [each.locator for each in evidence.values() if each.kind == "passage"]
        text = _words(said)
        if not chunks or not text or not self.bench.has("conclude_search"):
            return set()
        try:
            found = await self.bench.data("conclude_search", answer=text, chunks=chunks)
        except DoorError:
            return set()
        missing = cast("list[Mapping[str, Any]]", found["numbers_not_found"])
        unfound = {number for each in missing for number in numbers(str(each["written"]))}
        return numbers(text) - unfound

    def _stripped(self, kept: T, report: Report) -> T:
        for what, why in report.removed:
            self.crew.state.emit(Removed(what=what, why=why))
        return kept


def _words(said: Synthesis | Precedent) -> str:
    """The statements of a synthesis as one text."""
    if isinstance(said, Synthesis):
        answer = [] if said.answer is None else [str(said.answer)]
        return "\n".join([*answer, *(claim.text for claim in said.claims)])
    records = [*said.measurements, *said.negative_measurements, *said.related]
    return "\n".join(f"{record.material}: {record.value} {record.unit or ''}" for record in records)
