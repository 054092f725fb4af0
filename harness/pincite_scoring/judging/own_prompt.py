"""OwnPrompt: the words of a rubric's instruction from a user's file, such as a published judge's."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from pincite_core.errors import BadInputError, NotFoundError
from pincite_scoring.judging.rubrics import rubric_names
from pincite_tasks.files import decode_text, digest_bytes

MAX_BYTES = 100_000
"""Bytes of a prompt; the longest published one that we know has some 5,000."""


class OwnPrompt(BaseModel):
    """What stands in place of the instruction of ``rubric``; its items and their labels stay, so that what a judge
    answers can be read. ``digest`` is of the file's bytes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rubric: str
    text: str = Field(min_length=1)
    digest: str

    def replaces(self, name: str) -> bool:
        """Whether a rubric of that name, such as ``literature_qa/1``, gets this prompt."""
        bare, _, version = name.rpartition("/")
        bare = bare if version.isdigit() else name
        return bare == self.rubric or bare.rpartition("-")[0] == self.rubric


def read_own_prompts(given: Sequence[str]) -> tuple[OwnPrompt, ...]:
    """The prompts of ``RUBRIC=FILE``; NotFoundError for a rubric that there is not, with the names of those there are,
    and for a file that cannot be read; BadInputError for an empty or a too long one, and for a rubric named twice."""
    prompts = tuple(_read(words) for words in given)
    names = [prompt.rubric for prompt in prompts]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInputError("Two prompts are given for one rubric.", seen=", ".join(twice), next="Leave one out.")
    return prompts


def promptable() -> list[str]:
    """The rubrics that a prompt may be given for: those that can be named, and those whose items follow from a task."""
    return sorted([*rubric_names(), *_OF_A_TASK])


_OF_A_TASK = ("table_construction/columns", "table_construction/rows")


def _read(words: str) -> OwnPrompt:
    rubric, _, name = words.partition("=")
    if not name:
        raise BadInputError(f"--judge-prompt {words!r} names no file.", next="Give RUBRIC=FILE.")
    if rubric not in promptable():
        raise NotFoundError(
            f"There is no rubric {rubric!r}.",
            seen=f"known rubrics: {', '.join(promptable())}",
            next="Name one of them: pincite judge rubrics shows what each judges.",
        )
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise NotFoundError(f"{name} cannot be read.", seen=str(error.strerror), next="Check the path.") from error
    if len(data) > MAX_BYTES:
        raise BadInputError(f"{name} is too long for a prompt.", seen=f"{len(data):,} bytes, at most {MAX_BYTES:,}")
    try:
        text = decode_text(data).strip()
    except ValueError as error:
        raise BadInputError(f"{name} is not text.", seen=str(error), next="Save it as UTF-8.") from error
    if not text:
        raise BadInputError(f"{name} is empty.", next="Write the instruction of the rubric into it.")
    return OwnPrompt(rubric=rubric, text=text, digest=digest_bytes(data))
