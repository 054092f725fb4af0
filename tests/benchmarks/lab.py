"""Whether pincite lab finds planted servers: python tests/benchmarks/lab.py [REPEATS] [TASKS].

Each repeat is a lab of TASKS tasks, one attempt, with a scripted model in a local sandbox: one of a server that says
the right number to a model that knows 20 % of them, and one of a server that says wrong numbers to a model that knows
80 %.
The server fails every tenth task. A repeat is right where the 95 % interval of the gain lies on the side of 0 that was
planted (where all differences are the same: where the sign-flip test says so). The true gain is +-0.8 on the tasks that
the server answers; how often the interval holds it is told too.
"""

import io
import json
import os
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "harness/lab"))
PLANTED = (("helpful", 0.2, "helps"), ("harmful", 0.8, "harms"))


def main(repeats: int = 20, tasks: int = 10) -> None:
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


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
