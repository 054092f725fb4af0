"""Rerankers behind HTTP: the shape of Cohere and Jina, those of Voyage and of text-embeddings-inference (TEI)."""

import math
from collections.abc import Sequence
from typing import Any, Literal, cast

import anyio.to_thread

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_models.connection import call_address
from pincite_models.json_api import JsonApi
from pincite_models.role import RERANK

Shape = Literal["cohere", "jina", "voyage", "tei"]

_PATHS: dict[Shape, str] = {"cohere": "/v2/rerank", "jina": "/v1/rerank", "voyage": "/v1/rerank", "tei": "/rerank"}
_TEI_BATCH = 32
"""Texts of one request; text-embeddings-inference refuses more by default."""
_MOST_CHARS = 4_000
"""Characters of a text that are sent. Set by judgement."""


class HttpReranker:
    """One model behind a reranking API; see ``Reranker``."""

    def __init__(self, api: JsonApi, shape: Shape, model: str) -> None:
        self._api = api
        self._shape: Shape = shape
        self._model = model

    @classmethod
    def of(cls, settings: Settings) -> "HttpReranker":
        """The API of the settings; BadInputError where it is half set. TEI needs no model's name."""
        shape = cast("Shape", settings.reranker)
        if not settings.rerank_url or not (settings.rerank_model or shape == "tei"):
            needed = "PINCITE_RERANK_URL" + ("" if shape == "tei" else " and PINCITE_RERANK_MODEL")
            raise BadInputError("The reranker is only partly set up.", next=f"Set {needed}.")
        url = call_address(settings.rerank_url, "/rerank", _PATHS[shape])
        api = JsonApi(url, role=RERANK, api_key=settings.rerank_api_key, seconds=settings.rerank_seconds)
        return cls(api, shape, settings.rerank_model)

    @property
    def name(self) -> str:
        """Model and host."""
        return f"{self._model or self._shape} at {self._api.host}"

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """See ``Reranker``; passages are cut at 4,000 characters."""
        texts = [passage[:_MOST_CHARS] for passage in passages]
        batch = _TEI_BATCH if self._shape == "tei" else max(len(texts), 1)
        scores: list[float] = []
        for start in range(0, len(texts), batch):
            part = texts[start : start + batch]
            body = self._body(query[:_MOST_CHARS], part)
            answer = await anyio.to_thread.run_sync(self._api.ask, body, abandon_on_cancel=True)
            scores += self._read(answer, len(part))
        return scores

    def _body(self, query: str, texts: list[str]) -> dict[str, Any]:
        if self._shape == "tei":
            return {"query": query, "texts": texts, "truncate": True}
        most = "top_k" if self._shape == "voyage" else "top_n"
        return {"model": self._model, "query": query, "documents": texts, most: len(texts)}

    def _read(self, answer: Any, count: int) -> list[float]:
        """The scores in the order of the passages; UnavailableError unless each has one finite score."""
        score = "score" if self._shape == "tei" else "relevance_score"
        try:
            results = answer if self._shape == "tei" else answer["data" if self._shape == "voyage" else "results"]
            found = [(item["index"], item[score]) for item in cast("list[dict[str, Any]]", results)]
        except (TypeError, KeyError) as error:
            raise self._api.malformed(f"no list of scores ({type(error).__name__})") from None
        places = [place for place, _ in found]
        if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
            raise self._api.malformed(f"{len(places)} scores with the indexes {places[:8]} for {count} passages")
        if not all(type(value) in (int, float) and math.isfinite(value) for _, value in found):
            raise self._api.malformed("a score that is not a finite number")
        scores = [0.0] * count
        for place, value in found:
            scores[place] = float(value)
        return scores
