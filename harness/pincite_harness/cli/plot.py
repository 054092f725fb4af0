"""pincite plot: the data series of a figure's plots as numbers, or why they cannot be read."""

import csv
import io
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_harness.cli.papers import EXIT_NOTHING, AsJson, Source, one_paper

if TYPE_CHECKING:
    from pincite import PlotContent

_FIRST = ("panel", "series", "name", "kind")


def command(
    paper: Source,
    figure: Annotated[str, typer.Argument(metavar="FIGURE", help='"Fig. 2", "2", "#1" for the first one.')],
    panel: Annotated[str, typer.Option(metavar="NAME", help="Only this panel: its letter or number.")] = "",
    series: Annotated[str, typer.Option(metavar="NAME", help="Only this series: its id or name in the legend.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="A line a point, with the likely errors of its axes.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read the data series of a vector plot in the units of its axes; show the axes with their likely errors, and the
    series with their ranges, or all points with --csv or --json.

    What cannot be calibrated is refused with the reason. It ends with 0 where series were read, 1 where the plot or a
    part of it was refused so that there is none, 2 where the paper or the figure could not be found or read.
    """
    with one_paper(paper) as opened:
        content = opened.figure(figure).plot(panel, series)
    if as_json:
        typer.echo(json.dumps({"paper": paper, **content}, ensure_ascii=False))
    else:
        typer.echo(_csv(content) if as_csv else _shown(content), nl=False)
    for line in _refusals(content):
        typer.echo(line, err=True)
    if not content["series"]:
        raise typer.Exit(EXIT_NOTHING)


def _refusals(content: "PlotContent") -> list[str]:
    """Why there are no series of the figure, or of some of its panels."""
    if "refused" in content:
        refused, seen, then = content["refused"], content.get("seen", ""), content.get("next", "")
        return [f"{content['figure']} was refused ({refused}): {seen}. {then}"]
    panels = ((panel["panel"], panel.get("refused")) for panel in content["panels"])
    return [f"Panel {name} of {content['figure']} was refused ({reason})" for name, reason in panels if reason]


def _shown(content: "PlotContent") -> str:
    """The panels with their axes, and a line a series; "" where there are none."""
    lines: list[str] = []
    for panel in content["panels"]:
        for axis in panel["axes"]:
            title = f" {axis['title']}" if axis["title"] else ""
            ends = f"{axis['start']:g} to {axis['end']:g}"
            lines.append(
                f"panel {panel['panel']}\taxis {axis['axis']}{title}\t{axis['scale']}, {ends}\t{axis['error']}"
            )
        lines += [f"panel {panel['panel']}\tnote\t{note}" for note in panel.get("notes", ())]
    for series in content["series"]:
        ranges = ", ".join(f"{name} {low:g} to {high:g}" for name, (low, high) in series["ranges"].items())
        looks = " ".join(part for part in (series["color"] or "", series["line"], series["marker"]) if part)
        named = " ".join(part for part in (series["series"], series["name"]) if part)
        lines.append(f"series {named}\t{series['kind']}\t{looks}\t{series['n']} points\t{ranges}")
        lines += [f"series {series['series']}\tnote\t{note}" for note in series.get("notes", ())]
    return "".join(line + "\n" for line in lines)


def _csv(content: "PlotContent") -> str:
    """A line a point: what it belongs to, the columns of all series, and the likely error of each of its axes."""
    if not content["series"]:
        return ""
    columns: dict[str, None] = {}
    for series in content["series"]:
        columns.update(dict.fromkeys(series["columns"]))
    errors = _errors(content)
    axes = list(dict.fromkeys(axis for _, axis in errors))
    out = io.StringIO()
    names = [*_FIRST, *columns, *(f"{axis}_error" for axis in axes)]
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    for series in content["series"]:
        said: dict[str, Any] = {name: series[name] for name in _FIRST}
        own = {f"{axis}_error": errors.get((series["panel"], axis), "") for axis in series["axes"]}
        for point in csv.reader(io.StringIO(series["points"])):
            writer.writerow(said | dict(zip(series["columns"], point, strict=True)) | own)
    return out.getvalue()


def _errors(content: "PlotContent") -> dict[tuple[str, str], str]:
    """The likely error of a value by panel and axis, in words that say what it is relative to."""
    found: dict[tuple[str, str], str] = {}
    for panel in content["panels"]:
        for axis in panel["axes"]:
            found[panel["panel"], axis["axis"]] = axis["error"]
    return found
