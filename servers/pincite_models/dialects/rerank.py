"""Rerankers' APIs: Cohere's, Jina's, Voyage's and that of text-embeddings-inference; keys and errors are as OpenAI's.

What their requests say beside the model is for the server that asks; here they are told apart, and counted.
"""

from pincite_models.dialects.dialect import Operation
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.openai_chat import OpenAIChat

_PLACES = frozenset({"/v2/rerank", "/v1/rerank", "/rerank"})


class Rerank(OpenAIChat):
    """One operation: passages in, their scores out."""

    name: DialectName = "rerank"

    def operation(self, method: str, path: str) -> Operation | None:
        """See Dialect."""
        place = path.partition("?")[0].rstrip("/")
        return Operation(self.name, "rerank") if method.upper() == "POST" and place in _PLACES else None
