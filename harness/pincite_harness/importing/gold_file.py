"""Gold files: a user's own gold records by paper, from JSON, JSONL or CSV."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError

_SHAPES = (
    'Give objects of {"paper": "x.pdf", "properties": […]}, or one property an object with "paper" in it; '
    "in CSV one property a line, nested fields as conditions.temperature and location.page."
)
_NAMES = ("paper", "file", "refno")
"""What names the paper of an entry; published lists have a number, whose file is ``NUMBER.pdf``."""

Gold = dict[str, list[dict[str, Any]]]


def read_gold(path: Path) -> Gold:
    """Properties by the paper's file name; BadInputError with the place of a fault. A record may have no place, since
    published lists of values give neither page nor quote."""
    readers = {".json": _read_json, ".jsonl": _read_lines, ".csv": _read_csv}
    if path.suffix.lower() not in readers:
        raise BadInputError(f"{path} is no gold file.", seen=path.suffix, next="Give .json, .jsonl or .csv.")
    if not path.is_file():
        raise NotFoundError(f"There is no gold file {path}.", next="Check --gold.")
    gold: Gold = {}
    for place, entry in readers[path.suffix.lower()](path):
        named = next((name for name in _NAMES if entry.get(name)), "paper")
        paper = entry.pop(named, None)
        paper = str(paper) if isinstance(paper, int) else paper
        if not isinstance(paper, str) or not paper:
            raise BadInputError(f"{place} names no paper.", next=_SHAPES)
        gold.setdefault(Path(paper).name, []).extend(_properties(place, entry))
    if not gold:
        raise BadInputError(f"{path} holds no gold record.", next=_SHAPES)
    return gold


def _properties(place: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    if "properties" not in entry:
        return [entry]
    extra = sorted(set(entry) - {"properties", "task_id", "metadata"})
    if extra or not isinstance(entry["properties"], list):
        raise BadInputError(
            f"{place} is no gold record.", seen=", ".join(extra) or "properties is no list", next=_SHAPES
        )
    return cast("list[dict[str, Any]]", entry["properties"])


def _read_json(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    value = _parse(str(path), path.read_bytes())
    if isinstance(value, dict) and "paper" not in value:
        by_paper = cast("dict[str, Any]", value)
        value = [
            {"paper": paper, "properties": _list_of(f"{path}: {paper}", properties)}
            for paper, properties in by_paper.items()
        ]
    entries = cast("list[Any]", value if isinstance(value, list) else [value])
    for number, entry in enumerate(entries, start=1):
        yield _object(f"{path}, entry {number}", entry)


def _list_of(place: str, value: Any) -> list[Any]:
    """The properties of one paper, given as a list or as ``{"properties": […]}``."""
    inner = cast("dict[str, Any]", value).get("properties") if isinstance(value, dict) else value
    if not isinstance(inner, list):
        raise BadInputError(f"{place} has no list of properties.", next=_SHAPES)
    return cast("list[Any]", inner)


def _read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if line.strip():
            place = f"{path}:{number}"
            yield _object(place, _parse(place, line))


def _read_csv(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            if None in row:
                raise BadInputError(f"{path}:{number} has more cells than the header.", next=_SHAPES)
            yield f"{path}:{number}", _nest({name: cell for name, cell in row.items() if cell})


def _nest(row: dict[str, str]) -> dict[str, Any]:
    """``location.page`` becomes ``{"location": {"page": …}}``; a page is a number."""
    nested: dict[str, Any] = {}
    for name, cell in row.items():
        outer, _, inner = name.strip().partition(".")
        if not inner:
            nested[outer] = cell
            continue
        value = int(cell) if inner == "page" and cell.strip().isdigit() else cell
        cast("dict[str, Any]", nested.setdefault(outer, {}))[inner] = value
    return nested


def _parse(place: str, data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{place} is not JSON.", seen=str(error), next=_SHAPES) from error


def _object(place: str, value: Any) -> tuple[str, dict[str, Any]]:
    if not isinstance(value, dict):
        raise BadInputError(f"{place} is no object.", next=_SHAPES)
    return place, dict(cast("dict[str, Any]", value))
