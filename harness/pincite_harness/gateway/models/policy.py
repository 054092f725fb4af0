"""What an agent may ask its model's provider for: the models of the trial, and the hosted tools that the task opens."""

from collections.abc import Mapping
from typing import Any

from pincite_harness.dialects.dialect import Dialect, Operation
from pincite_harness.family import ModelPolicy
from pincite_harness.model_choice import ModelChoice

_METHODS = {"generate": "POST", "count_tokens": "POST", "models": "GET"}


def refused_operation(operation: Operation, method: str) -> str | None:
    """Why the door has no such operation: only answers, token counts and lists of models pass; None when it has."""
    if _METHODS.get(operation.kind) == method:
        return None
    return f"The model door lets through calls for an answer, token counts and lists of models, not this {method}."


def refused_request(
    policy: ModelPolicy, choice: ModelChoice, dialect: Dialect, operation: Operation, body: Mapping[str, Any]
) -> str | None:
    """Why a call may not pass: another model than the trial's, or a tool that the provider would run, or an answer
    that would not pass here; None when it may."""
    allowed = {choice.name, *policy.models}
    asked = dialect.model_of(operation, body).removeprefix("models/")
    if asked not in allowed:
        return f"The model {asked!r} is not open in this trial, only {', '.join(sorted(allowed))}."
    closed = [tool for tool in dialect.hosted_tools(body) if not _opened(tool, policy)]
    if operation.kind == "generate" and closed:
        return f"The provider's tool {closed[0]!r} is not open in this trial."
    if body.get("background"):
        return "An answer in the background is not open in this trial: ask for it directly."
    return None


def _opened(tool: str, policy: ModelPolicy) -> bool:
    return any(tool == name or tool.startswith(f"{name}_") for name in policy.hosted_tools)
