"""Models by role: which model each role of an agent asks, where it is not the main one, and with which key."""

import os
import re
from collections.abc import Mapping

from pincite_core.errors import BadInputError
from pincite_models.choice import KEY_VARIABLE, ModelChoice
from pincite_models.dialects.model import DialectName

ROLE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}", re.ASCII)
"""A role stands in the path of its model's address."""


def parse_role_models(named: Mapping[str, str], urls: Mapping[str, str]) -> dict[str, ModelChoice]:
    """The models of ``ROLE=PROVIDER:NAME`` words, with their addresses of ``ROLE=URL`` words; BadInputError for a word
    that cannot be, and for an address without a model."""
    if without := sorted(set(urls) - set(named)):
        raise BadInputError(
            f"--role-model-url names {', '.join(without)}, which has no model.",
            next=f"Add --role-model {without[0]}=NAME.",
        )
    found: dict[str, ModelChoice] = {}
    for role, text in named.items():
        if ROLE_NAME.fullmatch(role) is None:
            raise BadInputError(
                f"{role!r} cannot be the name of a role.", next="--role-model ROLE=PROVIDER:NAME, such as critic=…"
            )
        found[role] = ModelChoice.parse(text, urls.get(role, ""), f"--role-model-url {role}=URL")
    return found


def role_dialect(choice: ModelChoice, main: DialectName | None) -> DialectName:
    """The API through which a role's model is asked: its provider's own, and OpenAI's older one where the agent speaks
    that."""
    if choice.provider == "openai" and main == "openai.chat":
        return main
    return choice.dialect


def role_variable(role: str) -> str:
    """The variable of a role's own key: ``PINCITE_MODEL_API_KEY_CRITIC``."""
    return f"{KEY_VARIABLE}_{re.sub(r'[^A-Za-z0-9]', '_', role).upper()}"


def role_key(role: str, choice: ModelChoice, main: ModelChoice | None) -> str:
    """The role's own key, else the main model's where both are at one address, else its provider's. The key of one
    address never goes to another."""
    if own := os.environ.get(role_variable(role), ""):
        return own
    if main is not None and main.base_url == choice.base_url:
        return main.key()
    return choice.key(role_variable(role))


def check_role_key(role: str, choice: ModelChoice, main: ModelChoice | None) -> None:
    """BadInputError where the provider itself is asked for a role and there is no key for it."""
    if not role_key(role, choice, main):
        choice.check_key(role_variable(role))
