"""pincite score: score finished trials again."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pincite_harness.cli.judge_options import JudgeOptions
from pincite_harness.cli.option_groups import grouped

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
) -> None:
    """Score the recorded answers again, without running an agent.

    Without --compat and --judge, as the run was scored; a run keeps what is named here.
    """
    from pincite_harness.cli.ending import console, write_pages
    from pincite_harness.runs.rescore import rescore
    from pincite_harness.runs.run_folder import RunFolder

    chosen = judging.choice()
    changes = ({"compat": compat} if compat else {}) | ({"judge": chosen} if judging.judge else {})
    screen = console()
    failed = 0
    for run in runs:
        done = rescore(RunFolder(run), changes)
        failed += done.failed
        summary = f"{run}: {done.scored} trials scored, {done.unscored} left unscored, {done.failed} failed"
        for line in (*done.notes, summary):
            screen.print(line, markup=False, highlight=False, soft_wrap=True)
    write_pages(runs, screen)
    if failed:
        raise typer.Exit(_EXIT_FAILED)
