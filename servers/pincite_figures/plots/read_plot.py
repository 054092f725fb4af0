"""read_plot: the data series of a figure's plots as numbers in the units of its axes."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from pincite_core.paging import DEFAULT_CHARS
from pincite_figures.arguments import FigureName
from pincite_figures.naming import figure_name, find_figure, part_of, target_of
from pincite_figures.plots.content import JOB, PlotContent, empty_content, plot_content, refuse
from pincite_figures.state import FiguresState
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.model import Paper


async def read_plot(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    figure: FigureName,
    panel: Annotated[str, Field(description="By letter or number, such as b or 2")] = "",
    series: Annotated[str, Field(description="By id or legend name")] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> PlotContent:
    """Read the data series of a vector plot as numbers in axis units, with legend names and likely errors.

    Refuses what it cannot calibrate. Long series are thinned as stated: give series for all points.
    """
    index = find_figure(paper, figure)
    flagged = state.flagged(calling, paper, index)
    if flagged:
        return refuse(empty_content(paper, index), "flagged", flagged)
    target = target_of(paper, index, part_of(paper.figures[index], figure))
    reply, body = await state.jobs.run(JOB, paper, {"target": target}, calling)
    name, page = figure_name(paper, index), paper.figures[index].page
    state.record.add("plot", paper, name, page=page, refused=reply["refused"])
    return plot_content(
        paper, index, reply, body, figure=figure, panel=panel, series=series, cursor=cursor, max_chars=max_chars
    )
