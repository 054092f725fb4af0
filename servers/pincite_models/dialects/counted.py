"""Answers in numbers, vectors of embeddings and scores of rerankers: read for what they cost, recorded without them."""

from collections.abc import Mapping
from typing import Any, cast

from pincite_models.dialects.fields import count, mapping, text
from pincite_models.dialects.folding import error_text
from pincite_models.dialects.model import ModelResponse, Usage
from pincite_models.dialects.openai import read_usage

_LISTS = ("data", "embeddings", "results")
"""Where the APIs put their vectors or scores."""
_SHORT = 16
"""Numbers of a list that a record still shows: scores of a few passages, never a vector."""


def read_counted(value: Any) -> ModelResponse:
    """Model and usage of an answer in numbers; no usage where the API tells none (TEI answers with a bare list)."""
    body = mapping(value)
    error = error_text(body.get("error"))
    usage = None if error else _usage(body)
    return ModelResponse(
        text(body.get("id")), text(body.get("model")), (), "end", usage, complete=not error, error=error
    )


def without_numbers(value: Any) -> Any:
    """The answer with a note in place of each vector and of each long list of scores."""
    if isinstance(value, list):
        return _noted(cast("list[Any]", value))
    body = dict(mapping(value))
    for name in _LISTS:
        if isinstance(body.get(name), list):
            body[name] = _noted(cast("list[Any]", body[name]))
    return body


def _noted(items: list[Any]) -> Any:
    widths = {_width(item) for item in items}
    if len(items) <= _SHORT and widths <= {0}:
        return items
    if widths <= {0}:
        return f"{len(items)} scores, not kept"
    shown = " or ".join(str(width) for width in sorted(widths))
    return f"{len(items)} vectors of {shown} numbers, not kept"


def _width(item: Any) -> int:
    """How long the vector of an item is, in numbers or in letters where it is packed; 0 for a score."""
    held = mapping(item).get("embedding") if isinstance(item, dict) else item
    return len(cast("list[Any] | str", held)) if isinstance(held, list | str) else 0


def _usage(body: Mapping[str, Any]) -> Usage | None:
    """Tokens in, as OpenAI, Jina and Voyage tell them (``usage``) or Cohere does (``meta``)."""
    told = mapping(body.get("usage"))
    counted = read_usage(told)
    if counted is not None and not counted.input_tokens and "total_tokens" in told:
        return Usage(count(told.get("total_tokens")), 0)
    if counted is not None:
        return counted
    meta = mapping(body.get("meta"))
    tokens = mapping(meta.get("tokens")) or mapping(meta.get("billed_units"))
    return Usage(count(tokens.get("input_tokens")), 0) if "input_tokens" in tokens else None
