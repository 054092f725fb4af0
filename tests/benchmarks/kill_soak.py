"""Kill -9 at ten random moments of a 20-trial run, with each sandbox that is here.

A further run asks a scripted model: what its attempts spent must be what the model served, but for the calls that were
under way at a kill.

    python tests/benchmarks/kill_soak.py [--seed N] [--kills 10] [--agent baseline] [--sandbox local docker]

Prints for each sandbox when it was killed and how many trials were finished then, and every broken promise; exits
with 1 when there is one.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from kill_run import KillRun  # pyright: ignore[reportMissingImports]

from pincite_doors.testing import ScriptedModel, Usage, say, slow, turn
from pincite_tasks.spending import SPENT_FILE, Spent, read_spending

ASKER = Path(__file__).parents[1] / "harness" / "programs" / "asker.py"

TRIALS = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--longest", type=float, default=3.0, help="most seconds from a trial's end to a kill")
    parser.add_argument("--agent", default="baseline")
    parser.add_argument("--sandbox", nargs="+", default=["local", "docker"])
    options = parser.parse_args()
    broken = 0
    for sandbox in options.sandbox:
        with tempfile.TemporaryDirectory() as out:
            command = ["property_extraction", "--agent", options.agent, "--sandbox", sandbox, "-n", "2"]
            command += ["--attempts", str(TRIALS // 10), "--out", out, "--name", "soak"]
            run = KillRun(command, Path(out) / "soak", seed=options.seed)
            report = run.go(options.kills, trials=TRIALS, longest=options.longest)
        print(f"{sandbox}: seed {options.seed}, {report.trials} trials, {report.seconds:.0f} s")
        print("  killed after s (finished):", ", ".join(f"{at:g} ({done})" for at, done in report.kills))
        for promise in report.broken:
            print("  BROKEN:", promise)
        print(f"  {len(report.kills)} kills, {len(report.broken)} broken promises")
        broken += len(report.broken)
    return 1 if broken + spending(options) else 0


def spending(options: argparse.Namespace) -> int:
    """A run of a program that asks its model three times, killed again and again; how many promises are broken."""
    used = Usage(1000, 50)
    script = [turn(slow(first=0.2), say("So it is."), usage=used) for _ in range(1000)]
    with ScriptedModel(script) as model, tempfile.TemporaryDirectory() as out:
        command = ["property_extraction", "--agent", str(ASKER), "--unsafe", "--sandbox", "local", "-n", "2"]
        command += [
            "--agent-option",
            "dialect=openai.chat",
            "--model",
            "scripted",
            "--model-url",
            model.url,
            "--out",
            out,
            "--name",
            "soak",
        ]
        run = KillRun(command, Path(out) / "soak", seed=options.seed)
        report = run.go(options.kills, trials=TRIALS // 2, longest=options.longest)
        spent = Spent()
        for path in (Path(out) / "soak" / "trials").glob(f"*/{SPENT_FILE}"):
            spent += read_spending(path)
        served = model.usage.input_tokens + model.usage.output_tokens
    missing = served - spent.tokens
    print(f"spending: {len(report.kills)} kills, {spent.attempts} attempts, {spent.model_calls} calls")
    print(f"  served {served:,} tokens, kept {spent.tokens:,}; of {spent.unknown_calls} calls nothing is known")
    if not 0 <= missing <= spent.unknown_calls * 1050:
        report.broken.append(f"{missing} tokens are lost")
    for promise in report.broken:
        print("  BROKEN:", promise)
    return len(report.broken)


if __name__ == "__main__":
    sys.exit(main())
