"""Fields of JSON that others wrote, which may be missing, null or of another type than promised.

What they give as text is for each reader: databases take numbers as text, literature leaves out invisible characters
and bounds lengths, model APIs repair halves of surrogate pairs.
"""

from typing import Any, cast


def mapping(value: Any) -> dict[str, Any]:
    """An object; an empty one where it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The items of a list, of whatever type; none where it is not a list."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, all else left out; none where it is not a list."""
    return [cast("dict[str, Any]", item) for item in items(value) if isinstance(item, dict)]


def one_or_more(value: Any) -> list[Any]:
    """The items of a list; anything else is a list of one."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def at(value: Any, *path: str) -> object:
    """What stands at a path of names, None where the path ends early."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = cast("dict[str, Any]", value).get(name)
    return value
