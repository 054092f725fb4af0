"""Why a question was not answered rightly, told from the trial's tool calls against the gold source."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from pincite_materials.text import plain
from pincite_scoring.literature_qa.gold import Gold, Source
from pincite_scoring.tool_uses import ToolUse

FailureClass = Literal["routing", "retrieval", "reading"]
CLASSES: tuple[FailureClass, ...] = ("routing", "retrieval", "reading")

_TOKEN = re.compile(r"\w+(?:\.\w+)*")


def classify(uses: Sequence[ToolUse], gold: Gold) -> FailureClass:
    """The first thing that went wrong: no call to a server on the route, none that brought the source, or the reading.

    A gold that names no source counts as brought by any call on the route.
    """
    routed = [use for use in uses if not gold.route or use.server in gold.route]
    if not routed:
        return "routing"
    brought = gold.source is None or any(shows(use, gold.source) for use in uses)
    return "reading" if brought else "retrieval"


def shows(use: ToolUse, source: Source) -> bool:
    """Whether a result holds the passage: its quote (of a table, the quote's words in any layout); for a figure a
    picture of it or of its page, or what was read out of it, and not its caption alone; without quote and label,
    whether it names the work."""
    if source.quote is not None and source.place != "figure" and _holds(use.text, source):
        return True
    if looks_at(use, source):
        return True
    if source.quote is None and source.label is None:
        named = (source.doi, source.title, source.paper)
        asked = squeezed(f"{words_of(use.arguments)} {use.text}")
        return any(name is not None and squeezed(name) in asked for name in named)
    return False


def looks_at(use: ToolUse, source: Source) -> bool:
    """Whether a result is a picture of the source's figure or page, or what was read out of one."""
    return _looks(use) and _is_of(use, source)


def _holds(text: str, source: Source) -> bool:
    quote = source.quote or ""
    if squeezed(quote) in squeezed(text):
        return True
    there = set(_TOKEN.findall(plain(text)))
    return source.place == "table" and all(token in there for token in _TOKEN.findall(plain(quote)))


def _looks(use: ToolUse) -> bool:
    """Whether a result is a picture, or what a tool read out of one; a list of figures is neither."""
    return use.images > 0 or (use.server == "figures" and not use.tool.startswith("list"))


def _is_of(use: ToolUse, source: Source) -> bool:
    """Whether the result is of the source's page or figure, by what was asked and what was said with it."""
    told = f"{words_of(use.arguments)} {use.text}"
    if source.paper is not None and "paper" in use.arguments and source.paper not in str(use.arguments["paper"]):
        return False
    if source.label is not None and says_label(squeezed(told), source.label):
        return True
    return source.page is not None and use.arguments.get("page") == source.page


def says_label(text: str, label: str) -> bool:
    """Whether a squeezed text names a figure; ``Figure 2`` and ``Fig. 2`` are alike, ``Fig. 20`` is another."""
    return re.search(rf"{re.escape(_short(squeezed(label)))}(?!\d)", _short(text)) is not None


def _short(text: str) -> str:
    return text.replace("figure", "fig").replace(".", "")


def words_of(value: Any) -> str:
    """The values of a JSON value in one text."""
    if isinstance(value, dict):
        return " ".join(map(words_of, value.values()))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return " ".join(map(words_of, value)) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def squeezed(text: str) -> str:
    """Plain text in lower case without spaces."""
    return "".join(plain(text).casefold().split())
