"""JudgeChoice: which model judges, how often it is asked, at which temperature, and in whose words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from pincite_core.errors import BadInputError
from pincite_models.choice import ModelChoice
from pincite_scoring.judging.judge import Rubric
from pincite_scoring.judging.own_prompt import OwnPrompt, read_own_prompts
from pincite_tasks.plural import plural

KEY_VARIABLE = "PINCITE_JUDGE_API_KEY"
"""Read first, then the provider's own variable: the key of the agent's model goes to no other server."""
_SHOWN = len("sha256:") + 12
RULES = "rules"
"""Stands for no model: the deterministic judge."""


class JudgeChoice(BaseModel):
    """A model as judge. ``votes`` are asked of it for each question and the majority counts; ``temperature`` None is
    the model's own, for models that take no other."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: ModelChoice
    votes: int = Field(default=1, ge=1, le=99)
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    prompts: tuple[OwnPrompt, ...] = ()
    """Instructions of the user's own, in place of those of rubrics."""

    @classmethod
    def parse(
        cls, text: str, url: str = "", votes: int = 1, temperature: str = "", prompts: Sequence[str] = ()
    ) -> Self | None:
        """From the words of the command line; None for ``rules`` and for nothing.

        Several votes at temperature 0 would be one vote repeated: they are asked at 1, a single one at 0, unless
        ``temperature`` says otherwise (``own``: the model's). BadInputError for words that cannot be.
        """
        if text in ("", RULES):
            if url or votes != 1 or temperature or prompts:
                raise BadInputError("There is no model to judge.", next="Name one: --judge PROVIDER:NAME.")
            return None
        given: float | None = 0.0 if votes == 1 else 1.0
        if temperature:
            given = None if temperature == "own" else _number(temperature)
        own = read_own_prompts(prompts)
        try:
            model = ModelChoice.parse(text, url, "--judge-url")
            return cls(model=model, votes=votes, temperature=given, prompts=own)
        except ValueError as error:
            raise BadInputError(f"{text!r} cannot judge so.", seen=str(error)) from error

    @property
    def name(self) -> str:
        """As it stands in score.json."""
        warmth = "own temperature" if self.temperature is None else f"temperature {self.temperature:g}"
        own = "".join(f", own prompt for {prompt.rubric} {prompt.digest[:_SHOWN]}" for prompt in self.prompts)
        return f"{self.model.provider}:{self.model.name}, {warmth}, {plural(self.votes, 'vote')}{own}"

    def apply(self, rubric: Rubric) -> Rubric:
        """The rubric with the user's own instruction, where there is one for it."""
        own = next((prompt for prompt in self.prompts if prompt.replaces(rubric.name)), None)
        return rubric if own is None else replace(rubric, instruction=own.text)

    def check_key(self) -> None:
        """BadInputError where the provider itself is asked and there is no key for it."""
        self.model.check_key(KEY_VARIABLE)

    def key(self) -> str:
        """The key from the environment, empty where there is none."""
        return self.model.key(KEY_VARIABLE)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInputError(
            f"{text!r} is not a temperature.", next="Give a number from 0 to 2, or own for the model's."
        ) from None
