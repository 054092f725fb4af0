"""Fields of records from the web, which may be missing, null or of another type than promised."""

import math
from typing import Any

from pincite_core.json_fields import at, items, mapping, objects

Record = dict[str, Any]


def record(value: object, *path: str) -> Record:
    """The object at ``path``; an empty one where there is none."""
    return mapping(at(value, *path))


def records(value: object, *path: str) -> list[Record]:
    """The objects in the list at ``path``; what is not an object is left out."""
    return objects(at(value, *path))


def texts(value: object, *path: str) -> list[str]:
    """The texts in the list at ``path``; numbers as text, what is neither is left out."""
    return [shown for item in values(value, *path) if (shown := text(item))]


def values(value: object, *path: str) -> list[Any]:
    """The items of the list at ``path``, of whatever type; none where there is no list."""
    return items(at(value, *path))


def text(value: object, *path: str) -> str:
    """The text or number at ``path`` as text without white space around; empty where there is none."""
    found = at(value, *path)
    if isinstance(found, str):
        return found.strip()
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        return ""
    return str(found)


def whole(value: object, *path: str) -> int | None:
    """The integer at ``path``, also from digits; None where there is none."""
    found = at(value, *path)
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    if isinstance(found, str) and found.strip().isascii() and found.strip().isdigit() and len(found) < 20:
        return int(found)
    return None


def truth(value: object, *path: str) -> bool | None:
    """The truth value at ``path``; None where there is none."""
    found = at(value, *path)
    return found if isinstance(found, bool) else None


def few(names: list[str], most: int) -> list[str]:
    """At most ``most`` of the names, and how many more there are."""
    return [*names[:most], f"and {len(names) - most} more"] if len(names) > most else names
