"""pincite grep: where a text or a pattern stands in papers, each place with its locator."""

import json
from collections.abc import Mapping
from typing import Annotated

import typer

from pincite_harness.cli.papers import AsJson, Reading, Sources


def command(
    pattern: Annotated[str, typer.Argument(metavar="TEXT", help="Text to find, or an RE2 expression with --regex.")],
    papers: Sources,
    regex: Annotated[bool, typer.Option("--regex", "-e", help="TEXT is an RE2 expression.")] = False,
    case_sensitive: Annotated[bool, typer.Option("--case-sensitive", "-s")] = False,
    whole_word: Annotated[bool, typer.Option("--whole-word", "-w")] = False,
    as_json: AsJson = False,
) -> None:
    """Find every place where a text stands, to the character. Differences of print are forgiven (dashes, spaces; Tc
    finds T_c).

    A line is PAPER, page, locator, section and the words, parted by tabs. It ends with 0 where something was found, 1
    where nothing was, 2 where a paper could not be read.
    """
    reading = Reading(papers)
    count = 0
    for source, paper in reading.papers():
        look = paper.grep if regex else paper.find
        for hit in look(pattern, case_sensitive=case_sensitive, whole_word=whole_word):
            count += 1
            fields = {
                "paper": source,
                "page": hit.page,
                "locator": str(hit.locator),
                "section": hit.section,
                "text": hit.marked,
                "unreliable": hit.unreliable,
            }
            typer.echo(json.dumps(fields, ensure_ascii=False) if as_json else _line(fields))
    reading.end(found=bool(count))


def _line(fields: Mapping[str, object]) -> str:
    shown = ["" if value is None else " ".join(str(value).split()) for value in fields.values()]
    doubtful = shown.pop()
    return "\t".join([*shown, f"(unreliable: {doubtful})"] if doubtful else shown)
