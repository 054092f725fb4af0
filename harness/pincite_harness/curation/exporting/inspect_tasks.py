"""Inspect: task families as one Python file with an ``@task`` each, over data sets of JSON lines.

The file runs with inspect-ai and pincite in one environment: the servers are pincite's own, and so is the scorer.
"""

from collections.abc import Sequence
from pathlib import Path

from pincite_harness.curation.exporting.family_folder import write_family_folder
from pincite_harness.curation.exporting.jsonl import export_jsonl
from pincite_harness.curation.exporting.placing import write_text
from pincite_tasks.family import Family
from pincite_tasks.task import Task

TASKS_FILE = "tasks.py"
_TEMPLATE = Path(__file__).with_name("inspect_tasks.txt")
_HOW = """
# With Inspect

`inspect eval tasks.py@FAMILY --model PROVIDER/NAME`, with inspect-ai (0.3.285 was tried) and
`pincite[materials,scoring]` in one environment. The model works with the task's own servers and is shown the task's
files; its papers are read through the servers. Metrics are pincite's own, the leading one first; one that cannot be
computed for an answer is unscored there, and stands in no mean.
"""


def export_inspect(pairs: Sequence[tuple[Family, Task]], out: Path) -> None:
    """Write the data set of ``export_jsonl``, the families that its rows are scored by, and ``tasks.py``."""
    export_jsonl(pairs, out)
    families = {family.name: family for family, _ in pairs}
    for family in families.values():
        tasks = [task for each, task in pairs if each is family]
        write_family_folder(out / "families" / family.name, family, tasks)
    functions = "\n\n\n".join(_function(family) for family in families.values())
    card = out / "README.md"
    write_text(card, card.read_text(encoding="utf-8") + _HOW)
    write_text(out / TASKS_FILE, f"{_TEMPLATE.read_text(encoding='utf-8').rstrip()}\n\n\n{functions}\n")


def _function(family: Family) -> str:
    title = family.settings.title.replace("\\", "").replace('"', "'")
    return f'@task\ndef {family.name}() -> Task:\n    """{title}."""\n    return of_family("{family.name}")'
