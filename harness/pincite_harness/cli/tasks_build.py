"""pincite tasks build: make tasks of a family out of a folder of papers."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.cli.judge_options import JudgeOptions
from pincite_harness.cli.option_groups import grouped

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Generator

    from rich.console import Console

    from pincite_harness.curation.building.build import Built
    from pincite_harness.curation.building.gather import Wish
    from pincite_harness.curation.building.work import Result

FAMILY = "figure_analysis"
_INTERRUPTED = 130
"""Exit code of an interrupted command: 128 + SIGINT, as shells have it."""
_WANTED = (
    "pictures are taken from the paper, from PNG or JPEG files beside it or in a folder of its name, or from its PDF"
)


@grouped
def build_tasks(
    name: Annotated[str, typer.Argument(metavar="FAMILY", help=f"The family to make tasks of: {FAMILY}.")],
    papers: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the papers.", file_okay=False)],
    judging: JudgeOptions,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder that gets the new family.")] = Path("my-tasks"),
    depth: Annotated[int, typer.Option(metavar="D", min=1, max=5, help="Steps of references in the context.")] = 2,
    min_words: Annotated[int, typer.Option(metavar="N", min=15, help="Shortest reference analysis.")] = 60,
    max_words: Annotated[int, typer.Option(metavar="N", min=15, help="Longest reference analysis.")] = 400,
    max_floats: Annotated[int, typer.Option(metavar="N", min=1, help="Tables and figures of one task.")] = 3,
    per_paper: Annotated[int | None, typer.Option(metavar="N", min=1, help="Tasks of one paper.")] = None,
    quota: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE:N",
            help="At most N papers of a year, domain or field (year=2025:20, domain=*:50); may be repeated.",
        ),
    ] = None,
    query: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORDS",
            help="First fetch open papers that the literature server finds for these words into --papers; may be "
            "repeated.",
        ),
    ] = None,
    years: Annotated[str, typer.Option(metavar="YEARS", help="Of --query: 2024-, 2024-2025.")] = "",
    most: Annotated[int, typer.Option(metavar="N", min=1, max=500, help="Papers fetched for each --query.")] = 20,
    across: Annotated[
        bool,
        typer.Option(
            "--across",
            help="The context reaches into other papers of the folder: abstracts of cited and of citing ones.",
        ),
    ] = False,
    licence: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Only papers whose licence has this word; may be repeated.")
    ] = None,
) -> None:
    """Make analysis tasks of your own papers: PDF, JATS, LaTeX or HTML. Interrupt it and it goes on later."""
    if name != FAMILY:
        raise BadInputError(f"No tasks are built of {name}.", next=f"Name {FAMILY}, or use pincite tasks import.")
    if min_words > max_words:
        raise BadInputError("No analysis can be so long.", seen=f"{min_words} to {max_words} words", next="Swap them.")
    from rich.console import Console

    from pincite_harness.curation.building.build import Builder
    from pincite_harness.curation.building.gather import Wish
    from pincite_harness.curation.building.options import BuildOptions
    from pincite_harness.curation.building.quotas import Quota
    from pincite_harness.curation.validation.gold_check import GoldCheck
    from pincite_harness.runs.judge_opening import check_judge, open_judge
    from pincite_scoring.judging.model_judge import ModelJudge
    from pincite_tasks.catalog import Catalog

    choice = judging.choice()
    check_judge(choice)
    console = Console(stderr=True)
    quotas = [Quota.parse(text) for text in quota or ()]
    options = BuildOptions(depth, min_words, max_words, max_floats, per_paper, tuple(licence or ()), across)
    if not query and not papers.is_dir():
        raise NotFoundError(f"There is no folder {papers}.", next="Check --papers, or fetch papers by --query.")
    for words in query or ():
        _gather(Wish(words, years, most), papers, console)
    like = Catalog().family(name)
    opened = open_judge(choice)
    try:
        with GoldCheck(like, [out]) as gold_check, _watch(console) as (expect, done):
            built = Builder(like, opened, options, quotas=quotas).build(papers, out, gold_check.check, expect, done)
    except KeyboardInterrupt:
        typer.echo(f"interrupted; the finished papers are kept in {out}: the same command goes on")
        raise typer.Exit(_INTERRUPTED) from None
    finally:
        if isinstance(opened, ModelJudge):
            opened.close()
    _report(built, out, name)


def _gather(wish: "Wish", papers: Path, console: "Console") -> None:
    """Fetch what a query finds, and say how many papers there are; an interrupt keeps what was fetched."""
    import anyio

    from pincite_core.settings import load_settings
    from pincite_harness.curation.building.gather import Gathered, gather

    folder = papers.resolve()
    settings = load_settings().model_copy(update={"papers_dir": folder, "roots": (folder,)})

    def say(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    papers.mkdir(parents=True, exist_ok=True)
    gathered = Gathered()
    try:
        anyio.run(gather, wish, settings, say, gathered)
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {len(gathered.files)} papers are in {papers}: the same command goes on")
        raise typer.Exit(_INTERRUPTED) from None
    typer.echo(f"{wish.query}: {len(gathered.files)} papers in {papers}")
    for reason, number in _most_first(gathered.without):
        typer.echo(f"  {number} {reason}")


@contextmanager
def _watch(console: "Console") -> "Generator[tuple[Callable[[int], None], Callable[[Result], None]]]":
    """What is told of the number of papers, and of each as it is done: a bar on a terminal, a line each elsewhere."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("papers"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("papers", total=None)

        def expect(total: int) -> None:
            progress.update(bar, total=total)

        def done(result: "Result") -> None:
            progress.advance(bar)
            said = f"{len(result.records)} tasks" if result.outcome == "built" else result.reason
            if result.outcome == "failed" or not console.is_terminal:
                line = f"{result.outcome.replace('_', ' ')}: {result.paper}: {said}"
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

        yield expect, done


def _report(built: "Built", out: Path, name: str) -> None:
    """How many papers and tasks, why papers were left out and analyses dropped, and what failed."""
    from pincite_harness.curation.building.instances import WITHOUT_PICTURE

    outcomes = [result.outcome for result in built.results]
    counted = ", ".join(f"{outcomes.count(one)} {one.replace('_', ' ')}" for one in ("built", "left_out", "failed"))
    typer.echo(f"papers: {counted}")
    for reason, number in _most_first(built.left_out):
        typer.echo(f"  {number} left out: {reason}")
    for reason, number in _most_first(built.dropped):
        typer.echo(f"  {number} analyses {reason}")
    if built.dropped[WITHOUT_PICTURE]:
        typer.echo(f"  {_WANTED}")
    if built.beyond:
        typer.echo(f"  {built.beyond} papers left out: a quota was full")
    if built.repeated:
        typer.echo(f"  {built.repeated} tasks left out: another paper has the same DOI or analysis")
    for result in built.results:
        if result.outcome == "failed":
            typer.echo(f"failed: {result.paper}: {result.reason}")
    if built.family is None:
        raise BadInputError("No task could be made.", next="Give more papers, or looser filters.")
    typer.echo(f"{len(built.family.tasks)} tasks in {built.family.folder}")
    typer.echo(f"next: pincite run {name} --tasks {out}")


def _most_first(counted: "Counter[str]") -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))
