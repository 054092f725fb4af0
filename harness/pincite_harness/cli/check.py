"""pincite check: whether a paper bears a claim out."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_harness.cli.papers import EXIT_NOTHING, AsJson, Source, one_paper

if TYPE_CHECKING:
    from pincite.checks import StatedValue

_EXIT_UNSURE = 3
"""Neither that it holds nor that it fails."""


def command(
    paper: Source,
    claim: Annotated[
        str, typer.Argument(metavar="CLAIM", help="The paper's words that bear it out, or a statement in your own.")
    ],
    value: Annotated[str, typer.Option(help="The value, as printed or converted, with its uncertainty.")] = "",
    unit: Annotated[str, typer.Option(help="The unit of the value.")] = "",
    material: Annotated[str, typer.Option(help="What the value is of.")] = "",
    quantity: Annotated[str, typer.Option("--property", help="What the value is.")] = "",
    place: Annotated[str, typer.Option("--at", metavar="LOCATOR", help="The locator that is given for it.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check a claim against its paper by rules, without a model: do the words stand there, is the value with its unit
    in them, and is it given for this material and property.

    It says holds, unsure or fails, and why for each question. A statement in your own words, without options, is at
    best unsure: each of its numbers is looked up. It ends with 0 where the claim holds, 1 where it fails, 3 where the
    paper does not let one tell, 2 where the paper could not be read.
    """
    is_plain = not any((value, unit, material, quantity, place))
    with one_paper(paper) as opened:
        if is_plain and not opened.verify_quote(claim).stands:
            _show_values(paper, opened.find_values(claim), as_json=as_json)
            raise typer.Exit(_EXIT_UNSURE)
        made = opened.check_claim(claim, value=value, unit=unit, material=material, quantity=quantity, place=place)
    if as_json:
        checks = [{"name": one.name, "verdict": one.verdict, "reason": one.reason} for one in made.checks]
        fields = {"paper": paper, "verdict": made.verdict, "locator": made.locator or None, "checks": checks}
        typer.echo(json.dumps(fields, ensure_ascii=False))
    else:
        typer.echo("\t".join(part for part in (made.verdict, made.locator) if part))
        for one in made.checks:
            typer.echo(f"{one.name}\t{one.verdict}\t{one.reason}")
    if made.verdict != "holds":
        raise typer.Exit(EXIT_NOTHING if made.verdict == "fails" else _EXIT_UNSURE)


def _show_values(paper: str, values: "list[StatedValue]", *, as_json: bool) -> None:
    """What the paper has of a statement that is not a quote of it."""
    if as_json:
        rows = [
            {"words": one.words, "verdict": one.verdict, "reason": one.reason, "locator": one.locator or None,
             "paper_says": one.paper_says}
            for one in values
        ]  # fmt: skip
        typer.echo(json.dumps({"paper": paper, "verdict": "unsure", "values": rows}, ensure_ascii=False))
        return
    typer.echo("unsure\tthese words do not stand in the paper; read what stands there instead")
    for one in values:
        typer.echo(
            "\t".join(part for part in (one.words, one.verdict, one.reason, one.locator, one.paper_says) if part)
        )
