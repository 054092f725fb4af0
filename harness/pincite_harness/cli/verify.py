"""pincite verify: check a bundle of someone else's run."""

from pathlib import Path
from typing import Annotated

import typer

_EXIT_FAILED = 1
"""Exit code when a check failed."""
_MARKS = {"holds": "[green]holds[/]", "fails": "[red]fails[/]", "cannot be checked": "[yellow]cannot be checked[/]"}
_PLACES = 8
"""Places of a check that are shown on the terminal; --json has all."""


def command(
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="The file that pincite bundle wrote, or its unpacked folder.")
    ],
    gold: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file that opens withheld gold (NAME.gold.json).")
    ] = None,
    tasks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of the run's task families, if they are not bundled.")
    ] = None,
    replay: Annotated[
        bool, typer.Option("--replay/--no-replay", help="Make the recorded tool calls again and compare the results.")
    ] = True,
    max_bytes: Annotated[int, typer.Option(min=1, help="Bytes that the unpacked members may have.")] = 20_000_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print the checks as JSON.")] = False,
) -> None:
    """Check a bundle: its bytes, its chain, its trajectories, gold, scores and tool calls; say what cannot be checked.

    Exits with 1 where a check fails.
    """
    import orjson

    from pincite_harness.bundles.verifying import VerifyOptions, verify_bundle

    options = VerifyOptions(gold, tasks, replay, max_bytes, lambda line: typer.echo(line, err=True))
    found = verify_bundle(bundle, options)
    if as_json:
        typer.echo(orjson.dumps(found.as_json(), option=orjson.OPT_INDENT_2).decode())
    else:
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for title in ("Check", "", "What was seen"):
            table.add_column(title, overflow="fold")
        for check in found.checks:
            places = "".join(f"\n  {place}" for place in check.places[:_PLACES])
            more = len(check.places) - _PLACES
            places += f"\n  and {more} more" if more > 0 else ""
            table.add_row(check.name, _MARKS[check.outcome.value], escape(check.detail + places))
        Console().print(table)
    if found.failed:
        raise typer.Exit(_EXIT_FAILED)
