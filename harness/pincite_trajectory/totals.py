"""Totals: what all calls of a model together took, the sum of what the wire says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from pydantic import ValidationError

from pincite_models.dialects.dialect import COUNTED
from pincite_models.dialects.fields import mapping
from pincite_models.dialects.model import Usage
from pincite_tasks.trial_record import RoleSpending, TokenCount
from pincite_trajectory.atif import FinalMetrics
from pincite_trajectory.model_wire import ModelExchange

_TURNED_AWAY = ("limit", "policy")


def by_role(exchanges: Iterable[ModelExchange]) -> dict[str, RoleSpending]:
    """What each role took, requests of none under an empty name; nothing where none has one."""
    groups = _grouped(exchanges, lambda exchange: exchange.role)
    if set(groups) <= {""}:
        return {}
    return {role: _spending(group) for role, group in groups.items()}


def by_model(exchanges: Iterable[ModelExchange]) -> dict[str, RoleSpending]:
    """What each model took, by ``provider:name``; nothing where there was one alone."""
    groups = _grouped(exchanges, lambda exchange: exchange.asked_model)
    if len(groups) < 2:
        return {}
    return {model: _spending(group) for model, group in groups.items()}


def roles_of(extra: Mapping[str, Any]) -> dict[str, RoleSpending]:
    """What ``by_role`` found, from a trajectory's totals; nothing where another program wrote something else there."""
    found = mapping(extra.get("roles"))
    try:
        return {role: RoleSpending.model_validate(spent) for role, spent in found.items()}
    except ValidationError:
        return {}


def _grouped(
    exchanges: Iterable[ModelExchange], name: Callable[[ModelExchange], str]
) -> dict[str, list[ModelExchange]]:
    """The calls of models by a name, in the order in which the names come."""
    groups: dict[str, list[ModelExchange]] = {}
    for exchange in exchanges:
        if exchange.kind == "generate" or exchange.kind in COUNTED:
            groups.setdefault(name(exchange), []).append(exchange)
    return groups


def _spending(exchanges: Sequence[ModelExchange]) -> RoleSpending:
    counted = [(usage, exchange.cost_usd) for exchange in exchanges if (usage := exchange.usage) is not None]
    costs = [cost for _, cost in counted if cost is not None]
    passed = [exchange for exchange in exchanges if exchange.cause not in _TURNED_AWAY]
    return RoleSpending(
        model_calls=sum(exchange.kind == "generate" for exchange in passed),
        other_calls=sum(exchange.kind in COUNTED for exchange in passed),
        tokens=TokenCount.of(sum((usage for usage, _ in counted), Usage(0, 0))),
        cost_usd=fsum(costs) if costs and len(costs) == len(counted) else None,
    )


def final_metrics(exchanges: Iterable[ModelExchange], *, steps: int, more: Mapping[str, Any]) -> FinalMetrics:
    """Sums over exchanges, failed attempts included. The cost is None as soon as one counted call has no price;
    ``extra`` then says how many have none."""
    every = list(exchanges)
    counted = [(usage, exchange.cost_usd) for exchange in every if (usage := exchange.usage) is not None]
    costs = [cost for _, cost in counted if cost is not None]
    extra: dict[str, Any] = dict(more)
    extra["model_calls"] = sum(exchange.kind == "generate" for exchange in every)
    extra["failed_model_calls"] = sum(exchange.kind == "generate" and exchange.cause is not None for exchange in every)
    extra["cache_write_tokens"] = sum(usage.cache_write_tokens for usage, _ in counted)
    extra["reasoning_tokens"] = sum(usage.reasoning_tokens for usage, _ in counted)
    extra["unpriced_model_calls"] = len(counted) - len(costs)
    return FinalMetrics(
        total_prompt_tokens=sum(usage.input_tokens for usage, _ in counted),
        total_completion_tokens=sum(usage.output_tokens for usage, _ in counted),
        total_cached_tokens=sum(usage.cached_tokens for usage, _ in counted),
        total_cost_usd=fsum(costs) if costs and len(costs) == len(counted) else None,
        total_steps=steps,
        extra=extra,
    )
