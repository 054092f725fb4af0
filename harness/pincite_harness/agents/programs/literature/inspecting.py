"""Inspecting: figures are looked at by the server's own model where it has one, else by the role inspector."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crew import Crew, Data, Part
from door import DoorError
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import BinaryContent

from . import roles
from .asking import Asking
from .bench import Bench, as_json
from .events import Flagged, Inspected, Looked
from .outputs import Look, choices, look
from .queue import Queue
from .settings import Settings
from .shelf import Shelf

SURE = 0.7
"""An answer of so much confidence (0 to 1) ends an inspection, as in the figures server."""
SIDE, CAREFUL_SIDE = 1100, 1600
"""Longest side of a view in pixels, in ordinary rounds and in the last one, as in the figures server."""
_VIEW = re.compile(r"^view: (.+)$", re.MULTILINE)
_LOCATOR = re.compile(r"^locator: (pc:\S+)$", re.MULTILINE)
_CAPTION = re.compile(r"^caption: (.+)$", re.MULTILINE)
_CHOICES = {
    "answer": "`answer`, with what in which view shows it and your confidence",
    "zoom": "`zoom`, with a view and a box in it, where print or marks are too small to read for certain",
    "wrong_figure": "`wrong_figure`, where this figure cannot answer the question",
}
_SPENT = "No inspection is left. Go on with what you have, or end."


@dataclass
class Seen:
    """What an inspection has seen: views in order, the figure's own words, and its rounds."""

    views: list[tuple[str, BinaryContent]] = field(default_factory=list[tuple[str, BinaryContent]])
    locator: str = ""
    caption: str = ""
    rounds: list[Looked] = field(default_factory=list[Looked])


class Inspecting:
    """The inspections of one trial, within their number; ``queue`` gives the state of the queue now."""

    def __init__(self, crew: Crew, asking: Asking, settings: Settings, bench: Bench, shelf: Shelf) -> None:
        self.crew = crew
        self.asking = asking
        self.settings = settings
        self.bench = bench
        self.shelf = shelf
        self._asked = 0

    async def inspect(self, queue: Queue, **arguments: Any) -> str:
        """inspect_figure: the outcome as data, and what is left to look at. ToolFailed where none is left."""
        if not queue.left(self.settings.inspections):
            raise ToolFailed(_SPENT)
        paper, figure = str(arguments.get("paper", "")), str(arguments.get("figure", ""))
        question = str(arguments.get("question", ""))
        if not figure or not question:
            raise ToolFailed("Give paper, figure, and the question that the figure is to answer.")
        self._asked += 1
        named = self.shelf.called(paper)
        try:
            if self.bench.has("inspect_figure"):
                found = await self._by_server(named, paper, figure, question)
            else:
                found = await self._by_role(named, paper, figure, question)
        except (ToolFailed, DoorError, LookupError) as error:
            found = _failed(named, figure, question, str(error))
        self.crew.state.emit(found)
        return as_json(_told(found))

    async def flag(self, **arguments: Any) -> str:
        """flag_wrong_figure, recorded by the server and taken out of the queue."""
        paper, figure = str(arguments.get("paper", "")), str(arguments.get("figure", ""))
        said = await self.bench.shown("flag_wrong_figure", **arguments)
        flagged = Flagged(paper=self.shelf.called(paper), figure=figure, reason=str(arguments.get("reason", "")))
        self.crew.state.emit(flagged)
        return "\n".join(part for part in said if isinstance(part, str))

    async def _by_server(self, named: str, paper: str, figure: str, question: str) -> Inspected:
        """By the model that the figures server has, in its own rounds."""
        more: dict[str, Any] = {"max_rounds": self.settings.zoom_rounds}
        if not self.settings.abstain:
            more["may_abstain"] = False
        found = await self.bench.data("inspect_figure", paper=paper, figure=figure, question=question, **more)
        rounds = [
            Looked(
                round=each["round"],
                view=each["view"],
                decision=each["decision"],
                confidence=each.get("confidence"),
                reason=each["reason"],
            )
            for each in found["rounds"]
        ]
        return Inspected(
            paper=named,
            figure=figure,
            question=question,
            outcome=str(found["outcome"]),
            by=f"server: {found['model']}",
            answer=str(found.get("answer") or ""),
            evidence=str(found.get("evidence") or ""),
            confidence=found.get("confidence"),
            locator=str(found.get("locator") or ""),
            rounds=rounds,
            reason=str(found.get("reason") or ""),
        )

    async def _by_role(self, named: str, paper: str, figure: str, question: str) -> Inspected:
        """By rounds of the role: an answer it is sure of ends them, a box is drawn again, the last round is careful."""
        if self.crew.options.get("pictures", "yes") == "no":
            return _failed(named, figure, question, "the models of this run are shown no pictures")
        seen = Seen()
        await self._see(seen, "view_figure", paper=paper, figure=figure, max_side=SIDE)
        rounds = self.settings.zoom_rounds
        for number in range(1, rounds + 1):
            said = await self._look(seen, question, number, rounds)
            if said is None:
                return _failed(named, figure, question, "the inspector gave no decision", seen)
            if said.action == "wrong_figure" or (said.action == "answer" and said.confidence >= SURE):
                return _decided(named, figure, question, said, seen)
            if said.action == "zoom":
                await self._zoom(seen, paper, figure, said)
        said = await self._look(seen, question, rounds + 1, rounds, careful=True)
        if said is None:
            return _failed(named, figure, question, "the inspector gave no decision", seen)
        return _decided(named, figure, question, said, seen)

    async def _look(self, seen: Seen, question: str, number: int, rounds: int, *, careful: bool = False) -> Look | None:
        zoom, abstain = not careful and rounds > 0, self.settings.abstain
        output = look(zoom=zoom, abstain=abstain)
        told = "; ".join(_CHOICES[name] for name in choices(zoom=zoom, abstain=abstain))
        parts: list[Part] = [f"# The question\n\n{question}", Data(seen.caption or "(none)", "caption of the figure")]
        for place, (name, picture) in enumerate(seen.views, start=1):
            parts += [f"View {place} ({name}):", picture]
        parts.append(f"Round {number} of {rounds + 1}." + _careful(careful, rounds))
        asking = self.crew.ask(
            roles.inspector(self.settings, output, careful=careful),
            parts,
            who=f"i{self._asked}",
            step=f"round {number}",
            slots={"choices": f"Your choices: {told}."},
            parent="orchestrator/orchestrator",
        )
        said, _ = await self.asking.attempt("inspector", asking)
        value = said.value if said is not None else None
        if value is not None:
            view = seen.views[-1][0]
            sure = value.confidence if value.action == "answer" else None
            seen.rounds.append(
                Looked(round=number, view=view, decision=value.action, confidence=sure, reason=value.reason)
            )
        return value

    async def _zoom(self, seen: Seen, paper: str, figure: str, said: Look) -> None:
        """Draw the box that was asked for; one that cannot be is passed over, and the next round is as the last."""
        view = seen.views[min(said.view, len(seen.views)) - 1][0]
        box = ",".join(f"{number:g}" for number in said.bbox)
        try:
            await self._see(
                seen,
                "zoom_figure",
                paper=paper,
                figure=figure,
                bbox=box,
                view=view,
                hint=said.reason[:300],
                max_side=SIDE,
            )
        except ToolFailed as error:
            seen.rounds[-1] = seen.rounds[-1].model_copy(update={"reason": f"the box cannot be drawn: {error}"})

    async def _see(self, seen: Seen, tool: str, **arguments: Any) -> None:
        """Add a view; the figure's locator and caption are read off its text."""
        shown = await self.bench.shown(tool, **arguments)
        text = "\n".join(part for part in shown if isinstance(part, str))
        pictures = [part for part in shown if isinstance(part, BinaryContent)]
        if not pictures:
            raise ToolFailed(text or f"{tool} returned no picture")
        name = _VIEW.search(text)
        seen.views.append((name[1] if name is not None else str(arguments["figure"]), pictures[0]))
        locator, caption = _LOCATOR.search(text), _CAPTION.search(text)
        seen.locator = seen.locator or (locator[1] if locator is not None else "")
        seen.caption = seen.caption or (caption[1] if caption is not None else "")


def _careful(careful: bool, rounds: int) -> str:
    if not careful or not rounds:
        return ""
    return " This is the last one: go through all the views, and check each value against axes, ticks and legend."


def _decided(paper: str, figure: str, question: str, said: Look, seen: Seen) -> Inspected:
    answered = said.action == "answer"
    outcome = "wrong figure"
    if answered:
        outcome = "answered" if said.confidence >= SURE else "unsure"
    return Inspected(
        paper=paper,
        figure=figure,
        question=question,
        outcome=outcome,
        by="inspector",
        answer=said.answer if answered else "",
        evidence=said.evidence if answered else "",
        confidence=said.confidence if answered else None,
        locator=seen.locator,
        caption=seen.caption,
        rounds=seen.rounds,
        reason=said.reason,
    )


def _failed(paper: str, figure: str, question: str, why: str, seen: Seen | None = None) -> Inspected:
    return Inspected(
        paper=paper,
        figure=figure,
        question=question,
        outcome="failed",
        by="nobody",
        rounds=seen.rounds if seen is not None else [],
        reason=why[:500],
    )


def _told(found: Inspected) -> Mapping[str, object]:
    """What the orchestrator is told of an inspection."""
    fields: Sequence[str] = ("figure", "question", "outcome", "answer", "evidence", "confidence", "reason", "locator")
    held = found.model_dump(mode="json")
    told = {name: held[name] for name in fields if held[name] not in ("", None)}
    return {**told, "rounds": len(found.rounds)}
