"""The dialects by their names."""

from collections.abc import Mapping

from pincite_harness.dialects.anthropic import Anthropic
from pincite_harness.dialects.dialect import Dialect
from pincite_harness.dialects.google import Google
from pincite_harness.dialects.model import DialectName
from pincite_harness.dialects.openai_chat import OpenAIChat
from pincite_harness.dialects.openai_responses import OpenAIResponses

DIALECTS: Mapping[DialectName, Dialect] = {
    dialect.name: dialect for dialect in (Anthropic(), OpenAIResponses(), OpenAIChat(), Google())
}
