"""pincite read: the text of papers, on the terminal or into files."""

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_core.errors import BadInputError
from pincite_harness.cli.outbox import Outbox, fill
from pincite_harness.cli.papers import AsJson, Named, Reading, Sources

if TYPE_CHECKING:
    from pincite import Paper


class TextFormat(StrEnum):
    """What the text is written as."""

    MARKDOWN = "markdown"
    TEXT = "text"
    JSON = "json"
    HTML = "html"


_SUFFIXES = {TextFormat.MARKDOWN: "md", TextFormat.TEXT: "txt", TextFormat.JSON: "json", TextFormat.HTML: "html"}


def command(
    papers: Sources,
    to: Annotated[TextFormat, typer.Option("--to", help="What the text is written as.")] = TextFormat.MARKDOWN,
    pages: Annotated[str, typer.Option(metavar="PAGES", help="Only these pages: 3, 1-3 or 1,4-6.")] = "",
    section: Annotated[str, typer.Option(metavar="NAME", help="Only this section: its number, title or locator.")] = "",
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write a file a paper here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read papers: markdown has each block behind its [locator], as the tools give it; text has the words alone; json
    has blocks, cells and figures with their locators; html has locators as ids.

    ⁅⁆ stand around characters that are read unreliably. With --out, what is there already of the same bytes is not
    made again. It ends with 0, or with 2 where a paper could not be read.
    """
    form = TextFormat.JSON if as_json else to
    if pages.strip() and section.strip():
        raise BadInputError("Pages and a section were asked for at once.", next="Give one of the two.")
    reading = Reading(papers, quiet=out is not None)
    if out is not None:
        _into(Outbox(out, f"read {form} pages={pages} section={section}"), reading, form, pages, section)
        return
    if form is TextFormat.HTML and len(reading.sources) > 1:
        raise BadInputError("Several papers make several pages of HTML.", next="Give a folder for them: --out DIR")
    for source, text in reading.each(lambda source, paper: text_of(source.name, paper, form, pages, section)):
        if len(reading.sources) > 1 and form is not TextFormat.JSON:
            typer.echo(f"==> {source.name} <==")
        typer.echo(text, nl=not text.endswith("\n"))
    reading.end()


def _into(outbox: Outbox, reading: Reading, form: TextFormat, pages: str, section: str) -> None:
    def make(source: Named, paper: "Paper") -> Sequence[dict[str, Any]]:
        text = text_of(source.name, paper, form, pages, section)
        content = text if text.endswith("\n") else text + "\n"
        return [{"file": outbox.write(f"{source.stem}.{_SUFFIXES[form]}", content.encode()), "pages": len(paper.pages)}]

    fill(outbox, reading, make)


def text_of(name: str, paper: "Paper", form: TextFormat, pages: str, section: str) -> str:
    """The text of a paper that was opened by ``name``, or of its pages or a section, in a format."""
    if form is TextFormat.JSON:
        return json.dumps({"paper": name} | paper.to_dict(pages, section), ensure_ascii=False)
    if form is TextFormat.HTML:
        return paper.to_html(pages, section)
    if form is TextFormat.TEXT:
        return "\n\n".join(block.marked for block in paper.blocks(pages, section))
    return paper.read(pages, section)
