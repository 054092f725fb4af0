"""Whether pincite lab finds planted servers: python tests/benchmarks/lab.py [REPEATS] [TASKS], or with --simulate.

Each repeat is a lab of TASKS tasks, one attempt, with a scripted model in a local sandbox: one of a server that says
the right number to a model that knows 20 % of them, and one of a server that says wrong numbers to a model that knows
80 %.
The server fails every tenth task. A repeat is right where the 95 % interval of the gain lies on the side of 0 that was
planted (where all differences are the same: where the sign-flip test says so). The true gain is +-0.8 on the tasks that
the server answers. How often the interval holds it is printed too: a 95 % interval misses it in one of 20 on average,
so 20 of 20 are not expected there. ``--simulate`` draws the same trials by chance alone, without running them, for
several numbers of tasks: TASKS is the least of them with which 20 repeats of both are all right in 99 % of cases.
"""

import io
import json
import os
import random
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from pincite_scoring.statistics.mean import Mean
from pincite_scoring.statistics.paired import flip_signs

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "harness/lab"))
PLANTED = (("helpful", 0.2, "helps"), ("harmful", 0.8, "harms"))


def main(repeats: int = 20, tasks: int = 20) -> None:
    import planted

    os.environ["PINCITE_PASS_LABELS"] = "yes"
    share = (tasks - tasks // 10) / tasks
    right, holds = dict.fromkeys(("helpful", "harmful"), 0), dict.fromkeys(("helpful", "harmful"), 0)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        families = planted.write_numbers(folder, tasks)
        for repeat in range(1, repeats + 1):
            for mode, known, effect in PLANTED:
                name = f"{mode}-{repeat}"
                with (
                    planted.solver(repeat, known) as model,
                    redirect_stdout(io.StringIO()),
                    redirect_stderr(io.StringIO()),
                ):
                    planted.run_lab(families, folder, name, model, mode, "--attempts", "1", "-n", "3")
                told = json.loads((folder / name / "lab.json").read_text())["families"]["numbers"]["metrics"][
                    "accuracy"
                ]
                low, high = told["gain"]["interval"] or [told["gain"]["mean"]] * 2
                true = 0.8 * share * (1 if mode == "helpful" else -1)
                right[mode] += told["effect"] == effect
                holds[mode] += low <= true <= high
                print(f"{name}: {told['effect']}, {told['gain']['mean']:+.3f} [{low:+.3f}, {high:+.3f}]", flush=True)
            print(f"after {repeat}: right {right}, interval holds the true gain {holds}", flush=True)


def simulate(draws: int = 4000) -> None:
    """Print for several numbers of tasks how often a helpful server is found (a harmful one is its mirror image)."""
    chance = random.Random(1)
    for tasks in (10, 12, 15, 20, 30):
        right = holds = 0
        true = 0.8 * (tasks - tasks // 10) / tasks
        for _ in range(draws):
            differences = [_difference(chance, number) for number in range(1, tasks + 1)]
            gain = Mean.of(differences, range(tasks))
            assert gain.mean is not None
            low, high = gain.interval or (gain.mean, gain.mean)
            certain = gain.interval is not None or flip_signs(differences) < 0.05
            right += low > 0 and certain
            holds += low <= true <= high
        share = right / draws
        covered = holds / draws
        print(f"{tasks} tasks: right {share:.4f}, 40 of 40 {share**40:.3f}, interval holds the true gain {covered:.3f}")


def _difference(chance: random.Random, number: int) -> float:
    without = float(chance.random() < 0.2)
    if number % 10 == 0:
        return float(chance.random() < 0.2) - without
    return 1 - without


if __name__ == "__main__":
    if sys.argv[1:] == ["--simulate"]:
        simulate()
    else:
        main(*map(int, sys.argv[1:]))
