"""JSON items: the records of JSON and JSON lines files, each with the place it was read from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.dataset import ImportOptions

KINDS = (".json", ".jsonl")
"""Endings of the files that are read."""


def read_items(source: Path, options: ImportOptions) -> Iterator[tuple[str, Any]]:
    """(place, item) for each item of a list, of an object (as [key, value]), or of a file of JSON lines; of all such
    files of a folder in the order of their names. Broken lines, and broken files of a folder, are left out with a note;
    BadInputError where the only file is not JSON."""
    if source.is_dir():
        files = sorted(path for path in source.iterdir() if path.suffix.lower() in KINDS)
        if not files:
            raise NotFoundError(f"{source} holds no .json and no .jsonl.", next="Give the file itself.")
        for path in files:
            with options.item(str(path)):
                yield from read_items(path, options)
        return
    if not source.is_file():
        raise NotFoundError(f"There is no {source}.", next="Check --from.")
    if source.suffix.lower() == ".jsonl":
        yield from _lines(source, options)
        return
    data: Any = _parsed(source.read_bytes(), str(source))
    if isinstance(data, list):
        for number, item in enumerate(cast("list[Any]", data)):
            yield f"{source}, record {number}", item
    elif isinstance(data, dict):
        for key, value in cast("dict[str, Any]", data).items():
            yield f"{source}, {key}", [key, value]
    else:
        raise BadInputError(f"{source} is neither a list nor an object.", next="Check --from.")


def _lines(source: Path, options: ImportOptions) -> Iterator[tuple[str, Any]]:
    with source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            with options.item(f"{source}:{number}"):
                if not line.strip():
                    continue
                yield f"{source}:{number}", _parsed(line, f"{source}:{number}")


def _parsed(data: bytes, where: str) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{where} is not JSON.", seen=str(error), next="Correct it.") from error
