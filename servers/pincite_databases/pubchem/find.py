"""find_compound: which compounds of PubChem a name, a structure or a formula stands for."""

import re
from typing import Annotated, NotRequired
from urllib.parse import quote

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.json_fields import at
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars
from pincite_databases.fields import Record, records, text, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.pubchem.api import ask, ask_by_value, numbers, settled
from pincite_databases.pubchem.query import CompoundQuery, Kind, read_query
from pincite_databases.state import DatabasesState

_CID = re.compile(r"[1-9][0-9]{0,9}")
_MOST_HITS = 500
"""Compounds of one formula that are asked for; more are said to be more."""
_FRAME_CHARS = 700
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_ON_A_PAGE = 25
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_PROPERTIES = (
    "Title,MolecularFormula,MolecularWeight,SMILES,InChIKey,IUPACName,Charge,CovalentUnitCount,IsotopeAtomCount,"
    "UndefinedAtomStereoCount,UndefinedBondStereoCount"
)


class CompoundHit(TypedDict):
    """A compound; ``remarks`` tell it from its salts, isomers and labelled forms. The weight is in g/mol."""

    cid: int
    title: str
    formula: str
    molecular_weight: str
    smiles: str
    inchikey: str
    iupac_name: NotRequired[str]
    remarks: list[str]
    page: str


class CompoundHits(TypedDict):
    """Hits in PubChem's order; ``asked_as`` is how the query was understood, ``total`` how many hits there are."""

    asked_as: str
    query: str
    total: int
    hits: list[CompoundHit]
    next_cursor: str | None
    sources: list[Provenance]
    note: NotRequired[str]


async def find_compound(
    state: DatabasesState,
    query: Annotated[str, Field(description="Name, CAS number, SMILES, InChI, InChIKey, CID or formula")],
    kind: Annotated[Kind, Field(description="words: names that hold these words")] = "auto",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> CompoundHits:
    """Find compounds in PubChem. All that fit are listed: choose among isomers and salts yourself."""
    asked = read_query(query, kind)
    if not asked.value:
        raise BadInputError("The query is empty.", next="Give a name, a structure or a formula.")
    call = ("find_compound", asked.kind, asked.value)
    start = decode_cursor(cursor, *call)
    found = await _ask_for(state.web, asked)
    cids = numbers(found, "CID") if found is not None else []
    result = CompoundHits(
        asked_as=asked.kind, query=asked.value, total=len(cids), hits=[], next_cursor=None, sources=[]
    )
    if found is not None:
        result["sources"].append(provenance(found, "which compounds fit"))
    if listed := cids[start : start + _MOST_ON_A_PAGE]:
        rows, response = await _properties(state.web, listed)
        result["hits"], shown = fill_page(
            listed,
            0,
            lambda cid: _hit(cid, rows.get(cid, {})),
            max_chars=max_chars - _FRAME_CHARS,
            max_items=_MOST_ON_A_PAGE,
        )
        if asked.kind == "cid" and not rows:
            raise NotFoundError(f"PubChem has no compound with the CID {asked.value}.", next="Search by name instead.")
        if response is not None:
            result["sources"].append(provenance(response, "hits"))
        if start + shown < len(cids):
            result["next_cursor"] = encode_cursor(start + shown, *call)
    if note := _note(asked, len(cids)):
        result["note"] = note
    return result


async def _ask_for(web: Web, asked: CompoundQuery) -> Response | None:
    """PubChem's list of CIDs, None when it has none."""
    value = quote(asked.value, safe="")
    match asked.kind:
        case "cid":
            if not _CID.fullmatch(asked.value):
                raise BadInputError(f"{asked.value[:40]!r} is not a CID.", next="A CID is a number such as 2244.")
            return await ask(web, f"pug/compound/cid/{value}/cids/JSON")
        case "formula":
            response = await ask(web, f"pug/compound/fastformula/{value}/cids/JSON", {"MaxRecords": str(_MOST_HITS)})
            return await settled(web, response, "cids/JSON")
        case "inchikey":
            return await ask(web, f"pug/compound/inchikey/{value}/cids/JSON")
        case "smiles" | "inchi":
            return await ask_by_value(web, f"pug/compound/{asked.kind}/cids/JSON", asked.kind, asked.value)
        case _:
            words = {"name_type": "word"} if asked.kind == "words" else {}
            if not set(asked.value) & set("/\\;?#%") and asked.value.strip("."):
                return await ask(web, f"pug/compound/name/{value}/cids/JSON", words)
            return await ask_by_value(web, "pug/compound/name/cids/JSON", "name", asked.value, words)


async def _properties(web: Web, cids: list[int]) -> tuple[dict[int, Record], Response | None]:
    """The properties by CID; a CID that PubChem does not have has a row with nothing but its number, or none."""
    listed = ",".join(str(cid) for cid in cids)
    response = await ask(web, f"pug/compound/cid/{listed}/property/{_PROPERTIES}/JSON")
    if response is None:
        return {}, None
    if not isinstance(at(response.json(), "PropertyTable", "Properties"), list):
        raise response.malformed("no PropertyTable")
    rows = records(response.json(), "PropertyTable", "Properties")
    return {cid: row for row in rows if len(row) > 1 and (cid := whole(row, "CID")) is not None}, response


def _hit(cid: int, row: Record) -> CompoundHit:
    hit = CompoundHit(
        cid=cid,
        title=text(row, "Title"),
        formula=text(row, "MolecularFormula"),
        molecular_weight=text(row, "MolecularWeight"),
        smiles=text(row, "SMILES"),
        inchikey=text(row, "InChIKey"),
        remarks=remarks(row),
        page=page_of(cid),
    )
    if name := text(row, "IUPACName"):
        hit["iupac_name"] = name
    return hit


def remarks(row: Record) -> list[str]:
    """What sets the structure apart: several parts, a charge, labels, open stereochemistry; or that it has no data."""
    if not row:
        return ["PubChem gives no properties for it"]
    found: list[str] = []
    if (parts := whole(row, "CovalentUnitCount") or 0) > 1:
        found.append(f"{parts} separate parts: a salt, solvate or mixture")
    if charge := whole(row, "Charge"):
        found.append(f"charge {charge:+d}")
    if labels := whole(row, "IsotopeAtomCount"):
        found.append(f"isotopes given for {labels} atoms")
    for name, what in (("UndefinedAtomStereoCount", "stereocentres"), ("UndefinedBondStereoCount", "double bonds")):
        if count := whole(row, name):
            found.append(f"{count} {what} without defined stereochemistry")
    return found


def page_of(cid: int) -> str:
    """PubChem's page for people."""
    return f"https://pubchem.ncbi.nlm.nih.gov/compound/{cid}"


def _note(asked: CompoundQuery, total: int) -> str:
    notes = [] if total else [_nothing(asked)]
    if asked.remark:
        notes.append(asked.remark)
    if total >= _MOST_HITS:
        notes.append(f"PubChem was asked for {_MOST_HITS} at most: there may be more.")
    return " ".join(notes)


def _nothing(asked: CompoundQuery) -> str:
    match asked.kind:
        case "name":
            return 'PubChem knows nothing under exactly this name: kind="words" finds names that hold its words.'
        case "smiles" | "inchi":
            return "PubChem has no record of this structure as it is written."
        case _:
            return f"PubChem has nothing for this {asked.kind}."
