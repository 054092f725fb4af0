"""pincite resume: go on with runs that were interrupted."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from pincite_harness.runs.specification import RunSpecification


def command(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or its s3:// address.")],
    concurrency: Annotated[int | None, typer.Option("-n", min=1, help="Trials at once, if other than before.")] = None,
    outages: Annotated[
        bool, typer.Option("--outages", help="Also run again the trials that failed of a sandbox, model or server.")
    ] = False,
    engine: Annotated[
        Literal["local", "ray"] | None, typer.Option(help="Where trials run, if elsewhere than before.")
    ] = None,
    ray_address: Annotated[
        str, typer.Option(metavar="HOST:PORT|auto", help="The Ray cluster, if another than before.")
    ] = "",
) -> None:
    """Go on with a run: finished trials stay, all others are run."""
    from pincite_harness.cli.ending import conclude, console
    from pincite_harness.runs.engine_opening import open_engine
    from pincite_harness.runs.execution import execute
    from pincite_harness.runs.judge_opening import check_judge
    from pincite_harness.runs.lock import lock_run
    from pincite_harness.runs.remote.folder import open_run
    from pincite_harness.runs.server_survey import survey_servers
    from pincite_tasks.failure import RETRYABLE

    folder = open_run(run)
    document = folder.read()
    specification = _moved(document.specification, concurrency, engine, ray_address)
    document = document.model_copy(update={"specification": specification})
    plans = specification.plan(specification.load_families())
    specification.check_keys()
    opened = open_engine(specification, plans, lambda line: typer.echo(line, err=True))
    check_judge(specification.judge, plans)
    survey = survey_servers(plans)
    library, models = specification.shared_library(), specification.server_models
    document.lock.check(lock_run(plans, specification.web, survey, specification.judge, library, models))
    again = RETRYABLE if outages else ()
    conclude(folder, document, execute(folder, document, plans, console(), engine=opened, again=again))


def _moved(
    before: "RunSpecification", concurrency: int | None, engine: Literal["local", "ray"] | None, ray_address: str
) -> "RunSpecification":
    """The specification with trials run elsewhere, or more or fewer at once: what they are stays. An address means Ray;
    on this machine alone there is no other than its own."""
    changed: dict[str, Any] = {}
    if concurrency is not None:
        changed["concurrency"] = concurrency
    if ray_address:
        changed |= {"engine": "ray", "ray_address": ray_address}
    elif engine is not None and engine != before.engine:
        changed |= {"engine": engine, "ray_address": ""}
    return before.model_copy(update=changed)
