"""Lists in cells: splitting them, and the published score 0.8 x correct / gold."""

import re
from collections.abc import Sequence
from typing import cast

import orjson

from pincite_scoring.table_construction.forms import content_form, is_empty

_LIST_SHARE = 0.8
"""The published factor: a list scores 0.8 x correct / gold."""
_MARKS = re.compile(r"[\n;；、|]|(?<=条)(?:以及|[和及与])(?=[第《])")
_CODE, _ARTICLE = re.compile(r"\s*《[^》]+》"), re.compile(r"\s*第[^条]+条")
_COMMA = re.compile(r"[,，]")


def items_of(cell: str, *, commas: bool) -> list[str] | None:
    """The items of a cell that looks like a list: JSON, lines, or parts between ``;``, ``、`` or ``|``, and between
    commas where ``commas`` says so; None where it does not look like one."""
    parsed = _json_list(cell)
    if parsed is not None:
        return parsed
    inner = cell.strip().strip("[]")
    parts = _MARKS.split(inner)
    if len(parts) == 1 and commas:
        parts = _COMMA.split(inner)
    items = [part.strip().strip("\"'“”") for part in parts]
    items = [item for item in items if item]
    return items if len(items) > 1 else None


def list_score(gold: Sequence[str], answer: Sequence[str], column: str) -> tuple[float, int]:
    """The score of a list and how many of its gold items were found: 1 for the same items, else 0.8 x correct / gold.

    Items are compared after normalisation, each once, articles with the code that the item before names; without gold
    items only an empty answer is right.
    """
    wanted, given = (
        {content_form(item, column) for item in _with_codes(items) if not is_empty(item)} for items in (gold, answer)
    )
    found = len(wanted & given)
    if wanted == given:
        return 1.0, found
    return (_LIST_SHARE * found / len(wanted) if wanted else 0.0), found


def _with_codes(items: Sequence[str]) -> list[str]:
    """The items; a bare article (第七十二条) is of the code (《…》) that the item before it names."""
    code, named = "", list[str]()
    for item in items:
        found = _CODE.match(item)
        code = found[0] if found is not None else code if _ARTICLE.match(item) else ""
        named.append(item if found is not None else f"{code}{item}")
    return named


def _json_list(cell: str) -> list[str] | None:
    text = cell.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _quoted_list(text)
    return [str(each) for each in cast("list[object]", value)]


def _quoted_list(text: str) -> list[str] | None:
    """A list as Python prints it: items in single quotes."""
    items = re.findall(r"'([^']*)'|\"([^\"]*)\"", text)
    return [single or double for single, double in items] or None
