"""pincite run: run an agent on task families."""

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite_core.errors import BadInputError
from pincite_harness.cli.choice_options import Balanced, OpenWeb, Strata, Targets, Where, check_choice
from pincite_harness.cli.judge_options import Judge, JudgePrompt, JudgeTemperature, JudgeUrl, JudgeVotes
from pincite_harness.cli.model_options import (
    RoleModel,
    RoleModelUrl,
    ServerModelOption,
    ServerModelsOption,
    ServerModelUrl,
    ServerSetting,
    read_pairs,
    read_role_models,
    read_server_models,
)

if TYPE_CHECKING:
    from pincite_harness.runs.specification import RunSpecification
    from pincite_tasks.web import WebMode


def command(
    families: Annotated[list[str] | None, typer.Argument(metavar="FAMILY…", help="Task families to run.")] = None,
    harbor: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of Harbor tasks, or one task's, instead of families.")
    ] = None,
    harbor_network: Annotated[
        str,
        typer.Option(
            metavar="none|HOST,…",
            help="What Harbor tasks with a public network may reach: nothing, or these hosts; refused by default.",
        ),
    ] = "",
    agent: Annotated[
        str,
        typer.Option(help="An agent (pincite agents lists them), or your own: a Python program, or a folder of one."),
    ] = "baseline",
    image: Annotated[
        str, typer.Option(metavar="IMAGE", help="A Docker image of your own for the agent: sh and python3 are in it.")
    ] = "",
    agent_option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the agent; repeatable.")
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="PROVIDER:NAME", help="anthropic:…, openai:…, google:…, or a name with --model-url.")
    ] = "",
    model_url: Annotated[
        str, typer.Option(metavar="URL", help="Where the model's API is, if not at its provider's own address.")
    ] = "",
    role_model: RoleModel = None,
    role_model_url: RoleModelUrl = None,
    server_model: ServerModelOption = None,
    server_model_url: ServerModelUrl = None,
    server_setting: ServerSetting = None,
    server_models: ServerModelsOption = "door",
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER",
            help="wall_clock_seconds, tool_calls, model_calls, tokens or cost_usd of a trial; repeatable. For fewer "
            "tasks: --sample.",
        ),
    ] = None,
    runtime: Annotated[str, typer.Option(help="Another runtime of the Docker daemon, such as runsc (gVisor).")] = "",
    sandbox: Annotated[Literal["auto", "docker", "local"], typer.Option(help="Where the agent runs.")] = "auto",
    unsafe: Annotated[
        bool,
        typer.Option("--unsafe", help="Without Docker and bubblewrap, run it as a plain process: nothing isolates it."),
    ] = False,
    concurrency: Annotated[int, typer.Option("-n", min=1, help="Trials at once.")] = 1,
    attempts: Annotated[int, typer.Option(min=1, help="Trials of each task.")] = 1,
    retries: Annotated[int, typer.Option(min=0, help="More tries of a trial that failed of an outage.")] = 1,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of runs.")] = Path("runs"),
    name: Annotated[str, typer.Option(help="The run's name; the time by default.")] = "",
    paper: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Your own paper instead of the family's tasks; repeatable."),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=TEXT", help="What is asked instead of the family's tasks: question=…; repeatable."),
    ] = None,
    task: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only this task; repeatable.")] = None,
    task_set: Annotated[
        str,
        typer.Option("--set", metavar="NAME", help="The tasks of this set, such as hard, or all; standard by default."),
    ] = "",
    sample: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only N tasks of each family, drawn by --seed.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which sample: the same seed draws the same tasks.")] = 0,
    where: Where = None,
    strata: Strata = None,
    balanced: Balanced = False,
    targets: Targets = None,
    open_web: OpenWeb = False,
    tasks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of your own task families, or one family's folder.")
    ] = None,
    compat: Annotated[
        Literal["strict", "reference"], typer.Option(help="How formulas and values are compared: see the report.")
    ] = "strict",
    web: Annotated[
        Literal["live", "record", "replay", "replay-or-live"] | None,
        typer.Option(help="The web that servers see; PINCITE_HTTP_MODE by default, else live, or a task's own."),
    ] = None,
    web_store: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the recorded web is kept, or replayed from.")
    ] = None,
    with_server: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="SERVER|NAME=COMMAND|NAME=URL",
            help="One more server: of pincite's, or any MCP server by its command (VARIABLE=VALUE words first) or its "
            "address ('Header: value' words after it); ${VARIABLE} is taken from your environment. Repeatable.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVER[.TOOL]", help="Tasks go without this server, or this tool of it; repeatable."),
    ] = None,
    offline: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="This server of --with reaches no web: a recorded one may be replayed."),
    ] = None,
    library: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="An ingested library that all trials read: pincite library add --library DIR"),
    ] = None,
    chain: Annotated[
        str,
        typer.Option(
            metavar="off|run|K",
            help="Each family's tasks run one after another in one chain, or in K: what the agent leaves in carry/ "
            "goes to the next trial.",
        ),
    ] = "off",
    chain_seed: Annotated[int, typer.Option(help="Another order of a chain's tasks than that of their ids.")] = 0,
    judge: Judge = "",
    judge_url: JudgeUrl = "",
    judge_votes: JudgeVotes = 1,
    judge_temperature: JudgeTemperature = "",
    judge_prompt: JudgePrompt = None,
) -> None:
    """Run an agent on task families: record, score and report its trials."""
    from pincite_harness.agents.registry import absolute_options
    from pincite_harness.runs.specification import RunSpecification, specify_families
    from pincite_harness.runs.variants import read_targets
    from pincite_models.choice import ModelChoice
    from pincite_scoring.judging.choice import JudgeChoice
    from pincite_tasks.catalog import Catalog
    from pincite_tasks.metadata import parse_where
    from pincite_tasks.server_definition import parse_servers
    from pincite_tasks.web import choose_web

    check_choice(
        {"--paper": paper, "--parameter": parameter},
        {"--task": task, "--sample": sample, "--where": where},
        {"--seed": seed, "--strata": strata, "--balanced": balanced},
    )
    _check_set(task_set, {"--paper": paper, "--parameter": parameter, "--harbor": harbor})
    if harbor is None and not families:
        raise BadInputError("There is nothing to run.", next="Name task families, or a folder with --harbor DIR.")
    if harbor is not None:
        others = {"FAMILY": families, "--paper": paper, "--parameter": parameter, "--tasks": tasks}
        others |= {"--with": with_server, "--without": without, "--image": image, "--library": library}
        others |= {"--server-model": server_model, "--server-setting": server_setting}
        others |= {"--chain": chain != "off", "--where": where, "--strata": strata}
        others |= {"--targets": targets, "--open-web": open_web}
        _check_harbor({**others, "--judge": judge, "--web": web}, sandbox)
    if image and sandbox == "local":
        raise BadInputError("A local sandbox has no image.", seen=f"--image {image}", next="--sandbox docker")
    place = out / (name or datetime.now().astimezone().strftime("%Y-%m-%d__%H-%M-%S"))
    specification = RunSpecification(
        families=specify_families(families or [], Catalog(tasks)),
        harbor=str(harbor.resolve()) if harbor is not None else None,
        harbor_network=_hosts(harbor_network),
        tasks=task,
        task_set=task_set or None,
        sample=sample,
        seed=seed,
        where=parse_where(where or []),
        strata=strata or [],
        balanced=balanced,
        targets=read_targets(targets) if targets is not None else [],
        open_web=open_web,
        papers=[str(path.resolve()) for path in paper or []],
        parameters=read_pairs(parameter, "--parameter"),
        agent=_from_anywhere(agent),
        agent_options=absolute_options(agent, read_pairs(agent_option, "--agent-option")),
        image=image,
        model=ModelChoice.parse(model, model_url) if model else None,
        role_models=read_role_models(role_model, role_model_url),
        server_models=read_server_models(server_models, server_model, server_model_url, server_setting),
        limits=_limits(limit),
        runtime=runtime,
        sandbox="docker" if image else sandbox,
        unsafe=unsafe,
        concurrency=concurrency,
        attempts=attempts,
        retries=retries,
        compat=compat,
        judge=JudgeChoice.parse(judge, judge_url, judge_votes, judge_temperature, judge_prompt or ()),
        web=choose_web(*_web_of(web, web_store, place, opened=open_web)),
        more_servers=parse_servers(with_server or [], offline or [], Path.cwd()),
        less=without or [],
        library=str(library.resolve()) if library is not None else None,
        chains=_chains(chain),
        chain_seed=chain_seed,
    )
    _start(specification, place)


def _web_of(
    mode: "WebMode | None", store: Path | None, place: Path, *, opened: bool
) -> tuple["WebMode | None", Path | None]:
    """The web that was asked for; an open one is recorded beside the run where nothing else was said."""
    if not opened or mode is not None or store is not None:
        return mode, store
    return "record", place.with_name(f"{place.name}-web")


def _check_set(task_set: str, others: dict[str, object]) -> None:
    """BadInputError where the tasks do not come from a family."""
    if task_set and (given := [name for name, value in others.items() if value]):
        raise BadInputError(
            f"--set chooses among a family's own tasks; {given[0]} brings others.", next="Leave one of them out."
        )


def _check_harbor(others: dict[str, object], sandbox: str) -> None:
    """BadInputError for what has no meaning for Harbor tasks."""
    if given := [name for name, value in others.items() if value]:
        raise BadInputError("Harbor tasks bring all that they need.", seen=", ".join(given), next="Leave that out.")
    if sandbox == "local":
        raise BadInputError("A Harbor task runs in a container.", seen="--sandbox local", next="--sandbox docker")


def _chains(text: str) -> int:
    """In how many chains trials run: 0 for ``off``, 1 for ``run``."""
    words = {"off": 0, "run": 1}
    if text in words:
        return words[text]
    if not text.isdecimal() or not int(text):
        raise BadInputError(f"--chain {text} is not a valid value.", next="--chain off, run or a number from 1 on")
    return int(text)


def _hosts(text: str) -> list[str] | None:
    """``none`` is not a host, several are parted by commas; None where nothing was said."""
    return [host for host in text.split(",") if host and host != "none"] if text else None


def _start(specification: "RunSpecification", path: Path) -> None:
    """Make the run's folder, run its trials and end with the exit code that they earn."""
    from pincite_harness.cli.ending import conclude, console
    from pincite_harness.runs.execution import check_sandbox, execute, prepare_agent
    from pincite_harness.runs.judge_opening import check_judge
    from pincite_harness.runs.lock import lock_run
    from pincite_harness.runs.run_folder import RunDocument, RunFolder
    from pincite_harness.runs.server_survey import survey_servers
    from pincite_harness.trial.needs import check_needs
    from pincite_harness.trial.servers import live_notices
    from pincite_harness.trial.stages import now

    families = specification.load_families()
    plans = specification.plan(families)
    check_needs(plans)
    specification.check_keys()
    prepare_agent(specification, plans, lambda line: typer.echo(line, err=True))
    check_sandbox(specification, plans)
    check_judge(specification.judge, plans)
    notices = [*live_notices(families, specification.web), *specification.server_models.notices(os.environ)]
    for notice in notices:
        typer.echo(notice, err=True)
    folder = RunFolder(path)
    document = RunDocument(
        name=path.name,
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
    conclude(folder, document, execute(folder, document, plans, console()))


def _from_anywhere(agent: str) -> str:
    """A user's own agent, and what is replayed, by the absolute path: a run can be resumed from another folder."""
    from pincite_harness.agents.registry import is_path

    if is_path(agent):
        return str(Path(agent).resolve())
    word, _, path = agent.partition(":")
    return f"{word}:{Path(path).resolve()}" if word == "replay" and path else agent


def _limits(values: list[str] | None) -> dict[str, float]:
    """Limits by name; a number alone is most likely meant as one of tasks."""
    from pincite_tasks.family import FamilyLimits

    for text in values or []:
        if "=" not in text:
            raise BadInputError(
                f"--limit {text} does not say of what.",
                seen=f"the limits of a trial are {', '.join(FamilyLimits.model_fields)}",
                next=f"--limit tool_calls={text}, say; for so many tasks: --sample {text}.",
            )
    return {name: _number(name, value) for name, value in read_pairs(values, "--limit").items()}


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadInputError(f"The limit {name} is not a number.", seen=value, next="--limit NAME=NUMBER") from None
