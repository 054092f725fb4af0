"""Queue: what is to be labelled, in its order, in a folder of its own with the pages that its quotes stand on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_scoring.judging.judge import Item, Rubric
from pincite_scoring.judging.rubrics import KnownRubric
from pincite_tasks.files import digest_json, read_json, write_json
from pincite_tasks.task import describe_validation

QUEUE_FILE = "queue.json"
KEY_FILE = "key.json"
"""Beside a blind queue: which runs and trials its items are from, for the time after."""
LABELS = "labels"
"""The folder of the files of labels, one a person."""
MOST_ITEMS = 2000
"""Of one queue: more than one person labels in weeks."""
ID_DIGITS = 12
"""Hexadecimal digits of an item's id: 48 bits."""


class Place(BaseModel):
    """A page with the boxes of a quote's characters: in points, ``[x0, y0, x1, y1]``; ``note`` says why there are
    none. ``picture`` is its file in the queue's folder, "" where it could not be drawn."""

    model_config = ConfigDict(extra="forbid")

    paper: str
    page: int | None = None
    width: float = 0
    height: float = 0
    boxes: list[tuple[float, float, float, float]] = []
    picture: str = ""
    note: str = ""


class Earlier(BaseModel):
    """What somebody said of an item before, for the arbiter."""

    model_config = ConfigDict(extra="forbid")

    by: str
    labels: dict[str, str]
    note: str = ""


class QueueItem(BaseModel):
    """One subject as a rubric's judge reads it. ``facts`` are shown beside it, none where the queue is blind; ``why``
    says what makes it doubtful. ``origin`` is what its labels are for: family, task, record and its side."""

    model_config = ConfigDict(extra="forbid")

    id: str
    subject: dict[str, str] = Field(min_length=1)
    pictures: list[str] = []
    place: Place | None = None
    facts: dict[str, str] = {}
    why: list[str] = []
    origin: dict[str, Any] = {}
    earlier: list[Earlier] = []


class RubricItem(BaseModel):
    """An item of the rubric with its labels, from worst to best."""

    model_config = ConfigDict(extra="forbid")

    name: str
    labels: list[str] = Field(min_length=2)
    meaning: str


class LabelQueue(BaseModel):
    """queue.json. ``rubric`` is what ``judge calibrate --rubric`` takes."""

    model_config = ConfigDict(extra="forbid")

    form: Literal["pincite-label-queue/1"] = "pincite-label-queue/1"
    rubric: str
    instruction: str
    rubric_items: list[RubricItem] = Field(min_length=1)
    order: str
    blind: bool
    items: list[QueueItem] = Field(max_length=MOST_ITEMS)

    def item(self, name: str) -> QueueItem:
        """An item by its id; NotFoundError where there is none."""
        found = next((item for item in self.items if item.id == name), None)
        if found is None:
            raise NotFoundError("The queue has no such item.", seen=name[:40])
        return found

    def known(self) -> Rubric:
        """The rubric as judges know it."""
        items = tuple(Item(each.name, tuple(each.labels), each.meaning) for each in self.rubric_items)
        return Rubric(self.rubric, self.instruction, items)


def make_queue(name: str, known: KnownRubric, items: Sequence[QueueItem], order: str, *, blind: bool) -> LabelQueue:
    """A queue by the rubric that was named ``name``."""
    asked = [RubricItem(name=each.name, labels=list(each.labels), meaning=each.meaning) for each in known.rubric.items]
    return LabelQueue(
        rubric=name,
        instruction=known.rubric.instruction,
        rubric_items=asked,
        order=order,
        blind=blind,
        items=list(items),
    )


def id_of(subject: dict[str, str], *more: str) -> str:
    """The id of an item: the same for the same texts of the same task."""
    return digest_json([subject, *more]).removeprefix("sha256:")[:ID_DIGITS]


def write_queue(folder: Path, queue: LabelQueue) -> None:
    """Write queue.json."""
    write_json(folder / QUEUE_FILE, queue.model_dump(mode="json", exclude_defaults=True) | {"form": queue.form})


def read_queue(folder: Path) -> LabelQueue:
    """The queue in a folder; NotFoundError without one, BadInputError where it is none."""
    path = folder / QUEUE_FILE
    if not path.is_file():
        raise NotFoundError(f"There is no queue in {folder}.", next="Make one: pincite label make RUN… --out DIR.")
    try:
        return LabelQueue.model_validate(read_json(path))
    except ValidationError as error:
        raise BadInputError(f"{path} is not a queue of labels.", seen=describe_validation(error)) from error
