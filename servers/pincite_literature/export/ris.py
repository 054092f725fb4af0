"""RIS, as reference managers read it: one ``XX  - value`` a line, UTF-8."""

from collections.abc import Iterator, Sequence

from pincite_literature.export.people import person
from pincite_literature.export.text import address, clean, later_reference, page_range, venue_of
from pincite_literature.model import Work
from pincite_literature.standing import status_of

_TYPES = {
    "article": "JOUR", "review": "JOUR", "preprint": "UNPB", "conference": "CONF", "chapter": "CHAP", "book": "BOOK",
    "thesis": "THES", "report": "RPRT", "dataset": "DATA",
}  # fmt: skip


def to_ris(works: Sequence[Work]) -> str:
    """One record a work; abstracts are left out. ``AN`` is the PMID, ``C2`` the PMCID, as PubMed writes them."""
    return "\n".join("".join(f"{tag}  - {value}\n" for tag, value in _lines(work)) + "ER  - \n" for work in works)


def _lines(work: Work) -> Iterator[tuple[str, str]]:
    yield "TY", _TYPES.get(work.kind, "JOUR" if work.venue else "GEN")
    first, last = page_range(work.pages)
    fields = (
        ("TI", clean(work.title)),
        *(("AU", name) for name in _names(work)),
        ("PY", str(work.published.year) if work.published else ""),
        ("DA", _date(work)),
        ("T2", clean(venue_of(work))),
        ("VL", clean(work.volume)),
        ("IS", clean(work.issue)),
        ("SP", first),
        ("EP", last),
        ("PB", clean(work.publisher)),
        ("SN", clean(work.issn or work.isbn)),
        ("LA", clean(work.language)),
        ("DO", clean(work.ids.doi or "")),
        ("AN", clean(work.ids.pmid or "")),
        ("C2", clean(work.ids.pmcid or "")),
        ("UR", address(work.url)),
        ("UR", f"https://arxiv.org/abs/{clean(work.ids.arxiv)}" if work.ids.arxiv else ""),
        ("N1", f"arXiv:{clean(work.ids.arxiv)}" if work.ids.arxiv else ""),
        ("N1", clean(status_of(work).capitalize())),
        ("N1", f"Published in {clean(reference)}" if (reference := later_reference(work)) else ""),
    )
    yield from dict.fromkeys(field for field in fields if field[1])


def _names(work: Work) -> Iterator[str]:
    for author in work.authors:
        found = person(author)
        if found is None:
            continue
        family = f"{found.particle} {found.family}".strip()
        yield found.literal or ", ".join(part for part in (family, found.given, found.suffix) if part)


def _date(work: Work) -> str:
    """``YYYY/MM/DD/`` with empty parts for what is not known."""
    date = work.published
    if date is None:
        return ""
    month = f"{date.month:02d}" if date.month else ""
    return f"{date.year:04d}/{month}/{f'{date.day:02d}' if date.day else ''}/"
