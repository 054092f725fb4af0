"""Gold files: a user's own gold records by paper, from JSON, JSONL or CSV."""

import csv
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import one_or_more
from pincite_harness.curation.importing.dataset import ImportOptions

_SHAPES = (
    'Give objects of {"paper": "x.pdf", "properties": […]}, or one property an object with "paper" in it; '
    "in CSV one property a line, nested fields as conditions.temperature and location.page."
)
_NAMES = ("paper", "file", "refno")
"""What names the paper of an entry; published lists have a number, whose file is ``NUMBER.pdf``."""

Gold = dict[str, list[dict[str, Any]]]
Read = tuple[str, dict[str, Any]]
"""Where an entry stands, and the entry."""


def read_gold(path: Path, options: ImportOptions | None = None) -> Gold:
    """Properties by the paper's file name; a record may have no place, since published lists give neither page nor
    quote. A broken entry is left out with a note, and the paper that it names with it, for its gold is not whole.

    BadInputError with the place of the first fault where nothing is left, or without ``options``.
    """
    options = options or _Strict()
    readers = {".json": _read_json, ".jsonl": _read_lines, ".csv": _read_csv}
    if path.suffix.lower() not in readers:
        raise BadInputError(f"{path} is not a gold file.", seen=path.suffix, next="Give .json, .jsonl or .csv.")
    if not path.is_file():
        raise NotFoundError(f"There is no gold file {path}.", next="Check --gold.")
    gold: Gold = {}
    broken: set[str] = set()
    for place, entry in readers[path.suffix.lower()](path, options):
        paper = ""
        fine = False
        with options.item(place):
            paper = _paper_of(place, entry)
            gold.setdefault(paper, []).extend(_properties(place, entry))
            fine = True
        if not fine and paper:
            broken.add(paper)
    for paper in sorted(broken):
        if gold.pop(paper, None):
            options.note(f"{paper}: another of its records is broken")
    if not gold and options.broken:
        raise options.broken[0]
    if not gold:
        raise BadInputError(f"{path} holds no gold record.", next=_SHAPES)
    return gold


class _Strict(ImportOptions):
    """The first broken item ends the import."""

    def leave_out(self, where: str, error: Exception) -> None:
        raise error


def _paper_of(place: str, entry: dict[str, Any]) -> str:
    """The file name of the entry's paper, which is taken out of it."""
    named = next((name for name in _NAMES if entry.get(name)), "paper")
    paper = entry.pop(named, None)
    paper = str(paper) if isinstance(paper, int) else paper
    if not isinstance(paper, str) or not paper:
        raise BadInputError(f"{place} names no paper.", next=_SHAPES)
    return Path(paper).name


def _properties(place: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    if "properties" not in entry:
        return [entry]
    extra = sorted(set(entry) - {"properties", "task_id", "metadata"})
    if extra or not isinstance(entry["properties"], list):
        raise BadInputError(
            f"{place} is not a gold record.", seen=", ".join(extra) or "properties is not a list", next=_SHAPES
        )
    return cast("list[dict[str, Any]]", entry["properties"])


def _read_json(path: Path, options: ImportOptions) -> Iterator[Read]:
    value = _parse(str(path), path.read_bytes())
    if isinstance(value, dict) and "paper" not in value:
        for paper, properties in cast("dict[str, Any]", value).items():
            place = f"{path}: {paper}"
            yield from _whole(options, place, partial(_of_paper, place, paper, properties))
        return
    for number, each in enumerate(one_or_more(value), start=1):
        place = f"{path}, entry {number}"
        yield from _whole(options, place, partial(_object, place, each))


def _whole(options: ImportOptions, place: str, read: Callable[[], dict[str, Any]]) -> Iterator[Read]:
    """What is read of one place; nothing, with a note, where that is broken."""
    found: list[Read] = []
    with options.item(place):
        found.append((place, read()))
    yield from found


def _of_paper(place: str, paper: str, properties: Any) -> dict[str, Any]:
    return {"paper": paper, "properties": _list_of(place, properties)}


def _list_of(place: str, value: Any) -> list[Any]:
    """The properties of one paper, given as a list or as ``{"properties": […]}``."""
    inner = cast("dict[str, Any]", value).get("properties") if isinstance(value, dict) else value
    if not isinstance(inner, list):
        raise BadInputError(f"{place} has no list of properties.", next=_SHAPES)
    return cast("list[Any]", inner)


def _read_lines(path: Path, options: ImportOptions) -> Iterator[Read]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if line.strip():
            place = f"{path}:{number}"
            yield from _whole(options, place, partial(_line, place, line))


def _line(place: str, line: bytes) -> dict[str, Any]:
    return _object(place, _parse(place, line))


def _read_csv(path: Path, options: ImportOptions) -> Iterator[Read]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            place = f"{path}:{number}"
            yield from _whole(options, place, partial(_cells, place, row))


def _cells(place: str, row: dict[Any, str]) -> dict[str, Any]:
    if None in row:
        raise BadInputError(f"{place} has more cells than the header.", next=_SHAPES)
    return _nest({name: cell for name, cell in row.items() if cell})


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


def _object(place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInputError(f"{place} is not an object.", next=_SHAPES)
    return dict(cast("dict[str, Any]", value))
