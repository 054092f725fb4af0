"""pincite figures: the figures of papers, listed, or drawn as PNG files with their captions in an index."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_core.errors import NotFoundError
from pincite_harness.cli.outbox import Outbox, fill
from pincite_harness.cli.papers import AsJson, Named, Reading, Sources

if TYPE_CHECKING:
    from pincite import Figure, Paper


def command(
    papers: Sources,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Draw each figure as PNG here.")
    ] = None,
    side: Annotated[int, typer.Option(min=100, max=8000, help="Pixels of the longer side.")] = 1600,
    as_json: AsJson = False,
) -> None:
    """List the figures of papers with page, locator and caption; with --out draw each as a PNG file, and keep captions
    and locators in index.jsonl there.

    A figure that cannot be drawn is in the index with the reason. What is there already of the same bytes is not made
    again. It ends with 0 where there is a figure, 1 where there is none, 2 where a paper could not be read.
    """
    reading = Reading(papers, quiet=out is not None)
    if out is not None:
        _into(Outbox(out, f"figures {side}"), reading, side)
        return
    count = 0
    for source, paper in reading.papers():
        for figure in paper.figures:
            count += 1
            fields = {"paper": source} | described(figure)
            typer.echo(json.dumps(fields, ensure_ascii=False) if as_json else _line(fields))
    reading.end(found=bool(count))


def _into(outbox: Outbox, reading: Reading, side: int) -> None:
    def make(source: Named, paper: "Paper") -> Sequence[dict[str, Any]]:
        return [
            _drawn(outbox, f"{source.stem}.figure{number}.png", figure, side)
            for number, figure in enumerate(paper.figures, 1)
        ]

    fill(outbox, reading, make)


def _drawn(outbox: Outbox, name: str, figure: "Figure", side: int) -> dict[str, Any]:
    """The entry of a figure in the index, its picture written; without a file where the source has no drawing."""
    try:
        picture = figure.crop(max_side=side)
    except NotFoundError as error:
        return {"file": None, "why": str(error)} | described(figure)
    content = io.BytesIO()
    picture.save(content, "PNG")
    return {"file": outbox.write(name, content.getvalue())} | described(figure)


def described(figure: "Figure") -> dict[str, Any]:
    """What is known of a figure but its picture."""
    box = figure.box
    return {
        "figure": figure.name,
        "page": figure.page,
        "locator": str(figure.locator) if figure.locator is not None else None,
        "points": [round(edge, 1) for edge in (box.x0, box.y0, box.x1, box.y1)] if box is not None else None,
        "panels": list(figure.panels),
        "caption": figure.marked_caption,
    }


def _line(fields: dict[str, Any]) -> str:
    shown = (fields["paper"], fields["figure"], fields["page"], fields["locator"], fields["caption"])
    return "\t".join("" if value is None else " ".join(str(value).split()) for value in shown)
