"""Annotations of PUG View: a tree of headings whose values were collected from others, with references.

``{"Record": {"Section": [{"TOCHeading": …, "Section": […], "Information": [{"ReferenceNumber": …, "Name": …,
"Reference": […], "Value": {"StringWithMarkup": [{"String": …}], "Number": […], "Unit": …}}]}], "Reference": [{
"ReferenceNumber": …, "SourceName": …, "URL": …}]}}`` (S. Kim et al., J. Cheminform. 11, 56 (2019)).
"""

from collections.abc import Iterator

from pincite_core.http.exchange import Response
from pincite_databases.fields import Record, few, record, records, text, texts, values
from pincite_databases.pubchem.fact import Fact

_MOST_REFERENCES = 5
"""References of one fact that are shown."""
_DEEPEST = 10
"""Headings inside each other; PUG View has four."""
EXPERIMENTAL = "Experimental Properties"
"""The heading under which PubChem collects what was measured."""


def experimental_facts(response: Response) -> list[Fact]:
    """The values below the heading ``EXPERIMENTAL``, in its order, as they are written; whatever else the record holds,
    which it does where PubChem leaves the parameter ``heading`` out of account, is none of them."""
    known = record(response.json(), "Record")
    if not isinstance(known.get("Section"), list):
        raise response.malformed("no Record with a Section")
    sources = {text(source, "ReferenceNumber"): source for source in records(known, "Reference")}
    return [
        fact
        for section in _headed(records(known, "Section"), 0)
        for path, information in _informations(section, ())
        if (fact := _fact(path, information, sources))
    ]


def _headed(sections: tuple[Record, ...] | list[Record], depth: int) -> Iterator[Record]:
    """The sections under the heading ``EXPERIMENTAL``, however deep."""
    for section in sections:
        if text(section, "TOCHeading").casefold() == EXPERIMENTAL.casefold():
            yield section
        elif depth < _DEEPEST:
            yield from _headed(records(section, "Section"), depth + 1)


def _informations(section: Record, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Record]]:
    heading = text(section, "TOCHeading")
    path = above if not heading or heading.casefold() == EXPERIMENTAL.casefold() else (*above, heading)
    for information in records(section, "Information"):
        yield path, information
    if len(path) < _DEEPEST:
        for inner in records(section, "Section"):
            yield from _informations(inner, path)


def _fact(path: tuple[str, ...], information: Record, sources: dict[str, Record]) -> Fact | None:
    shown = _value(record(information, "Value"))
    if not shown:
        return None
    own = text(information, "Name")
    names = [*path, own] if own and own not in path else list(path)
    source = sources.get(text(information, "ReferenceNumber"), {})
    fact = Fact(
        name=": ".join(names),
        value=shown,
        basis=f"reported by {text(source, 'SourceName') or 'a source that PubChem does not name'}",
    )
    if unit := text(information, "Value", "Unit"):
        fact["unit"] = unit
    if cited := texts(information, "Reference"):
        fact["references"] = few(cited, _MOST_REFERENCES)
    if url := text(source, "URL"):
        fact["url"] = url
    return fact


def _value(value: Record) -> str:
    """The value as it is written: strings by line, or numbers parted by commas; empty for what is neither."""
    strings = [shown for part in records(value, "StringWithMarkup") if (shown := text(part, "String"))]
    if strings:
        return "\n".join(strings)
    if numbers := [text(number) for number in values(value, "Number") if isinstance(number, int | float)]:
        return ", ".join(numbers)
    if flags := [flag for flag in values(value, "Boolean") if isinstance(flag, bool)]:
        return "yes" if flags[0] else "no"
    return ", ".join(texts(value, "DateISO8601"))
