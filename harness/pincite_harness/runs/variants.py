"""Variants: a family as a run asks it: on the open web, or for some properties alone."""

from dataclasses import replace
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_scoring.property_extraction.targets import RECORDS, records_of, restrict
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.family import Family
from pincite_tasks.task import Task

SCOPE = "scope"
"""The parameter of property_extraction that says which properties count."""
_MOST_TARGETS = 1_000
"""Names of properties in a file. Set by judgement."""
_OPEN = """

# The open web

Beside the tools above, programs in this sandbox reach these hosts, and no others, by https (curl, wget and Python go by
the proxy that the environment names):

"""
_ONLY = """

Report these properties alone, whatever else the paper reports, each under exactly the name given here as
`property_name`:

"""


def on_open_web(family: Family) -> Family:
    """The family with the hosts, the provider's tools and the time that its ``[open_web]`` gives, and a prompt that
    names the hosts. BadInputError for a family without it, and for one whose tasks see a made-up literature."""
    opened = family.settings.open_web
    if opened is None:
        raise BadInputError(
            f"The family {family.name} does not say what the open web is to it.",
            next='Add [open_web] with allowed_hosts = ["…"] to its family.toml.',
        )
    if made_up := [task.task_id for task in family.tasks if task.corpus is not None]:
        raise BadInputError(
            f"Tasks of {family.name} see a made-up literature, of which the real web knows nothing.",
            seen=f"{made_up[0]} and {len(made_up) - 1} more",
            next=f"Run real questions: pincite tasks import {family.settings.scorer}, then --tasks DIR.",
        )
    settings = family.settings
    hosts = [*dict.fromkeys([*settings.web.allowed_hosts, *opened.allowed_hosts])]
    hosted = [*dict.fromkeys([*settings.model.hosted_tools, *opened.hosted_tools])]
    seconds = max(settings.limits.wall_clock_seconds, opened.wall_clock_seconds)
    changes = {
        "web": settings.web.model_copy(update={"allowed_hosts": hosts}),
        "model": settings.model.model_copy(update={"hosted_tools": hosted}),
        "limits": settings.limits.model_copy(update={"wall_clock_seconds": seconds}),
    }
    prompt = family.prompt.rstrip() + _OPEN + "".join(f"- {host}\n" for host in hosts)
    return replace(family, settings=settings.model_copy(update=changes), prompt=prompt)


def with_targets(family: Family, targets: list[str]) -> Family:
    """The family asked for these properties alone: its prompt lists the names, and its gold has only records of a
    property that one of them means (the same name, or the same quantity by the lexicon of names). How many are left
    stands in each task's metadata. BadInputError for a family that does not ask for properties."""
    if SCOPE not in family.settings.parameters:
        raise BadInputError(
            f"The family {family.name} does not ask for properties of a list.", next="Leave --targets out."
        )
    asked = _ONLY + "\n".join(f"- {name}" for name in targets)
    scope = f"{family.settings.parameters[SCOPE]}{asked}"
    parameters = {**family.settings.parameters, SCOPE: scope}
    settings = family.settings.model_copy(update={"parameters": parameters})
    tasks = tuple(_restricted(task, targets, asked) for task in family.tasks)
    return replace(family, settings=settings, tasks=tasks)


def read_targets(path: Path) -> list[str]:
    """Names of properties, one a line; what follows a ``#`` is a comment. Where ``path`` does not exist, it may name a
    list that comes with pincite (``supercon97``). BadInputError for a file without any name."""
    known = bundled_targets()
    if not path.exists():
        path = known.get(str(path), path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        hint = f"Name a file of properties, or a list that comes with pincite: {', '.join(known)}."
        raise BadInputError(f"{path} cannot be read.", seen=str(error), next=hint) from error
    names = [" ".join(line.partition("#")[0].split()) for line in lines]
    found = list(dict.fromkeys(filter(None, names)))
    if not found or len(found) > _MOST_TARGETS:
        raise BadInputError(
            f"{path} is not a list of properties.",
            seen=f"{len(found)} names",
            next=f"Write one name a line, {_MOST_TARGETS} at most.",
        )
    return found


def bundled_targets() -> dict[str, Path]:
    """The lists of properties that come with pincite, by name."""
    found = sorted((bundled_folder() / "property_extraction" / "targets").glob("*.txt"))
    return {path.stem: path for path in found}


def _restricted(task: Task, targets: list[str], asked: str) -> Task:
    parameters = {**task.parameters, SCOPE: f"{task.parameters.get(SCOPE, '')}{asked}"}
    records = records_of(task.gold)
    if records is None:
        return replace(task, parameters=parameters)
    kept = restrict(records, targets)
    metadata = {**task.metadata, "targets": {"gold": len(kept), "of": len(records)}}
    return replace(task, parameters=parameters, gold={**task.gold, RECORDS: kept}, metadata=metadata)
