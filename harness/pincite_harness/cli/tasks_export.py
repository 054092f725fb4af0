"""pincite tasks export: task families as Harbor tasks, as Inspect tasks, or as a data set of JSON lines."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from pincite_core.errors import BadInputError
from pincite_harness.curation.exporting.harbor_image import PUBLIC_BASE, Network
from pincite_tasks.catalog import Catalog, choose_tasks
from pincite_tasks.family import Family
from pincite_tasks.plural import plural
from pincite_tasks.task import Task

Format = Literal["harbor", "inspect", "jsonl"]


def command(
    *,
    names: Annotated[list[str] | None, typer.Argument(metavar="[FAMILY…]", help="All families by default.")] = None,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or an empty one.")],
    form: Annotated[Format, typer.Option("--format", help="What to write.")],
    only: Annotated[list[str] | None, typer.Option("--task", metavar="ID", help="Only this task; repeatable.")] = None,
    task_set: Annotated[
        str, typer.Option("--set", metavar="NAME", help="The tasks of this set (standard by default), or all.")
    ] = "",
    tasks: Annotated[Path | None, typer.Option("--tasks", metavar="DIR", help="Your own task families.")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="SERVER", help="Leave this server of the families out; repeatable."),
    ] = None,
    base: Annotated[
        str, typer.Option(metavar="IMAGE", help="harbor: what the tasks' images are built on.")
    ] = PUBLIC_BASE,
    network: Annotated[
        Network, typer.Option(help="harbor: none while the agent works, none at all, or always.")
    ] = "agent-sealed",
    wheels: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="harbor: a folder of wheels with all that is installed: no network is needed.",
            exists=True, file_okay=False,
        ),
    ] = None,
) -> None:  # fmt: skip
    """Write task families for other harnesses: Harbor, Inspect, Hugging Face's datasets."""
    catalog = Catalog(tasks)
    if not names and str(out) in catalog.folders():
        raise BadInputError(f"{out} is a family: where to write it is missing.", next="Name a folder after it.")
    families = [_less(catalog.family(name), without or []) for name in names or catalog.folders()]
    pairs = choose_tasks(families, only, task_set or None)
    pairs = _with_gold(pairs) if form == "harbor" else pairs
    if not pairs:
        raise BadInputError("There is no task to export.", next="Name families that have tasks (pincite tasks list).")
    if form != "jsonl":
        _check_servers(families, form)
    if form == "harbor":
        from pincite_harness.curation.exporting.harbor import export_harbor
        from pincite_harness.curation.exporting.harbor_image import ImageChoice

        export_harbor(pairs, out, ImageChoice(base, wheels, network=network))
        typer.echo(f"next: pincite run --harbor {out}, or: harbor run -p {out}")
    elif form == "inspect":
        from pincite_harness.curation.exporting.inspect_tasks import export_inspect

        export_inspect(pairs, out)
        typer.echo(f"next: inspect eval {out}/tasks.py@{pairs[0][0].name} --model PROVIDER/NAME")
    else:
        from pincite_harness.curation.exporting.jsonl import export_jsonl

        export_jsonl(pairs, out)
        typer.echo(f"next: datasets.load_dataset({str(out)!r}, {pairs[0][0].name!r})")
    typer.echo(f"{plural(len(pairs), 'task')} in {out}")


def _less(family: Family, servers: list[str]) -> Family:
    """The family without these servers."""
    left = [server for server in family.settings.servers if server not in servers]
    return replace(family, settings=family.settings.model_copy(update={"servers": left}))


def _check_servers(families: list[Family], form: str) -> None:
    """BadInputError for a server that would be missing where the tasks are run."""
    for family in families:
        if others := [server.name for server in family.settings.third_party]:
            raise BadInputError(
                f"{family.name} has servers that are not pincite's, which {form} tasks cannot bring.",
                seen=", ".join(others),
                next="Leave them out of family.toml, or export --format jsonl.",
            )


def _with_gold(pairs: list[tuple[Family, Task]]) -> list[tuple[Family, Task]]:
    """Those that can be verified; the others are named."""
    for family, task in pairs:
        if task.gold is None:
            typer.echo(f"left out, because it has no gold: {family.name}/{task.task_id}")
    return [(family, task) for family, task in pairs if task.gold is not None]
