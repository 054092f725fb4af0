"""What a page of labelling is given: the queue without what it is from, and what was said so far."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.desk.pictures import inline_address
from pincite_harness.labels.queue import LabelQueue, QueueItem

_MOST_INLINE = 60_000_000
"""Bytes of the pictures of one self-contained page: a browser still opens it at once."""


def page_data(
    queue: LabelQueue, by: str, given: Mapping[str, Any], save: str, address: Callable[[str], str]
) -> dict[str, Any]:
    """The data of the page. ``save`` is where labels are sent, "" to keep them in the browser until they are
    downloaded; ``address`` gives a picture's address by its path in the queue's folder."""
    items = [_item(item, address) for item in queue.items]
    rubric = [each.model_dump() for each in queue.rubric_items]
    about = {"rubric": queue.rubric, "instruction": queue.instruction, "order": queue.order, "blind": queue.blind}
    return {**about, "by": by, "save": save, "items": items, "asked": rubric, "given": given}


def as_script(data: Mapping[str, Any]) -> str:
    """JSON that can stand inside a script element: no text in it can end the element."""
    text = orjson.dumps(data).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _item(item: QueueItem, address: Callable[[str], str]) -> dict[str, Any]:
    place = item.place.model_dump() if item.place is not None else None
    if place is not None and place["picture"]:
        place["picture"] = address(place["picture"])
    return {
        "id": item.id,
        "subject": [[name, text] for name, text in item.subject.items()],
        "pictures": [{"name": Path(name).name, "address": address(name)} for name in item.pictures],
        "place": place,
        "facts": [[name, text] for name, text in item.facts.items()],
        "why": item.why,
        "earlier": [each.model_dump() for each in item.earlier],
    }


class Inline:
    """Addresses that hold the pictures themselves, as long as there is room."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bytes = 0
        self.left_out = 0
        self._kept: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self._kept:
            self._kept[name] = self._read(name)
        return self._kept[name]

    def _read(self, name: str) -> str:
        data = (self._folder / name).read_bytes()
        address = inline_address(name, data) if self._bytes + len(data) <= _MOST_INLINE else ""
        if address:
            self._bytes += len(data)
        else:
            self.left_out += 1
        return address
