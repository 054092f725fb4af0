"""Quotes: the last check of the answer's evidence by the documents server, which also tells its offsets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crew.sources import Sources
from door import DoorError
from locators import Place as Located

from .records import Place

_BATCH = 100
"""Quotes that one call takes."""
_LONGEST = 4000
"""Characters of a quote that the tool takes."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A quote as the paper has it: whether it stands, its page, and its offsets where they are known."""

    stands: bool
    page: int
    start: int | None = None
    end: int | None = None


async def verify(sources: Sources, places: Iterable[Place]) -> dict[tuple[str, int, str], Verified]:
    """Each distinct quote by (paper, page, quote). Where the tool cannot be used, what the page's text said holds, and
    there are no offsets."""
    by_paper: dict[str, list[Place]] = {}
    for place in places:
        if place.quote and len(place.quote) <= _LONGEST:
            by_paper.setdefault(place.paper, []).append(place)
    found: dict[tuple[str, int, str], Verified] = {}
    for paper, held in by_paper.items():
        distinct = list({key(place): place for place in held}.values())
        for start in range(0, len(distinct), _BATCH):
            batch = distinct[start : start + _BATCH]
            for place, checked in zip(batch, await _checked(sources, paper, batch), strict=True):
                found[key(place)] = checked
    return found


def key(place: Place) -> tuple[str, int, str]:
    """What a quote is found by."""
    return place.paper, place.page, place.quote


async def _checked(sources: Sources, paper: str, places: Sequence[Place]) -> list[Verified]:
    quotes, pages = [place.quote for place in places], [place.page for place in places]
    try:
        answer = await sources.call("documents", "verify_quotes", paper=paper, quotes=quotes, pages=pages)
    except (TimeoutError, DoorError):
        return [Verified(place.stands is not False, place.page) for place in places]
    content: Mapping[str, Any] = answer.get("structuredContent") or {}
    by_number = {int(each["number"]): each for each in content.get("checked", [])}
    return [_verified(by_number.get(number, {}), place) for number, place in enumerate(places, start=1)]


def _verified(checked: Mapping[str, Any], place: Place) -> Verified:
    if not checked.get("stands"):
        return Verified(False, place.page)
    located = Located.read(str(checked.get("locator", "")))
    page = int(checked.get("page") or place.page)
    if located is None:
        return Verified(True, page)
    return Verified(True, page, located.start, located.end)
