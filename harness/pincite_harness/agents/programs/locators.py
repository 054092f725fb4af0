"""Locators as tools print them (``pc:3f9a0c1d#p4:10-20``), where a model copies one into its answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LOCATOR = re.compile(r"pc:[0-9a-f]{8}#(?:p(?P<page>[1-9][0-9]*):)?(?P<start>[0-9]+)-(?P<end>[0-9]+)")
_BEFORE = re.compile(rf"\s*\[(?P<locator>{LOCATOR.pattern})\]\s*(?P<rest>\S.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """What a locator says: its page, None where the source has none, and its offsets."""

    page: int | None
    start: int
    end: int

    @classmethod
    def read(cls, text: str) -> "Place | None":
        """The place of a text that is a locator, in brackets or bare; None for any other."""
        found = LOCATOR.fullmatch(text.strip().removeprefix("[").removesuffix("]"))
        return _place(found) if found is not None else None

    def fields(self) -> Iterator[tuple[str, int]]:
        """The names and values of the fields that a record may have for it."""
        if self.page is not None:
            yield "page", self.page
        yield "start", self.start
        yield "end", self.end


def split_quote(text: str) -> tuple[Place | None, str | None]:
    """A quote that was copied with its ``[locator]`` before it, taken apart; None twice for any other, such as several
    passages each with its own."""
    found = _BEFORE.fullmatch(text)
    if found is None or LOCATOR.search(found["rest"]):
        return None, None
    return _place(found), found["rest"].rstrip()


def _place(found: re.Match[str]) -> Place:
    page = found["page"]
    return Place(int(page) if page else None, int(found["start"]), int(found["end"]))
