"""get_protein: what UniProt states on a protein, with evidence."""

from collections import Counter
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars
from pincite_databases.fields import few, text, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState
from pincite_databases.uniprot.annotations import Annotation, annotations
from pincite_databases.uniprot.api import AccessionName, entry_page, fetch_entry, release_of
from pincite_databases.uniprot.naming import genes, organism_name, other_names, protein_name, status

_FRAME_CHARS = 1500
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_ON_A_PAGE = 200
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_MOST_NAMES = 12
"""Names of a list that are shown; of the rest the number is said."""


class Protein(TypedDict):
    """An entry: ``topics`` counts its annotations by topic, ``total`` those that fit the topic asked for."""

    accession: str
    entry_name: str
    status: str
    protein: str
    other_names: list[str]
    genes: list[str]
    organism: str
    existence: str
    length: int | None
    entry_version: NotRequired[str]
    annotated: NotRequired[str]
    page: str
    topics: list[str]
    total: int
    annotations: list[Annotation]
    next_cursor: str | None
    sources: list[Provenance]
    note: NotRequired[str]


async def get_protein(
    state: DatabasesState,
    accession: AccessionName,
    topic: Annotated[str, Field(description="Only it: function, disease, subcellular location, PTM…")] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Protein:
    """A UniProt entry: names, organism, review status, and annotations with their evidence."""
    entry = await fetch_entry(state.web, accession)
    content = entry.content
    call = ("get_protein", entry.accession, topic)
    start = decode_cursor(cursor, *call)
    known = annotations(content)
    fitting = [item for item in known if topic.strip().lower() in item["topic"].lower()]
    shown, after = fill_page(
        fitting, start, lambda item: _cut(item, max_chars // 2), max_chars=max_chars - _FRAME_CHARS,
        max_items=_MOST_ON_A_PAGE,
    )  # fmt: skip
    protein = Protein(
        accession=entry.accession,
        entry_name=text(content, "uniProtkbId"),
        status=status(content),
        protein=protein_name(content),
        other_names=few(other_names(content), _MOST_NAMES),
        genes=genes(content),
        organism=organism_name(content),
        existence=text(content, "proteinExistence"),
        length=whole(content, "sequence", "length"),
        page=entry_page(entry.accession),
        topics=[f"{name} ({count})" for name, count in Counter(item["topic"] for item in known).items()],
        total=len(fitting),
        annotations=shown,
        next_cursor=encode_cursor(after, *call) if after < len(fitting) else None,
        sources=[provenance(entry.response, "entry", release_of(entry.response))],
    )
    if version := text(content, "entryAudit", "entryVersion"):
        protein["entry_version"] = version
    if day := text(content, "entryAudit", "lastAnnotationUpdateDate"):
        protein["annotated"] = day
    notes = [entry.remark, "" if fitting or not known else "No annotation has this topic: see topics."]
    if flag := text(content, "proteinDescription", "flag"):
        notes.append(f"UniProt marks it: {flag}.")
    if note := " ".join(filter(None, notes)):
        protein["note"] = note
    return protein


def _cut(item: Annotation, longest: int) -> Annotation:
    if len(item["text"]) <= longest:
        return item
    return {**item, "text": item["text"][:longest], "cut": f"the first {longest} of {len(item['text'])} characters"}
