"""flag_wrong_figure: an agent says that a figure cannot answer its question."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field

from pincite_figures.arguments import FigureName
from pincite_figures.naming import figure_name, find_figure
from pincite_figures.state import FiguresState
from pincite_papers.model import Paper


def flag_wrong_figure(
    paper: Paper,
    state: FiguresState,
    calling: Context[Any, Any],
    figure: FigureName,
    reason: Annotated[str, Field(max_length=500, description="Why it cannot answer; empty takes the flag back")],
) -> str:
    """Say that a figure cannot answer the question, instead of guessing from it; then leave it."""
    index = find_figure(paper, figure)
    name = figure_name(paper, index)
    reason = " ".join(reason.split())
    state.record.add("flag" if reason else "unflag", paper, name, reason=reason)
    state.flag(calling, paper, index, reason)
    if not reason:
        return f"The flag of {name} is taken back."
    return f"Recorded: {name} is not the figure to answer from ({reason}). Spend no more calls on it."


def flag_note(name: str, reason: str) -> str:
    """The note that a look at a flagged figure returns."""
    return (
        f"{name} was flagged as the wrong figure ({reason}): it is not shown. Go on without it, or take the flag back "
        "with flag_wrong_figure and an empty reason."
    )
