"""The reference definitions: values pooled over the paper, and the words of NERRE."""

from collections.abc import Sequence

from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.schema import Schema
from pincite_scoring.record_filling.tally import Part, Tally
from pincite_scoring.record_filling.values import form

_OF_NOTHING = 0.0
"""Precision and recall of nothing against nothing: the published code takes 0."""
Entity = tuple[str, str]
"""A field and a value."""


def score_reference(answers: Sequence[Filled], golds: Sequence[Filled], schema: Schema) -> Tally:
    """Entities and rows as the looser definitions count them (see the package)."""
    entities = (
        count_words(answers, golds, schema.reference.words)
        if schema.reference.words
        else _counted(_entities(answers), _entities(golds), _OF_NOTHING)
    )
    mine, true = [_row(filled) for filled in answers], [_row(filled) for filled in golds]
    found, covered = sum(row in true for row in mine), sum(row in mine for row in true)
    return Tally(entities, Part(found, len(mine), covered, len(true), _OF_NOTHING), len(true))


def count_field(answers: Sequence[Filled], golds: Sequence[Filled], name: str, schema: Schema) -> Part:
    """One field alone: its words where the schema counts words of it, else its distinct values."""
    if name in schema.reference.words:
        return count_words(answers, golds, [name])
    mine, true = ({entity for entity in _entities(side) if entity[0] == name} for side in (answers, golds))
    return _counted(mine, true, _OF_NOTHING)


def pooled(answers: Sequence[Filled], golds: Sequence[Filled], schema: Schema) -> Part:
    """Distinct (field, value) of the whole paper, in the comparable forms of ``strict``: no object is matched."""
    return count_pooled(_forms(answers, schema), _forms(golds, schema))


def count_pooled(answers: set[Entity], golds: set[Entity]) -> Part:
    """Two sets of entities against each other."""
    return _counted(answers, golds)


def _counted(answers: set[Entity], golds: set[Entity], of_nothing: float = 1.0) -> Part:
    right = len(answers & golds)
    return Part(right, len(answers), right, len(golds), of_nothing)


def count_words(answers: Sequence[Filled], golds: Sequence[Filled], names: Sequence[str]) -> Part:
    """The words of some fields, added up, as in NERRE's doping/step3_score.py.

    A word of the gold that is anywhere among the answer's words of that field is right, each time it stands in the
    gold; a word of the answer that is nowhere among the gold's is wrong, each time it stands in the answer.
    """
    lists = [(_words(answers, name), _words(golds, name)) for name in names]
    right = sum(word in mine for mine, true in lists for word in true)
    false = sum(word not in true for mine, true in lists for word in mine)
    return Part(right, right + false, right, sum(len(true) for _, true in lists), _OF_NOTHING)


def count_links(answers: Sequence[Filled], golds: Sequence[Filled], link: Sequence[str]) -> Part:
    """Pairs of words of two fields that an object joins, as NERRE's "link triplets": those of the gold that are among
    the answer's, over all pairs of the answer and over all of the gold."""
    mine, true = _links(answers, *link), _links(golds, *link)
    right = sum(pair in mine for pair in true)
    return Part(right, len(mine), right, len(true), _OF_NOTHING)


def _words(objects: Sequence[Filled], name: str) -> list[str]:
    """The words of a field: each of its values once, as one record lists an entity once."""
    values = dict.fromkeys(value for filled in objects for value in filled.values.get(name, ()))
    return [word for value in values for word in value.split(" ") if word]


def _links(objects: Sequence[Filled], first: str, second: str) -> list[str]:
    pairs = dict.fromkeys(
        (a, b) for filled in objects for a in filled.values.get(first, ()) for b in filled.values.get(second, ())
    )
    return [f"{b} {a}" for left, right in pairs for b in right.split(" ") for a in left.split(" ") if a and b]


def _plain(value: str) -> str:
    return " ".join(value.lower().split())


def _stated(filled: Filled) -> set[Entity]:
    known = {(name, _plain(value)) for name, values in filled.values.items() for value in values}
    return known | {(stray.field, _plain(stray.value)) for stray in filled.strays}


def _entities(objects: Sequence[Filled]) -> set[Entity]:
    return {entity for filled in objects for entity in _stated(filled)}


def _row(filled: Filled) -> frozenset[Entity]:
    return frozenset(_stated(filled))


def _forms(objects: Sequence[Filled], schema: Schema) -> set[Entity]:
    found: set[Entity] = set()
    for filled in objects:
        for name, values in filled.values.items():
            field = schema.field(name)
            found |= {(name, form(field, value)) for value in values} if field is not None else set()
        found |= {(stray.field, stray.value) for stray in filled.strays}
    return found
