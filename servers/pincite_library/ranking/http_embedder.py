"""Embeddings by an OpenAI-compatible API (OpenAI, vLLM, Ollama, text-embeddings-inference)."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_library.model import VectorSpace
from pincite_library.ranking.embedder import EMBEDDED_TEXT
from pincite_models.connection import call_address
from pincite_models.json_api import JsonApi
from pincite_models.role import EMBEDDING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BATCH = 32
"""Texts a call: the most that text-embeddings-inference takes as it comes."""

_MOST_CHARS = 8_000
"""Characters of a text that are sent: embedding models read 8,000 tokens or fewer."""


class HttpEmbedder:
    """One model behind ``POST {base}/embeddings``; see ``Embedder``."""

    def __init__(
        self, api: JsonApi, model: str, *, dimensions: int = 0, text_prefix: str = "", query_prefix: str = ""
    ) -> None:
        self._api = api
        self._model = model
        self._dimensions = dimensions
        self._text_prefix = text_prefix
        self._query_prefix = query_prefix
        self._space: VectorSpace | None = None
        self._lock = threading.Lock()

    @classmethod
    def of(cls, settings: Settings) -> "HttpEmbedder":
        """The API of the settings; BadInputError where it is half set."""
        if not (settings.embedding_url and settings.embedding_model):
            raise BadInputError(
                "The embedding model is only partly set up.",
                next="Set both PINCITE_EMBEDDING_URL and PINCITE_EMBEDDING_MODEL.",
            )
        url = call_address(settings.embedding_url, "/embeddings", "/v1/embeddings")
        api = JsonApi(url, role=EMBEDDING, api_key=settings.embedding_api_key, seconds=settings.embedding_seconds)
        return cls(
            api,
            settings.embedding_model,
            dimensions=settings.embedding_dimensions,
            text_prefix=settings.embedding_text_prefix,
            query_prefix=settings.embedding_query_prefix,
        )

    @property
    def space(self) -> VectorSpace:
        """Asks for one vector, once, to learn their length."""
        with self._lock:
            if self._space is None:
                (vector,) = self._ask(["length"])
                self._space = VectorSpace(self._model, len(vector), text_version(self._text_prefix))
            return self._space

    def embed_texts(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """See ``Embedder``; texts are cut at 8,000 characters."""
        import numpy as np

        dimension = self.space.dimension
        matrix = np.empty((len(texts), dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = [self._text_prefix + text for text in texts[start : start + BATCH]]
            matrix[start : start + len(batch)] = self._ask(batch)
        return matrix

    def embed_query(self, query: str) -> "npt.NDArray[np.float32]":
        """See ``Embedder``."""
        return self._ask([self._query_prefix + query])[0]

    def _ask(self, texts: list[str]) -> "npt.NDArray[np.float32]":
        body: dict[str, Any] = {
            "model": self._model,
            "input": [text[:_MOST_CHARS] for text in texts],
            "encoding_format": "float",
        }
        answer = self._api.ask(body | ({"dimensions": self._dimensions} if self._dimensions else {}))
        wanted = self._space.dimension if self._space is not None else self._dimensions
        return self._read(answer, len(texts), wanted)

    def _read(self, answer: Any, count: int, wanted: int) -> "npt.NDArray[np.float32]":
        """The unit vectors of an answer in the order of the texts; UnavailableError where it is not what was asked."""
        import numpy as np

        try:
            data = cast("list[dict[str, Any]]", answer["data"])
            places = [item.get("index", place) for place, item in enumerate(data)]
            if len(data) != count or sorted(places) != list(range(count)):
                raise self._api.malformed(f"{len(data)} vectors with the indexes {places[:8]} for {count} texts")
            matrix = np.array([item["embedding"] for item in data], dtype=np.float64)
        except (TypeError, KeyError, AttributeError, ValueError, OverflowError) as error:
            raise self._api.malformed(f"no list of vectors ({type(error).__name__})") from None
        if matrix.ndim != 2 or matrix.shape[1] == 0 or (wanted and matrix.shape[1] != wanted):
            raise self._api.malformed(f"vectors of shape {matrix.shape[1:]}, not of {wanted or 'some'} numbers")
        with np.errstate(over="ignore"):
            lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise self._api.malformed("a vector that is zero or holds no finite numbers")
        ordered = np.empty(matrix.shape, dtype=np.float32)
        ordered[places] = matrix / lengths
        return ordered


def text_version(prefix: str) -> str:
    """The version of embedded texts with this prefix before them."""
    return f"{EMBEDDED_TEXT} {prefix!r}" if prefix else EMBEDDED_TEXT
