"""pincite train: examples for training models from what agents did."""

from pathlib import Path
from typing import Annotated

import typer

from pincite_harness.training.formats import Format

app = typer.Typer(
    help="Make training data from runs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def train() -> None:
    """Make training data from runs."""


@app.command()
def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    role: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="ROLE",
            help="sft, solver (gold answers), planner, critic (which is better), expert (next calls), or any other "
            "role of a program: what it said.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="A new folder, or an empty one.")],
    form: Annotated[
        Format, typer.Option("--format", help="JSON lines of ours, for trl, or Parquet for verl.")
    ] = "jsonl",
    least: Annotated[
        list[str] | None, typer.Option(metavar="METRIC=VALUE", help="Trials that scored this at least; repeatable.")
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Tasks with this in their metadata; repeatable.")
    ] = None,
    least_words: Annotated[int, typer.Option(min=0, help="Words of a gold answer at least.")] = 15,
    most_words: Annotated[int, typer.Option(min=0, help="Words of a gold answer at most; 0: any.")] = 0,
    most_context: Annotated[int, typer.Option(min=0, help="Tokens of a prompt at most (estimated); 0: any.")] = 0,
    hold_out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ids of tasks that are kept apart, one a line.")
    ] = None,
    baseline: Annotated[
        list[str] | None, typer.Option(metavar="RUN", help="planner, critic: the name of a baseline's run; repeatable.")
    ] = None,
    better_in: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC", help="planner, critic: better than the baseline in all of these; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the order of options.")] = 0,
) -> None:
    """Write examples for one role, with a manifest of how they were chosen; tasks that are held out are never taken."""
    from pincite_harness.training.choosing import BETTER_IN
    from pincite_harness.training.export import Wanted
    from pincite_harness.training.export import export as write
    from pincite_harness.training.filters import Filters, pairs, read_held_out
    from pincite_tasks.plural import plural

    filters = Filters(
        least=pairs(least or [], float, "METRIC=VALUE"),
        where=pairs(where or [], str, "KEY=VALUE"),
        least_words=least_words,
        most_words=most_words,
        most_context=most_context,
        held_out=read_held_out(hold_out) if hold_out is not None else frozenset(),
    )
    wanted = Wanted(role, filters, frozenset(baseline or []), tuple(better_in or BETTER_IN), seed)
    done = write(runs, wanted, out, form)
    typer.echo(f"{plural(done.count, 'example')} in {done.path}")
    for why, count in sorted(done.left_out.items()):
        typer.echo(f"left out: {count} ({why})")
