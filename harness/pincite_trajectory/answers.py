"""A model's answer as an agent's step: words, reasoning, calls, what it cost and how it went wrong."""

from datetime import datetime
from typing import Any

from pincite_models.dialects.model import Call, Media, ModelRequest, Reasoning, Result, Text, Usage
from pincite_trajectory.atif import Metrics
from pincite_trajectory.content import content_of
from pincite_trajectory.drafts import CallDraft, Draft
from pincite_trajectory.model_wire import ModelExchange
from pincite_trajectory.turns import Turn

_REFUSALS = {"refusal", "filtered"}


def answer_draft(turn: Turn, exchange: ModelExchange) -> Draft:
    """The step of one attempt; without an answer it has an empty message and says why."""
    response = exchange.response
    parts = response.parts if response is not None else ()
    asked_at = datetime.fromisoformat(exchange.at)
    draft = Draft(
        "agent",
        _message(parts),
        asked_at,
        turn,
        exchange,
        calls=call_drafts(parts, f"call_{exchange.seq}", asked_at),
        fields={
            "model_name": (response.model if response is not None else "") or exchange.request.model or None,
            "reasoning_effort": _effort(exchange.request),
            "reasoning_content": "\n\n".join(_reasoning(parts)) or None,
            "metrics": metrics(exchange.usage, exchange.cost_usd),
            "llm_call_count": 1,
        },
        extra={"wire": _times(exchange)},
    )
    if any(isinstance(part, Reasoning) for part in parts) and not _reasoning(parts):
        draft.extra["reasoning_hidden"] = True
    if response is not None and response.stop in _REFUSALS:
        draft.extra["refusal"] = response.stop
    if exchange.label is not None:
        draft.extra["label"] = exchange.label.to_json()
    if exchange.cause is not None:
        draft.extra["error"] = fault(exchange)
    return draft


def call_drafts(parts: tuple[Any, ...], prefix: str, asked_at: datetime) -> list[CallDraft]:
    """The calls among parts, each with an id that no other has, and the results of those that the provider ran."""
    found: list[CallDraft] = []
    for part in parts:
        if isinstance(part, Call):
            taken = {draft.call_id for draft in found}
            named = part.call_id and part.call_id not in taken
            found.append(CallDraft(part, part.call_id if named else f"{prefix}_{len(found) + 1}", asked_at))
        elif isinstance(part, Result):
            mine = next((draft for draft in found if draft.call.call_id == part.call_id), None)
            if mine is not None:
                mine.result = part
    return found


def fault(exchange: ModelExchange) -> dict[str, Any]:
    """Why there is no whole answer: cause, status and the provider's words."""
    told = {
        "cause": exchange.cause,
        "status": exchange.outcome.get("status"),
        "detail": exchange.detail or None,
        "seconds": exchange.outcome.get("seconds"),
        "seq": exchange.seq,
        "at": exchange.at,
    }
    return {name: value for name, value in told.items() if value is not None}


def metrics(usage: Usage | None, cost_usd: float | None) -> Metrics | None:
    """Tokens and cost of one call; None where nothing was counted."""
    if usage is None:
        return None
    more = {"cache_write_tokens": usage.cache_write_tokens, "reasoning_tokens": usage.reasoning_tokens}
    return Metrics(
        prompt_tokens=usage.input_tokens,
        completion_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        cost_usd=cost_usd,
        extra={name: count for name, count in more.items() if count} or None,
    )


def _message(parts: tuple[Any, ...]) -> Any:
    shown = [part for part in parts if isinstance(part, Text | Media)]
    if all(isinstance(part, Text) for part in shown):
        return "\n\n".join(part.text for part in shown if isinstance(part, Text) and part.text)
    return content_of(shown)


def _reasoning(parts: tuple[Any, ...]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Reasoning) and part.text]


def _effort(request: ModelRequest) -> str | float | None:
    return float(request.effort) if isinstance(request.effort, int) else request.effort


def _times(exchange: ModelExchange) -> dict[str, Any]:
    told = {"seq": exchange.seq, "dialect": exchange.dialect}
    names = ("seconds", "first_byte_seconds", "status", "request_id")
    told |= {name: exchange.outcome[name] for name in names if exchange.outcome.get(name) is not None}
    if exchange.response is not None:
        told |= {"response_id": exchange.response.response_id, "stop": exchange.response.stop}
    return told
