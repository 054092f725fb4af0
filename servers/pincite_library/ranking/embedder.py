"""Embedder: what makes vectors of passages and queries, and the text of a chunk that is embedded."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.model import Chunk, VectorSpace

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EMBEDDED_TEXT = "context-2"
"""Version of ``embedded_text``: vectors of another one are another space."""

_LINE_CHARS = 80
"""Characters of a line of the context that is embedded."""


class Embedder(Protocol):
    """Makes unit vectors of one space. Methods block (call them in a thread) and may be called from several threads.

    They raise UnavailableError when the model cannot be reached or answers wrongly, MissingExtraError and
    BadInputError when it cannot be loaded.
    """

    @property
    def space(self) -> VectorSpace:
        """What its vectors are named by in a store; may ask the model for one vector, once."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """Unit vectors of passages (``embedded_text``), float32 of shape (n, dimension), in their order."""
        ...

    def embed_query(self, query: str) -> "npt.NDArray[np.float32]":
        """The unit vector of a query, float32 of shape (dimension,)."""
        ...


def embedded_text(chunk: Chunk, *, whole: bool = False) -> str:
    """What is embedded of a chunk: its context, every line of it cut at 80 characters, then its text.

    That gives the context about a fifth of a passage. Measured with MiniLM (``tests/benchmarks/retrieval_quality.py``
    and the same queries with words of the title added): more makes the passages of a paper alike, less loses those
    that are asked for by what their paper is about. A short window still sees most of the text.
    With ``whole`` nothing is cut.
    """
    context = chunk.context if whole else "\n".join(_shortened(line) for line in chunk.context.splitlines())
    return f"{context}\n{chunk.text}" if context else chunk.text


def _shortened(line: str) -> str:
    return line if len(line) <= _LINE_CHARS else line[:_LINE_CHARS].rsplit(None, 1)[0]


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder of the settings, not yet loaded or asked; None where none is set.

    Raises BadInputError where the setting cannot be used.
    """
    kind, _, place = settings.embedder.partition(":")
    if not settings.embedder or settings.embedder == "none":
        return None
    if settings.embedder == "openai":
        from pincite_library.ranking.http_embedder import HttpEmbedder

        return HttpEmbedder.of(settings)
    if kind == "local" and place:
        from pincite_library.ranking.local_embedder import LocalEmbedder

        return LocalEmbedder.of(settings, place)
    if kind == "static" and place:
        from pincite_library.ranking.static_embedder import StaticEmbedder

        return StaticEmbedder.of(settings, place)
    raise BadInputError(
        "PINCITE_EMBEDDER cannot be used.",
        seen=repr(settings.embedder[:100]),
        next="Set it to static:NAME, static:FOLDER, local:FOLDER or openai (with PINCITE_EMBEDDING_URL and "
        "PINCITE_EMBEDDING_MODEL), or unset it.",
    )
