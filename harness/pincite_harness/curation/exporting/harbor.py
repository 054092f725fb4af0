"""Harbor: a task as a folder of Harbor's format (task.toml 1.4) whose tests give pincite's own score.

The gold lies under ``tests/`` and ``solution/`` alone. The verifier is a separate one: Harbor starts it from the task's
image after the agent's container has ended, so that nothing an agent does to its own can change how it is scored.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.exporting.family_folder import write_family_folder
from pincite_harness.curation.exporting.harbor_image import (
    INSTALL,
    PYTHON,
    SERVE,
    WORKDIR,
    ImageChoice,
    Network,
    dockerfile,
    serve_script,
)
from pincite_harness.curation.exporting.licence import licence_of
from pincite_harness.curation.exporting.pins import pins
from pincite_harness.curation.exporting.placing import folder_names, new_folder, place, place_folder, share, write_text
from pincite_harness.curation.exporting.wheel import build_wheel, wheel_name
from pincite_harness.harbor.config import EXPORTER
from pincite_scoring.scorer import get_scorer
from pincite_tasks.family import Family
from pincite_tasks.files import write_atomic, write_json
from pincite_tasks.task import Task
from pincite_tasks.toml_text import toml_table

SCHEMA_VERSION = "1.4"
_BUILD_SECONDS, _VERIFY_SECONDS = 3600, 1200
"""Seconds to build a task's image and to run its tests. Set by judgement."""
_MEMORY_MB, _CPUS = 4096, 2
"""Megabytes and cores of a task's container."""
_WEB_SERVERS = frozenset({"literature", "databases"})
"""Servers that ask the open web, where no made-up literature stands in for it."""
_NESTING = frozenset({"workbench"})
"""Servers that start sandboxes: Docker's default profile forbids user namespaces, so that bubblewrap ends with "No
permissions to create new namespace", and no daemon can be reached."""

_TEST = f"""\
#!/bin/sh
# Scores the answer as `pincite run` does. Harbor takes the outcome from reward.json, not from the exit code.
mkdir -p /logs/verifier
exec {PYTHON} -P -m pincite_harness.curation.exporting.verify /tests/family {WORKDIR}/ANSWER /logs/verifier
"""
_SOLVE = f"""\
#!/bin/sh
# Writes the answer that gets full marks.
cp /solution/ANSWER {WORKDIR}/ANSWER
"""
_WHERE = """

# Where things are

The working folder is `{workdir}`. `schema.json` lies in it{inputs}. Write the answer to `{workdir}/{answer}`.
"""


def export_harbor(pairs: Sequence[tuple[Family, Task]], out: Path, choice: ImageChoice) -> list[Path]:
    """Write a folder a task into ``out``, which must be empty; returns them.

    BadInputError for a task without gold, NotFoundError where ``choice.wheels`` holds no wheel.
    """
    _check(pairs, choice)
    names = folder_names(pairs)
    folders: list[Path] = []
    shared = new_folder(out) / ".shared"
    try:
        for (family, task), name in zip(pairs, names, strict=True):
            image = replace(choice, servers=family.settings.servers)
            install = _install_files(shared / "+".join(image.extras), image)
            _write_task(out / name, name, family, task, image)
            for path in sorted(file for file in install.rglob("*") if file.is_file()):
                share(path, out / name / "environment" / INSTALL / path.relative_to(install))
            folders.append(out / name)
    finally:
        shutil.rmtree(shared, ignore_errors=True)
    write_text(out / "README.md", _readme(pairs, choice))
    return folders


def _check(pairs: Sequence[tuple[Family, Task]], choice: ImageChoice) -> None:
    if without := [task.task_id for _, task in pairs if task.gold is None]:
        raise BadInputError("A Harbor task needs gold to be verified by.", seen=f"none in {', '.join(without)}")
    if nested := sorted({family.name for family, _ in pairs if not _NESTING.isdisjoint(family.settings.servers)}):
        raise BadInputError(
            "The workbench runs code in a sandbox of its own, and a Harbor container lets none be made inside it.",
            seen=", ".join(nested),
            next="Export without it (--without workbench), or use pincite run, which puts it beside the container.",
        )
    extras = ",".join(choice.extras)
    if choice.wheels is not None and not any(choice.wheels.glob("*.whl")):
        raise NotFoundError(
            f"There is no wheel in {choice.wheels}.",
            next=f"With the Python of the image: pip wheel --wheel-dir {choice.wheels} 'pincite[{extras}]' pip"
            f" ('.[{extras}]' in a checkout).",
        )


def _install_files(folder: Path, choice: ImageChoice) -> Path:
    """The folder with what the image installs, made once for all tasks that need the same."""
    if not folder.is_dir():
        write_atomic(folder / wheel_name(), build_wheel())
        if choice.wheels is None:
            write_text(folder / "pins.txt", "".join(f"{line}\n" for line in pins(choice.extras)))
            return folder
        for wheel in sorted(choice.wheels.glob("*.whl")):
            if not wheel.name.startswith("pincite-"):
                place(wheel, folder / "wheels" / wheel.name)
    return folder


def _write_task(folder: Path, name: str, family: Family, task: Task, choice: ImageChoice) -> None:
    answer = family.settings.answer
    ideal = get_scorer(family.settings.scorer).ideal(task.gold)
    write_text(folder / "task.toml", _task_toml(name, family, task, choice.network))
    write_text(folder / "instruction.md", _instruction(family, task))
    environment = folder / "environment"
    write_text(environment / "Dockerfile", dockerfile(choice, wheel_name(), corpus=task.corpus is not None))
    _write_script(environment / "serve", serve_script(task.before, corpus=task.corpus is not None))
    _write_inputs(environment / "task", family, task)
    if task.corpus is not None:
        place_folder(task.corpus, environment / "corpus")
    _write_script(folder / "tests" / "test.sh", _TEST.replace("ANSWER", answer))
    write_family_folder(folder / "tests" / "family", family, [task])
    _write_script(folder / "solution" / "solve.sh", _SOLVE.replace("ANSWER", answer))
    data = ideal.encode() if isinstance(ideal, str) else orjson.dumps(ideal, option=orjson.OPT_INDENT_2)
    write_atomic(folder / "solution" / answer, data)


def _write_script(path: Path, text: str) -> None:
    write_text(path, text)
    path.chmod(0o755)


def _write_inputs(folder: Path, family: Family, task: Task) -> None:
    """What lies in the working folder when the agent starts."""
    write_json(folder / "schema.json", family.answer_schema(task))
    for paper in task.papers:
        place(paper, folder / "papers" / paper.name)
    for file in task.files:
        place(file, folder / file.name)


def _instruction(family: Family, task: Task) -> str:
    inputs = [f"the papers lie in `{WORKDIR}/papers`"] if task.papers else []
    where = "".join(f"; {line}" for line in inputs)
    return family.fill_prompt(task).rstrip("\n") + _WHERE.format(
        workdir=WORKDIR, inputs=where, answer=family.settings.answer
    )


def _task_toml(name: str, family: Family, task: Task, network: Network) -> str:
    settings = family.settings
    online = task.corpus is None and not _WEB_SERVERS.isdisjoint(settings.servers)
    mode: Network = "public" if online else network
    package = {
        "name": f"{EXPORTER}/{name}",
        "version": str(settings.version),
        "description": settings.title,
        "keywords": ["science", "literature", family.name],
    }
    head = {"schema_version": SCHEMA_VERSION, "source": EXPORTER, "artifacts": [f"{WORKDIR}/{settings.answer}"]}
    agent = {
        "timeout_sec": settings.limits.wall_clock_seconds,
        "network_mode": "no-network" if mode == "agent-sealed" else None,
    }
    machine = {"build_timeout_sec": float(_BUILD_SECONDS), "cpus": _CPUS, "memory_mb": _MEMORY_MB, "workdir": WORKDIR}
    # A provider that cannot keep a network out refuses a task that asks for it: a public one asks for nothing.
    verifying = "public" if mode == "public" else "no-network"
    servers = [{"name": one, "transport": "stdio", "command": SERVE, "args": [one]} for one in settings.servers]
    tables = [
        toml_table("", head),
        toml_table("[task]", package),
        toml_table("[metadata]", _about(family, task)),
        toml_table("[agent]", agent),
        toml_table("[verifier]", {"timeout_sec": float(_VERIFY_SECONDS), "environment_mode": "separate"}),
        toml_table("[verifier.environment]", {"network_mode": verifying, **machine}),
        toml_table("[environment]", {"network_mode": "no-network" if mode == "sealed" else "public", **machine}),
        *(toml_table("[[environment.mcp_servers]]", server) for server in servers),
    ]
    return "\n".join(tables)


def _about(family: Family, task: Task) -> dict[str, Any]:
    settings = family.settings
    return {
        "family": family.name,
        "task": task.task_id,
        "title": str(task.metadata.get("title", settings.title)),
        "licence": licence_of(family, task),
        "scorer": settings.scorer,
        "answer": settings.answer,
        "category": "science",
        "tags": ["literature", family.name],
    }


def _readme(pairs: Sequence[tuple[Family, Task]], choice: ImageChoice) -> str:
    families = {family.name: family for family, _ in pairs}
    lines = [
        f"- `{family.name}`: {family.settings.title}. {sum(each is family for each, _ in pairs)} tasks, licence "
        f"{licence_of(family)}."
        for family in families.values()
    ]
    fetched = "no network" if choice.wheels is not None else "pip's index (the versions are pinned)"
    return f"""\
# Tasks of pincite in Harbor's format

{chr(10).join(lines)}

Run them all: `harbor run -p . -a oracle`, or `pincite run --harbor .` in pincite's own sandbox.

Each image is built on `{choice.base}` and needs {fetched} to be built. The verifier starts from the same image after
the agent's container has ended. `reward` is the first metric of the family's scorer: a share of 1, or for
`precedent_search` 0, 1 or 2. All metrics stand in the verifier's `score.json`, but for those that need a judge model or
data that the image has not: without WordNet (Debian's `wordnet-base`) there is no METEOR, and of the averages of
`figure_analysis` only those that do not need it (`s_avg_of_3`).

Each folder under `tests/` and `solution/` holds the gold: keep it from models in training.
"""
