"""Query strings of a material: for any search, and in each source's own language."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_literature.catalog import ROWS, Phrasing
from pincite_literature.materials import spelling
from pincite_literature.materials.shapes import QueryText
from pincite_literature.materials.sharing import Series

MOST_QUERIES = 14
"""Texts of a reading."""

_MOST = {"formulas": 4, "acronyms": 2, "names": 2}
"""Clauses of each kind in a source's query."""

_SHORT = 4
"""Letters up to which an acronym means other things in other fields."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a material is called: formulas and names are phrases; an acronym counts beside its context."""

    formulas: Sequence[str]
    acronyms: Sequence[str]
    names: Sequence[str]
    context: str = ""
    shared: frozenset[str] = frozenset()
    """Acronyms that other materials bear too."""

    def alone(self, acronym: str) -> bool:
        """Whether the acronym needs no context."""
        mixed = any(not letter.isupper() for letter in acronym) and any(map(str.isalpha, acronym))
        return not self.context or (acronym not in self.shared and (mixed or len(acronym) > _SHORT))


def query_texts(asked: str | None, general: str, words: Words, series: Series | None) -> list[QueryText]:
    """The likeliest spellings first, each once, at most ``MOST_QUERIES``."""
    found: dict[str, str] = {}

    def add(text: str | None, why: str) -> None:
        if text and len(found) < MOST_QUERIES:
            found.setdefault(text, why)

    add(asked, "the formula as asked")
    add(general, "the series as papers write it" if series else "the formula as papers write it")
    for acronym in words.acronyms[:3]:
        alone = words.alone(acronym)
        add(acronym if alone else f"{acronym} {words.context}", "acronym" if alone else "acronym, with its context")
    for name in words.names[:2]:
        add(name, "name")
    add(nominal(general), "nominal oxygen")
    parts = spelling.parts(general)
    if parts is not None:
        add(spelling.subscripts(parts), "Unicode subscripts")
        add(spelling.latex(parts), "LaTeX subscripts, as arXiv titles have them")
        add(spelling.spaced(parts), "blanks around subscripts, as indexes hold marked-up titles")
        add(spelling.minus(parts) if "-" in general else None, "minus sign for hyphen")
    if series is not None:
        order = spelling.elements(parts) if parts else sorted(series.amounts)
        add(series.shared_form(order), "shared sites in brackets")
        guests = [guest for site in series.sites for guest in site[1:]] if series.dilute else []
        for guest in guests:
            add(f"{guest}-doped {spelling.formula_of(series.host, order)}", "the dopant in words")
    if parts is not None:
        add(spelling.system(parts), "the chemical system")
    return [QueryText(text=text, why=why) for text, why in found.items()]


def nominal(formula: str) -> str:
    """Without the deviation of oxygen."""
    for deviation in ("-δ", "+δ"):
        formula = formula.replace(deviation, "")
    return formula


def source_queries(words: Words) -> list[tuple[str, str]]:
    """For each source the query that its ``query_source`` takes."""
    return [(row.name, _phrased(words, row.phrasing)) for row in ROWS]


def _phrased(words: Words, phrasing: Phrasing) -> str:
    text = _joined(words, phrasing) if phrasing.either else _bag(words)
    return phrasing.parameter + _encoded(text) if phrasing.parameter else text


def _joined(words: Words, phrasing: Phrasing) -> str:
    """Phrases in quotes, an acronym with its context in brackets."""

    def said(text: str) -> str:
        return phrasing.phrase.format(f'"{text.replace(chr(34), "")}"')

    def in_context(acronym: str) -> str:
        if words.alone(acronym):
            return said(acronym)
        return f"({said(acronym)}{phrasing.both}{said(words.context)})"

    clauses = [
        *map(said, words.formulas[: _MOST["formulas"]]),
        *map(in_context, words.acronyms[: _MOST["acronyms"]]),
        *map(said, words.names[: _MOST["names"]]),
    ]
    return phrasing.either.join(dict.fromkeys(clauses))


def _bag(words: Words) -> str:
    """Words without operators: Crossref ranks by how many are found."""
    return " ".join(dict.fromkeys([*words.formulas[:2], *words.acronyms[:1], words.context, *words.names[:1]])).strip()


def _encoded(text: str) -> str:
    return text.replace("%", "%25").replace("&", "%26").replace("+", "%2B")
