"""The kernel of programs in which several roles ask models: see docs/crews.md.

It runs inside a sandbox on pydantic-ai alone and imports nothing of pincite; ``run`` starts a program on it.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from door import DoorError
from pydantic_ai.exceptions import AgentRunError, UserError
from thinking import ThinkingError

from .ask import Crew, Said
from .budget import Budget, Spent
from .fan import Failed, fan, kept
from .role import Data, Fitted, Part, Policy, Refused, Role, Tags, fit, prompt
from .state import Began, Ended, Event, State, fold

__all__ = [
    "Budget",
    "Crew",
    "Data",
    "Event",
    "Failed",
    "Fitted",
    "Part",
    "Policy",
    "Refused",
    "Role",
    "Said",
    "Spent",
    "State",
    "Tags",
    "fan",
    "fit",
    "fold",
    "kept",
    "prompt",
    "run",
]
OPTIONS = Path(__file__).resolve().parent.parent / "options.json"
OWN = ("format", "repairs", "effort", "pictures", "calls", "tokens", "seconds", "cost")
"""Options that the kernel reads itself; every agent on it has them."""


def run(
    pipeline: Callable[[Crew], Awaitable[None]],
    *,
    name: str,
    defaults: Mapping[str, str] | None = None,
    options: Path | None = None,
) -> int:
    """Run ``pipeline`` in the working folder of a trial; the exit code, 1 with a line on stderr where the model or a
    door failed.

    ``defaults`` is the agent's table of options: its own option is an error elsewhere. A pipeline that does not catch
    Spent ends well by it, with what it has written.
    """
    file = options or OPTIONS
    try:
        task: Mapping[str, Any] = json.loads(Path("task.json").read_text(encoding="utf-8"))
        given: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        known = {**(defaults or {}), **given}
        if unknown := sorted(set(given) - set(defaults or {}) - set(OWN)):
            table = ", ".join([*(defaults or {}), *OWN])
            raise ValueError(f"{name} has no option {', '.join(unknown)}; it has {table}")
        crew = Crew(task, known, State())
    except (OSError, ValueError) as error:
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    crew.state.emit(Began(agent=name, options={key: str(value) for key, value in known.items()}))
    code, why = 0, "done"
    try:
        asyncio.run(_run(pipeline, crew))
    except Spent as spent:
        why = f"spent: {spent}"
    except (ThinkingError, DoorError, AgentRunError, UserError, OSError, ValueError, KeyError) as error:
        code, why = 1, f"{type(error).__name__}: {error}"
    crew.state.emit(Ended(why=why, calls=crew.budget.calls, tokens=crew.budget.tokens))
    print(f"{name}: {why}", file=sys.stderr if code else sys.stdout)
    return code


async def _run(pipeline: Callable[[Crew], Awaitable[None]], crew: Crew) -> None:
    async with crew:
        await pipeline(crew)
