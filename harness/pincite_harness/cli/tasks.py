"""pincite tasks: list, show, count, validate, import, fetch, build and export task families."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.cli import tasks_build, tasks_corpus, tasks_export, tasks_stats
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import Family, load_family
from pincite_tasks.plural import plural
from pincite_tasks.task import STANDARD, Task

if TYPE_CHECKING:
    from pincite_harness.curation.validation.check import Findings

app = typer.Typer(
    help="List, show, count, validate, import, fetch, build and export tasks.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
OwnTasks = Annotated[
    Path | None, typer.Option("--tasks", metavar="DIR", help="A folder of your own families, or one family's folder.")
]
_EXIT_FAILED = 1
"""Exit code when tasks have faults."""
_GOLD_FILES_OF = "property_extraction"
app.command("build")(tasks_build.build_tasks)
app.command("export")(tasks_export.command)
app.command("corpus")(tasks_corpus.check_and_serve)
app.command("stats")(tasks_stats.command)


@app.command("list")
def list_families(tasks: OwnTasks = None) -> None:
    """Every family: its name, how many tasks, its servers and its title."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("family", "tasks", "with gold", "servers", "title"):
        table.add_column(name, no_wrap=name in ("family", "tasks"), overflow="fold")
    broken: list[PinciteError] = []
    for folder in Catalog(tasks).folders().values():
        try:
            family = load_family(folder)
        except PinciteError as error:
            broken.append(error)
            continue
        gold = sum(task.gold is not None for task in family.tasks)
        servers = ", ".join(family.settings.servers)
        counts = " + ".join(_counted(name, len(of_set)) for name, of_set in family.sets.items())
        table.add_row(family.name, counts, str(gold), servers, family.settings.title)
    Console().print(table)
    for error in broken:
        typer.echo(f"\n{error}", err=True)
    if broken:
        raise typer.Exit(_EXIT_FAILED)


def _counted(set_name: str, tasks: int) -> str:
    return str(tasks) if set_name == STANDARD else f"{tasks} {set_name}"


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="FAMILY")],
    task_id: Annotated[
        str | None, typer.Argument(metavar="[TASK]", help="Show this task as an agent is asked it.")
    ] = None,
    tasks: OwnTasks = None,
    gold: Annotated[
        bool, typer.Option("--gold", help="Show right answers, and the tasks' titles, which may hint at them.")
    ] = False,
) -> None:
    """A family's limits and tasks, or one task; right answers only with --gold."""
    import orjson

    family = Catalog(tasks).family(name)
    if task_id is None:
        _show_family(family, titles=gold)
        return
    task = family.task(task_id)
    typer.echo(family.fill_prompt(task))
    if task.before is not None:
        typer.echo(f"works before: {task.before}")
    if gold:
        typer.echo("gold: " + orjson.dumps(task.gold, option=orjson.OPT_INDENT_2).decode())
        return
    typer.echo("The right answer is not shown: --gold shows it." if task.gold is not None else "It has no gold.")


def _show_family(family: Family, *, titles: bool) -> None:
    """The family and its tasks by what an agent is told of them; a title is metadata and may say what is right."""
    settings = family.settings
    limits = settings.limits.model_dump(exclude_none=True)
    typer.echo(f"{family.name} (version {settings.version}): {settings.title}")
    typer.echo(f"folder: {family.folder}")
    typer.echo(f"servers: {', '.join(settings.servers) or 'none'}")
    for server in settings.third_party:
        typer.echo(f"  {server.name}: {server.place}{'' if server.offline else ' (may reach the live web)'}")
    typer.echo(f"scorer: {settings.scorer}, of {settings.answer}")
    typer.echo(f"limits: {', '.join(f'{name} {value:g}' for name, value in limits.items())}")
    for task in family.tasks:
        task_set = f"set {task.set_name}" if task.set_name != STANDARD else ""
        title = str(task.metadata.get("title", "")) if titles else _asked(family, task)
        files = ", ".join((*task.paper_names, *(path.name for path in task.files)))
        cutoff = f"before {task.before}" if task.before is not None else ""
        corpus = f"corpus {task.corpus.name}" if task.corpus is not None else ""
        typer.echo(f"  {'  '.join(filter(None, (task.task_id, task_set, files, title, corpus, cutoff)))}")


_ASKED_CHARS = 160
"""Characters of what a task asks that stand in the list of a family's tasks."""


def _asked(family: Family, task: Task) -> str:
    """A task's own parameters in short: its question, its material."""
    texts = [
        " ".join(value.split())
        for name, value in task.parameters.items()
        if isinstance(value, str) and value != family.settings.parameters.get(name)
    ]
    asked = "; ".join(texts)
    return asked if len(asked) <= _ASKED_CHARS else f"{asked[:_ASKED_CHARS]}…"


@app.command()
def validate(
    names: Annotated[list[str] | None, typer.Argument(metavar="[FAMILY…]", help="All families by default.")] = None,
    tasks: OwnTasks = None,
    notes: Annotated[bool, typer.Option("--notes", help="Say also what may be meant so.")] = False,
) -> None:
    """Check families: files, ids, licences, corpora; that gold is true to its papers, fits the schema, has full marks
    and stands nowhere in prompt, schema or files."""
    from pincite_harness.curation.validation.check import Findings, check_family, shared_ids

    catalog = Catalog(tasks)
    families: dict[str, Family] = {}
    found: dict[str, Findings] = {}
    for name in names or list(catalog.folders()):
        folder = catalog.folder(name)
        try:
            families[name] = load_family(folder)
        except PinciteError as error:
            found[name] = Findings([str(error)])
        else:
            found[name] = check_family(families[name])
        _say_findings(name, families.get(name), found[name], notes=notes)
    shared = shared_ids(families)
    for fault in shared:
        typer.echo(fault)
    if shared or any(findings.faults for findings in found.values()):
        raise typer.Exit(_EXIT_FAILED)


def _say_findings(name: str, family: Family | None, findings: "Findings", *, notes: bool) -> None:
    tasks = plural(len(family.tasks), "task") if family is not None else "not loaded"
    typer.echo(f"{name}: {tasks}, {plural(len(findings.faults), 'fault') if findings.faults else 'no faults'}")
    for line in [*findings.faults, *(f"note: {note}" for note in findings.notes if notes)]:
        typer.echo("  " + line.replace("\n", "\n    "))


@app.command("import")
def import_tasks(
    name: Annotated[str, typer.Argument(metavar="FAMILY", help="The family whose prompt and schema are taken.")],
    source: Annotated[
        Path | None, typer.Option("--from", metavar="PATH", help="File or folder of a published data set.", exists=True)
    ] = None,
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help="Which data set --from is.")] = None,
    papers: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the papers.", exists=True, file_okay=False)
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own gold records as .json, .jsonl or .csv.")
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="The first N tasks of the data set.")] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Correct the gold by labels that hold (pincite label compare --out)."),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder that gets the new family.")] = Path("my-tasks"),
) -> None:
    """Make a task family of a published data set, or of your own papers and gold; run it with --tasks DIR."""
    from pincite_harness.cli import tasks_import

    if (source is None) == (gold is None):
        raise BadInputError("What is imported is not clear.", next="Give either --from PATH or --gold FILE.")
    if gold is not None and (limit is not None or dataset is not None):
        raise BadInputError("A gold file is taken whole.", next="Leave --limit and --dataset out.")
    like = Catalog().family(name)
    if source is not None:
        family = tasks_import.from_dataset(like, source, dataset, papers, limit, out, corrections)
    elif like.settings.scorer != _GOLD_FILES_OF:
        raise BadInputError(
            f"--gold is for {_GOLD_FILES_OF}; {name} has gold of another kind.",
            next=f"pincite tasks import {name} --from PATH",
        )
    elif papers is None:
        raise BadInputError("--gold needs the folder of its papers.", next="Give --papers DIR.")
    else:
        family = tasks_import.from_own_papers(like, papers, cast("Path", gold), out, corrections)
    typer.echo(f"{plural(len(family.tasks), 'task')} in {family.folder}")
    typer.echo(f"next: pincite run {name} --tasks {out}")


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(metavar="FAMILY", help="The family that the data set belongs to.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="Folder that gets the files.")],
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help="Which data set.")] = None,
) -> None:
    """Fetch a published data set, for `pincite tasks import FAMILY --from`."""
    from pincite_harness.cli import tasks_import

    for path in tasks_import.fetch(name, dataset, to):
        typer.echo(f"fetched {path}")
    typer.echo(f"next: pincite tasks import {name} --from {to}")
