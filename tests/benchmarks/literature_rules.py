"""Scores of the literature agent on its bundled tasks with a cast of rules in place of a model, by setting.

python tests/benchmarks/literature_rules.py [--family literature_qa] [--settings full,rerank=off] [--each]
"""

import argparse
import importlib
import importlib.util
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
HELPERS = ROOT / "tests" / "harness" / "agents"
SETTINGS: dict[str, dict[str, str]] = {
    "full": {},
    "rerank=off": {"rerank": "off"},
    "inspect=off": {"inspect": "off"},
    "fulltext=off": {"fulltext": "off"},
    "checks=off": {"checks": "off"},
}
METRICS = {"literature_qa": "accuracy", "precedent_search": "accuracy_loose"}


def module(path: Path) -> ModuleType:
    """The module of a file."""
    spec = importlib.util.spec_from_file_location(f"bench_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--family", default=",".join(METRICS))
    parser.add_argument("--settings", default=",".join(SETTINGS))
    parser.add_argument("--each", action="store_true")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "harness" / "pincite_harness" / "agents" / "programs"))
    running, rules = module(HELPERS / "literature" / "running.py"), module(HELPERS / "literature" / "rule_cast.py")
    served = module(HELPERS / "conftest.py").served
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        literatures = running.Literatures(stack, served, Path(folder))
        for family in given.family.split(","):
            for name in given.settings.split(","):
                scores: list[float] = []
                asked = 0
                for record in running.records(family):
                    task = record["task_id"]
                    place = Path(folder)
                    ran = running.answer(
                        importlib.import_module, literatures, place, task, rules.cast(record), SETTINGS[name]
                    )
                    got = running.score(task, ran.answer).get(METRICS[family])
                    scores += [got] if got is not None else []  # what needs a judge is left out
                    asked += len(ran.requests)
                    if given.each:
                        print(f"  {task}: {got} {ran.answer} {ran.troubles}")
                mean = statistics.mean(scores)
                print(
                    f"{family} {name:14} {METRICS[family]} {mean:.4f} ({len(scores)} tasks, {asked} calls)", flush=True
                )


if __name__ == "__main__":
    main()
