"""view_image, read_image_text and inspect_image: pictures that lie in files of their own, as a task gives them."""

import base64
from typing import Annotated, Any, NotRequired

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ImageContent, TextContent
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS
from pincite_figures.arguments import DEFAULT_SIDE
from pincite_figures.jobs import DRAW, TEXTS
from pincite_figures.picture_file import PictureFile, open_picture
from pincite_figures.reading import ocr_options
from pincite_figures.state import FiguresState
from pincite_figures.views import View, read_box

_ROUNDS = 3
"""Rounds of looking before the last, careful one, as inspect_figure's default."""

ImageBox = Annotated[str, Field(description="x0,y0,x1,y1, fractions")]


class InspectedImage(TypedDict):
    """``outcome``: answered, unsure (confidence under 0.7) or wrong figure. The answer is a model's: check it."""

    file: str
    question: str
    outcome: str
    answer: NotRequired[str]
    evidence: NotRequired[str]
    confidence: NotRequired[float]
    reason: NotRequired[str]
    views: list[str]
    model: str


async def view_image(state: FiguresState, calling: Context[Any, Any], file: str, bbox: ImageBox = "") -> CallToolResult:
    """Look at a picture file, or at a part of it."""
    picture = await open_picture(file, state.settings, calling)
    view = _view(picture, bbox)
    arguments = {"target": picture.target, "region": _edges(view), "max_side": DEFAULT_SIDE}
    reply, image = await state.jobs.run(DRAW, picture, arguments, calling)
    state.record.add("image", picture, file, image=image, mime_type=reply["mime_type"], view=view.name)
    box = ",".join(f"{edge:g}" for edge in reply["box"])
    text = f"{view.name}, box {box} px, shown at {reply['width']} x {reply['height']} px"
    shown = ImageContent(data=base64.b64encode(image).decode(), mime_type=reply["mime_type"])
    return CallToolResult(content=[shown, TextContent(text=text)])


async def read_image_text(state: FiguresState, calling: Context[Any, Any], file: str, bbox: ImageBox = "") -> str:
    """Read a picture file's text by OCR, with boxes."""
    picture = await open_picture(file, state.settings, calling)
    view = _view(picture, bbox)
    arguments = {"target": picture.target, "region": _edges(view), "ocr": ocr_options(state)}
    reply, _ = await state.jobs.run(TEXTS, picture, arguments, calling)
    state.record.add("text", picture, file, view=view.name, read_from="OCR", total=len(reply["texts"]))
    width, height = reply["box"][2], reply["box"][3]
    lines = [_line(text, width, height) for text in reply["texts"]]
    shown = _bounded(lines)
    note = [reply["note"]] if reply["note"] else []
    if len(shown) < len(lines):
        note.append(f"{len(lines) - len(shown)} more texts: give a bbox.")
    head = f"{view.name}: {len(lines)} texts; text [x0,y0,x1,y1, fractions of the picture; confidence]"
    return "\n".join([head, *shown, *note])


async def inspect_image(
    state: FiguresState,
    calling: Context[Any, Any],
    file: str,
    question: Annotated[str, Field(min_length=3, max_length=1000)],
) -> InspectedImage:
    """Let a vision model answer a question from a picture file."""
    from pincite_figures.inspect.decision import FigureAnswer, WrongFigure
    from pincite_figures.inspect.loop import SURE, Inspection
    from pincite_figures.inspect.model import choose_model
    from pincite_figures.inspect.prompt import Briefing

    picture = await open_picture(file, state.settings, calling)
    model = choose_model(state.settings, calling, f"{picture.paper_id}\0{file}\0{question}")
    briefing = Briefing.of_file(question)
    inspection = Inspection(picture, state, calling, file, picture.target, briefing, model, _ROUNDS)
    decision = await inspection.run()
    views = [part.views[-1] for part in inspection.rounds]
    result = InspectedImage(
        file=file, question=question, outcome="wrong figure", views=views, model=inspection.rounds[-1].model
    )
    if isinstance(decision, FigureAnswer):
        result["outcome"] = "answered" if decision.confidence >= SURE else "unsure"
        result["answer"], result["evidence"] = decision.answer, decision.evidence
        result["confidence"] = decision.confidence
    elif isinstance(decision, WrongFigure):
        result["reason"] = decision.reason
    return result


def _view(picture: PictureFile, bbox: str) -> View:
    view = View(picture.name)
    return view.zoom(read_box(bbox)) if bbox.strip() else view


def _edges(view: View) -> list[str]:
    return [str(edge) for edge in view.region]


def _line(text: dict[str, Any], width: float, height: float) -> str:
    x0, y0, x1, y1 = text["box"]
    shares = [x0 / width, y0 / height, x1 / width, y1 / height]
    box = ",".join(f"{min(max(share, 0.0), 1.0):.3f}" for share in shares)
    turned = f", turned {text['rotation']}" if text["rotation"] else ""
    return f"{text['text']} [{box}; {text['confidence']:.2f}{turned}]"


def _bounded(lines: list[str]) -> list[str]:
    """The first lines that fit into one result."""
    shown: list[str] = []
    used = 0
    for line in lines:
        used += len(line) + 1
        if used > DEFAULT_CHARS:
            break
        shown.append(line)
    return shown
