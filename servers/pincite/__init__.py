"""pincite in Python: open a paper in a sandboxed process, read it, and cite it by locators.

    import pincite

    paper = pincite.open_paper("paper.pdf")
    for hit in paper.find("band gap"):
        print(hit.locator, hit.text)

``Session`` opens papers with settings of your own; ``docs/python.md`` has an example of each part.
"""

from pincite.blocks import Block
from pincite.checks import QuoteCheck, StatedValue
from pincite.figures import Figure, Page
from pincite.paper import Paper, Passage, Reference, Section
from pincite.session import Session, open_paper, open_paper_async
from pincite.tables import Cell, Table
from pincite_core.errors import (
    BadInputError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    UnavailableError,
    UnreadableError,
)
from pincite_core.locator import Locator
from pincite_core.settings import Settings
from pincite_figures.plots.content import PlotContent
from pincite_provenance.model import ClaimChecks

__all__ = [
    "BadInputError",
    "Block",
    "Cell",
    "ClaimChecks",
    "Figure",
    "ForbiddenError",
    "LimitReachedError",
    "Locator",
    "NotFoundError",
    "Page",
    "Paper",
    "Passage",
    "PinciteError",
    "PlotContent",
    "QuoteCheck",
    "Reference",
    "Section",
    "Session",
    "Settings",
    "StatedValue",
    "Table",
    "UnavailableError",
    "UnreadableError",
    "open_paper",
    "open_paper_async",
]
