"""Is the value given for the claimed material: named with it, or bound to it by row, column, caption or section?"""

from collections.abc import Sequence

from pincite_materials.formulas import material_name, parse_formula
from pincite_materials.values import spell
from pincite_papers.model import Paper
from pincite_papers.passages import PerPaper
from pincite_provenance.claims.binding import bind, lists_for_unknown
from pincite_provenance.claims.evidence import Evidence
from pincite_provenance.claims.materials import (
    Mention,
    Names,
    comparable,
    find_formulas,
    find_materials,
    names_of,
    others,
    same_material,
    with_parameters,
)
from pincite_provenance.claims.properties import find_properties
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.tablecells import Place
from pincite_provenance.model import Check

_SHOWN = 3

_formulas = PerPaper(lambda paper: tuple(dict.fromkeys(m.name for m in find_formulas(spell(paper.text)))))


def check_material(
    paper: Paper,
    wanted: str,
    evidence: Evidence,
    value: Quantity | None,
    quantities: Sequence[Quantity],
    place: Place | None,
) -> Check:
    """Whether the value is the material's: named with it, or bound to it by row, column, caption or section."""
    names = names_of.of(paper)
    wanted = spell(wanted)
    if place is not None:
        found = _by_labels(wanted, place, names)
        if found is not None:
            return found
    else:
        found = _in_sentence(wanted, evidence, value, quantities, names)
        if found is not None:
            return found
    found = _by_surroundings(wanted, evidence, names)
    if found is not None:
        return found
    known = _formulas.of(paper)
    if any(same_material(name, wanted, names) for name in known) or material_name(wanted) in material_name(paper.text):
        return Check("material", "unsure", f"neither the quote nor its section says that it is about {wanted}")
    families = [family for family in names.families if _same_elements(family, wanted)]
    if families:
        return Check("material", "unsure", f"the paper names {families[0]}, not {wanted} itself")
    return Check("material", "fails", f"the paper names no {wanted}")


def _in_sentence(
    wanted: str, evidence: Evidence, value: Quantity | None, quantities: Sequence[Quantity], names: Names
) -> Check | None:
    mentions = find_materials(evidence.text, names, wanted)
    mine = [m for m in mentions if _is(m, wanted, evidence.text, names)]
    rest = others([m for m in mentions if m not in mine and comparable(names.meaning(m.name))], wanted, names)
    if mine and not rest and value is not None and _listed_for_others(evidence.text, value, mentions, quantities):
        return Check("material", "unsure", f"several values are given respectively, and only {mine[0].name} is known")
    if mine and not rest:
        if value is not None and bind(evidence.text, value, mine, quantities) is None:
            return Check("material", "unsure", f"{mine[0].name} stands beside another value of the sentence")
        return Check("material", "holds", f"the {_where(mine[0], evidence)} names {mine[0].name}")
    if not mine and not rest:
        return _by_parameter(wanted, evidence.text, names)
    relevant = [m for m in mentions if m in mine or (not m.role and comparable(names.meaning(m.name)))]
    bound = bind(evidence.text, value, relevant, quantities) if value is not None else None
    if bound is None:
        if mine:
            return Check("material", "holds", f"the {_where(mine[0], evidence)} names {mine[0].name}")
        return Check("material", "fails", f"the quote names {', '.join(rest[:_SHOWN])} only")
    if mine and bound.how == "unresolved":
        return Check("material", "unsure", f"the sentence lists {len(relevant)} materials for other values")
    if bound.name in mine:
        return Check("material", "holds", f"{value.printed if value else 'the value'} is given for {bound.name.name}")
    printed = value.printed if value else "the value"
    if not mine:
        inside = bound.name.start >= evidence.low and bound.name.end <= evidence.high
        return Check(
            "material", "fails", f"the {'quote' if inside else 'sentence'} names {', '.join(rest[:_SHOWN])} only"
        )
    return Check(
        "material", "fails" if bound.sure else "unsure", f"{printed} is given for {bound.name.name}, not for {wanted}"
    )


def _listed_for_others(text: str, value: Quantity, mentions: Sequence[Mention], quantities: Sequence[Quantity]) -> bool:
    """Whether several values are listed for names of which neither materials nor properties are known as many."""
    properties = find_properties(text)
    return all(lists_for_unknown(text, value, known, quantities) for known in (mentions, properties))


def _is(mention: Mention, wanted: str, text: str, names: Names) -> bool:
    if same_material(mention.name, wanted, names):
        return True
    full = with_parameters(names.meaning(mention.name), text)
    return full != mention.name and same_material(full, wanted, names)


def _where(mention: Mention, evidence: Evidence) -> str:
    return "quote" if evidence.low <= mention.start and mention.end <= evidence.high else "sentence"


def _by_parameter(wanted: str, text: str, names: Names) -> Check | None:
    """``δ = 0.05`` in a text about ``YBa2Cu3O7-δ``."""
    for family in names.families:
        full = with_parameters(family, text)
        if full == family:
            continue
        if same_material(full, wanted, names):
            return Check("material", "holds", f"the sentence gives {full[len(family) :].strip(' ()')} of {family}")
        if _same_elements(family, wanted) and comparable(wanted):
            return Check("material", "fails", f"the sentence is about {full}, not {wanted}")
    return None


def _by_labels(wanted: str, place: Place, names: Names) -> Check | None:
    """The material of a table's cell by the labels of its row and column."""
    for label in (*place.row, *place.column):
        if _label_is(label, wanted, names):
            return Check("material", "holds", f"the {'row' if label in place.row else 'column'} is {label!r}")
    parameters = " ".join(f"{head} = {label}" for head, label in zip(place.row_headers, place.row, strict=False))
    found = _by_parameter(wanted, parameters, names)
    if found is not None:
        return found
    for side, labels, rest in (("row", place.row, place.other_rows), ("column", place.column, place.other_columns)):
        other = next((label for label in rest if _label_is(label, wanted, names)), None)
        if other is not None:
            here = ", ".join(labels) or "without a label"
            return Check("material", "fails", f"the {side} is {here!r}; {wanted} is the {side} {other!r}")
    named = [m.name for label in (*place.row, *place.column) for m in find_formulas(label)]
    if named and comparable(wanted):
        return Check("material", "fails", f"the cell's row and column name {', '.join(named[:_SHOWN])} only")
    return None


def _label_is(label: str, wanted: str, names: Names) -> bool:
    if material_name(label) and same_material(label, wanted, names):
        return True
    bare = label.split("(", maxsplit=1)[0].strip()
    if bare and same_material(bare, wanted, names):
        return True
    return any(same_material(m.name, wanted, names) for m in find_formulas(label))


def _by_surroundings(wanted: str, evidence: Evidence, names: Names) -> Check | None:
    """The nearest of caption, paragraph, headings and title that names materials, if it names this one alone."""
    sources = [
        ("caption", evidence.caption),
        ("paragraph", evidence.earlier),
        *(("heading", heading) for heading in evidence.headings),
        ("title", evidence.title),
    ]
    for where, text in sources:
        mentions = [m for m in find_materials(text, names, wanted) if not m.role]
        mine = [m for m in mentions if _is(m, wanted, text, names)]
        rest = [m for m in mentions if m not in mine and comparable(names.meaning(m.name))]
        if mine and (not rest or mine[-1].start > rest[-1].start):
            return Check("material", "holds", f"the {where} names {mine[-1].name}" + ("" if not rest else " last"))
        found = None if mine or rest else _by_parameter(wanted, text, names)
        if found is not None:
            return found
        if mine or rest:
            shown = ", ".join(dict.fromkeys(m.name for m in rest[:_SHOWN]))
            return None if mine else Check("material", "unsure", f"the {where} names {shown}, not {wanted}")
    return None


def _same_elements(a: str, b: str) -> bool:
    first, second = parse_formula(a), parse_formula(b)
    if first is None or second is None:
        return False
    return [element for element, _ in first.amounts] == [element for element, _ in second.amounts]
