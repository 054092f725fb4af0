"""pincite cite: whether a quote stands in a paper, and its locator."""

import json
from collections.abc import Mapping
from typing import Annotated

import typer

from pincite_harness.cli.papers import EXIT_NOTHING, AsJson, Source, one_paper


def command(
    paper: Source,
    quote: Annotated[str, typer.Argument(metavar="QUOTE", help="The words as the paper prints them.")],
    page: Annotated[int | None, typer.Option(min=1, help="The page where it should stand, from 1.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a quote stands in a paper, and give the locator to cite it by.

    It ends with 0 where the quote stands (on the page, if one is given), 1 where it does not (what the
    paper says instead is shown), 2 where the paper could not be read.
    """
    with one_paper(paper) as opened:
        check = opened.verify_quote(quote, page)
    fields = {
        "paper": paper,
        "stands": bool(check),
        "standing": check.standing,
        "wrong_page": check.wrong_page,
        "locator": str(check.locator) if check.locator is not None else None,
        "page": check.locator.page if check.locator is not None else None,
        "overlooked": list(check.overlooked),
        "paper_says": check.paper_says,
        "unreliable": check.unreliable,
    }
    typer.echo(json.dumps(fields, ensure_ascii=False) if as_json else _told(fields, check.wrong_page))
    if not check:
        raise typer.Exit(EXIT_NOTHING)


def _told(fields: Mapping[str, object], wrong_page: bool) -> str:
    parts = [str(fields["standing"])]
    if fields["locator"]:
        parts.append(str(fields["locator"]))
    if wrong_page:
        parts.append(f"(on page {fields['page']}, not the one that was asked)")
    lines = ["\t".join(parts)]
    if fields["paper_says"]:
        lines.append(f"The paper says: {fields['paper_says']}")
    if fields["unreliable"]:
        lines.append(f"Unreliable characters: {fields['unreliable']}")
    return "\n".join(lines)
