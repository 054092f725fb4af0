"""Cosine of embeddings, by the embedder that the library is set to use."""

import functools
from typing import TYPE_CHECKING

from pincite_core.settings import Settings
from pincite_scoring.figure_analysis.metrics.measure import Measure

if TYPE_CHECKING:
    from pincite_library.ranking.embedder import Embedder

ABSENT = "no embedder is set: set PINCITE_EMBEDDER to local:FOLDER of all-MiniLM-L6-v2 in ONNX"


def cosine(answer: str, gold: str, settings: Settings) -> Measure:
    """The dot product of both texts' unit vectors; an empty text has 0. Not computed without an embedder.

    A model sees the beginning of a long text only (MiniLM: 256 tokens).
    """
    if settings.embedder in {"", "none"}:
        return Measure(None, reason=ABSENT)
    embedder = _open(settings.embedder, settings.embedding_url, settings.embedding_model)
    if embedder is None:
        return Measure(None, reason=ABSENT)
    by = embedder.space.model
    if not answer.strip() or not gold.strip():
        return Measure(0.0, by)
    return Measure(_product(embedder, answer, gold), by)


@functools.lru_cache(maxsize=4)
def _product(embedder: "Embedder", answer: str, gold: str) -> float:
    """Of an answer that is scored by two definitions, once."""
    vectors = embedder.embed_texts([answer, gold])
    # What a float32 holds: a text is as near to itself as can be.
    return round(float(vectors[0] @ vectors[1]), 6)


@functools.cache
def _open(kind: str, url: str, model: str) -> "Embedder | None":
    """The embedder of the settings, loaded once a process."""
    from pincite_core.settings import load_settings
    from pincite_library.ranking.embedder import open_embedder

    chosen = {"embedder": kind, "embedding_url": url, "embedding_model": model}
    return open_embedder(load_settings().model_copy(update=chosen))
