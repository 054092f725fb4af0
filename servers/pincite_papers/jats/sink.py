"""Sink: where inline content goes."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element


@dataclass(slots=True)
class Sink:
    """A run under construction; ``block`` is called for a block element in it, None where all must stay inline."""

    run: Run = field(default_factory=Run)
    block: Callable[[Element], None] | None = None
