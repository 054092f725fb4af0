"""Locator: where a passage stands in a paper, short enough for a model to copy."""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pincite_core.errors import BadInputError

_SHORT = re.compile(r"^pc:(?P<id>[0-9a-f]{8})#(?:p(?P<page>[1-9]\d*):)?(?P<start>\d+)-(?P<end>\d+)$")
PAPER_NAME = re.compile(r"(?P<prefix>sha256:|pc:)?(?P<digest>[0-9a-f]{8,64})(?:#.*)?", re.DOTALL)
"""A text that names a paper by 8 digits of its id or more, with or without a place in it; to be matched in full."""

PAPER_IN_CLAIM = re.compile(r"\s*pc:(?P<digits>[0-9a-f]{8})")
"""The paper that a text begins by naming, whatever follows."""

WITHIN_TEXT = re.compile(r"pc:[0-9a-f]{8}(?:#(?:p\d+:)?\d+-\d+)?")
"""A locator, or the name of a paper, among other words."""

_ALGORITHM = "sha256:"
_DIGITS = 8
"""Hexadecimal digits of a paper's id that a locator shows: 32 bits, so that 9,000 papers collide with odds of 1 %."""
_CONTEXT_CHARACTERS = 32
"""Characters before and after a quote in a W3C TextQuoteSelector; Hypothesis keeps as many."""


class Box(BaseModel):
    """A rectangle on a page: points, origin top left, ``x0 <= x1`` and ``y0 <= y1``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    x0: float
    y0: float
    x1: float
    y1: float


class ShortLocator(BaseModel):
    """The parsed short form: the paper's first 8 hexadecimal digits, page (None where there is none) and offsets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper_prefix: str = Field(pattern=r"^[0-9a-f]{8}$")
    page: int | None = Field(ge=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)

    def __str__(self) -> str:
        return short_form(self.paper_prefix, self.page, self.start, self.end)


class Locator(BaseModel):
    """Where a passage stands: page from 1, offsets in code points of the canonical text, end exclusive.

    A source without pages (JATS, LaTeX, HTML) has locators without page and bbox.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper_id: str = Field(pattern=r"^sha256:[0-9a-f]{64}$")
    page: int | None = Field(ge=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    quote: str
    doi: str | None = None
    bbox: Box | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "Locator":
        if self.end < self.start:
            raise ValueError(f"end {self.end} is before start {self.start}")
        return self

    def short(self) -> str:
        """The short form ``pc:<8 hex>#p<page>:<start>-<end>``, without ``p<page>:`` where there is no page."""
        return short_form(digits_of(self.paper_id), self.page, self.start, self.end)

    def __str__(self) -> str:
        return self.short()

    def to_web_annotation(self, *, prefix: str = "", suffix: str = "", source: str | None = None) -> dict[str, Any]:
        """The W3C Web Annotation target (Data Model, section 4): TextQuote, TextPosition and, of a page, Fragment.

        ``prefix`` and ``suffix`` are the canonical text around the passage, cut to 32 characters;
        ``source`` overrides the target's address (the DOI where known, else the paper id as a URN).
        """
        quote: dict[str, Any] = {"type": "TextQuoteSelector", "exact": self.quote}
        if prefix:
            quote["prefix"] = prefix[-_CONTEXT_CHARACTERS:]
        if suffix:
            quote["suffix"] = suffix[:_CONTEXT_CHARACTERS]
        address = source or (f"https://doi.org/{self.doi}" if self.doi else f"urn:{self.paper_id}")
        selectors = [quote, {"type": "TextPositionSelector", "start": self.start, "end": self.end}]
        if self.page is not None:
            selectors.append(self._fragment(self.page))
        return {
            "@context": "http://www.w3.org/ns/anno.jsonld",
            "type": "Annotation",
            "target": {"source": address, "selector": selectors},
        }

    def _fragment(self, page: int) -> dict[str, Any]:
        value = f"page={page}"
        if self.bbox is not None:
            b = self.bbox
            value += f"&xywh={b.x0:.2f},{b.y0:.2f},{b.x1 - b.x0:.2f},{b.y1 - b.y0:.2f}"
        return {"type": "FragmentSelector", "conformsTo": "http://tools.ietf.org/rfc/rfc3778", "value": value}


def short_form(digits: str, page: int | None, start: int, end: int) -> str:
    """``pc:<8 hex>#p<page>:<start>-<end>``, without ``p<page>:`` where there is no page."""
    return f"pc:{digits}#{f'p{page}:' if page is not None else ''}{start}-{end}"


def digest_of(paper_id: str) -> str:
    """The digest of a paper's bytes in its id (``sha256:<64 hex>``)."""
    return paper_id.removeprefix(_ALGORITHM)


def digits_of(paper_id: str) -> str:
    """The eight digits that name a paper in its locators and in calls."""
    return paper_id[len(_ALGORITHM) : len(_ALGORITHM) + _DIGITS]


def paper_name(name: str) -> str:
    """The name of a paper as tools take it: ``pc:`` before bare digits."""
    return name if name.startswith((_ALGORITHM, "pc:")) else f"pc:{name}"


def parse_locator(short: str) -> ShortLocator:
    """Parse ``pc:<8 hex>#p<page>:<start>-<end>``, page optional; anything else is a BadInputError."""
    match = _SHORT.match(short.strip())
    if match is None:
        raise BadInputError(
            f"{short!r} is not a locator.",
            next="Copy a locator as a tool returned it, such as pc:3f9a0c1d#p4:1021-1088.",
        )
    start, end = int(match["start"]), int(match["end"])
    if end < start:
        raise BadInputError(f"{short!r} ends before it starts.", next="Copy the locator as a tool returned it.")
    return ShortLocator(
        paper_prefix=match["id"], page=int(match["page"]) if match["page"] else None, start=start, end=end
    )
