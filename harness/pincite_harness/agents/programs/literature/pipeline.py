"""Pipeline: gate, search in free order, synthesis, checks, publication status, and an answer whatever happens."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from crew import Crew, Part
from door import ToolError
from task_files import files_of
from thinking import ThinkingError
from toolbox import Toolbox

from . import gate
from .answers import Answers
from .asking import Asking
from .bench import Bench
from .checks import Report
from .events import Delivered, Evidenced, Gated, Inspected, Retrieved, Stocked, Stood
from .evidence import Evidence, gather
from .hosting import Hosting
from .inspecting import Inspecting
from .orchestrating import Orchestrating
from .outputs import Cited, Conclusion, Precedent, Synthesis
from .queue import Queue, apply
from .searching import Searching
from .settings import Settings
from .shelf import Shelf
from .status import statuses
from .synthesising import Synthesising

LEAST_ANSWERS = 5
"""Score (0 to 10) that some passage must have for answering, where no figure did (stated here): 5 is a part of it."""
NEEDED = ("library", "literature", "documents", "figures")


async def work(crew: Crew) -> None:
    """One trial; what answers nothing is written first, so that there is an answer whatever happens."""
    settings = Settings.of(crew.options)
    trial = Trial(crew, settings)
    crew.answer(trial.answers.nothing())
    decided = await trial.gate()
    if decided.decision == "refuse":
        trial.refuse(decided)
        trial.asking.finish()
        return
    servers: Mapping[str, Any] = crew.task["tools"]
    if missing := [name for name in NEEDED if name not in servers]:
        raise ThinkingError(f"the task has no server {', '.join(missing)}: add --with {' --with '.join(missing)}")
    with Toolbox(servers) as toolbox:
        await trial.run(Bench(toolbox), unsure=decided.decision == "unsure")
    trial.asking.finish()


class Trial:
    """What stays the same in one trial: the task in words, its form, and its own files."""

    def __init__(self, crew: Crew, settings: Settings) -> None:
        self.crew = crew
        self.settings = settings
        self.asking = Asking(crew)
        self.task = Path("prompt.md").read_text(encoding="utf-8")
        schema: Mapping[str, Any] = json.loads(Path("schema.json").read_text(encoding="utf-8"))
        self.answers = Answers(schema, _nothing(crew.task), {})
        self.question = _question(crew.task, self.task)
        pictures = crew.options.get("pictures", "yes") != "no"
        names: list[str] = crew.task.get("files") or []
        self.files = cast("list[Part]", files_of({"files": names}, pictures=pictures))

    async def gate(self) -> Gated:
        """The gate's decision; without a gate everything is allowed, which is not noted."""
        if not self.settings.gate:
            return Gated(decision="allow", by="off")
        return await gate.decide(self.crew, self.asking, self.settings, self.question)

    def refuse(self, decided: Gated) -> None:
        """Answer nothing, and say why."""
        note = f"Refused: {decided.category or 'harm'}: {decided.why}"
        self._answer("refused_by_agent", "", self.answers.nothing(note), 0, note)

    async def run(self, bench: Bench, *, unsure: bool) -> None:
        """Search, write, check, answer."""
        shelf = Shelf(bench, list(self.crew.task["papers"]))
        queue = self.crew.state.view(Queue(), apply)
        library = await self._stock(bench, shelf)
        searching = Searching(self.crew, self.asking, self.settings, bench, shelf, self.task)
        inspecting = Inspecting(self.crew, self.asking, self.settings, bench, shelf)
        hosting = Hosting(self.crew, self.settings, bench, shelf, searching, inspecting, lambda: queue.now)
        parts: list[Part] = [f"# The task\n\n{self.task}", *self.files]
        orchestrating = Orchestrating(self.crew, self.asking, self.settings, shelf, queue)
        said = await orchestrating.run(parts, hosting.tools(unsure=unsure), library)
        evidence = await self._evidence(bench, shelf, said)
        decline = self._declines(said, evidence)
        await self._write(bench, said, evidence, decline=decline)

    async def _stock(self, bench: Bench, shelf: Shelf) -> str:
        """Put the task's own papers into the library before the first call (stated here); what the orchestrator is
        told of it."""
        papers = list(shelf.papers)
        try:
            if papers:
                found = await bench.data("add_papers", sources=papers)
                while not found["finished"]:
                    found = await bench.data("add_papers", sources=papers)
                counts = cast("Mapping[str, int]", found["counts"])
                self.crew.state.emit(Stocked(sources=papers, states=dict(counts)))
            await shelf.restock()
        except ToolError:
            return "The library is empty: add_papers fills it."
        return f"The library holds {len(shelf.stock)} papers, those of the task among them."

    async def _evidence(self, bench: Bench, shelf: Shelf, said: Conclusion) -> list[Evidence]:
        looks = [event for event in self.crew.state.events if isinstance(event, Inspected)]
        works = said.works if self.settings.abstracts else []
        evidence = [] if said.basis == "nothing" else await gather(bench, shelf, said.chunks, works, looks)
        shown = {each.id: f"{each.kind} {each.locator or each.work.doi or each.work.title}" for each in evidence}
        self.crew.state.emit(Evidenced(shown=shown))
        self.answers.evidence = {each.id: each for each in evidence}
        return evidence

    def _declines(self, said: Conclusion, evidence: list[Evidence]) -> bool:
        """Whether nothing answers: no evidence and no file, or passages none of which is scored as an answer, and no
        figure that gave one."""
        if said.basis == "nothing" or not evidence:
            return not self.files or said.basis == "nothing"
        if any(each.kind != "passage" for each in evidence):
            return False
        named = {each.locator for each in evidence}
        searches = [event for event in self.crew.state.events if isinstance(event, Retrieved)]
        scored = [each for event in searches for each in event.passages if each.locator in named]
        known = [each.answers for each in scored if each.answers is not None]
        unscored = named - {each.locator for each in scored}
        return bool(known) and not unscored and max(known) < LEAST_ANSWERS

    async def _write(self, bench: Bench, ended: Conclusion, evidence: list[Evidence], *, decline: bool) -> None:
        synthesising = Synthesising(self.crew, self.asking, self.settings, bench, self.task, self.files)
        if self.answers.of_precedents:
            said, report = await synthesising.precedent(evidence, decline=decline)
        else:
            said, report = await synthesising.answer(evidence, decline=decline)
        if said is None or decline:
            note = said.note if said is not None and said.note else f"Nothing answers: {ended.why}"
            self._answer("declined", ended.basis, self.answers.nothing(note), 0, note)
            return
        standing = await self._standing(bench, said)
        if self.settings.drops_retracted:
            said = self._without_retracted(said, standing)
        note = self._note(ended, said, report, standing)
        if _is_empty(said):
            self._answer("declined", ended.basis, self.answers.nothing(note), 0, note)
            return
        sources = len(self.answers.cited(said))
        value = self.answers.precedent(said, note) if isinstance(said, Precedent) else self.answers.answer(said, note)
        self._answer("answered", ended.basis, value, sources, note)

    async def _standing(self, bench: Bench, said: Synthesis | Precedent) -> dict[str, Stood]:
        if not self.settings.status:
            return {}
        return await statuses(self.crew, bench, [each.work.doi for each in self.answers.cited(said)])

    def _without_retracted(self, said: Synthesis | Precedent, standing: Mapping[str, Stood]) -> Synthesis | Precedent:
        """What is left without retracted works."""
        bad = {doi for doi, stood in standing.items() if stood.retracted == "yes"}
        kept = {name for name, each in self.answers.evidence.items() if each.work.doi not in bad}
        return drop_cited(said, kept)

    def _note(
        self, ended: Conclusion, said: Synthesis | Precedent, report: Report, standing: Mapping[str, Stood]
    ) -> str:
        kinds = sorted({each.kind for each in self.answers.cited(said)})
        lines = [said.note.strip(), f"Basis: {', '.join(kinds) or ended.basis}."]
        for doi, stood in standing.items():
            if stood.retracted == "yes":
                title = next(each.work.title for each in self.answers.evidence.values() if each.work.doi == doi)
                done = "left out" if self.settings.drops_retracted else "cited, but"
                lines.append(f"Retracted, {done}: {doi} ({title}).")
        if report.removed:
            told = "; ".join(f"{what}: {why}" for what, why in report.removed)
            lines.append(f"Taken out by the checks: {told}.")
        if report.factors:
            lines.append(f"Numbers of sums that are in no source: {', '.join(dict.fromkeys(report.factors))}.")
        return " ".join(line for line in lines if line)

    def _answer(self, outcome: str, basis: str, value: Any, sources: int, note: str) -> None:
        faults = self.crew.answer(value)
        self.crew.state.emit(Delivered(outcome=outcome, basis=basis, sources=sources, note=note[:1000], faults=faults))


def drop_cited(said: Synthesis | Precedent, kept: set[str]) -> Synthesis | Precedent:
    """A synthesis without what rests on other evidence than ``kept`` alone."""

    def still(cited: list[Cited]) -> list[Cited]:
        return [each for each in cited if each.evidence in kept]

    if isinstance(said, Synthesis):
        claims = [claim.model_copy(update={"cited": still(claim.cited)}) for claim in said.claims]
        left = [claim for claim in claims if claim.cited]
        answer = said.answer if left else None
        return said.model_copy(update={"claims": left, "answer": answer})
    changed: dict[str, object] = {"cited": still(said.cited)}
    for name in ("measurements", "negative_measurements", "related", "phases"):
        records = [record.model_copy(update={"cited": still(record.cited)}) for record in getattr(said, name)]
        changed[name] = [record for record in records if record.cited]
    left = said.model_copy(update=changed)
    stands = left.cited or left.measurements or left.negative_measurements
    return left if stands else left.model_copy(update={"reported": "Unknown"})


def _is_empty(said: Synthesis | Precedent) -> bool:
    if isinstance(said, Synthesis):
        return said.answer is None
    return said.reported == "Unknown" and not said.related and not said.phases


def _nothing(task: Mapping[str, Any]) -> Any:
    """What the family says to answer nothing."""
    given = task.get("nothing")
    return json.loads(given) if isinstance(given, str) else given


def _question(task: Mapping[str, Any], prompt: str) -> str:
    """What is asked, without what the family says of every task."""
    parameters: Mapping[str, Any] = task.get("parameters") or {}
    words = [str(parameters[name]) for name in ("question", "material", "property") if parameters.get(name)]
    return " ".join(words) or prompt
