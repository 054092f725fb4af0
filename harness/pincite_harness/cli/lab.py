"""pincite lab: does an MCP server help an agent? The same trials with it and without it."""

import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from pincite_core.errors import BadInputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
LAB_FILE = "lab.json"
SETUP_FILE = "lab-setup.json"
BADGE_FILE = "badge.svg"
_ATTEMPTS = 3
"""Attempts at each task where nothing else is said, so that chance is averaged out; set by judgement."""


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def command(
    context: typer.Context,
    with_server: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="SERVER|NAME=COMMAND|NAME=URL",
            help="A server to try: one side has it beside the family's, the other has not; repeatable.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SERVER", help="A server of the family to try: the other side goes without it; repeatable."
        ),
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="Trials of each task on each side.")] = _ATTEMPTS,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of labs.")] = Path("runs"),
    name: Annotated[str, typer.Option(help="The lab's name; the time by default.")] = "",
) -> None:
    """Say whether an MCP server helps an agent: FAMILY… and every option of pincite run, beside those below.

    Two runs of the same tasks, with the servers and without them, each sealed as a bundle. The report has the gain with
    its interval and paired tests, what it cost, calls that erred, and where the server misled the agent. The same
    command goes on with a lab that was interrupted.
    """
    from pincite_harness.cli.sweep import INTERRUPTED, enter, run_or_resume
    from pincite_harness.lab.measuring import WITH, WITHOUT
    from pincite_harness.runs.remote.folder import check_local

    added, removed = with_server or [], without or []
    if not added and not removed:
        raise BadInputError("No server is to be tried.", next="--with SERVER, or --without SERVER of the family")
    check_local(out)
    folder = out / (name or datetime.now().astimezone().strftime("%Y-%m-%d__%H-%M-%S"))
    common = [*context.args, "--attempts", str(attempts)]
    sides = {WITHOUT: [*common, *_each("--without", removed)], WITH: [*common, *_each("--with", added)]}
    setup = {"schema_version": "pincite-lab-setup/1", "arguments": common, "with": added, "without": removed}
    enter(folder / SETUP_FILE, setup)
    code = 0
    for side, arguments in sides.items():
        typer.echo(f"{side.capitalize()} the server: {folder / side}", err=True)
        ended = run_or_resume(folder, side, arguments)
        if ended == INTERRUPTED:
            typer.echo(f"Interrupted; the same command with --name {folder.name} goes on.", err=True)
            raise typer.Exit(ended)
        code = max(code, ended)
    tried = [text.partition("=")[0] for text in added] + removed
    words = [*common, *_each("--with", added), *_each("--without", removed)]
    _report(folder, tried, shlex.join(["pincite", "lab", *words]))
    raise typer.Exit(code)


def _each(option: str, values: list[str]) -> list[str]:
    return [word for value in values for word in (option, value)]


def _report(folder: Path, tried: list[str], line: str) -> None:
    """Seal both runs, print what came of them, and write lab.json, the badge and the page."""
    from rich.console import Console

    from pincite_harness.analyses.trials import TrialData
    from pincite_harness.lab.badge import badge
    from pincite_harness.lab.measuring import WITH, WITHOUT, measure_family
    from pincite_harness.lab.page import HEADER, gain_rows, lab_json, lab_section, lines_of
    from pincite_harness.reports import Selection
    from pincite_harness.reports.console import print_table
    from pincite_harness.reports.groups import group_runs
    from pincite_harness.reports.write import read_selected, write_page
    from pincite_tasks.files import write_atomic, write_json

    screen, named = Console(), "+".join(tried)
    sealed = {f"{side}.bundle.zip": _seal(folder, side) for side in (WITHOUT, WITH)}
    selected = read_selected([folder / WITHOUT, folder / WITH], Selection())
    data = TrialData(keys={run.path: keys for run, keys, _ in selected})
    groups = group_runs([parts for _, _, parts in selected])
    measured = [measure_family(group, tried, data) for group in groups]
    results = [result for result in measured if result is not None]
    for result in results:
        print_table(f"{result.family}: {named}", HEADER, gain_rows(result), screen)
        for text in lines_of(result):
            screen.print(text, markup=False, highlight=False, soft_wrap=True)
    first = next((result.first for result in results if result.first is not None), None)
    if first is not None:
        write_atomic(folder / BADGE_FILE, str(badge(named, first)).encode())
    write_json(folder / LAB_FILE, lab_json(named, results, sealed))
    checks = [f"pincite verify {file}   # sha256 {digest}" for file, digest in sealed.items()]
    again = lab_section(named, results, [line, *checks])
    write_page([run for run, _, _ in selected], groups, folder, screen, again)


def _seal(folder: Path, side: str) -> str:
    """The digest of a side's bundle: the one that lab.json has of it, so that a published digest stays, else that of a
    bundle which is made now."""
    from pincite_core.json_fields import mapping
    from pincite_harness.bundles.writing import BundleOptions, write_bundle
    from pincite_harness.runs.run_folder import RunFolder
    from pincite_tasks.files import read_json

    bundle = folder / f"{side}.bundle.zip"
    known = mapping(read_json(folder / LAB_FILE)) if (folder / LAB_FILE).is_file() else {}
    digest = mapping(known.get("bundles")).get(bundle.name)
    if bundle.is_file() and digest:
        return str(digest)
    bundle.unlink(missing_ok=True)
    return write_bundle(RunFolder(folder / side), bundle, BundleOptions()).seal
