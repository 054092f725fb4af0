"""pincite run: run an agent on task families."""

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite_core.errors import BadInputError
from pincite_harness.cli.judge_options import JudgeOptions
from pincite_harness.cli.option_groups import grouped
from pincite_harness.cli.run_options import AgentOptions, ServerOptions, TaskOptions, TrialOptions, read_pairs

if TYPE_CHECKING:
    from pincite_harness.runs.run_folder import RunFolder
    from pincite_harness.runs.specification import RunSpecification


@grouped
def command(
    tasks: TaskOptions,
    agent: AgentOptions,
    servers: ServerOptions,
    trials: TrialOptions,
    judging: JudgeOptions,
    compat: Annotated[
        Literal["strict", "reference"], typer.Option(help="How formulas and values are compared: see the report.")
    ] = "strict",
    out: Annotated[
        str, typer.Option(metavar="DIR|s3://BUCKET/PREFIX", help="Folder of runs, here or on object storage.")
    ] = "runs",
    name: Annotated[str, typer.Option(help="The run's name; the time by default.")] = "",
) -> None:
    """Run an agent on task families: record, score and report its trials."""
    tasks.check()
    trials.check()
    from pincite_harness.runs.remote.folder import open_run

    if tasks.harbor is not None:
        _check_harbor(tasks, servers, trials, judging)
    folder = open_run(f"{out.rstrip('/') or '/'}/{name or datetime.now().astimezone().strftime('%Y-%m-%d__%H-%M-%S')}")
    _start(_specify(tasks, agent, servers, trials, judging, compat, folder), folder)


def _specify(
    tasks: TaskOptions,
    agent: AgentOptions,
    servers: ServerOptions,
    trials: TrialOptions,
    judging: JudgeOptions,
    compat: Literal["strict", "reference"],
    folder: "RunFolder",
) -> "RunSpecification":
    """What the options ask for; ``folder`` is the run's."""
    from pincite_harness.runs.specification import RunSpecification, specify_families
    from pincite_harness.runs.variants import read_targets
    from pincite_tasks.catalog import Catalog
    from pincite_tasks.metadata import parse_where
    from pincite_tasks.server_definition import parse_servers

    return RunSpecification(
        families=specify_families(tasks.families or [], Catalog(tasks.tasks)),
        harbor=str(tasks.harbor.resolve()) if tasks.harbor is not None else None,
        harbor_network=tasks.hosts(),
        tasks=tasks.task,
        task_set=tasks.task_set or None,
        sample=tasks.sample,
        seed=tasks.seed,
        where=parse_where(tasks.where or []),
        strata=tasks.strata or [],
        balanced=tasks.balanced,
        targets=read_targets(tasks.targets) if tasks.targets is not None else [],
        open_web=servers.open_web,
        papers=[str(path.resolve()) for path in tasks.paper or []],
        parameters=read_pairs(tasks.parameter, "--parameter"),
        agent=agent.from_anywhere(),
        agent_options=agent.options(),
        image=trials.image,
        model=agent.choice(),
        role_models=agent.roles(),
        server_models=servers.models(),
        limits=trials.limits(),
        runtime=trials.runtime,
        sandbox="docker" if trials.image else trials.sandbox,
        unsafe=trials.unsafe,
        concurrency=trials.concurrency or (1 if trials.engine == "local" else 0),
        engine=trials.engine,
        ray_address=trials.ray_address,
        attempts=trials.attempts,
        retries=trials.retries,
        compat=compat,
        judge=judging.choice(),
        web=servers.web_choice(folder),
        more_servers=parse_servers(servers.with_server or [], servers.offline or [], Path.cwd()),
        less=servers.without or [],
        library=str(servers.library.resolve()) if servers.library is not None else None,
        chains=trials.chains(),
        chain_seed=trials.chain_seed,
    )


def _check_harbor(tasks: TaskOptions, servers: ServerOptions, trials: TrialOptions, judging: JudgeOptions) -> None:
    """BadInputError for what has no meaning for Harbor tasks."""
    others = {
        "FAMILY": tasks.families,
        "--paper": tasks.paper,
        "--parameter": tasks.parameter,
        "--tasks": tasks.tasks,
        "--with": servers.with_server,
        "--without": servers.without,
        "--image": trials.image,
        "--library": servers.library,
        "--server-model": servers.server_model,
        "--server-setting": servers.server_setting,
        "--chain": trials.chain != "off",
        "--where": tasks.where,
        "--strata": tasks.strata,
        "--targets": tasks.targets,
        "--open-web": servers.open_web,
        "--judge": judging.judge,
        "--web": servers.web,
    }
    if given := [name for name, value in others.items() if value]:
        raise BadInputError("Harbor tasks bring all that they need.", seen=", ".join(given), next="Leave that out.")
    if trials.sandbox == "local":
        raise BadInputError("A Harbor task runs in a container.", seen="--sandbox local", next="--sandbox docker")


def _start(specification: "RunSpecification", folder: "RunFolder") -> None:
    """Make the run's folder, run its trials and end with the exit code that they earn."""
    from pincite_harness.cli.ending import conclude, console
    from pincite_harness.runs.engine_opening import open_engine
    from pincite_harness.runs.execution import execute
    from pincite_harness.runs.judge_opening import check_judge
    from pincite_harness.runs.lock import lock_run
    from pincite_harness.runs.run_folder import RunDocument
    from pincite_harness.runs.server_survey import survey_servers
    from pincite_harness.trial.needs import check_needs
    from pincite_harness.trial.servers import live_notices
    from pincite_harness.trial.stages import now

    families = specification.load_families()
    plans = specification.plan(families)
    check_needs(plans)
    specification.check_keys()
    engine = open_engine(specification, plans, lambda line: typer.echo(line, err=True))
    check_judge(specification.judge, plans)
    notices = [*live_notices(families, specification.web), *specification.server_models.notices(os.environ)]
    for notice in notices:
        typer.echo(notice, err=True)
    document = RunDocument(
        name=folder.path.name,
        created_at=now(),
        specification=specification,
        lock=lock_run(
            plans,
            specification.web,
            survey_servers(plans),
            specification.judge,
            specification.shared_library(),
            specification.server_models,
        ),
        trials=[plan.name for plan in plans],
        task_counts=specification.task_counts(families),
    )
    folder.create(document)
    conclude(folder, document, execute(folder, document, plans, console(), engine=engine))
