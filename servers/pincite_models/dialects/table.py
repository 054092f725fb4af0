"""The dialects by their names."""

from collections.abc import Mapping

from pincite_models.dialects.anthropic import Anthropic
from pincite_models.dialects.dialect import Dialect
from pincite_models.dialects.google import Google
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.openai_chat import OpenAIChat
from pincite_models.dialects.openai_responses import OpenAIResponses

DIALECTS: Mapping[DialectName, Dialect] = {
    dialect.name: dialect for dialect in (Anthropic(), OpenAIResponses(), OpenAIChat(), Google())
}
