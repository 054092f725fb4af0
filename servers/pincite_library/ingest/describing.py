"""Describing: the tables and figures of a paper described by the text model, before they are indexed."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import anyio

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.chunks.describe import Describer, open_describer
from pincite_library.ingest.indexing import with_terms
from pincite_library.model import IndexedChunk

if TYPE_CHECKING:
    from pincite_papers.model import Paper

log = logging.getLogger(__name__)


def describer_of(settings: Settings) -> Describer:
    """The describer of the settings; BadInputError where no text model is set."""
    describer = open_describer(settings)
    if describer is None:
        raise BadInputError(
            "There is no model that could describe tables and figures.",
            next="Set PINCITE_TEXT_URL and PINCITE_TEXT_MODEL, or leave --describe out.",
        )
    return describer


def described(describer: Describer, paper: "Paper", chunks: Sequence[IndexedChunk]) -> tuple[list[IndexedChunk], str]:
    """The chunks with the model's descriptions and new terms, and why some have none ("" where all have theirs)."""
    given = [indexed.chunk for indexed in chunks]
    answer = anyio.run(describer.describe, paper, given)
    made = [
        indexed if chunk == indexed.chunk else with_terms(chunk)
        for indexed, chunk in zip(chunks, answer.chunks, strict=True)
    ]
    if answer.problem is None:
        return made, ""
    why = f"{answer.failed} tables and figures were not described by the model: {answer.problem.what}"
    log.warning("%s: %s", paper.paper_id[:15], why)
    return made, why
