"""pincite tasks stats: how large tasks are, what they are about, and how much gold they have."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_core.errors import BadInputError

if TYPE_CHECKING:
    from rich.console import Console

    from pincite_harness.curation.task_statistics import Summary, TaskStatistics


def command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[FAMILY…]", help="All families by default.")] = None,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", metavar="DIR", help="A folder of your own families, or one family's folder."),
    ] = None,
    task_set: Annotated[
        str, typer.Option("--set", metavar="NAME", help="Tasks of this set alone; all sets by default.")
    ] = "",
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Only tasks with this value in their metadata; repeatable."),
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="KEY", help="The sizes of the tasks with each value of this key, too.")
    ] = "",
    papers: Annotated[bool, typer.Option("--papers/--no-papers", help="Open papers for pages and tokens.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: all numbers as JSON.")] = False,
) -> None:
    """Counts of tasks by what they are about; sizes of prompts, papers and gold."""
    import orjson
    from rich.console import Console

    from pincite_harness.runs.sampling import tasks_where
    from pincite_tasks.catalog import Catalog
    from pincite_tasks.metadata import parse_where

    catalog = Catalog(tasks)
    conditions = parse_where(where or [])
    found: list[TaskStatistics] = []
    for name in names or list(catalog.folders()):
        family = catalog.family(name)
        chosen = [task for task in family.tasks if task_set in ("", "all", task.set_name)]
        if not chosen:
            raise BadInputError(
                f"{name} has no set {task_set!r}.", seen=f"sets: {', '.join(family.sets)}", next="Name one of these."
            )
        found.append(_count(family, tasks_where(name, chosen, conditions), by, papers=papers))
    if as_json:
        typer.echo(orjson.dumps([asdict(one) for one in found], option=orjson.OPT_INDENT_2).decode())
        return
    console = Console()
    for one in found:
        _show(one, by, console)


def _count(family: Any, chosen: Any, by: str, *, papers: bool) -> "TaskStatistics":
    """The statistics, with a bar on a terminal while papers are opened."""
    from rich.console import Console
    from rich.progress import Progress

    from pincite_harness.curation.task_statistics import count_tasks

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(family.name, total=len(chosen))
        return count_tasks(family, chosen, by=by, read=papers, done=lambda _: progress.advance(bar))


def _show(one: "TaskStatistics", by: str, console: "Console") -> None:
    from rich.table import Table

    from pincite_harness.curation.task_statistics import MOST_VALUES

    typer.echo(f"{one.family}: {one.tasks} tasks, {one.with_gold} with gold, {one.papers} different papers")
    console.print(_sizes(one.sizes))
    table = Table(box=None, pad_edge=False)
    for title in ("key", "tasks", "value"):
        table.add_column(title, overflow="fold")
    for key, counts in one.values.items():
        if len(counts) > MOST_VALUES or len(counts) == one.tasks > 1:
            table.add_row(key, "", f"{len(counts)} different values")
            continue
        for number, (value, count) in enumerate(counts.items()):
            table.add_row("" if number else key, str(count), value)
    console.print(table)
    for value, sizes in one.groups.items():
        typer.echo(f"{by} = {value}")
        console.print(_sizes(sizes))
    for paper, reason in one.unread.items():
        typer.echo(f"not read: {paper}: {reason}")
    typer.echo("")


def _sizes(sizes: "Mapping[str, Summary]") -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("a task's", no_wrap=True)
    for title in ("n", "mean", "least", "median", "most", "sum"):
        table.add_column(title, justify="right", no_wrap=True)
    for name, one in sizes.items():
        numbers = (one.mean, one.least, one.quartiles[1], one.most, one.total)
        table.add_row(name, str(one.n), *(_number(number) for number in numbers))
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:.1f}"
