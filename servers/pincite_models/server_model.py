"""ServerModel: a model that servers ask in a trial (vision, text, embeddings, reranker), named on the command line."""

import os
from collections.abc import Mapping
from typing import Literal, Self, cast, get_args

from pydantic import BaseModel, ConfigDict

from pincite_core.errors import BadInputError
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import DialectName

ServerUse = Literal["vision", "text", "embedding", "rerank"]
USES: tuple[ServerUse, ...] = get_args(ServerUse)
RerankShape = Literal["cohere", "jina", "voyage", "tei"]

_RERANKERS: Mapping[RerankShape, str] = {
    "cohere": "https://api.cohere.com",
    "jina": "https://api.jina.ai",
    "voyage": "https://api.voyageai.com",
    "tei": "",
}
_RERANK_KEYS: Mapping[RerankShape, tuple[str, ...]] = {
    "cohere": ("CO_API_KEY", "COHERE_API_KEY"),
    "jina": ("JINA_API_KEY",),
    "voyage": ("VOYAGE_API_KEY",),
    "tei": (),
}
_DIALECTS: Mapping[DialectName, str] = {"openai.chat": "openai", "anthropic.messages": "anthropic"}
"""What ``PINCITE_VISION_DIALECT`` calls the APIs through which servers ask a model."""
PREFIXES = ("vision_", "text_", "embedding_", "rerank_")
"""What settings of servers' models begin with."""
CHOOSING = ("embedder", "reranker")
"""Settings that say which kind of model is asked."""


class ServerModel(BaseModel):
    """One model for one use; ``shape`` is the API of a reranker."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: ModelChoice
    shape: RerankShape | None = None

    @classmethod
    def parse(cls, use: ServerUse, text: str, url: str = "") -> Self:
        """``PROVIDER:NAME``, or any NAME with an address; a reranker's PROVIDER is cohere, jina, voyage or tei.
        BadInputError for a provider whose API servers do not speak."""
        option = f"--server-model-url {use}=URL"
        if use == "rerank":
            return cls._reranker(text, url, option)
        choice = ModelChoice.parse(text, url, option)
        spoken = ("openai", "compatible") if use == "embedding" else ("openai", "compatible", "anthropic")
        if choice.provider not in spoken:
            raise BadInputError(
                f"Servers do not speak the API of {choice.provider} for {use}.",
                seen=text,
                next=f"Name an OpenAI-compatible address: --server-model {use}=NAME {option}.",
            )
        return cls(model=choice)

    @classmethod
    def _reranker(cls, text: str, url: str, option: str) -> Self:
        prefix, _, name = text.partition(":")
        if prefix not in _RERANKERS:
            raise BadInputError(
                f"{text!r} does not name a reranker's API.",
                seen=", ".join(_RERANKERS),
                next="Write cohere:NAME, jina:NAME, voyage:NAME or tei:NAME.",
            )
        shape = cast("RerankShape", prefix)
        address = url or _RERANKERS[shape]
        if not address:
            raise BadInputError(f"{text!r} needs an address.", next=f"Add {option}.")
        return cls(model=ModelChoice.parse(name or shape, address, option), shape=shape)

    def dialect(self, use: ServerUse) -> DialectName:
        """The API through which servers ask it."""
        if use == "rerank":
            return "rerank"
        return "anthropic.messages" if self.model.provider == "anthropic" else "openai.chat"

    def variables(self, use: ServerUse, address: str, token: str) -> dict[str, str]:
        """The settings by which a server asks it at ``address`` (without ``/v1``), with ``token`` as its key."""
        named = {"MODEL": self.model.name, "API_KEY": token}
        prefix = f"PINCITE_{use.upper()}_"
        if use == "rerank":
            named["URL"] = f"{address}/{'v2' if self.shape == 'cohere' else 'v1'}/rerank"
            if self.shape == "tei":
                named["URL"] = f"{address}/rerank"
            return {"PINCITE_RERANKER": str(self.shape), **{prefix + name: value for name, value in named.items()}}
        named["URL"] = f"{address}/v1"
        found = {prefix + name: value for name, value in named.items()}
        if use == "embedding":
            return {"PINCITE_EMBEDDER": "openai", **found}
        return {f"{prefix}DIALECT": _DIALECTS[self.dialect(use)], **found}

    def key(self, use: ServerUse) -> str:
        """Its key from the environment, empty where there is none: ``PINCITE_VISION_API_KEY`` and the like first, then
        the provider's own."""
        names = [key_variable(use), *(_RERANK_KEYS[self.shape] if self.shape is not None else ())]
        own = next((value for name in names if (value := os.environ.get(name, ""))), "")
        return own or self.model.key(key_variable(use))

    def check_key(self, use: ServerUse) -> None:
        """BadInputError where a provider itself is asked and there is no key for it."""
        if self.key(use):
            return
        self.model.check_key(key_variable(use))
        if self.shape is not None and self.model.base_url == _RERANKERS[self.shape]:
            names = (key_variable(use), *_RERANK_KEYS[self.shape])
            raise BadInputError(f"There is no key for {self.shape}.", next=f"Set {' or '.join(names)}.")

    def __str__(self) -> str:
        return f"{self.shape or self.model.provider}:{self.model.name} at {self.model.base_url}"


def key_variable(use: ServerUse) -> str:
    """``PINCITE_VISION_API_KEY`` and the like."""
    return f"PINCITE_{use.upper()}_API_KEY"


def is_of_model(setting: str) -> bool:
    """Whether a setting of servers says which model is asked, or how."""
    return setting.startswith(PREFIXES) or setting in CHOOSING


def parse_server_models(named: Mapping[str, str], urls: Mapping[str, str]) -> dict[ServerUse, ServerModel]:
    """The models of ``USE=PROVIDER:NAME`` words, with their addresses of ``USE=URL`` words; BadInputError for a word
    that cannot be, and for an address without a model."""
    for option, words in (("--server-model", named), ("--server-model-url", urls)):
        if unknown := sorted(set(words) - set(USES)):
            raise BadInputError(
                f"Servers have no model for {', '.join(unknown)}.", seen=", ".join(USES), next=f"{option} vision=…"
            )
    if without := sorted(set(urls) - set(named)):
        raise BadInputError(
            f"--server-model-url names {', '.join(without)}, which has no model.",
            next=f"Add --server-model {without[0]}=NAME.",
        )
    return {use: ServerModel.parse(use, named[use], urls.get(use, "")) for use in USES if use in named}
