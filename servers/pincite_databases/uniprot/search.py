"""search_proteins: entries of UniProtKB."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_core.http.exchange import Response
from pincite_core.json_fields import at
from pincite_core.paging import DEFAULT_CHARS, decode_token, encode_token, fill_page
from pincite_databases.arguments import Cursor, Limit, MaxChars
from pincite_databases.fields import Record, records, text, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState
from pincite_databases.uniprot.api import (
    UNIPROT,
    entry_page,
    faults,
    is_inactive,
    next_cursor_of,
    release_of,
    what_became,
)
from pincite_databases.uniprot.naming import genes, organism_name, protein_name, status

_FIELDS = "accession,id,protein_name,gene_names,organism_name,organism_id,length,annotation_score,protein_existence"
_FRAME_CHARS = 600
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""


class ProteinHit(TypedDict):
    """An entry; ``status`` says whether it was reviewed, or what became of it when it is inactive."""

    accession: str
    entry_name: str
    status: str
    protein: str
    genes: list[str]
    organism: str
    length: NotRequired[int]
    existence: NotRequired[str]
    page: str


class ProteinHits(TypedDict):
    """Entries in UniProt's order; ``total`` is how many fit."""

    asked: str
    total: int | None
    hits: list[ProteinHit]
    next_cursor: str | None
    sources: list[Provenance]
    note: NotRequired[str]


async def search_proteins(
    state: DatabasesState,
    query: Annotated[str, Field(description="Words or UniProt's query language, as gene:APP AND length:[1 TO 500]")],
    organism: Annotated[str, Field(description="Taxon number or name")] = "",
    reviewed: Annotated[bool, Field(description="Only Swiss-Prot")] = False,
    limit: Limit = 25,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> ProteinHits:
    """Search UniProtKB for proteins."""
    asked = _query(query, organism, reviewed=reviewed)
    call = ("search_proteins", asked, limit)
    place, _, page = decode_token(cursor, *call).partition("|")
    params = {"query": asked, "format": "json", "fields": _FIELDS, "size": str(limit)}
    response = await state.web.get(
        UNIPROT, "uniprotkb/search", params | ({"cursor": page} if page else {}), expect=(400,)
    )
    if response.status == 400:
        raise BadInputError(
            "UniProt rejected this query.",
            seen="; ".join(faults(response)),
            next="Correct it: fields are written as gene:APP, texts in double quotes.",
        )
    entries = _entries(response)
    start = int(place or 0)
    hits, after = fill_page(entries, start, _hit, max_chars=max_chars - _FRAME_CHARS, max_items=limit)
    following = next_cursor_of(response)
    result = ProteinHits(
        asked=asked,
        total=whole(response.headers.get("x-total-results")),
        hits=hits,
        next_cursor=None,
        sources=[provenance(response, "hits", release_of(response))],
    )
    if after < len(entries):
        result["next_cursor"] = encode_token(f"{after}|{page}", *call)
    elif following:
        result["next_cursor"] = encode_token(f"0|{following}", *call)
    if not entries and not page:
        result["note"] = _nothing(response)
    return result


def _query(query: str, organism: str, *, reviewed: bool) -> str:
    if not query.strip():
        raise BadInputError("The query is empty.", next='Give words, or "*" for all of an organism.')
    parts = [query.strip()]
    if taxon := organism.replace('"', "").strip():
        numbered = taxon.isascii() and taxon.isdecimal()
        parts.append(f"organism_id:{taxon}" if numbered else f'organism_name:"{taxon}"')
    if reviewed:
        parts.append("reviewed:true")
    return " AND ".join(f"({part})" for part in parts) if len(parts) > 1 else parts[0]


def _entries(response: Response) -> list[Record]:
    body = response.json()
    if not isinstance(at(body, "results"), list):
        raise response.malformed("no results")
    return [entry for entry in records(body, "results") if text(entry, "primaryAccession")]


def _hit(entry: Record) -> ProteinHit:
    accession = text(entry, "primaryAccession")
    hit = ProteinHit(
        accession=accession,
        entry_name=text(entry, "uniProtkbId"),
        status=f"inactive: {what_became(entry)}" if is_inactive(entry) else status(entry),
        protein=protein_name(entry),
        genes=genes(entry),
        organism=organism_name(entry),
        page=entry_page(accession),
    )
    if (length := whole(entry, "sequence", "length")) is not None:
        hit["length"] = length
    if existence := text(entry, "proteinExistence"):
        hit["existence"] = existence
    return hit


def _nothing(response: Response) -> str:
    suggested = [query for item in records(response.json(), "suggestions") if (query := text(item, "query"))]
    return "UniProt has nothing for this query." + (f" It suggests: {', '.join(suggested[:5])}." if suggested else "")
