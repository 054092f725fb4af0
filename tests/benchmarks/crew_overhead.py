"""Milliseconds that the kernel `crew` adds to a call of a model that answers at once: 200 calls by it, and 200 of the
same model without it; and how many of 20 pages x 10 fields, asked 8 at a time, are at the model at once.

    python tests/benchmarks/crew_overhead.py
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "harness" / "pincite_harness" / "agents" / "programs"))

from crew import Crew, Role, State, fan  # noqa: E402
from pydantic_ai.messages import ModelRequest, UserPromptPart  # noqa: E402
from pydantic_ai.models import ModelRequestParameters  # noqa: E402
from thinking import open_model  # noqa: E402

from pincite_doors.testing import ScriptedModel, say, slow, turn  # noqa: E402

CALLS = 200
"""20 pages x 10 fields."""
WIDTH = 8
SECONDS = 2.0
"""How long the model of the second measurement takes for an answer."""


async def crowd(url: str, folder: Path) -> None:
    task: dict[str, Any] = {"model": {"url": url, "name": "m", "dialect": "openai.chat", "api_key": "t"}}
    role = Role("page", "Say a word.", str)
    async with Crew(task, {}, State(folder / "state.jsonl")) as crew:
        await fan(range(CALLS), lambda number: crew.ask(role, ["Go."], who=str(number)), width=WIDTH)


def now() -> tuple[float, float]:
    """Milliseconds of the clock, and of this process's CPU: the model's side is in it too, the same in both."""
    return 1000 * time.perf_counter(), 1000 * time.process_time()


async def measure(url: str, folder: Path) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    task: dict[str, Any] = {"model": {"url": url, "name": "m", "dialect": "openai.chat", "api_key": "t"}}
    role = Role("reader", "Say a word.", str)
    plain, ours = [], []
    async with Crew(task, {}, State(folder / "state.jsonl")) as crew, open_model(task, {}) as model:
        request = ModelRequest([UserPromptPart(["Go."])], instructions="Say a word.")
        for number in range(CALLS):  # in turn, so that a busy machine disturbs both
            begun = now()
            await model.request([request], None, ModelRequestParameters())
            middle = now()
            await crew.ask(role, ["Go."], who=str(number))
            ended = now()
            plain.append((middle[0] - begun[0], middle[1] - begun[1]))
            ours.append((ended[0] - middle[0], ended[1] - middle[1]))
    return plain, ours


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, ScriptedModel([say("word")] * 2 * CALLS) as model:
        plain, ours = asyncio.run(measure(model.url, Path(folder)))
    for place, of in enumerate(("clock", "CPU")):
        for name, values in (("without", plain), ("with crew", ours)):
            print(f"{name:10} median {statistics.median(value[place] for value in values):.2f} ms of {of}")
        added = statistics.median(mine[place] - theirs[place] for mine, theirs in zip(ours, plain, strict=True))
        print(f"added      median {added:.2f} ms of {of} a call ({CALLS} calls)")
    with tempfile.TemporaryDirectory() as folder, ScriptedModel([turn(say("word"), slow(SECONDS))] * CALLS) as model:
        begun = time.perf_counter()
        asyncio.run(crowd(model.url, Path(folder)))
        taken = time.perf_counter() - begun
    print(f"at the model at once: {CALLS * SECONDS / taken:.2f} on average of a width of {WIDTH}")


if __name__ == "__main__":
    main()
