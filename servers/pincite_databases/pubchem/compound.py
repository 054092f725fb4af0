"""get_compound: what PubChem computed of a compound, what others measured, and what it is called."""

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars, within
from pincite_databases.fields import Record, records, text, texts, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.pubchem.annotations import EXPERIMENTAL, experimental_facts
from pincite_databases.pubchem.api import ask
from pincite_databases.pubchem.fact import Fact
from pincite_databases.pubchem.find import page_of, remarks
from pincite_databases.state import DatabasesState

Section = Literal["computed", "experimental", "synonyms"]
Cid = Annotated[int, within(1, 2**31 - 1)]

_FRAME_CHARS = 900
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_DATES_SECONDS = 2.0
"""Seconds to wait for the date of a compound, which is worth no more. Set by judgement."""
_MOST_ON_A_PAGE = 200
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_NOTHING_MEASURED = "PubChem has no experimental properties of this compound."
_CAS = re.compile(r"\d{2,7}-\d{2}-\d")
_COMPUTED = (
    ("Title", "", "name"),
    ("IUPACName", "", "computed name"),
    ("MolecularFormula", "", "structure"),
    ("SMILES", "", "structure, with stereochemistry and isotopes"),
    ("ConnectivitySMILES", "", "structure, without stereochemistry and isotopes"),
    ("InChI", "", "structure"),
    ("InChIKey", "", "structure"),
    ("MolecularWeight", "g/mol", "computed: average weights, labelled atoms as labelled"),
    ("ExactMass", "Da", "computed: the most likely isotopic composition"),
    ("MonoisotopicMass", "Da", "computed: the most abundant isotope of each element"),
    ("XLogP", "", "computed: XLogP3, not measured"),
    ("TPSA", "Å^2", "computed: topological polar surface area, Ertl et al."),
    ("Complexity", "", "computed: Bertz/Hendrickson/Ihlenfeldt"),
    ("Charge", "e", "structure"),
    ("HBondDonorCount", "", "computed"),
    ("HBondAcceptorCount", "", "computed"),
    ("RotatableBondCount", "", "computed"),
    ("HeavyAtomCount", "", "structure"),
    ("IsotopeAtomCount", "", "structure"),
    ("AtomStereoCount", "", "structure"),
    ("DefinedAtomStereoCount", "", "structure"),
    ("UndefinedAtomStereoCount", "", "structure"),
    ("BondStereoCount", "", "structure"),
    ("UndefinedBondStereoCount", "", "structure"),
    ("CovalentUnitCount", "", "structure"),
)


class Compound(TypedDict):
    """One section of what PubChem has of a compound; ``total`` counts the facts that fit, on all pages."""

    cid: int
    page: str
    section: str
    total: int
    facts: list[Fact]
    remarks: NotRequired[list[str]]
    next_cursor: str | None
    sources: list[Provenance]
    note: NotRequired[str]


async def get_compound(
    state: DatabasesState,
    cid: Cid,
    section: Section = "computed",
    name: Annotated[str, Field(description='Only facts named so, as "melting point"')] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Compound:
    """Facts on a compound of PubChem. computed: identifiers, weight, XLogP; experimental: values as reported, with
    references; synonyms: names, CAS numbers.
    """
    call = ("get_compound", cid, section, name)
    start = decode_cursor(cursor, *call)
    result = Compound(cid=cid, page=page_of(cid), section=section, total=0, facts=[], next_cursor=None, sources=[])
    facts, response = await _SECTIONS[section](state.web, cid, result)
    created = await _created(state.web, cid) if section == "computed" else ""
    result["sources"].append(provenance(response, section, created))
    fitting = [fact for fact in facts if name.strip().lower() in fact["name"].lower()]
    result["total"] = len(fitting)
    result["facts"], after = fill_page(
        fitting, start, lambda fact: _cut(fact, max_chars // 2), max_chars=max_chars - _FRAME_CHARS,
        max_items=_MOST_ON_A_PAGE,
    )  # fmt: skip
    if after < len(fitting):
        result["next_cursor"] = encode_cursor(after, *call)
    if facts and not fitting:
        named = ", ".join(dict.fromkeys(fact["name"] for fact in facts))
        result["note"] = f"No fact is named so; there are: {named[:1000]}."
    return result


async def _computed(web: Web, cid: int, result: Compound) -> tuple[list[Fact], Response]:
    names = ",".join(name for name, _, _ in _COMPUTED)
    response = await ask(web, f"pug/compound/cid/{cid}/property/{names}/JSON")
    rows = records(response.json(), "PropertyTable", "Properties") if response is not None else []
    row = next((row for row in rows if whole(row, "CID") == cid and len(row) > 1), None)
    if response is None or row is None:
        if response is not None and not rows:
            raise response.malformed("no PropertyTable")
        raise _no_compound(cid)
    result["remarks"] = remarks(row)
    return [made for name, unit, basis in _COMPUTED if (made := _property(row, name, unit, basis))], response


async def _created(web: Web, cid: int) -> str:
    """The day of the record, the one date that PubChem gives of a compound; empty where it does not say in time."""
    try:
        response = await ask(
            web, f"pug/compound/cid/{cid}/dates/JSON", {"dates_type": "creation"}, seconds=_DATES_SECONDS
        )
        listed = records(response.json(), "InformationList", "Information") if response is not None else []
    except PinciteError:
        return ""
    own = next((entry for entry in listed if whole(entry, "CID") == cid), None)
    year, month, day = (whole(own, "CreationDate", part) for part in ("Year", "Month", "Day"))
    if year is None or month is None or day is None:
        return ""
    return f"no release named; record created {year:04d}-{month:02d}-{day:02d}"


def _property(row: Record, name: str, unit: str, basis: str) -> Fact | None:
    value = text(row, name)
    if not value:
        return None
    fact = Fact(name=name, value=value, basis=basis)
    if unit:
        fact["unit"] = unit
    return fact


async def _experimental(web: Web, cid: int, result: Compound) -> tuple[list[Fact], Response]:
    response = await ask(web, f"pug_view/data/compound/{cid}/JSON", {"heading": EXPERIMENTAL})
    if response is not None:
        if whole(response.json(), "Record", "RecordNumber") not in (None, cid):
            raise response.malformed("it is the record of another compound")
        facts = experimental_facts(response)
        if not facts:
            result["note"] = _NOTHING_MEASURED
        return facts, response
    listed = await ask(web, f"pug/compound/cid/{cid}/property/Title/JSON")
    if listed is None:
        raise _no_compound(cid)
    result["note"] = _NOTHING_MEASURED
    return [], listed


async def _synonyms(web: Web, cid: int, result: Compound) -> tuple[list[Fact], Response]:
    response = await ask(web, f"pug/compound/cid/{cid}/synonyms/JSON")
    if response is None:
        raise _no_compound(cid)
    found = records(response.json(), "InformationList", "Information")
    if not found:
        raise response.malformed("no InformationList")
    listed = [synonym for entry in found if whole(entry, "CID") == cid for synonym in texts(entry, "Synonym")]
    if not listed:
        result["note"] = "PubChem lists no synonyms of this compound."
    basis = "given by depositors, in PubChem's order"
    return [
        Fact(name="synonym (CAS number by its form)" if _CAS.fullmatch(name) else "synonym", value=name, basis=basis)
        for name in listed
    ], response


_SECTIONS: dict[Section, Callable[[Web, int, Compound], Awaitable[tuple[list[Fact], Response]]]] = {
    "computed": _computed,
    "experimental": _experimental,
    "synonyms": _synonyms,
}


def _cut(fact: Fact, longest: int) -> Fact:
    if len(fact["value"]) <= longest:
        return fact
    return {**fact, "value": fact["value"][:longest], "cut": f"the first {longest} of {len(fact['value'])} characters"}


def _no_compound(cid: int) -> NotFoundError:
    return NotFoundError(f"PubChem has no compound with the CID {cid}.", next="Find it with find_compound.")
