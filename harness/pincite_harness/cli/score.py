"""pincite score: score finished trials again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite_harness.cli.judge_options import JudgeOptions
from pincite_harness.cli.option_groups import grouped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite_harness.runs.repeats import Repeated

_EXIT_FAILED = 1
"""Exit code when trials could not be scored."""


@grouped
def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    judging: JudgeOptions,
    compat: Annotated[
        Literal["strict", "reference"] | None,
        typer.Option(help="Compare in this way instead of the run's own; the run keeps it."),
    ] = None,
    repeat: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Let the model judge each answer N times, and tell how far the metrics agree."
        ),
    ] = 1,
) -> None:
    """Score the recorded answers again, without running an agent.

    Without --compat and --judge, as the run was scored; a run keeps what is named here.
    """
    from pincite_harness.cli.ending import console, write_pages
    from pincite_harness.runs.repeats import repeat_judging, repeatable_judge
    from pincite_harness.runs.rescore import rescore
    from pincite_harness.runs.run_folder import RunFolder

    chosen = judging.choice()
    changes = ({"compat": compat} if compat else {}) | ({"judge": chosen} if judging.judge else {})
    screen = console()

    def say(line: str) -> None:
        screen.print(line, markup=False, highlight=False, soft_wrap=True)

    failed = 0
    if repeat > 1:
        for run in runs:  # before any score is replaced
            repeatable_judge(RunFolder(run), changes)
    for run in runs:
        done = rescore(RunFolder(run), changes)
        failed += done.failed
        summary = f"{run}: {done.scored} trials scored, {done.unscored} left unscored, {done.failed} failed"
        for line in (*done.notes, summary):
            say(line)
        if repeat > 1:
            repeated = repeat_judging(RunFolder(run), repeat, say)
            failed += len(repeated.failed)
            for line in _stability_lines(repeated):
                say(line)
    write_pages(runs, screen)
    if failed:
        raise typer.Exit(_EXIT_FAILED)


def _stability_lines(repeated: "Repeated") -> "Iterator[str]":
    """What failed, then a line for each metric: trials, correlation and difference between the judgings."""
    yield from (f"failed: {line}" for line in repeated.failed)
    width = max(map(len, repeated.metrics), default=0)
    for name, one in repeated.metrics.items():
        pearson = "–" if one.pearson is None else f"{one.pearson:.3f}"
        yield f"  {name:{width}}  n {one.trials}  Pearson {pearson}  mean absolute difference {one.difference:.3f}"
