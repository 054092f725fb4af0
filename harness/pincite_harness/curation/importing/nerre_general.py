"""NERRE, general materials: records of materials in abstracts (Dagdelen et al., Nat. Commun. 2024) become tasks of
record_filling.

Published shape, JSON lines: ``{"prompt": "TITLE\\nTEXT\\n\\n###\\n\\n", "completion": "JSON\\n\\nEND\\n\\n"}``, where
the completion's JSON is a list of ``{"acronym": "", "applications": [""], "name": "", "formula": "",
"structure_or_phase": [""], "description": [""]}``; many abstracts have no title line. A folder of folds gives the
abstracts of each ``val.jsonl``, which together are all abstracts once. Abstracts without a material are tasks too: what
is filled there is wrong. The annotation has no offsets, so there is no evidence.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.filling import bundled_schema, distinct, filling_entry, new_task_id
from pincite_harness.curation.importing.json_items import read_items
from pincite_harness.curation.importing.plain_paper import make_plain_paper

FOLDS = "fold_*/val.jsonl"
_SCHEMA = "nerre_general"
_TEXTS = ("formula", "name", "acronym")
_LISTS = ("applications", "structure_or_phase", "description")
_PROMPT_END = re.compile(r"\s*###\s*\Z")
_COMPLETION_END = re.compile(r"\s*END\s*\Z")
_WORDS_OF_ID = 8
"""Words of the text that an id is made of where there is no title."""


def read_nerre_general(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task an abstract; what is broken is left out with a note."""
    schema = bundled_schema(_SCHEMA)
    taken: set[str] = set()
    folds = sorted(source.glob(FOLDS)) if source.is_dir() else []
    for path in folds or [source]:
        for where, item in read_items(path, options):
            with options.item(where):
                yield _entry(where, item, schema, taken)


def _entry(where: str, item: Any, schema: str, taken: set[str]) -> DatasetEntry:
    record = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
    prompt, completion = record.get("prompt"), record.get("completion")
    if not isinstance(prompt, str) or not isinstance(completion, str):
        raise BadInputError(
            f"{where} is not a record of NERRE's general materials.", next='It needs "prompt" and "completion".'
        )
    head, line, rest = _PROMPT_END.sub("", prompt).strip().partition("\n")
    title, text = (head.strip(), rest.strip()) if line else ("", head.strip())
    if not text:
        raise BadInputError(f"{where}: it has no text")
    task_id = new_task_id(title or " ".join(text.split()[:_WORDS_OF_ID]), taken)
    paper = make_plain_paper(title, text)
    return filling_entry(
        task_id, schema, _objects(completion, where), (f"{task_id}.html", paper.page), {"title": title}
    )


def _objects(completion: str, where: str) -> list[dict[str, Any]]:
    """The materials of a completion, without empty values; equal ones once."""
    try:
        found: Any = orjson.loads(_COMPLETION_END.sub("", completion).strip())
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{where}: its completion is not JSON.", seen=str(error), next="Correct it.") from error
    if not isinstance(found, list):
        raise BadInputError(f"{where}: its completion is not a list.", next="Correct it.")
    objects: list[dict[str, Any]] = []
    for each in cast("list[Any]", found):
        if not isinstance(each, dict):
            raise BadInputError(f"{where}: a material is not an object.", next="Correct it.")
        material = _material(cast("dict[str, Any]", each))
        if material:
            objects.append(material)
    return [{name: held for name, held in each.items() if held} for each in distinct(objects)]


def _material(given: dict[str, Any]) -> dict[str, Any]:
    texts = {name: " ".join(str(given.get(name) or "").split()) for name in _TEXTS}
    lists = {name: _distinct(given.get(name)) for name in _LISTS}
    return {name: held for name, held in {**texts, **lists}.items() if held}


def _distinct(values: Any) -> list[str]:
    """The values of a list (or the one text in its place), each once, without empty ones."""
    held = cast("list[Any]", values) if isinstance(values, list) else [values or ""]
    words = [" ".join(str(value).split()) for value in held]
    return [word for word in dict.fromkeys(words) if word]
