"""The dialects by their names."""

from collections.abc import Mapping

from pincite_models.dialects.anthropic import Anthropic
from pincite_models.dialects.dialect import Dialect
from pincite_models.dialects.google import Google
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.openai_chat import OpenAIChat
from pincite_models.dialects.openai_responses import OpenAIResponses
from pincite_models.dialects.rerank import Rerank

DIALECTS: Mapping[DialectName, Dialect] = {
    dialect.name: dialect for dialect in (Anthropic(), OpenAIResponses(), OpenAIChat(), Google())
}
"""Those that agents speak."""
RECORDED: Mapping[DialectName, Dialect] = {**DIALECTS, "rerank": Rerank()}
"""Those that pass the model door: rerankers' too, which servers ask."""
