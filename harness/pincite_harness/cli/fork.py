"""pincite fork: a recorded trial again up to a step, with one thing changed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_core.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite_harness.lab.forking import ForkedTrial, Intervention
    from pincite_harness.reports.measured import Measured
    from pincite_harness.trial.plan import TrialPlan
    from pincite_tasks.task import Task

FORK_FILE = "fork.json"
_HEADER = ("Fork", "Trials", "First metric", "Replies played", "Calls played")


def command(
    trial: Annotated[Path, typer.Argument(metavar="TRIAL", help="A trial's folder: RUN/trials/NAME.")],
    at: Annotated[int, typer.Option(metavar="STEP", help="The step of the agent (pincite trajectory show).")],
    replace_result: Annotated[
        Path | None, typer.Option(metavar="FILE", help="This text in place of the result of the step's call.")
    ] = None,
    page: Annotated[
        str, typer.Option(metavar="[PAPER:]N", help="The text of this page of the task's paper in its place.")
    ] = "",
    gold_passage: Annotated[
        bool, typer.Option("--gold-passage", help="The passages that the gold quotes, in its place.")
    ] = False,
    gold_figure: Annotated[
        bool, typer.Option("--gold-figure", help="The pictures of the figures that the gold rests on, in its place.")
    ] = False,
    model: Annotated[
        str, typer.Option(metavar="PROVIDER:NAME", help="Another model from this step on, the step included.")
    ] = "",
    model_url: Annotated[str, typer.Option(metavar="URL", help="Where that model has its API.")] = "",
    role_model: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=PROVIDER:NAME", help="Another model for this role alone; repeatable."),
    ] = None,
    role_model_url: Annotated[
        list[str] | None, typer.Option(metavar="ROLE=URL", help="Where that role's model has its API; repeatable.")
    ] = None,
    call: Annotated[int, typer.Option(min=1, help="Which of the step's calls of a server is changed.")] = 1,
    attempts: Annotated[int, typer.Option(min=1, help="Trials of each fork.")] = 1,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of forks.")] = Path("runs"),
    name: Annotated[str, typer.Option(help="The fork's name; that of the trial and the step by default.")] = "",
) -> None:
    """Play a recorded trial up to a step, change one thing there, and let the rest run live.

    Each change that is named is a fork of its own, and so is a control without any: a failure that the control repairs
    too was chance. The models and servers of the trial must be at hand; their keys are read as for pincite run.
    """
    from pincite_harness.lab.forking import CONTROL, ForkedTrial, Intervention

    forked = ForkedTrial(trial, at)
    plan = _plan(forked)
    changes = [
        *_shown(plan.task, replace_result, page, passage=gold_passage, figure=gold_figure),
        *_models(plan, model, model_url, role_model, role_model_url),
    ]
    if not changes:
        raise BadInputError(
            "Nothing is to be changed.",
            next="--replace-result FILE, --page N, --gold-passage, --gold-figure, --model or --role-model",
        )
    changes = [Intervention(CONTROL), *changes]
    folder = out / (name or f"{trial.resolve().name}-at-{at}")
    done = [_fork(forked, change, call, attempts, folder / change.name) for change in changes]
    _report(forked, at, changes, done, folder)


def _shown(task: "Task", result: Path | None, page: str, *, passage: bool, figure: bool) -> "Iterator[Intervention]":
    """The forks that show something else in place of a call's result."""
    from pincite_harness.lab.evidence import figures_shown, page_shown, passages_shown
    from pincite_harness.lab.forking import Intervention

    if result is not None:
        try:
            text = result.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInputError(f"{result} cannot be read as text.", seen=str(error)) from error
        yield Intervention("result", [{"type": "text", "text": text}])
    if page:
        yield Intervention("page", page_shown(task, page))
    if passage:
        yield Intervention("passage", passages_shown(task))
    if figure:
        yield Intervention("figure", figures_shown(task))


def _models(
    plan: "TrialPlan", model: str, url: str, roles: list[str] | None, role_urls: list[str] | None
) -> "Iterator[Intervention]":
    """The forks that ask another model, the main one or that of one role. BadInputError for a role that the agent does
    not have."""
    from pincite_harness.agents.roles import check_roles
    from pincite_harness.cli.run_options import read_pairs
    from pincite_harness.lab.forking import Intervention
    from pincite_models.choice import ModelChoice
    from pincite_models.role_choice import parse_role_models

    if model:
        yield Intervention("model", model=ModelChoice.parse(model, url))
    named = parse_role_models(read_pairs(roles, "--role-model"), read_pairs(role_urls, "--role-model-url"))
    check_roles(plan.agent, named, plan.model)
    for role, choice in named.items():
        yield Intervention(f"role-{role}", model=choice, role=role)


def _plan(forked: "ForkedTrial") -> "TrialPlan":
    specification = forked.document.specification
    plans = specification.plan(specification.load_families())
    found = [plan for plan in plans if plan.name == forked.record.name]
    if not found:
        raise BadInputError(f"The task of {forked.record.name} is no longer in its family.")
    return found[0]


def _fork(
    forked: "ForkedTrial", change: "Intervention", call: int, attempts: int, path: Path
) -> "tuple[Measured, int, int]":
    """Run one fork as a run of its own: what it came to, and how many replies and calls were played from the record."""
    from pincite_doors.models.playback import Playback
    from pincite_harness.cli.ending import console
    from pincite_harness.reports.loading import load_run
    from pincite_harness.reports.measured import measure
    from pincite_harness.runs.engine_opening import open_engine
    from pincite_harness.runs.execution import execute
    from pincite_harness.runs.lock import lock_run
    from pincite_harness.runs.run_folder import RunDocument, RunFolder
    from pincite_harness.runs.server_survey import survey_servers
    from pincite_harness.trial.stages import now

    before = forked.document.specification
    changed: dict[str, Any] = {"tasks": [forked.record.task_id], "sample": None, "where": [], "strata": []}
    changed |= {"engine": "local"}
    changed |= {"families": {forked.record.family: before.families[forked.record.family]}} if before.families else {}
    changed |= {"attempts": attempts, **change.changed(before)}
    specification = before.model_copy(update=changed)
    plans = specification.plan(specification.load_families())
    specification.check_keys()
    open_engine(specification, plans, lambda line: typer.echo(line, err=True))
    made: list[Playback] = []

    def playback() -> Playback:
        made.append(forked.playback(change, call))
        return made[-1]

    playback()
    lock = lock_run(plans, specification.web, survey_servers(plans), specification.judge)
    document = RunDocument(
        name=path.name, created_at=now(), specification=specification, lock=lock, trials=[plan.name for plan in plans]
    )
    folder = RunFolder(path)
    folder.create(document)
    typer.echo(f"Fork {change.name}: {path}", err=True)
    execute(folder, document, plans, console(), playback=playback)
    [measured] = measure(load_run(path))
    return measured, sum(one.models.played for one in made), sum(one.tools.played for one in made)


def _report(
    forked: "ForkedTrial",
    at: int,
    changes: "list[Intervention]",
    done: "list[tuple[Measured, int, int]]",
    folder: Path,
) -> None:
    """Print what became of each fork and what that says, and write fork.json."""
    from rich.console import Console

    from pincite_harness.lab.forking import repairing
    from pincite_harness.reports.console import print_table
    from pincite_harness.reports.loading import families_of, load_trial
    from pincite_harness.runs.run_folder import RunFolder
    from pincite_tasks.files import write_json

    run = RunFolder(forked.folder.resolve().parent.parent)
    before = load_trial(run, forked.record.name, families_of(forked.document))
    metric = next(iter(done[0][0].shown.headline), None)
    recorded = before.metrics.get(metric.name) if metric is not None else None
    means = [mean.mean if metric is not None and (mean := one.mean(metric.name)) else None for one, _, _ in done]
    names = [change.name for change in changes]
    said = repairing(names, means, (metric.top if metric is not None else None) or 1.0, recorded)
    rows = [
        (name, str(len(one.trials)), "–" if mean is None else f"{mean:.3f}", str(replies), str(calls))
        for name, mean, (one, replies, calls) in zip(names, means, done, strict=True)
    ]
    screen = Console()
    print_table(f"{forked.record.name} at step {at}", _HEADER, rows, screen)
    screen.print(said, markup=False, highlight=False, soft_wrap=True)
    forks = [
        {"fork": name, "trials": len(one.trials), "mean": mean, "replies_played": replies, "calls_played": calls}
        for name, mean, (one, replies, calls) in zip(names, means, done, strict=True)
    ]
    told = {"schema_version": "pincite-fork/1", "trial": str(forked.folder), "at": at, "recorded": recorded}
    write_json(folder / FORK_FILE, told | {"metric": metric.name if metric else None, "forks": forks, "says": said})
