"""Score of SudokuFill on the nine bundled papers with a cast of rules in place of a model, by setting.

    python tests/benchmarks/sudokufill_rules.py [--noise 0.3] [--seeds 3] [--first 0] [--papers NAME,…] [--settings …]

With noise a share of the page agents' claims goes wrong, otherwise in each step: what debate and reuse are for. Each
setting is compared with the first one by seeds: the mean difference and its 95 % interval of Student's t over seeds.
"""

import argparse
import importlib
import importlib.util
import json
import os
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

from pincite_scoring.statistics.student import quantile

ROOT = Path(__file__).parents[2]
FAMILY = ROOT / "tasks" / "record_filling"
HELPERS = ROOT / "tests" / "harness" / "agents"
SETTINGS: dict[str, dict[str, str]] = {
    "full": {},
    "rounds=1": {"rounds": "1"},
    "steady=off": {"steady": "off"},
    "reuse=off": {"reuse": "off"},
    "column=off": {"column": "off"},
    "row=off": {"row": "off"},
    "order=schema": {"order": "schema"},
    "mode=sequential": {"mode": "sequential"},
}


def module(path: Path) -> ModuleType:
    """The module of a file."""
    spec = importlib.util.spec_from_file_location(f"bench_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def difference(first: list[float], other: list[float]) -> str:
    """The mean of the paired differences of two settings over seeds, with its 95 % interval where there are two."""
    pairs = [one - two for one, two in zip(first, other, strict=True)]
    if len(pairs) < 2:
        return f"{statistics.mean(pairs):+.4f}"
    half = quantile(0.975, len(pairs) - 1) * statistics.stdev(pairs) / len(pairs) ** 0.5
    return f"{statistics.mean(pairs):+.4f} ± {half:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--noise", type=float, default=0.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--papers", default="")
    parser.add_argument("--settings", default=",".join(SETTINGS))
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "harness" / "pincite_harness" / "agents" / "programs"))
    running, rules = module(HELPERS / "sudokufill" / "running.py"), module(HELPERS / "sudokufill" / "rule_cast.py")
    served = module(HELPERS / "conftest.py").served
    lines = (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()
    tasks = [json.loads(line) for line in lines]
    wanted = [task for task in tasks if not given.papers or task["task_id"] in given.papers.split(",")]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        os.environ |= {"PINCITE_ROOTS": str(FAMILY / "papers"), "PINCITE_CACHE_DIR": f"{folder}/cache"}
        from pincite_core.settings import load_settings
        from pincite_documents.server import create_server

        addresses = {"documents": stack.enter_context(served(create_server(load_settings())))}
        first: list[float] = []
        for name in given.settings.split(","):
            means: list[float] = []
            asked = 0
            for seed in range(given.first, given.first + given.seeds):
                scores: list[float] = []
                for task in wanted:
                    cast: Any = rules.RuleCast(running.schema_of(task), given.noise, seed)
                    place = Path(folder)
                    ran = running.fill(importlib.import_module, addresses, place, task, cast, {}, SETTINGS[name])
                    scores.append(running.score(task, ran[1])["overall"])
                    asked += len(ran[3])
                means.append(statistics.mean(scores))
            first = first or means
            told = "" if first is means else f", first minus this {difference(first, means)}"
            overall = f"{name:16} overall {statistics.mean(means):.4f}  ({len(means)} seeds, {asked} calls)"
            print(overall + told, flush=True)


if __name__ == "__main__":
    main()
