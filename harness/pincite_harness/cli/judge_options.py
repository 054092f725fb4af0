"""The options that name a model as judge, the same for every command that scores."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pincite_scoring.judging.choice import JudgeChoice


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """The judge."""

    judge: Annotated[
        str,
        typer.Option(
            metavar="PROVIDER:NAME", help="A model that judges what no rule computes; rules for none, the default."
        ),
    ] = ""
    judge_url: Annotated[
        str, typer.Option(metavar="URL", help="Where the judge's API is, if not at its provider's own address.")
    ] = ""
    judge_votes: Annotated[
        int, typer.Option(min=1, help="Answers of the judge to each question; the majority counts.")
    ] = 1
    judge_temperature: Annotated[
        str, typer.Option(metavar="NUMBER|own", help="0 for one vote and 1 for several by default; own is the model's.")
    ] = ""
    judge_prompt: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUBRIC=FILE",
            help="A file with the instruction of a rubric, in place of pincite's; pincite judge rubrics lists them.",
        ),
    ] = None

    def choice(self) -> "JudgeChoice | None":
        """The judge that is named, None for the rules; BadInputError for what cannot be a judge."""
        from pincite_scoring.judging.choice import JudgeChoice

        prompts = self.judge_prompt or ()
        return JudgeChoice.parse(self.judge, self.judge_url, self.judge_votes, self.judge_temperature, prompts)
