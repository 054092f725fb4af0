"""Join the calls that a model made with the tool door's record of what the servers were asked and answered."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from pincite_trajectory.drafts import CallDraft
from pincite_trajectory.wire import Exchange

_CLOCKS = timedelta(seconds=1)
"""Both doors stamp records on one clock; a record may still be written a moment after the fact."""


def join_served(calls: Sequence[CallDraft], exchanges: Iterable[Exchange]) -> list[Exchange]:
    """Give each call its exchange and return the exchanges that no call asked for.

    Calls and exchanges have no id in common: they are matched by tool and arguments within the time between the
    answer that made the call and the request that brought its result, first to first; then by tool alone.
    """
    left = sorted(exchanges, key=lambda exchange: exchange.request["at"])
    for test in (_asks_same, _asks_tool):
        left = [exchange for exchange in left if not _give(exchange, calls, test)]
    return left


def served_name(exchange: Exchange) -> tuple[str, str]:
    """Server and tool of an exchange."""
    return str(exchange.request["server"]), str(exchange.params.get("name", ""))


def _give(exchange: Exchange, calls: Sequence[CallDraft], test: Callable[[CallDraft, Exchange], bool]) -> bool:
    at = datetime.fromisoformat(exchange.request["at"])
    free = [call for call in calls if call.served is None and _in_time(call, at) and test(call, exchange)]
    if not free:
        return False
    # An answer that was given up has the same calls as the one that was taken, but never a result.
    first = min(free, key=lambda call: (call.result is None, call.asked_at))
    first.served = exchange
    return True


def _in_time(call: CallDraft, at: datetime) -> bool:
    return call.asked_at - _CLOCKS <= at and (call.told_at is None or at <= call.told_at + _CLOCKS)


def _asks_same(call: CallDraft, exchange: Exchange) -> bool:
    return _asks_tool(call, exchange) and _bare(call.call.arguments) == _bare(exchange.arguments)


def _asks_tool(call: CallDraft, exchange: Exchange) -> bool:
    """``mcp__documents__open_paper``, ``mcp_documents_open_paper``, ``documents.open_paper`` or ``open_paper``."""
    server, tool = (_flat(name) for name in served_name(exchange))
    name = _flat(call.call.name)
    return name == tool or name.endswith(f"{server}_{tool}")


def _flat(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _bare(value: Any) -> Any:
    """Arguments without those that are null: clients leave them out or fill them in."""
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value).items()
        return {name: _bare(item) for name, item in entries if item is not None}
    return [_bare(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value
