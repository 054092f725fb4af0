"""ModelChoice: which model a run's agent thinks with, at which address, and where its key is found."""

import os
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pincite_core.errors import BadInputError
from pincite_models.dialects.model import DialectName

Provider = Literal["anthropic", "openai", "google", "compatible"]

_ADDRESSES: dict[Provider, str] = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com",
    "google": "https://generativelanguage.googleapis.com",
}
_PREFIXES: dict[str, Provider] = {"anthropic": "anthropic", "openai": "openai", "google": "google", "gemini": "google"}
_VARIABLES: dict[Provider, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "compatible": (),
}
_DIALECTS: dict[Provider, DialectName] = {
    "anthropic": "anthropic.messages",
    "openai": "openai.responses",
    "google": "google.generate",
    "compatible": "openai.chat",
}
KEY_VARIABLE = "PINCITE_MODEL_API_KEY"
"""Read first, whatever the provider."""


class ModelChoice(BaseModel):
    """A model by provider and name. ``base_url`` is the address before the API's own paths (``/v1/messages``,
    ``/v1/responses``, ``/v1/chat/completions``, ``/v1beta/models/…``), without a trailing slash."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: Provider
    name: str = Field(min_length=1)
    base_url: str

    @field_validator("base_url")
    @classmethod
    def _without_a_secret(cls, address: str) -> str:
        if "@" in address or not address.startswith(("http://", "https://")):
            raise ValueError("an http(s) address without a user or a key is needed")
        return address.rstrip("/").removesuffix("/v1").removesuffix("/v1beta")

    @classmethod
    def parse(cls, text: str, base_url: str = "", option: str = "--model-url") -> Self:
        """``anthropic:NAME``, ``openai:NAME``, ``google:NAME``, or any NAME with a ``base_url``.

        BadInputError, which names the ``option`` of the address, when the provider is unknown and none is given.
        """
        prefix, _, rest = text.partition(":")
        provider = _PREFIXES.get(prefix) if rest else None
        if provider is None and not base_url:
            raise BadInputError(
                f"{text!r} does not name the model's provider.",
                next=f"Write anthropic:NAME, openai:NAME or google:NAME, or give {option}.",
            )
        name = rest if provider is not None else text
        address = base_url or (_ADDRESSES[provider] if provider is not None else "")
        try:
            return cls(provider=provider or "compatible", name=name, base_url=address)
        except ValueError as error:
            raise BadInputError(f"{address!r} is not a usable address of a model.", seen=str(error)) from error

    @property
    def dialect(self) -> DialectName:
        """The API through which the harness's own agents speak to it: the provider's newest."""
        return _DIALECTS[self.provider]

    def speaks(self, dialect: DialectName) -> bool:
        """Whether its provider has that API; a server of somebody's own may."""
        both = self.provider == "openai" and dialect == "openai.chat"
        return self.provider == "compatible" or dialect == self.dialect or both

    def check_key(self, variable: str = KEY_VARIABLE) -> None:
        """BadInputError where the provider itself is asked and there is no key for it."""
        if self.base_url == _ADDRESSES.get(self.provider) and not self.key(variable):
            names = (variable, *_VARIABLES[self.provider])
            raise BadInputError(f"There is no key for {self.provider}.", next=f"Set {' or '.join(names)}.")

    def key(self, variable: str = KEY_VARIABLE) -> str:
        """The key from the environment, empty where there is none: ``variable`` first, then the provider's own. It is
        never kept with the choice."""
        names = (variable, *_VARIABLES[self.provider])
        return next((value for name in names if (value := os.environ.get(name, ""))), "")
