"""Reranker: what reorders the best passages by reading each with the query."""

from collections.abc import Sequence
from typing import Protocol

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings

HTTP_SHAPES = ("cohere", "jina", "voyage", "tei")


class Reranker(Protocol):
    """Scores passages for a query."""

    @property
    def name(self) -> str:
        """The model and where it runs, as results name it."""
        ...

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """A finite score for every passage in their order, higher is better; scores of two calls are not comparable.

        Raises UnavailableError where there is no whole and valid answer in time.
        """
        ...


def open_reranker(settings: Settings) -> Reranker | None:
    """The reranker of the settings, not yet loaded or asked; None where none is set.

    Raises BadInputError where the setting cannot be used.
    """
    kind, _, place = settings.reranker.partition(":")
    if not settings.reranker or settings.reranker == "none":
        return None
    if settings.reranker in HTTP_SHAPES:
        from pincite_library.ranking.http_reranker import HttpReranker

        return HttpReranker.of(settings)
    if kind == "local" and place:
        from pincite_library.ranking.local_reranker import LocalReranker

        return LocalReranker.of(settings, place)
    raise BadInputError(
        "PINCITE_RERANKER cannot be used.",
        seen=repr(settings.reranker[:100]),
        next=f"Set it to one of {', '.join(HTTP_SHAPES)} (with PINCITE_RERANK_URL), to local:FOLDER, or unset it.",
    )
