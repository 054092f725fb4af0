"""Decisions: what a model may answer in a round, read from its reply."""

import re
from dataclasses import dataclass
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError
from pincite_figures.views import Box, read_box

_FENCED = re.compile(r"```(?:json)?\s*(\{.*\})\s*```", re.DOTALL)
_MOST_TEXT = 4000
"""Characters of an answer and of its evidence."""
_MOST_REASON = 1000
"""Characters of a reason and of a zoom's target."""


@dataclass(frozen=True, slots=True)
class FigureAnswer:
    """An answer with what in the picture shows it, and how sure the model is (0 to 1)."""

    answer: str
    evidence: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Zoom:
    """A request to see a box (fractions) of a view, numbered from 1, and what is looked for there."""

    box: Box
    view: int
    target: str
    reason: str


@dataclass(frozen=True, slots=True)
class WrongFigure:
    """The figure cannot answer the question."""

    reason: str


Decision = FigureAnswer | Zoom | WrongFigure


class MalformedReplyError(Exception):
    """A reply that is not a decision; its text says what is wrong, so that the model can correct it."""


def read_decision(reply: str, *, views: int, may_zoom: bool, may_abstain: bool = True) -> Decision:
    """The decision in a reply, a JSON object that may stand in a fence or among words."""
    values = _object(reply)
    action = values.get("action")
    reason = _text(values, "reason", _MOST_REASON)
    if action == "answer":
        answer = _text(values, "answer", _MOST_TEXT)
        if not answer:
            raise MalformedReplyError('"answer" is missing or empty')
        return FigureAnswer(answer, _text(values, "evidence", _MOST_TEXT), _confidence(values), reason)
    if action == "wrong_figure":
        if not may_abstain:
            raise MalformedReplyError('"wrong_figure" is not a choice here: choose "answer"')
        if not reason:
            raise MalformedReplyError('"reason" is missing or empty')
        return WrongFigure(reason)
    if action == "zoom":
        if not may_zoom:
            left = '"answer" or "wrong_figure"' if may_abstain else '"answer"'
            raise MalformedReplyError(f'"zoom" is not a choice in this round: choose {left}')
        return Zoom(_box(values), _view(values, views), _text(values, "target", _MOST_REASON), reason)
    raise MalformedReplyError(f'"action" must be "answer", "zoom" or "wrong_figure", and was {str(action)[:40]!r}')


def _object(reply: str) -> dict[str, Any]:
    fenced = _FENCED.search(reply)
    start, end = reply.find("{"), reply.rfind("}")
    text = fenced[1] if fenced is not None else reply[start : end + 1] if 0 <= start < end else ""
    if not text:
        raise MalformedReplyError("there is no JSON object in it")
    try:
        values = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise MalformedReplyError(f"its JSON is broken: {error}") from error
    if not isinstance(values, dict):
        raise MalformedReplyError("its JSON is not an object")
    return cast("dict[str, Any]", values)


def _text(values: dict[str, Any], name: str, most: int) -> str:
    value = values.get(name, "")
    return " ".join(str(value).split())[:most] if isinstance(value, str | int | float) else ""


def _confidence(values: dict[str, Any]) -> float:
    value = values.get("confidence")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise MalformedReplyError('"confidence" must be a number from 0 to 1')
    return float(value)


def _box(values: dict[str, Any]) -> Box:
    value: object = values.get("bbox")
    numbers = cast("list[object]", value) if isinstance(value, list) else []
    try:
        return read_box(",".join(f"{number:.9f}" for number in numbers if isinstance(number, int | float)))
    except BadInputError as error:
        raise MalformedReplyError(f'"bbox" must be [x0, y0, x1, y1] in fractions of the view: {error.seen}') from error


def _view(values: dict[str, Any], views: int) -> int:
    value = values.get("view", views)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= views:
        raise MalformedReplyError(f'"view" must be the number of a view, from 1 to {views}')
    return value
