"""Milliseconds that the kernel `crew` adds to a call of a model that answers at once: 200 calls by it, and 200 of the
same model without it.

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

from crew import Crew, Role, State  # noqa: E402
from pydantic_ai.messages import ModelRequest, UserPromptPart  # noqa: E402
from pydantic_ai.models import ModelRequestParameters  # noqa: E402
from thinking import open_model  # noqa: E402

from pincite_doors.testing import ScriptedModel, say  # noqa: E402

CALLS = 200


async def measure(url: str, folder: Path) -> tuple[list[float], list[float]]:
    task: dict[str, Any] = {"model": {"url": url, "name": "m", "dialect": "openai.chat", "api_key": "t"}}
    role = Role("reader", "Say a word.", str)
    plain, ours = [], []
    async with Crew(task, {}, State(folder / "state.jsonl")) as crew, open_model(task, {}) as model:
        request = ModelRequest([UserPromptPart(["Go."])], instructions="Say a word.")
        for number in range(CALLS):  # in turn, so that a busy machine disturbs both
            begun = time.perf_counter()
            await model.request([request], None, ModelRequestParameters())
            middle = time.perf_counter()
            await crew.ask(role, ["Go."], who=str(number))
            plain.append(1000 * (middle - begun))
            ours.append(1000 * (time.perf_counter() - middle))
    return plain, ours


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, ScriptedModel([say("word")] * 2 * CALLS) as model:
        plain, ours = asyncio.run(measure(model.url, Path(folder)))
    for name, values in (("without", plain), ("with crew", ours)):
        print(f"{name:10} median {statistics.median(values):.2f} ms, mean {statistics.mean(values):.2f} ms")
    added = statistics.median(mine - theirs for mine, theirs in zip(ours, plain, strict=True))
    print(f"added      median {added:.2f} ms a call ({CALLS} calls)")


if __name__ == "__main__":
    main()
