"""Describing: the tables and figures of a paper described by models, before they are indexed."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.chunks.describe import Describer, open_describer
from pincite_library.ingest.indexing import with_terms
from pincite_library.model import ChunkKind, IndexedChunk

if TYPE_CHECKING:
    from pincite_library.chunks.describe import Draws
    from pincite_papers.model import Paper

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Made:
    """Chunks with what models said of them; ``why`` some have no description of a model ("" where all have theirs).

    ``complete`` is false where a model failed, so that a later call asks it again.
    """

    chunks: list[IndexedChunk]
    why: str
    complete: bool


def describers_of(settings: Settings, *, words: bool, crops: "Draws | None") -> list[Describer]:
    """The text model's describer (``words``), and that of the vision model, which ``crops`` draws figures for.

    With both, the text model describes tables alone. BadInputError where a model is not set.
    """
    made: list[Describer] = []
    if words:
        kinds = {ChunkKind.TABLE} if crops is not None else {ChunkKind.TABLE, ChunkKind.FIGURE}
        made.append(_set(open_describer(settings, kinds), "tables and figures", "PINCITE_TEXT", "--describe"))
    if crops is not None:
        seeing = open_describer(settings, {ChunkKind.FIGURE}, crops)
        made.append(_set(seeing, "figures by their pictures", "PINCITE_VISION", "--describe-figures"))
    return made


def _set(describer: Describer | None, what: str, prefix: str, option: str) -> Describer:
    if describer is None:
        raise BadInputError(
            f"There is no model that could describe {what}.",
            next=f"Set {prefix}_URL and {prefix}_MODEL, or leave {option} (PINCITE_LIBRARY_DESCRIBE) out.",
        )
    return describer


def described(describers: Sequence[Describer], paper: "Paper", chunks: Sequence[IndexedChunk]) -> Made:
    """The chunks with the models' descriptions and new terms."""
    before = [indexed.chunk for indexed in chunks]
    now, why, complete = before, list[str](), True
    for describer in describers:
        answer = anyio.run(describer.describe, paper, now)
        now = answer.chunks
        if answer.problem is not None:
            complete = False
            why.append(f"{answer.failed} tables and figures were not described by the model: {answer.problem.what}")
        if answer.unseen:
            why.append(f"{answer.unseen} figures have no picture that could be shown to the model")
    for each in why:
        log.warning("%s: %s", paper.paper_id[:15], each)
    made = [
        indexed if chunk == indexed.chunk else with_terms(chunk) for indexed, chunk in zip(chunks, now, strict=True)
    ]
    return Made(made, "; ".join(why), complete)
