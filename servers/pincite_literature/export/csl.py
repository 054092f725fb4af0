"""CSL-JSON, as citation processors read it (schema of CSL 1.0.2)."""

from collections.abc import Sequence
from typing import Any

import orjson

from pincite_literature.export.citekeys import citation_keys
from pincite_literature.export.people import person
from pincite_literature.export.text import address, clean, later_reference, page_range, venue_of
from pincite_literature.model import Author, Work
from pincite_literature.standing import status_of

_TYPES = {
    "article": "article-journal", "review": "article-journal", "preprint": "article", "conference": "paper-conference",
    "chapter": "chapter", "book": "book", "thesis": "thesis", "report": "report", "dataset": "dataset",
}  # fmt: skip
_MARKUP = str.maketrans({"<": "&lt;", ">": "&gt;"})


def to_csl(works: Sequence[Work]) -> str:
    """A list of items; abstracts are left out. Signs that processors read as markup are written as entities."""
    items = [_item(key, work) for key, work in zip(citation_keys(works), works, strict=True)]
    return orjson.dumps(items, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _item(key: str, work: Work) -> dict[str, Any]:
    first, last = page_range(work.pages)
    ids = work.ids
    preprint = work.kind == "preprint"
    fields: dict[str, Any] = {
        "id": key,
        "type": _TYPES.get(work.kind, "article-journal" if work.venue else "document"),
        "title": clean(work.title).translate(_MARKUP),
        "author": [name for author in work.authors if (name := _name(author))],
        "issued": _date(work),
        "container-title": "" if preprint else clean(work.venue).translate(_MARKUP),
        "volume": clean(work.volume),
        "issue": clean(work.issue),
        "page": f"{first}-{last}" if last else first,
        "publisher": clean((preprint and venue_of(work)) or work.publisher).translate(_MARKUP),
        "genre": "preprint" if preprint else "",
        "number": f"arXiv:{clean(ids.arxiv)}" if ids.arxiv and preprint else "",
        "ISSN": clean(work.issn),
        "ISBN": clean(work.isbn),
        "language": clean(work.language),
        "DOI": clean(ids.doi or ""),
        "PMID": clean(ids.pmid or ""),
        "PMCID": clean(ids.pmcid or ""),
        "URL": address(work.url),
        "note": "; ".join(_notes(work, preprint=preprint)),
    }
    return {name: value for name, value in fields.items() if value}


def _notes(work: Work, *, preprint: bool) -> list[str]:
    notes = [status_of(work).capitalize()] if status_of(work) else []
    if work.ids.arxiv and not preprint:
        notes.append(f"arXiv:{clean(work.ids.arxiv)}")
    if reference := later_reference(work):
        notes.append(f"Published in {clean(reference).translate(_MARKUP)}")
    return notes


def _name(author: Author) -> dict[str, str]:
    found = person(author)
    if found is None:
        return {}
    parts = {
        "family": found.family,
        "given": found.given,
        "non-dropping-particle": found.particle,
        "suffix": found.suffix,
        "literal": found.literal,
    }
    return {name: part.translate(_MARKUP) for name, part in parts.items() if part}


def _date(work: Work) -> dict[str, list[list[int]]]:
    date = work.published
    if date is None:
        return {}
    return {"date-parts": [[part for part in (date.year, date.month, date.day) if part is not None]]}
