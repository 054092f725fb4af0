"""pincite view: the desk, local pages that show runs, trials, papers and audits."""

from pathlib import Path
from typing import Annotated

import typer

_RUNS = ["runs"]
"""Where ``pincite run`` puts runs unless it is given another folder."""


def command(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN|TRIAL|PAPER|REPORT|AUDIT|LIBRARY",
            help="Folders of runs or trials, here or at s3:// addresses, folders of libraries, files of papers, "
            "reports (.md, .txt), audits (pincite audit --json); the runs in the folder runs where nothing is named.",
        ),
    ] = None,
    papers: Annotated[
        list[Path] | None,
        typer.Option(
            "--papers", "-p", metavar="PATH", help="A source of the reports, or a folder of them; repeatable."
        ),
    ] = None,
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Audit what is named: a run, a trial, a trajectory, a report in any form."),
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of 127.0.0.1 (0: a free one).")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR|PAGE.html", help="Write a copy of one run or trial that needs no server, and stop."),
    ] = None,
) -> None:
    """Show runs, trials and papers in the browser: every step, and the paper's page with the cited words marked; and
    reports with each claim coloured by what its source says.

    A run is followed while it goes on; one on object storage is shown as it is at the start. Only this machine reaches
    the page, at an address with a secret in it, and nothing is changed.
    """
    import webbrowser

    from pincite_core.settings import load_settings
    from pincite_harness.desk.serving import serve_desk
    from pincite_harness.desk.targets import read_targets
    from pincite_harness.runs.remote.folder import local_paths
    from pincite_tasks.plural import plural

    paths = local_paths(named or _RUNS, lambda _: True)
    if export is not None:
        from pincite_harness.desk import export as copying

        made = copying.export(read_targets(paths), load_settings(), export)
        left = f"; {plural(made.left_out, 'item')} left out" if made.left_out else ""
        typer.echo(f"{made.index}: {plural(made.trials, 'trial')}{left}")
        return

    def opened(address: str) -> None:
        typer.echo(address)
        if browser:
            webbrowser.open(address)

    targets = read_targets(paths, papers or [], audit=audit)
    if targets.audits:
        typer.echo(f"auditing {plural(len(targets.audits), 'report')} …", err=True)
    serve_desk(targets, load_settings(), port, opened)
