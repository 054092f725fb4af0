"""The four real CLI agents on one task with one script: do they do the same, and how long does each take?

    python tests/benchmarks/cli_agents.py [--sandbox docker|bubblewrap] [--times 1] [--keep FOLDER]

Bar: each completes in Docker without a network, calls at least two MCP tools, writes its answer and is scored; the
trajectories are valid ATIF 1.8 with the same steps, and the picture that a tool returned is a file.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path

from parts.cli_trials import CLIS, KEY, Ran, one_paper, run_cli, shapes, work

from pincite_models.choice import KEY_VARIABLE


def faults(ran: Ran) -> list[str]:
    """What of the bar a trial misses."""
    record, trajectory = ran.record, ran.trajectory
    pictures = [ran.folder / path for path in trajectory.media_paths()]
    checks = {
        f"it ended as {record.status}: {record.detail}": record.status == "completed",
        f"it called {record.tool_calls} tools": record.tool_calls >= 2,
        "it wrote no answer": record.answered,
        f"its score is {ran.score['metrics'].get('f1')}": ran.score["metrics"].get("f1") == 1.0,
        f"it is of {trajectory.schema_version}": trajectory.schema_version == "ATIF-v1.8",
        "no picture is kept": len(pictures) == 1 and pictures[0].is_file(),
    }
    return [fault for fault, good in checks.items() if not good]


async def measure(sandbox: str, times: int, folder: Path) -> bool:
    """Run and print; whether the bar is met."""
    family = one_paper()
    met, steps = True, set[str]()
    for name in CLIS:
        for number in range(1, times + 1):
            ran = await run_cli(name, sandbox, folder / f"{name}-{number}", work(family), family)
            seconds = {stage: time.seconds for stage, time in ran.record.stages.items()}
            missed = faults(ran)
            met = met and not missed
            steps.add(repr(shapes(ran.trajectory)))
            print(
                f"{name:12} {ran.record.agent_version:8} {sum(seconds.values()):5.1f} s in all,"
                f" {seconds.get('agent', 0):5.1f} s the agent, {ran.record.model_calls} model calls,"
                f" {ran.record.tool_calls} tool calls, {len(ran.trajectory.steps)} steps: {'; '.join(missed) or 'good'}"
            )
    print(f"step structures: {len(steps)} (bar: 1)")
    return met and len(steps) == 1


def main() -> int:
    """The program."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sandbox", default="docker", choices=("docker", "bubblewrap"))
    options.add_argument("--times", type=int, default=1)
    options.add_argument("--keep", type=Path, help="keep the trials' folders there")
    chosen = options.parse_args()
    os.environ[KEY_VARIABLE] = KEY
    with tempfile.TemporaryDirectory(prefix="pincite-clis-") as folder:
        met = asyncio.run(measure(chosen.sandbox, chosen.times, chosen.keep or Path(folder)))
    print("bar met" if met else "BAR MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
