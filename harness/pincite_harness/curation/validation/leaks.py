"""Leaks: gold that an agent would read before it has read a paper, in its prompt, its schema or its files."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.curation.validation.pictures import PICTURES, picture_texts
from pincite_materials.text import plain
from pincite_tasks.family import Family
from pincite_tasks.task import Task

LEAST_WORDS, LEAST_CHARS = 5, 24
"""A shorter gold text, such as a label, a name or a number, may stand in a prompt by chance or by need; scorers check
their own where it may not."""

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")


def find_leaks(family: Family, task: Task, ideal: Any) -> list[str]:
    """One line for each gold text and place; ``ideal`` is the answer that the gold stands for."""
    schema = family.answer_schema(task)
    vocabulary = {_squeezed(word) for word in _enumerated(schema)}
    names = {_squeezed(path.name) for path in (*task.papers, *task.files)}
    texts = {_squeezed(text): text for text in _texts([task.gold, ideal]) if _tells(text)}
    wanted = {form: text for form, text in texts.items() if form not in vocabulary | names}
    found: list[str] = []
    for place, shown in _shown(family, task, schema):
        squeezed = _squeezed(shown)
        found += [f"{place} holds gold: {text[:80]!r}" for form, text in wanted.items() if form in squeezed]
    for path in (path for path in task.files if _is_picture(path)):
        found += _in_picture(path, wanted)
    return found


def _in_picture(path: Path, wanted: Mapping[str, str]) -> Iterator[str]:
    """A gold text, or a sentence of it, in a picture: by letters and digits alone, for OCR parts and joins words."""
    try:
        shown = _letters_in(path, path.stat().st_mtime_ns)
    except BadInputError as error:
        yield error.what
        return
    for form, text in wanted.items():
        parts = [part for part in _SENTENCES.split(form) if _tells(part)]
        if any(_letters(part) in shown for part in (form, *parts)):
            yield f"the file {path.name} holds gold: {text[:80]!r}"


def _tells(text: str) -> bool:
    return _DOI.search(text) is not None or (len(text) >= LEAST_CHARS and len(text.split()) >= LEAST_WORDS)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value; of one with several lines, each line too."""
    if isinstance(value, str):
        yield value
        yield from (line for line in value.splitlines() if line != value)
    elif isinstance(value, Mapping):
        for each in cast("Mapping[str, Any]", value).values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in cast("list[Any]", value):
            yield from _texts(each)


def _shown(family: Family, task: Task, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the agent is shown beside the papers, with its name."""
    yield "the prompt", family.fill_prompt(task)  # which names the files, too
    yield "the schema", orjson.dumps(schema).decode()
    for path in task.files:
        if not _is_picture(path):
            yield f"the file {path.name}", path.read_bytes().decode("utf-8", errors="replace")


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURES


def _enumerated(schema: Any) -> Iterator[str]:
    """The words that a schema lists for choice: whoever answers must know them."""
    if isinstance(schema, Mapping):
        for name, value in cast("Mapping[str, Any]", schema).items():
            yield from _texts(value) if name in ("enum", "const", "examples") else _enumerated(value)
    elif isinstance(schema, list):
        for value in cast("list[Any]", schema):
            yield from _enumerated(value)


def _squeezed(text: str) -> str:
    return " ".join(plain(text).casefold().split())


@lru_cache(maxsize=32)
def _letters_in(picture: Path, _changed: int) -> str:
    """Read once, however many tasks have it."""
    return _letters(" ".join(picture_texts(picture)))


def _letters(text: str) -> str:
    return "".join(character for character in _squeezed(text) if character.isalnum())
