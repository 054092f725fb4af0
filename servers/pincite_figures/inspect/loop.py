"""The loop of inspect_figure: rounds of looking, zooming and answering, each recorded with its picture."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

from pincite_core.errors import UnavailableError
from pincite_figures.inspect.decision import (
    Decision,
    FigureAnswer,
    MalformedReplyError,
    WrongFigure,
    Zoom,
    read_decision,
)
from pincite_figures.inspect.model import Model
from pincite_figures.inspect.prompt import Briefing, last_note, repair_note, round_note, single_note, system
from pincite_figures.naming import Target
from pincite_figures.state import FiguresState
from pincite_figures.viewing import DRAW
from pincite_figures.views import View
from pincite_models.endpoint import ImagePart, Message, ModelReply

if TYPE_CHECKING:
    from pincite_figures.picture_file import Pictured

SURE = 0.7
"""An answer of so much confidence ends the loop."""

_SIDE, _CAREFUL_SIDE = 1100, 1600
"""Pixels of the longer side of the pictures that the model sees, and when it is asked to look carefully."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: what was decided on which views, by which model."""

    number: int
    views: tuple[str, ...]
    decision: Decision
    model: str


@dataclass(slots=True)
class Inspection:
    """One inspection of a figure: what is needed for it, its view stack and its rounds."""

    paper: "Pictured"
    state: FiguresState
    calling: Context[Any, Any]
    name: str
    target: Target
    briefing: Briefing
    model: Model
    max_rounds: int
    """Rounds of zooming before the last, careful one; with 0 there is one ordinary look at the whole figure."""
    may_abstain: bool = True
    stack: list[View] = field(default_factory=list[View])
    rounds: list[Round] = field(default_factory=list[Round])

    async def run(self) -> Decision:
        """The answer or the abstention that ends it; an UnavailableError says what was seen until then."""
        self.stack = [View(self.name)]
        unsure: float | None = None
        for number in range(1, self.max_rounds + 1):
            note = round_note(number, self.max_rounds, unsure, may_abstain=self.may_abstain)
            decision = await self._round(number, note, careful=False)
            if isinstance(decision, WrongFigure) or (
                isinstance(decision, FigureAnswer) and decision.confidence >= SURE
            ):
                return decision
            unsure = decision.confidence if isinstance(decision, FigureAnswer) else None
            if isinstance(decision, Zoom):
                self.stack.append(self.stack[decision.view - 1].zoom(decision.box))
        if not self.max_rounds:
            return await self._round(1, single_note(may_abstain=self.may_abstain), careful=False)
        return await self._round(self.max_rounds + 1, last_note(may_abstain=self.may_abstain), careful=True)

    async def _round(self, number: int, note: str, *, careful: bool) -> Decision:
        await self.calling.report_progress(number - 1, self.max_rounds + 1, f"round {number}: looking at {self.name}")
        views = await self._draw(_CAREFUL_SIDE if careful else _SIDE)
        message = self.briefing.message([(view.name, picture) for view, picture in views], note)
        fresh, reply, decision = await self._decide([message], careful=careful)
        self.rounds.append(Round(number, tuple(view.name for view, _ in views), decision, reply.model))
        if fresh:
            self._record(number, views, decision, reply)
        return decision

    async def _decide(self, messages: list[Message], *, careful: bool) -> tuple[bool, ModelReply, Decision]:
        """The decision, whether it is a new one; a reply that is none is to be mended once."""
        fresh, reply = await self._ask(messages, careful=careful)
        try:
            return fresh, reply, self._read(reply, careful=careful)
        except MalformedReplyError as error:
            mended = [*messages, Message("assistant", [reply.text]), Message("user", [repair_note(str(error))])]
        fresh, reply = await self._ask(mended, careful=careful)
        try:
            return fresh, reply, self._read(reply, careful=careful)
        except MalformedReplyError as error:
            raise UnavailableError(
                f"The model's reply could not be used, twice: {error}.",
                seen=" ".join(filter(None, (repr(reply.text[:200]), self._so_far()))),
                next="Look with view_figure, zoom_figure and read_figure_text.",
            ) from error

    def _read(self, reply: ModelReply, *, careful: bool) -> Decision:
        """The decision of a reply, among those that may be taken in this round."""
        may_zoom = not careful and self.max_rounds > 0
        return read_decision(reply.text, views=len(self.stack), may_zoom=may_zoom, may_abstain=self.may_abstain)

    async def _ask(self, messages: list[Message], *, careful: bool) -> tuple[bool, ModelReply]:
        fresh = not self.model.replaying
        try:
            return fresh, await self.model.ask(system(may_abstain=self.may_abstain), messages, careful=careful)
        except UnavailableError as error:
            so_far = self._so_far()
            if not so_far:
                raise
            raise UnavailableError(error.what, seen=f"{error.seen} {so_far}".strip(), next=error.next) from error

    async def _draw(self, side: int) -> list[tuple[View, ImagePart]]:
        """The pictures of the stack: each is bounded in bytes (see ``arguments.MOST_BYTES``)."""
        views: list[tuple[View, ImagePart]] = []
        for view in self.stack:
            arguments = {"target": self.target, "region": [str(edge) for edge in view.region], "max_side": side}
            reply, image = await self.state.jobs.run(DRAW, self.paper, arguments, self.calling)
            views.append((view, ImagePart(image, reply["mime_type"])))
        return views

    def _record(self, number: int, views: list[tuple[View, ImagePart]], decision: Decision, reply: ModelReply) -> None:
        """The round, with the picture of the view that was new in it."""
        view, picture = views[-1]
        self.state.record.add(
            "inspect",
            self.paper,
            self.name,
            image=picture.data,
            mime_type=picture.mime_type,
            round=number,
            question=self.briefing.question,
            view=view.name,
            views=[seen.name for seen, _ in views],
            model=reply.model,
            **told(decision),
        )

    def _so_far(self) -> str:
        if not self.rounds:
            return ""
        return "Rounds before: " + "; ".join(f"{r.number} {told(r.decision)['decision']}" for r in self.rounds) + "."


def told(decision: Decision) -> dict[str, Any]:
    """A decision as JSON values."""
    match decision:
        case FigureAnswer():
            return {
                "decision": "answer",
                "answer": decision.answer,
                "evidence": decision.evidence,
                "confidence": decision.confidence,
                "reason": decision.reason,
            }
        case Zoom():
            return {
                "decision": "zoom",
                "bbox": [float(edge) for edge in decision.box],
                "of_view": decision.view,
                "target": decision.target,
                "reason": decision.reason,
            }
        case WrongFigure():
            return {"decision": "wrong_figure", "reason": decision.reason}
