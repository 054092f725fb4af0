"""Is the value one of the claimed property: named with it, or by row, column, caption or section?"""

from collections.abc import Sequence

from pincite_materials.property_lexicon import KINDS
from pincite_materials.property_names import contrasts, normal_form
from pincite_provenance.claims.binding import bind
from pincite_provenance.claims.evidence import Evidence
from pincite_provenance.claims.properties import (
    PropertyMention,
    can_have,
    concepts_of,
    find_properties,
    is_symbol,
    names_it,
    same_words,
    with_related,
    words_of,
)
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.tablecells import Place, without_units
from pincite_provenance.model import Check


def check_property(
    wanted: str,
    evidence: Evidence,
    value: Quantity | None,
    quantities: Sequence[Quantity],
    unit: str | None,
    place: Place | None,
) -> Check:
    """Whether the value is one of the claimed property: named with it, or by row, column, caption or section. ``unit``
    is the value's, None where it is no number.
    """
    concepts = concepts_of(wanted)
    if unit and not is_symbol(wanted) and not can_have(concepts, unit):
        return Check("property", "fails", f"{wanted} is not given in {unit}")
    if place is not None:
        found = _property_by_labels(wanted, place, unit)
    else:
        found = _property_in_sentence(wanted, concepts, evidence, value, quantities, unit)
    if found is not None:
        return found
    headings = (("heading", heading) for heading in evidence.headings)
    for where, text in (("caption", evidence.caption), ("paragraph", evidence.earlier), *headings):
        if names_it(text, wanted) and not _contrary(text, wanted):
            return Check("property", "holds", f"the {where} names it")
    return Check("property", "unsure", f"neither the quote nor what stands around it names {wanted}")


def _property_by_labels(wanted: str, place: Place, unit: str | None) -> Check | None:
    labels = tuple(without_units(label) for label in (*place.column, *place.row))
    rest = tuple(without_units(label) for label in (*place.other_columns, *place.other_rows))
    exact = normal_form(wanted)
    if any(normal_form(without_units(head)) == exact for head in place.row_headers):
        return Check("property", "fails", f"{wanted} is what the names of rows are called")
    forms = [
        {normal_form(without_units(text)) for text in side} for side in (place.column, place.row, place.other_columns)
    ]
    if [exact in side for side in forms] == [False, True, True]:
        return Check("property", "unsure", f"{wanted} is the cell's row, but another column too")
    if any(normal_form(label) == exact for label in labels):
        return Check("property", "holds", f"the cell's {_side(place, wanted)} is {wanted!r}")
    whole = next((label for label in rest if normal_form(label) == exact), None)
    if whole is not None:
        return _other_label(wanted, place, whole)
    rows, columns = " ".join((*place.row, *place.row_headers)), " ".join(place.column)
    for label in (*labels, without_units(columns), without_units(rows)):
        if names_it(label, wanted) and not _contrary(label, wanted):
            nearer = _nearer(wanted, label, rest)
            return _other_label(wanted, place, nearer) if nearer else _holds(f"the cell is one of {label!r}")
    other = next((label for label in rest if names_it(label, wanted) and not _contrary(label, wanted)), None)
    if other is not None:
        return _other_label(wanted, place, other)
    named = [m for label in labels for m in find_properties(label) if unit is None or can_have(m.concepts, unit)]
    if any(m.concepts & with_related(concepts_of(wanted)) for m in named):
        return Check("property", "unsure", f"the cell is a value of {named[0].name}; the claim says {wanted}")
    if named:
        return Check("property", "fails", f"the cell is a value of {named[0].name}, not of {wanted}")
    return None


def _holds(reason: str) -> Check:
    return Check("property", "holds", reason)


def _nearer(wanted: str, label: str, rest: Sequence[str]) -> str:
    """Another label that says which of several measurements the claim means (onset), where this one does not."""
    mine = contrasts(wanted)
    if not mine or mine & contrasts(label):
        return ""
    return next((other for other in rest if names_it(other, wanted) and mine <= contrasts(other)), "")


def _side(place: Place, wanted: str) -> str:
    exact = normal_form(wanted)
    return "column" if any(normal_form(without_units(label)) == exact for label in place.column) else "row"


def _other_label(wanted: str, place: Place, other: str) -> Check:
    in_row = any(without_units(label) == other for label in place.other_rows)
    side, here = ("row", place.row) if in_row else ("column", place.column)
    shown = " / ".join(here) or "without a label"
    return Check("property", "fails", f"the {side} is {shown!r}; {wanted} is the {side} {other!r}")


def _contrary(text: str, wanted: str) -> bool:
    """Whether ``text`` names another measurement of the quantity (onset, zero resistance)."""
    mine, theirs = dict(contrasts(wanted)), contrasts(text)
    groups = {group for group, _ in theirs}
    return any(group in groups and (group, side) not in theirs for group, side in mine.items())


def _property_in_sentence(
    wanted: str,
    concepts: frozenset[str],
    evidence: Evidence,
    value: Quantity | None,
    quantities: Sequence[Quantity],
    unit: str | None,
) -> Check | None:
    mentions = [m for m in find_properties(evidence.text) if _is_possible(m, value, quantities, unit)]
    mine = [m for m in mentions if m.concepts & concepts]
    bound = bind(evidence.text, value, mentions, quantities) if value is not None else None
    if bound is not None and bound.how != "unresolved" and bound.name in mine:
        return Check("property", "holds", f"{_printed(value)} is given for {bound.name.name!r}")
    if value is None and mine:
        return Check("property", "holds", f"the sentence names {mine[0].name!r}")
    if same_words(evidence.text, wanted) and not mine:
        return Check("property", "holds", f"the sentence names {wanted!r}")
    if bound is not None and bound.name.concepts & with_related(concepts):
        return Check(
            "property", "unsure", f"{_printed(value)} is given for {bound.name.name!r}; the claim says {wanted}"
        )
    only = len({m.concepts for m in mentions}) == 1
    if bound is not None and (bound.sure or only) and not _shares_words(bound.name, words_of(wanted)):
        return Check("property", "fails", f"{_printed(value)} is given for {bound.name.name!r}, not for {wanted}")
    if mine:
        return Check(
            "property", "unsure", f"the sentence names {mine[0].name!r}, but perhaps not for {_printed(value)}"
        )
    return None


def _is_possible(
    mention: PropertyMention, value: Quantity | None, quantities: Sequence[Quantity], unit: str | None
) -> bool:
    """Whether the value can be one of what is named: not a unit in print, nor a name of another kind of value."""
    if any(q.start < mention.end and mention.start < q.end for q in quantities):
        return False
    if value is None or unit is None:
        return True
    return not mention.concepts <= frozenset(KINDS) and can_have(mention.concepts, unit)


def _shares_words(mention: PropertyMention, words: frozenset[str]) -> bool:
    return bool(words & frozenset(normal_form(mention.name).split()))


def _printed(value: Quantity | None) -> str:
    return value.printed if value is not None else "the value"
