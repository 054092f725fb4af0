"""A Harbor task in the words of a trial: a family of its own with one task, which its tests score and no scorer.

A task that pincite exported says by its files what agents of pincite's own ask for: papers, files, the answer's schema.
"""

from pathlib import Path

import orjson

from pincite_harness.harbor.config import EXPORTER
from pincite_harness.harbor.support import Network
from pincite_harness.harbor.task import HarborTask
from pincite_tasks.answer import ANSWER_FILES
from pincite_tasks.family import Family, FamilyLimits, FamilySettings, WebPolicy
from pincite_tasks.task import Task

FAMILY = "harbor"
"""Name of the family and of the scorer that Harbor tasks have in a run."""
_DAY_SECONDS = 86_400.0
"""The wall clock where the task sets no limit."""
_PROMPT = "{{instruction}}"
_SCHEMA = "schema.json"


def as_family(task: HarborTask, network: Network, limits: dict[str, float]) -> Family:
    """The family that a trial of the task is planned with; ``limits`` replace the task's own."""
    config = task.config
    seconds = config.agent.timeout_sec or _DAY_SECONDS
    own = FamilyLimits(wall_clock_seconds=seconds, tool_calls=100_000, model_calls=100_000)
    title = config.task.description if config.task is not None else ""
    named = config.metadata.get("answer")
    settings = FamilySettings(
        name=FAMILY,
        title=title or task.task_id,
        servers=[server.name for server in config.environment.mcp_servers if server.transport == "stdio"],
        scorer=FAMILY,
        answer=named if named in ANSWER_FILES else ANSWER_FILES[0],
        limits=own.changed(limits),
        web=WebPolicy(allowed_hosts=list(network.agent)),
    )
    about = {"title": title or task.task_id, "name": config.task.name if config.task is not None else task.task_id}
    given = task.environment / "task"
    schema = given / _SCHEMA
    exported = config.source == EXPORTER and schema.is_file()
    one = Task(
        FAMILY,
        task.task_id,
        _files(given / "papers") if exported else (),
        metadata={**about, "digest": task.digest()},
        files=tuple(path for path in _files(given) if path.name != _SCHEMA) if exported else (),
        parameters={"instruction": task.instruction},
        answer_schema=orjson.loads(schema.read_bytes()) if exported else {},
    )
    return Family(task.folder, settings, _PROMPT, {}, (one,), {})


def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in folder.iterdir() if path.is_file())) if folder.is_dir() else ()
