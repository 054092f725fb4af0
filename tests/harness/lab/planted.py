"""A family of numbers, a model that knows some of them, and servers that help or harm: for tests and benchmarks."""

import json
import random
import re
import shutil
import sys
from pathlib import Path

from pincite_doors.testing import Request, ScriptedModel, say
from pincite_doors.testing.script import TurnLike
from pincite_harness.cli.main import load_command

HERE = Path(__file__).parent


def truth(task: str) -> int:
    """As facts_server.py has it."""
    return 1000 + 37 * int(task[1:])


def write_numbers(folder: Path, tasks: int) -> Path:
    """The family ``numbers`` below ``folder``; the folder of families."""
    family = folder / "families" / "numbers"
    family.mkdir(parents=True)
    (family / "family.toml").write_text('name = "numbers"\ntitle = "Numbers"\nscorer = "literature_qa"\n')
    (family / "prompt.md").write_text("Say the number.")
    shutil.copy(HERE.parents[2] / "tasks/literature_qa/schema.json", family / "schema.json")
    names = [f"t{number}" for number in range(1, tasks + 1)]
    lines = [{"task_id": n, "inputs": {}, "gold": {"kind": "number", "answer": str(truth(n))}} for n in names]
    (family / "records.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return family.parent


def solver(seed: int, known: float) -> ScriptedModel:
    """A model that says what it is shown, and by itself knows a number with the chance ``known``."""
    chance = random.Random(seed)

    def answer(request: Request) -> TurnLike:
        task = re.search(r"number of (t\d+)\?", request.last)
        shown = re.search(r" is (\d+)\.", request.last)
        if shown is not None:
            return say(shown[1])
        assert task is not None
        return say(str(truth(task[1]) + (0 if chance.random() < known else 13)))

    return ScriptedModel(cast={"solver": answer})


def run_lab(families: Path, out: Path, name: str, model: ScriptedModel, mode: str, *more: str) -> int:
    """``pincite lab`` with the planted server; its exit code. PINCITE_PASS_LABELS must be set."""
    server = f"facts={sys.executable} -S {HERE / 'facts_server.py'} {mode}"
    words = ["numbers", "--tasks", str(families), "--agent", str(HERE / "solver.py"), "--sandbox", "local", "--unsafe"]
    words += ["--agent-option", "dialect=openai.chat", "--model", "scripted", "--model-url", model.url]
    words += ["--with", server, "--out", str(out), "--name", name, *more]
    code = load_command("lab").main(words, standalone_mode=False)
    return code if isinstance(code, int) else 0
