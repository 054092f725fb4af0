"""One material in all the spellings under which precedents may stand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pincite_core.errors import BadInputError, NotFoundError
from pincite_literature.export.text import clean
from pincite_literature.materials import families, fitting, spelling
from pincite_literature.materials.families import Family, Prototype
from pincite_literature.materials.queries import Words, nominal, query_texts, source_queries
from pincite_literature.materials.relations import hosts, related
from pincite_literature.materials.shapes import LONGEST, Expansion, Ordering, QueryText, Reading, SourceQuery
from pincite_literature.materials.sharing import Series, series_of
from pincite_materials.formulas import Formula, parse_formula
from pincite_materials.linear import Linear

_MOST_RELATED = 8
"""Related materials that are named."""
_MOST_WHOLE = 3
"""Readings that are given with all their queries."""

_SHORT = 5
"""Queries of the short form."""
_PLAIN = re.compile(r"[A-Za-zδ0-9().,+\-/\[\]]+")
_PLACEHOLDER = re.compile(r"[XZ](?![a-z])|^\d+[A-Z]?$|^0?\.\d")
"""What is in names rather than in formulas, though it can be read as an unknown or a coefficient."""

_MIXED = re.compile(
    r"(?P<share>0?\.\d+|\(1-x\)|x)(?P<one>[A-Z][^\s-]*)-(?P<other_share>0?\.\d+|\(1-x\)|x)(?P<other>[A-Z][^\s-]*)"
)
"""A solid solution by the shares of its ends: ``0.7Pb(Mg1/3Nb2/3)O3-0.3PbTiO3``."""

_LARGEST = 10_000
"""Amount of an element beyond which no formula is meant."""


def expand(name: str) -> Expansion:
    """The readings of a name. BadInputError for what is none, NotFoundError for a name that is not known,
    MissingExtraError without pymatgen."""
    text = clean(name)
    if not text or len(text) > LONGEST:
        raise BadInputError(
            "The material's name is empty." if not text else f"The material's name has more than {LONGEST} characters.",
            next="Give a formula (La1.85Sr0.15CuO4), an acronym (LSCO), a name or a structure type (spinel).",
        )
    readings = list(_readings(text))
    if not readings:
        raise NotFoundError(
            f"No material of the name {text!r} is known here.",
            seen="It is not a formula, and the tables have no acronym, name or structure type of this spelling.",
            next="Give its formula, or search for the name itself with search_papers.",
        )
    note = ""
    if len(readings) > 1:
        note = (
            f"{text} has {len(readings)} readings: "
            + "; ".join(reading["family"] for reading in readings)
            + ". Choose by the question's context, or search for each."
        )
    if len(readings) > _MOST_WHOLE:
        readings = [_short(reading) for reading in readings]
        note += " Each is cut short: ask again with its family for all its queries."
    return Expansion(name=text, readings=readings, note=note)


def _readings(text: str) -> Iterator[Reading]:
    named = families.by_acronym(text, exact=True) or families.by_name(text)
    formula = None if named else _formula(text)
    if formula is None and not named:
        named = families.by_acronym(text, exact=False)
    keys: set[str] = set()
    for family in named:
        general, values = _general(family.parsed)[0] if family.parsed.resolved else (family, {})
        if general.formula not in keys:
            keys.add(general.formula)
            others = () if general is family else (family,)
            formula_of_it = family.parsed if others else None
            why = f"{text} is a short name or name of it"
            yield _family_reading(general, why, values, formula_of_it, family.formula, others)
    found = families.prototype(text)
    if found is not None:
        yield _prototype_reading(found)
    if formula is not None:
        fits = _general(formula)
        if fits:
            others = tuple(family for family, _ in fits[1:])
            yield _family_reading(fits[0][0], f"{text} is a composition of it", fits[0][1], formula, text, others)
        else:
            yield _series_reading(text, formula)


def _short(reading: Reading) -> Reading:
    """A reading with its likeliest queries only."""
    return {
        **reading,
        "queries": reading["queries"][:_SHORT],
        "formulas": reading["formulas"][:1],
        "source_queries": [],
    }


def _general(formula: Formula) -> list[tuple[Family, dict[str, float]]]:
    """The families that the formula fits, the one with the most unknowns first, and their unknowns' values."""
    fits = [
        (family, values)
        for family in families.families()
        if (values := fitting.fit(family.parsed, formula, open_oxygen=family.open_oxygen)) is not None
    ]
    return sorted(fits, key=lambda pair: -sum(len(amount.unknowns) for _, amount in pair[0].parsed.amounts))


def _formula(text: str) -> Formula | None:
    """The formula that the text is, short names not read; None for a name."""
    mixed = _MIXED.fullmatch(spelling.bare(text))
    if mixed is not None:
        shares = (mixed["share"].strip("()"), mixed["other_share"].strip("()"))
        text = f"({mixed['one']}){shares[0]}({mixed['other']}){shares[1]}"
    formula = parse_formula(text)
    if formula is None or not formula.amounts or _PLACEHOLDER.search(text):
        return None
    numbers = [abs(amount.constant) for _, amount in formula.amounts]
    if max(numbers) > _LARGEST or any(not amount.unknowns and amount.constant <= 0 for _, amount in formula.amounts):
        return None
    return formula


def _family_reading(
    family: Family,
    why: str,
    values: Mapping[str, float],
    asked: Formula | None,
    text: str,
    others: Sequence[Family] = (),
) -> Reading:
    """``others`` are more special families that it is of too: their names count first."""
    ours = (*others, family)
    acronyms = list(dict.fromkeys(acronym for each in ours for acronym in each.acronyms))
    shared = frozenset(acronym for acronym in acronyms if len(families.by_acronym(acronym, exact=True)) > len(ours))
    telling = [acronym for acronym in acronyms if not acronym.isdigit()]
    names = list(dict.fromkeys(name for each in ours for name in each.names))
    letters = family.letters
    named = sorted((letters.get(name, name), value) for name, value in values.items())
    forms = _forms(asked) if asked else []
    formula = asked or family.parsed
    amounts = {element: amount.renamed({} if asked else letters) for element, amount in formula.amounts}
    return _reading(
        key=family.formula,
        why=why,
        composition=", ".join([*forms, *(f"{letter} = {value:.3g}" for letter, value in named)]),
        words=Words((), telling, [*(_formed(each, family.formula) for each in forms), *names], family.context, shared),
        sites=family.sites,
        prototype=family.prototype,
        related=list(related(family)[:_MOST_RELATED]),
        asked=_asked(text, formula) if asked else None,
        general=family.formula,
        amounts=amounts,
        series=series_of(family.parsed),
    )


def _series_reading(text: str, formula: Formula) -> Reading:
    """A material of no table: a doped one by its shared sites, else itself."""
    series = series_of(formula)
    written = _asked(text, formula)
    order = _order(written, dict(formula.amounts))
    if series is None:
        amounts = dict(formula.amounts)
        found = spelling.orders(amounts, order)
        by_pull = spelling.formula_of(amounts, spelling.by_electronegativity(amounts))
        key = next((text for names, text in found if "reduced" in names), by_pull)
        general = written
    else:
        general = spelling.formula_of(series.amounts, order)
        key = series.shared_form(spelling.by_electronegativity(series.amounts))
    forms = _forms(formula)
    return _reading(
        key=key,
        why=f"{text} reads as a formula" + (" of a series of shared sites" if series else ""),
        composition=", ".join(forms),
        words=Words((), (), [_formed(each, general) for each in forms]),
        sites="; ".join(f"{' and '.join(site)} share a site" for site in series.sites) if series else "",
        prototype="",
        related=hosts(series, order) if series and series.dilute else [],
        asked=written,
        general=general,
        amounts=dict(formula.amounts),
        series=series,
    )


def _forms(formula: Formula) -> list[str]:
    """What the name says beside the composition: ``α``, ``2H``, ``Nb-doped``."""
    polytype = [formula.polytype] if formula.polytype else []
    return [*polytype, *(f"{dopant.split()[0]}-doped" for dopant in formula.dopants)]


def _formed(form: str, formula: str) -> str:
    return f"{form} {formula}" if form.endswith("-doped") else f"{form}-{formula}"


def _prototype_reading(found: Prototype) -> Reading:
    names = [name for name in found.names if not name.isdigit()]
    words = Words([found.formula] if found.formula else [], (), names)
    queries = [QueryText(text=name, why="a name of the structure type") for name in names]
    if found.formula:
        queries.append(QueryText(text=found.formula, why="its general formula"))
    members = [
        family.formula
        for family in families.families()
        if family.prototype.startswith(found.name) or family.context == found.name
    ]
    return Reading(
        family=found.name,
        why="a structure type",
        composition="",
        acronyms=[],
        names=names,
        sites=found.meaning,
        prototype=found.name,
        related=[f"{found.example}: its example", *(f"{member}: of this type" for member in members[:20])],
        formulas=[Ordering(order="general", formula=found.formula)] if found.formula else [],
        queries=queries,
        source_queries=[SourceQuery(source=source, query=query) for source, query in source_queries(words)],
    )


def _reading(
    *,
    key: str,
    why: str,
    composition: str,
    words: Words,
    sites: str,
    prototype: str,
    related: list[str],
    asked: str | None,
    general: str,
    amounts: Mapping[str, Linear],
    series: Series | None,
) -> Reading:
    order = _order(asked or general, amounts)
    queries = query_texts(asked, general, words, series)
    phrases = [text for text in (asked, nominal(general)) if text]
    phrases += [spelling.spaced(parts) for text in phrases if (parts := spelling.parts(text))]
    said = Words(list(dict.fromkeys(phrases)), words.acronyms, words.names, words.context, words.shared)
    return Reading(
        family=key,
        why=why,
        composition=composition,
        acronyms=list(words.acronyms),
        names=list(words.names),
        sites=sites,
        prototype=prototype,
        related=related,
        formulas=[Ordering(order=order, formula=text) for order, text in spelling.orders(amounts, order)],
        queries=queries,
        source_queries=[SourceQuery(source=source, query=query) for source, query in source_queries(said)],
    )


def _asked(text: str, formula: Formula) -> str:
    """The formula as it was written where nothing but a formula was, else its amounts in alphabetical order."""
    bare = spelling.bare(text)
    if _MIXED.fullmatch(bare) or (_PLAIN.fullmatch(bare) and parse_formula(bare) == formula):
        return bare
    amounts = dict(formula.amounts)
    return spelling.formula_of(amounts, _order(bare, amounts))


def _order(text: str, elements: Iterable[str]) -> list[str]:
    """The formula's elements in the order in which the text names them first."""
    places = {element: text.find(element) for element in elements}
    return sorted(places, key=lambda element: (places[element] < 0, places[element], element))
