"""What an agent may ask its model's provider for: the models of the trial, and the hosted tools that the task opens."""

from collections.abc import Collection, Mapping
from typing import Any

from pincite_doors.models.opened import Opened
from pincite_doors.models.request_check import check_fields
from pincite_models.choice import ModelChoice
from pincite_models.dialects.dialect import Dialect, Operation
from pincite_models.dialects.fields import mapping
from pincite_tasks.family import ModelPolicy

_METHODS = {"generate": "POST", "embeddings": "POST", "rerank": "POST", "count_tokens": "POST", "models": "GET"}


def refused_operation(operation: Operation, method: str) -> str | None:
    """Why the door has no such operation: only answers, vectors, token counts and lists of models pass; None when it
    has."""
    if _METHODS.get(operation.kind) == method:
        return None
    return f"The model door lets through answers, vectors, token counts and lists of models, not this {method}."


def refused_request(
    policy: ModelPolicy, choice: ModelChoice, dialect: Dialect, operation: Operation, body: Mapping[str, Any]
) -> str | None:
    """Why a call may not pass: another model than the trial's, a tool that the provider would run, or a field or part
    that is not open; None when it may."""
    if reason := refused_model({choice.name, *policy.models}, dialect, operation, body):
        return reason
    opened = Opened(policy)
    closed = [tool for tool in dialect.hosted_tools(body) if not opened.tool(tool)]
    if operation.kind == "generate" and closed:
        return (
            f"The provider's tool {closed[0]!r} is not open in this trial. "
            "Next: send the request without it (a task opens it with [model] hosted_tools)."
        )
    return check_fields(opened, operation, body)


def refused_model(
    allowed: Collection[str], dialect: Dialect, operation: Operation, body: Mapping[str, Any]
) -> str | None:
    """Why a call may not pass for a model that it names; None where it names those of ``allowed`` alone."""
    for asked in _models(dialect, operation, body):
        if asked not in allowed:
            return f"The model {asked!r} is not open in this trial, only {', '.join(sorted(allowed))}."
    return None


def _models(dialect: Dialect, operation: Operation, body: Mapping[str, Any]) -> list[str]:
    """Every model that a request names: in its path, its body, and a request inside it (Gemini's counting)."""
    names = [dialect.model_of(operation, body)]
    inner = mapping(body.get("generateContentRequest") or body.get("generate_content_request"))
    names += [name for name in (body.get("model"), inner.get("model")) if name is not None]
    return [str(name).removeprefix("models/") for name in names]
