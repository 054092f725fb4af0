"""inspect_figure: the tool."""

from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from mcp.server.mcpserver import Context
from mcp_types import ToolAnnotations
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import ForbiddenError
from pincite_figures.arguments import FigureName
from pincite_figures.flagging import flag_note
from pincite_figures.naming import figure_locator, figure_name, find_figure, part_of, target_of
from pincite_figures.state import FiguresState
from pincite_papers.model import Paper

if TYPE_CHECKING:
    from pincite_figures.inspect.decision import Decision
    from pincite_figures.inspect.loop import Inspection, Round

ASKS_A_MODEL = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=True)


class InspectedRound(TypedDict):
    """A round: the view that was new in it, what the model decided and why."""

    round: int
    view: str
    decision: str
    reason: str
    target: NotRequired[str]
    bbox: NotRequired[list[float]]
    confidence: NotRequired[float]


class Inspected(TypedDict):
    """``outcome``: answered, unsure (confidence under 0.7) or wrong figure. The answer is a model's: check it."""

    figure: str
    question: str
    outcome: str
    answer: NotRequired[str]
    evidence: NotRequired[str]
    confidence: NotRequired[float]
    reason: NotRequired[str]
    model: str
    locator: str | None
    rounds: list[InspectedRound]
    note: str


async def inspect_figure(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    figure: FigureName,
    question: Annotated[str, Field(min_length=3, max_length=1000, description="What the figure is to tell")],
    max_rounds: Annotated[int, Field(ge=0, le=6, description="0 for a single look")] = 3,
    may_abstain: Annotated[bool, Field(description="May say: wrong figure")] = True,
) -> Inspected:
    """Let a vision model answer a question from a figure, zooming in rounds."""
    from pincite_figures.inspect.loop import Inspection
    from pincite_figures.inspect.model import choose_model
    from pincite_figures.inspect.prompt import Briefing

    index = find_figure(paper, figure)
    name = figure_name(paper, index)
    flagged = state.flagged(calling, paper, index)
    if flagged:
        raise ForbiddenError(flag_note(name, flagged))
    found = paper.figures[index]
    part = part_of(found, figure)
    target = target_of(paper, index, part)
    subject = f"{paper.paper_id}\0{index}\0{part}\0{question}\0{max_rounds}\0{may_abstain}"
    inspection = Inspection(
        paper,
        state,
        calling,
        f"{name}/{part + 1}" if part else name,
        target,
        Briefing.of(paper, found, name, question),
        choose_model(state.settings, calling, subject),
        max_rounds,
        may_abstain,
    )
    decision = await inspection.run()
    return _result(paper, inspection, index, decision)


def _result(paper: Paper, inspection: "Inspection", index: int, decision: "Decision") -> Inspected:
    from pincite_figures.inspect.decision import FigureAnswer, WrongFigure
    from pincite_figures.inspect.loop import SURE

    result = Inspected(
        figure=inspection.name,
        question=inspection.briefing.question,
        outcome="wrong figure",
        model=inspection.rounds[-1].model,
        locator=figure_locator(paper, paper.figures[index]),
        rounds=[_told(part) for part in inspection.rounds],
        note="A model's reading: check it against zoom_figure of the last view before you rely on it.",
    )
    if isinstance(decision, FigureAnswer):
        result["outcome"] = "answered" if decision.confidence >= SURE else "unsure"
        result["answer"], result["evidence"] = decision.answer, decision.evidence
        result["confidence"] = decision.confidence
    elif isinstance(decision, WrongFigure):
        result["reason"] = decision.reason
        result["note"] = "The model abstained: flag_wrong_figure records that and stops further looks."
    return result


def _told(part: "Round") -> InspectedRound:
    from pincite_figures.inspect.decision import FigureAnswer, Zoom

    entry = InspectedRound(round=part.number, view=part.views[-1], decision="wrong_figure", reason=part.decision.reason)
    if isinstance(part.decision, FigureAnswer):
        entry["decision"], entry["confidence"] = "answer", part.decision.confidence
    elif isinstance(part.decision, Zoom):
        entry["decision"], entry["target"] = "zoom", part.decision.target
        entry["bbox"] = [float(edge) for edge in part.decision.box]
    return entry
