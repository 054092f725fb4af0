"""Adjuvants: the records of SudokuFill's data set, or of any like it, become tasks of record_filling.

The published files were not at hand; what is read are the shapes of ``paper_records``, stated there. The fields are the
file's own: those that the bundled schema of adjuvants knows by name or alias take its definition, and its labels and
dependencies as far as they hold. Evidence of the file is left out, for its form is not known.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import one_or_more
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.filling import bundled_schema, distinct, filling_entry, new_task_id
from pincite_harness.curation.importing.paper_records import open_paper, read_papers
from pincite_scoring.record_filling.dependencies import violations
from pincite_scoring.record_filling.objects import Problem, read_objects
from pincite_scoring.record_filling.schema import EVIDENCE, Field, Schema, read_schema
from pincite_scoring.record_filling.values import is_absent

_SCHEMA = "adjuvant_records"

_ALIASES = {
    "adjuvant": ("adjuvant_name", "name"),
    "adjuvant_class": ("class", "category", "adjuvant_type", "adjuvant_category", "type"),
    "components": ("component", "composition", "ingredients"),
    "target": ("receptor", "pathway", "target_receptor", "signaling_pathway", "signalling_pathway"),
    "antigen": ("antigens", "antigen_name"),
    "pathogen": ("disease", "target_disease", "target_pathogen", "infection"),
    "host": ("species", "animal", "animal_model", "model", "subject", "host_species"),
    "route": (
        "administration_route",
        "route_of_administration",
        "immunization_route",
        "immunisation_route",
        "delivery",
    ),
    "dose": ("dosage", "adjuvant_dose"),
    "response": ("immune_response", "response_type", "immune_response_type", "th_bias"),
}
"""Other names under which a file may hold a field of the bundled schema."""


def read_adjuvants(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task a paper that has records and can be opened; broken records are left out with a note."""
    papers = read_papers(source, options)
    keys = list(dict.fromkeys(key for paper in papers for record in paper.records for key in record if key != EVIDENCE))
    if not keys and options.broken:
        raise options.broken[0]
    if not keys:
        raise BadInputError(f"{source} holds no records of papers.", next="See the shapes that can be read.")
    names = field_names(keys)
    gold = {paper.name: [made for record in paper.records if (made := _renamed(record, names))] for paper in papers}
    schema = fitted([each for objects in gold.values() for each in objects], names)
    text = schema.model_dump_json(exclude_defaults=True, indent=1)
    taken: set[str] = set()
    for paper in papers:
        if paper.unread:
            options.note(f"{paper.where}: what its records hold under {', '.join(sorted(paper.unread))}")
        objects = distinct(gold[paper.name])
        if not objects:
            options.note(f"{paper.where}: it has no record with a value")
            continue
        with options.item(paper.where):
            opened = open_paper(paper, options.papers)
            if opened is None:
                raise NotFoundError(
                    f"{paper.where}: there is neither a text nor a file of the paper {paper.name!r} (--papers)"
                )
            ending, content = opened
            task_id = new_task_id(paper.stem, taken)
            metadata = {"title": paper.title or paper.name}
            yield filling_entry(task_id, text, objects, (f"{task_id}{ending}", content), metadata)


def field_names(keys: Sequence[str]) -> dict[str, str]:
    """The field of each key of the file: the bundled schema's by name or alias, else the key in a field's spelling."""
    known = {alias: name for name, aliases in _ALIASES.items() for alias in (name, *aliases)}
    found: dict[str, str] = {}
    for key in keys:
        spelled = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()).strip("_")[:64]
        spelled = spelled if spelled[:1].isalpha() else f"field_{spelled}"
        name = known.get(spelled, spelled)
        found[key] = name if name not in found.values() else spelled
    if len(set(found.values())) < len(found):
        raise BadInputError("Two fields of the records have one name.", seen=", ".join(keys), next="Rename one.")
    return found


def fitted(objects: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Schema:
    """A schema of the file's fields that all its records satisfy."""
    like = read_schema(bundled_schema("adjuvants"))
    fields = [_fitted(like.field(name), name, key, objects) for key, name in names.items()]
    identity = [name for name in like.identity if all(name in each for each in objects)]
    schema = Schema(name=_SCHEMA, object=like.object, fields=fields, identity=identity, placeholders=like.placeholders)
    kept = [each for each in like.dependencies if each.names <= set(names.values())]
    for dependency in kept:
        wider = schema.model_copy(update={"dependencies": [*schema.dependencies, dependency]})
        read = read_objects({"objects": list(objects)}, wider)
        if not isinstance(read, Problem) and not any(violations(filled, wider) for filled in read):
            schema = wider
    return schema


def _fitted(known: Field | None, name: str, key: str, objects: Sequence[Mapping[str, Any]]) -> Field:
    """The bundled field where there is one: a text where not all values are labels of it, a set where any is."""
    values = [each[name] for each in objects if name in each]
    many = any(isinstance(value, list) for value in values)
    if known is None:
        return Field(name=name, definition=f"{key}, as the data set calls it.", many=many)
    flat = [item for value in values for item in one_or_more(value)]
    if known.labels and not set(map(str, flat)) <= set(known.labels):
        known = Field(name=name, definition=known.definition, synonyms=known.synonyms)
    return known.model_copy(update={"many": many})


def _renamed(record: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The record by the fields' names, without placeholders."""
    empty = read_schema(bundled_schema("adjuvants"))
    values = {names[key]: value for key, value in record.items() if key != EVIDENCE}
    return {name: value for name, value in values.items() if not is_absent(empty, value)}
