"""Labelled answers: subjects with the labels that people, or another model, gave them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pincite_core.errors import BadInputError, NotFoundError
from pincite_scoring.judging.judge import Rubric
from pincite_scoring.judging.reply import label_of
from pincite_scoring.judging.rubrics import KnownRubric
from pincite_tasks.task import describe_validation

_NEXT = 'Give {"subject": {name: text}, "labels": {item: label}}, and "pictures", "by" and "id" if you like.'


@dataclass(frozen=True, slots=True)
class Labelled:
    """``labels`` may leave items out; ``by`` is who gave them and ``name`` the answer's own, empty where nobody says;
    ``place`` is its file and line."""

    subject: Mapping[str, str]
    labels: Mapping[str, str]
    pictures: Mapping[str, Path]
    by: str
    name: str
    place: str


class Line(BaseModel):
    """A labelled answer as it stands in a file; ``pictures`` are paths from the file's folder on.

    A person may flag it, say more in ``note`` and write what would be right in ``corrections``; with either it needs no
    label. ``origin`` says what it was taken from, ``at`` when it was labelled (ISO 8601 in UTC).
    """

    model_config = ConfigDict(extra="forbid")

    id: str = ""
    by: str = ""
    at: str = ""
    subject: dict[str, str] = Field(min_length=1)
    pictures: list[str] = []
    labels: dict[str, Any] = {}
    flagged: bool = False
    note: str = ""
    corrections: dict[str, str] = {}
    origin: dict[str, Any] = {}

    @model_validator(mode="after")
    def _says_something(self) -> "Line":
        if not (self.labels or self.flagged or self.note):
            raise ValueError("it has no label")
        return self


def read_labelled(path: Path, known: KnownRubric) -> list[Labelled]:
    """One JSON object a line: ``{"subject": {name: text}, "labels": {item: label}, "pictures"?, "by"?, "id"?}``; those
    that were flagged without a label are passed over.

    NotFoundError without the file or a picture; BadInputError, with the line, for what is not such an object, texts
    that are not those of the rubric, or a label that it does not have.
    """
    found = [_labelled(line, path.parent, place, known) for place, line in read_lines(path) if line.labels]
    if not found:
        raise BadInputError(f"{path} does not contain a labelled answer.", next="Write one JSON object a line.")
    return found


def read_lines(path: Path) -> Iterator[tuple[str, Line]]:
    """The lines of such a file as they stand there, each with its place; errors as of ``read_labelled``."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read.", seen=str(error.strerror), next="Check the path.") from error
    for number, text in enumerate(lines, start=1):
        place = f"{path}:{number}"
        if not text.strip():
            continue
        try:
            yield place, Line.model_validate(orjson.loads(text))
        except orjson.JSONDecodeError as error:
            raise BadInputError(f"{place} is not JSON.", seen=str(error)) from error
        except ValidationError as error:
            seen = describe_validation(error)
            raise BadInputError(f"{place} is not a labelled answer.", seen=seen, next=_NEXT) from error


def _labelled(line: Line, folder: Path, place: str, known: KnownRubric) -> Labelled:
    if fault := known.fault(line.subject):
        raise BadInputError(
            f"{place}: the subject does not fit the rubric {known.rubric.name}.",
            seen=fault,
            next=f"Give these texts (? marks what may be left out): {', '.join(known.texts)}.",
        )
    labels = _labels(line.labels, place, known.rubric)
    pictures = _pictures(line.pictures, folder, place)
    return Labelled(known.ordered(line.subject), labels, pictures, line.by, line.id, place)


def _pictures(names: list[str], folder: Path, place: str) -> dict[str, Path]:
    """The files by their last names, as a scorer gives them."""
    pictures = {Path(name).name: folder / name for name in names}
    if len(pictures) < len(names):
        raise BadInputError(f"{place}: two pictures have one name.", seen=", ".join(names), next="Rename one of them.")
    for picture in pictures.values():
        if not picture.is_file():
            raise NotFoundError(
                f"{place}: there is no picture {picture}.", next="Give its path from the file's folder on."
            )
    return pictures


def _labels(given: Mapping[str, Any], place: str, rubric: Rubric) -> dict[str, str]:
    items = {item.name: item for item in rubric.items}
    labels: dict[str, str] = {}
    for name, value in given.items():
        label = label_of(items[name], value) if name in items else None
        if label is None:
            raise BadInputError(
                f"{place}: the rubric {rubric.name} has no label {value!r} for {name!r}.",
                seen="; ".join(f"{item.name}: {', '.join(item.labels)}" for item in rubric.items),
                next="Name an item of the rubric and one of its labels.",
            )
        labels[name] = label
    return labels
