"""Crops: the pictures of a paper's figures, drawn for the model that describes them."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from pincite_core.errors import NotFoundError
from pincite_core.settings import Settings
from pincite_figures.jobs import DRAW, FigureJobs, Sources
from pincite_figures.naming import target_of
from pincite_models.dialects.question import ImagePart
from pincite_papers.model import Paper

SIDE = 1100
"""Longest side in pixels, as in an ordinary round of inspect_figure."""
_MOST = 4
"""Pictures of one caption that are shown: what is beyond them adds little to a sentence. Set by judgement."""


class Crops:
    """Draws figures in worker processes; usable from several threads. Close it by ``with``."""

    def __init__(self, settings: Settings, store: Callable[[], Sources]) -> None:
        self._jobs = FigureJobs(settings, store)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._jobs.close()

    async def draw(self, paper: Paper, figures: Sequence[int]) -> list[ImagePart]:
        """The pictures of these figures (indices), four at most; none where the source holds none. PinciteError where
        one cannot be drawn."""
        pictures: list[ImagePart] = []
        for index in figures[:_MOST]:
            try:
                target = target_of(paper, index)
            except NotFoundError:
                continue
            arguments = {"target": target, "region": ["0", "0", "1", "1"], "max_side": SIDE}
            reply, data = await self._jobs.run(DRAW, paper, arguments)
            pictures.append(ImagePart(data, reply["mime_type"]))
        return pictures
