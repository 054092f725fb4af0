"""pincite sweep: one run a setting, each compared with the full system."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from pincite_harness.runs.settings import Setting

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
SWEEP_FILE = "sweep.json"
INTERRUPTED = 130
"""The exit code of a run that was interrupted."""


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def command(
    context: typer.Context,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=A,B,…",
            help="An option of the agent (or model, agent, with, without, compat) and its values, the full system's "
            "first; repeatable.",
        ),
    ],
    design: Annotated[
        Literal["one-at-a-time", "grid"],
        typer.Option(help="The full system and each single change of it, or all combinations."),
    ] = "one-at-a-time",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of sweeps.")] = Path("runs"),
    name: Annotated[str, typer.Option(help="The sweep's name; the time by default.")] = "",
) -> None:
    """Run an agent in several settings: FAMILY… and every option of pincite run, beside those below.

    Each setting is a run in the sweep's folder, the full system first. The same command goes on with a sweep that was
    interrupted. Its report compares each setting with the full system.
    """
    from pincite_harness.runs.remote.folder import check_local
    from pincite_harness.runs.settings import parse_vary, settings_of

    settings = settings_of(parse_vary(vary), design)
    check_local(out)
    folder = out / (name or datetime.now().astimezone().strftime("%Y-%m-%d__%H-%M-%S"))
    for setting in settings:
        _check(setting, context.args)
    told = [{"name": setting.name, "values": dict(setting.values)} for setting in settings]
    enter(folder / SWEEP_FILE, {"schema_version": "pincite-sweep/1", "arguments": context.args, "settings": told})
    code = 0
    for number, setting in enumerate(settings, start=1):
        typer.echo(f"Setting {number} of {len(settings)}: {setting.name}", err=True)
        ended = run_or_resume(folder, setting.name, [*context.args, *setting.arguments()])
        if ended == INTERRUPTED:
            typer.echo(f"Interrupted; the same command with --name {folder.name} goes on.", err=True)
            raise typer.Exit(ended)
        code = max(code, ended)
    _report(folder, settings)
    raise typer.Exit(code)


def _check(setting: "Setting", arguments: list[str]) -> None:
    """BadInputError for a setting that its agent does not take: all are looked at before the first one is paid for."""
    from pincite_core.errors import BadInputError
    from pincite_harness.agents.registry import get_agent
    from pincite_harness.cli.main import load_command
    from pincite_harness.cli.run_options import read_pairs
    from pincite_models.choice import ModelChoice

    given = load_command("run").make_context("run", [*arguments, *setting.arguments()]).params
    model = ModelChoice.parse(given["model"], given["model_url"]) if given["model"] else None
    try:
        get_agent(given["agent"], read_pairs(given["agent_option"], "--agent-option"), model)
    except BadInputError as error:
        raise BadInputError(f"The setting {setting.name} cannot be run.", seen=str(error)) from error


def enter(path: Path, told: dict[str, Any]) -> None:
    """Write into ``path`` what its folder's runs are; BadInputError where it says something else."""
    from pincite_core.errors import BadInputError
    from pincite_tasks.files import read_json, write_json

    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, told)
    elif read_json(path) != told:
        raise BadInputError(f"{path.parent} holds another {path.stem}.", seen=str(path), next="Give another --name.")


def run_or_resume(folder: Path, name: str, arguments: list[str]) -> int:
    """Run what ``pincite run`` is given, as the run ``name`` of a folder, or go on with that run; the exit code."""
    from pincite_harness.cli.main import load_command
    from pincite_harness.runs.run_folder import RUN_FILE

    path = folder / name
    if (path / RUN_FILE).is_file():
        code = load_command("resume").main([str(path)], standalone_mode=False)
    else:
        own = [*arguments, "--out", str(folder), "--name", name]
        code = load_command("run").main(own, standalone_mode=False)
    return code if isinstance(code, int) else 0


def _report(folder: Path, settings: "list[Setting]") -> None:
    """Print the ablation table and write it into the sweep's folder, with the report of all runs."""
    from rich.console import Console

    from pincite_harness.reports import Selection
    from pincite_harness.reports.ablation import HEADER, ablation_json, ablation_rows, ablation_section
    from pincite_harness.reports.console import print_table
    from pincite_harness.reports.groups import group_runs
    from pincite_harness.reports.write import read_selected, write_page
    from pincite_tasks.files import write_json

    screen = Console()
    selected = read_selected([folder / setting.name for setting in settings], Selection())
    groups = group_runs([parts for _, _, parts in selected])
    for group in groups:
        for metric in group.headline[:1]:
            print_table(f"{group.family}: {metric.title}", HEADER, ablation_rows(group, metric), screen)
    write_json(folder / "ablation.json", ablation_json(groups))
    write_page([run for run, _, _ in selected], groups, folder, screen, ablation_section(groups))
