"""The options that name a model as judge, the same for every command that scores."""

from typing import Annotated

import typer

Judge = Annotated[
    str,
    typer.Option(
        metavar="PROVIDER:NAME", help="A model that judges what no rule computes; rules for none, the default."
    ),
]
JudgeUrl = Annotated[
    str, typer.Option(metavar="URL", help="Where the judge's API is, if not at its provider's own address.")
]
JudgeVotes = Annotated[int, typer.Option(min=1, help="Answers of the judge to each question; the majority counts.")]
JudgeTemperature = Annotated[
    str, typer.Option(metavar="NUMBER|own", help="0 for one vote and 1 for several by default; own is the model's.")
]
JudgePrompt = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RUBRIC=FILE",
        help="A file with the instruction of a rubric, in place of pincite's; pincite judge rubrics lists them.",
    ),
]
