"""Callers of one rate-limited source in a process of their own: ``python limited_callers.py JSON``.

The JSON says ``url``, ``cache``, ``requests``, ``seconds``, ``at_once``, ``callers``, ``lookups`` (of each caller) and
``patience`` (seconds of each lookup). When all is loaded it prints "ready" and waits for a line; then it asks, and
prints how many lookups were answered and the causes of the others.
"""

import json
import sys
from pathlib import Path
from typing import Any

import anyio

import pincite_core.http.live as _live  # loaded before the start, so that all callers set out together
from pincite_core.errors import SourceError
from pincite_core.http.client import Web
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.settings import Settings

assert _live


async def ask(told: dict[str, Any]) -> dict[str, Any]:
    rate = Rate(told["requests"], told["seconds"], told["at_once"])
    policy = SourcePolicy("limited", "Limited", told["url"], rate, trusted=True)
    settings = Settings(cache_dir=Path(told["cache"]), source_seconds=told["patience"], source_rates="published")
    web = Web(settings)
    answered, failed = 0, []

    async def call() -> None:
        nonlocal answered
        for number in range(told["lookups"]):
            try:
                await web.get(policy, f"works/{number}")
            except SourceError as error:
                failed.append(error.cause)
            else:
                answered += 1

    async with web.lifespan(), anyio.create_task_group() as group:
        for _ in range(told["callers"]):
            group.start_soon(call)
    return {"answered": answered, "failed": failed}


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(anyio.run(ask, told)))
