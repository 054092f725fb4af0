"""Likeness of property names: the cosine of an embedder where one is set, as published, else words and letters."""

import functools
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pincite_core.settings import load_settings
from pincite_materials.property_names import similarity

if TYPE_CHECKING:
    from pincite_library.ranking.embedder import Embedder

Likeness = Callable[[str, str], float]
"""How alike two names are; greater is nearer."""

_SETTING = "PINCITE_EMBEDDER"
_NONE = frozenset({"", "none"})


def likeness_of(names: Iterable[str]) -> Likeness:
    """The likeness to choose candidates by: of the embedder that ``PINCITE_EMBEDDER`` sets (``local:FOLDER`` or an
    API), for these names, which are embedded together; of words and letters without one."""
    if os.environ.get(_SETTING, "").strip().lower() in _NONE:
        return similarity
    settings = load_settings()
    embedder = _open(settings.embedder, settings.embedding_url, settings.embedding_model)
    if embedder is None:
        return similarity
    distinct = tuple(sorted(set(names)))
    vectors = dict(zip(distinct, embedder.embed_texts(list(distinct)), strict=True)) if distinct else {}

    def cosine(a: str, b: str) -> float:
        return float(vectors[a] @ vectors[b])

    return cosine


@functools.cache
def _open(kind: str, url: str, model: str) -> "Embedder | None":
    """The embedder of the settings, loaded once a process."""
    from pincite_library.ranking.embedder import open_embedder

    chosen = {"embedder": kind, "embedding_url": url, "embedding_model": model}
    return open_embedder(load_settings().model_copy(update=chosen))
