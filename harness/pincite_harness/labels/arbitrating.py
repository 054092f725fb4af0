"""Arbitrating: a queue of what two people differ on, with the pages and pictures that it shows."""

import shutil
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_harness.labels.comparing import Two
from pincite_harness.labels.queue import Earlier, LabelQueue, QueueItem, write_queue
from pincite_scoring.judging.labelled import Line


def write_arbitration(folder: Path, queue: LabelQueue, two: Two, target: Path) -> int:
    """Write the queue for an arbiter into a new folder, with what each person said, by numbers in place of names; how
    many items it has."""
    if target.exists() and any(target.iterdir()):
        raise BadInputError(f"{target} is there and not empty.", next="Name a new folder.")
    items = [_item(queue.item(name), two) for name in two.differing]
    for item in items:
        shown = [*item.pictures, item.place.picture if item.place is not None else ""]
        for name in filter(None, shown):
            place = target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, place)
    order = "what two people differ on"
    write_queue(target, queue.model_copy(update={"items": items, "order": order, "blind": True}))
    return len(items)


def _item(item: QueueItem, two: Two) -> QueueItem:
    said = [_earlier(f"person {at}", each[item.id]) for at, each in enumerate((two.first, two.second), 1)]
    return item.model_copy(update={"earlier": said, "facts": {}, "why": []})


def _earlier(by: str, line: Line) -> Earlier:
    return Earlier(by=by, labels={name: str(label) for name, label in line.labels.items()}, note=line.note)
