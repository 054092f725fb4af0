"""Mark: a highlight on one page of a PDF, as it is sent to the process that draws it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Mark:
    """``boxes`` (x0, y0, x1, y1), one a line, are points of the page as it is shown, origin top left."""

    page: int
    """From 1."""
    boxes: tuple[tuple[float, float, float, float], ...]
    color: tuple[float, float, float]
    """Red, green and blue from 0 to 1; print stays legible under a light one."""
    name: str
    """Unique on the page."""
    author: str
    text: str
    date: str
    """As PDF writes dates: ``D:20260102030405Z``."""

    def sent(self) -> dict[str, Any]:
        """As it goes to a worker."""
        return asdict(self)

    @classmethod
    def received(cls, sent: Mapping[str, Any]) -> Self:
        """As it comes there."""
        fields: dict[str, Any] = dict(sent)
        fields["boxes"] = tuple(tuple(box) for box in sent["boxes"])
        fields["color"] = tuple(sent["color"])
        return cls(**fields)
