"""pincite analyse: what runs cost, where they fail and why."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where report.html and analysis.json go (default: as pincite report)."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="Also toolkits by this key of the tasks' metadata; repeatable."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Only tasks whose metadata has this value; repeatable."),
    ] = None,
    used: Annotated[
        list[str] | None,
        typer.Option(
            metavar="tool:NAME|event:KIND|role:NAME",
            help="Compare the first run with the others on the tasks where it used this; repeatable.",
        ),
    ] = None,
    accept_risk: Annotated[
        float | None,
        typer.Option(
            metavar="RISK",
            help="Pick the values to accept so that at most this share of a paper's values is accepted and wrong, by "
            "the first run's labelled tasks; 0.02, say.",
        ),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What pincite audit RUN --json printed: its verdicts count in the scores."),
    ] = None,
) -> None:
    """Analyse runs: accuracy against spending, effort, tools, value errors, reliability, risk and coverage, time.

    The report of the runs is written again with a section "Analysis", and analysis.json has the rows.
    """
    from rich.console import Console

    from pincite_harness.analyses.component import check_predicate
    from pincite_harness.analyses.write import analyse_runs
    from pincite_harness.cli.report import folder_of
    from pincite_harness.reports import Selection
    from pincite_tasks.metadata import parse_where

    selection = Selection(tuple(by or ()), tuple(parse_where(where or [])))
    folder = folder_of(runs, out, selection) or runs[0]
    predicates = [check_predicate(text) for text in used or []]
    analyse_runs(runs, folder, Console(), selection, predicates, accept_risk, audit.resolve() if audit else None)
