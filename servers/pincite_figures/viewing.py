"""view_figure, view_page and zoom_figure: images drawn from the source, each with a text that says what it shows."""

import base64
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ImageContent, ResourceLink, TextContent
from pydantic import Field

from pincite_core.errors import BadInputError, ForbiddenError
from pincite_core.locator import paper_name
from pincite_core.offers import escaped, link
from pincite_figures.arguments import DEFAULT_SIDE, FigureName, MaxSide, ViewName
from pincite_figures.flagging import flag_note
from pincite_figures.jobs import DRAW
from pincite_figures.naming import check_page, figure_locator, figure_name, find_figure, part_of, target_of
from pincite_figures.state import FiguresState
from pincite_figures.views import WHOLE, View, read_box, read_view
from pincite_papers import doubts
from pincite_papers.model import Paper
from pincite_papers.passages import cut_caption, locate, short_id

_CAPTION_CHARS = 1000
"""Characters of a caption beside an image."""
_PAGE_SIDE = 2000
"""Pixels of a page's longer side: small type is legible. Set by judgement."""


async def view_figure(
    paper: Paper, state: FiguresState, calling: Context[Any, Any], figure: FigureName, max_side: MaxSide = DEFAULT_SIDE
) -> CallToolResult | str:
    """Look at a whole figure, drawn from the source, with its caption."""
    return await _show(paper, state, calling, figure, View(""), max_side=max_side)


async def zoom_figure(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    figure: FigureName,
    bbox: Annotated[str, Field(description="x0,y0,x1,y1 in fractions of the view, from its top left corner")],
    view: ViewName = "",
    hint: Annotated[str, Field(max_length=300, description="What is looked for, for the record")] = "",
    max_side: MaxSide = DEFAULT_SIDE,
) -> CallToolResult | str:
    """Look at a part of a figure at higher resolution. The result names its view: zoom on with that as view."""
    zoomed = read_view("", view).zoom(read_box(bbox))
    return await _show(paper, state, calling, figure, zoomed, max_side=max_side, hint=hint, named=view)


async def view_page(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    page: Annotated[int, Field(ge=1, description="Page of the file, from 1")],
    dpi: Annotated[int, Field(ge=20, le=300)] = 110,
) -> CallToolResult:
    """Look at a whole page."""
    check_page(paper, page)
    arguments = {"target": {"page": page}, "region": _written(WHOLE), "max_side": _PAGE_SIDE, "dpi": dpi}
    reply, image = await state.jobs.run(DRAW, paper, arguments, calling)
    state.record.add("page", paper, "", image=image, mime_type=reply["mime_type"], page=page, dpi=reply["dpi"])
    shown = paper.pages[page - 1]
    lines = [f"Page {page} of {len(paper.pages)} of paper {short_id(paper)}, {_size(reply)}"]
    if shown.start < shown.end:
        lines.append(f"locator: {locate(paper, shown.start, shown.end)}")
    return _result(lines, reply, image)


async def _show(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    figure: str,
    view: View,
    *,
    max_side: int,
    hint: str = "",
    named: str = "",
) -> CallToolResult | str:
    index = find_figure(paper, figure)
    name = figure_name(paper, index)
    if named and find_figure(paper, named) != index:
        raise BadInputError(
            f"The view {named[:60]!r} is of another figure than {name}.", next="Give the figure that the view names."
        )
    flagged = state.flagged(calling, paper, index)
    if flagged:
        return flag_note(name, flagged)
    part = part_of(paper.figures[index], named or figure)
    target = target_of(paper, index, part)
    view = View(f"{name}/{part + 1}" if part else name, view.steps)
    arguments = {"target": target, "region": _written(view.region), "max_side": max_side}
    reply, image = await state.jobs.run(DRAW, paper, arguments, calling)
    state.record.add(
        "zoom" if view.steps else "view",
        paper,
        name,
        image=image,
        mime_type=reply["mime_type"],
        view=view.name,
        hint=hint,
        box=reply["box"],
        dpi=reply["dpi"],
        page=target.get("page"),
    )
    about = f"{view.figure} of paper {short_id(paper)} as drawn from the source"
    linked = link(view_uri(paper, view), view.name, mime_type="image/png", description=about)
    return _result(_captioned(paper, index, part, view, reply), reply, image, linked)


async def read_view_resource(state: FiguresState, name: str, view: str, context: Context[Any, Any]) -> bytes:
    """The PNG of a view of a paper that was opened before: what the links of results lead to."""
    paper = await state.opener.open(paper_name(name), context)
    index = find_figure(paper, view)
    flagged = state.flagged(context, paper, index)
    if flagged:
        raise ForbiddenError(flag_note(figure_name(paper, index), flagged))
    target = target_of(paper, index, part_of(paper.figures[index], view))
    region = read_view("", view).region
    arguments = {"target": target, "region": _written(region), "max_side": DEFAULT_SIDE, "png": True}
    _, image = await state.jobs.run(DRAW, paper, arguments, context)
    return image


def view_uri(paper: Paper, view: View) -> str:
    """The address of a view among the server's resources."""
    return f"figure://{short_id(paper)}/{escaped(view.name)}"


def _captioned(paper: Paper, index: int, part: int, view: View, reply: dict[str, Any]) -> list[str]:
    """The lines of text beside an image of a figure."""
    figure = paper.figures[index]
    place = f"page {figure.page}" if figure.page is not None else f"picture {figure.graphics[part]}"
    if len(figure.graphics) > 1 and figure.page is None:
        place += f" ({part + 1} of {len(figure.graphics)}: name {view.figure.partition('/')[0]}/2 for the second)"
    box = ",".join(f"{edge:.1f}" for edge in reply["box"])
    lines = [f"{view.figure}, {place}, box {box} {reply['unit']}, {_size(reply)}", f"view: {view.name}"]
    locator = figure_locator(paper, figure)
    if locator is not None:
        lines.append(f"locator: {locator}")
    if not view.steps and figure.caption is not None:
        start, end, cut = cut_caption(paper, figure.caption, _CAPTION_CHARS)
        lines.append(f"caption: {doubts.show(paper, start, end)}{' … (cut)' if cut else ''}")
    return lines


def _size(reply: dict[str, Any]) -> str:
    size = f"{reply['width']} x {reply['height']} px"
    if reply["dpi"] is not None:
        return f"{size} at {reply['dpi']:g} dpi"
    scale = reply["native"]
    return f"{size}, native pixels" + ("" if scale == 1 else f" x {scale:.3g}")


def _result(
    lines: list[str], reply: dict[str, Any], image: bytes, linked: ResourceLink | None = None
) -> CallToolResult:
    content = ImageContent(data=base64.b64encode(image).decode(), mime_type=reply["mime_type"])
    more = [linked] if linked is not None else []
    return CallToolResult(content=[content, TextContent(text="\n".join(lines)), *more])


def _written(region: "tuple[Any, ...]") -> list[str]:
    return [str(edge) for edge in region]
