"""pincite resume: go on with runs that were interrupted."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    concurrency: Annotated[int | None, typer.Option("-n", min=1, help="Trials at once, if other than before.")] = None,
    outages: Annotated[
        bool, typer.Option("--outages", help="Also run again the trials that failed of a sandbox, model or server.")
    ] = False,
) -> None:
    """Go on with a run: finished trials stay, all others are run."""
    from pincite_harness.cli.ending import conclude, console
    from pincite_harness.runs.execution import check_sandbox, execute, prepare_agent
    from pincite_harness.runs.judge_opening import check_judge
    from pincite_harness.runs.lock import lock_run
    from pincite_harness.runs.run_folder import RunFolder
    from pincite_harness.runs.server_survey import survey_servers
    from pincite_tasks.failure import RETRYABLE

    folder = RunFolder(run)
    document = folder.read()
    specification = document.specification
    plans = specification.plan(specification.load_families())
    if specification.model is not None:
        specification.model.check_key()
    prepare_agent(specification, plans, lambda line: typer.echo(line, err=True))
    check_sandbox(specification, plans)
    check_judge(specification.judge, plans)
    survey, library = survey_servers(plans), specification.shared_library()
    document.lock.check(lock_run(plans, specification.web, survey, specification.judge, library))
    if concurrency is not None:
        wider = specification.model_copy(update={"concurrency": concurrency})
        document = document.model_copy(update={"specification": wider})
    again = RETRYABLE if outages else ()
    conclude(folder, document, execute(folder, document, plans, console(), again=again))
