"""list_protein_features: what stands where in a protein's sequence."""

import re
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars
from pincite_databases.fields import Record, record, records, text, texts, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState
from pincite_databases.uniprot.api import AccessionName, entry_page, fetch_entry, release_of
from pincite_databases.uniprot.evidence import evidence

_FRAME_CHARS = 700
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_ON_A_PAGE = 500
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_POSITIONS = re.compile(r"([0-9]{1,6})(?:\s*[-\u2013.]+\s*([0-9]{1,6}))?")


class Feature(TypedDict):
    """A feature; positions count from 1 in the canonical sequence (or in ``isoform``).

    "<5" and ">90" lie beyond what is known, "?7" is unsure, "?" unknown, as UniProt says.
    """

    type: str
    start: str
    end: str
    description: str
    evidence: list[str]
    change: NotRequired[str]
    ligand: NotRequired[str]
    references: NotRequired[list[str]]
    id: NotRequired[str]
    isoform: NotRequired[str]


class Features(TypedDict):
    """Features in UniProt's order; ``types`` are all kinds that the entry has, ``total`` counts those that fit."""

    accession: str
    sequence_version: str
    types: list[str]
    total: int
    features: list[Feature]
    next_cursor: str | None
    page: str
    sources: list[Provenance]
    note: NotRequired[str]


async def list_protein_features(
    state: DatabasesState,
    accession: AccessionName,
    type: Annotated[str, Field(description="As binding site, domain, natural variant")] = "",  # noqa: A002
    position: Annotated[str, Field(description="Only what lies on it: 315 or 300-320")] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Features:
    """Features of a UniProt entry with positions and evidence: domains, sites, modifications, variants."""
    wanted = _range(position)
    entry = await fetch_entry(state.web, accession)
    call = ("list_protein_features", entry.accession, type, wanted)
    start = decode_cursor(cursor, *call)
    known = [made for feature in records(entry.content, "features") if (made := _feature(feature))]
    kinds = list(dict.fromkeys(feature["type"] for feature in known))
    named = type.strip().lower()
    exact = any(kind.lower() == named for kind in kinds)
    fitting = [
        feature
        for feature in known
        if (feature["type"].lower() == named if exact else named in feature["type"].lower())
        and (wanted is None or _touches(feature, wanted))
    ]
    shown, after = fill_page(
        fitting, start, lambda feature: feature, max_chars=max_chars - _FRAME_CHARS, max_items=_MOST_ON_A_PAGE
    )
    features = Features(
        accession=entry.accession,
        sequence_version=text(entry.content, "entryAudit", "sequenceVersion"),
        types=kinds,
        total=len(fitting),
        features=shown,
        next_cursor=encode_cursor(after, *call) if after < len(fitting) else None,
        page=entry_page(entry.accession),
        sources=[provenance(entry.response, "features", release_of(entry.response))],
    )
    notes = [entry.remark, "" if fitting else "No feature fits: see types."]
    if note := " ".join(filter(None, notes)):
        features["note"] = note
    return features


def _range(position: str) -> tuple[int, int] | None:
    if not position.strip():
        return None
    match = _POSITIONS.fullmatch(position.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise BadInputError(f"{position[:40]!r} is not a position.", next='Give one as "315", or two as "300-320".')
    return first, last


def _feature(feature: Record) -> Feature | None:
    kind = text(feature, "type")
    start, end = (_place(record(feature, "location", side), side) for side in ("start", "end"))
    if not kind:
        return None
    made = Feature(
        type=kind, start=start, end=end, description=text(feature, "description"), evidence=evidence(feature)
    )
    if change := _change(feature):
        made["change"] = change
    if ligand := text(feature, "ligand", "name"):
        number = text(feature, "ligand", "id").removeprefix("ChEBI:")
        made["ligand"] = f"{ligand} ({number})" if number else ligand
    linked = [f"{text(item, 'database')}:{text(item, 'id')}" for item in records(feature, "featureCrossReferences")]
    if linked:
        made["references"] = linked[:10]
    if own := text(feature, "featureId"):
        made["id"] = own
    if isoform := text(feature, "location", "sequence"):
        made["isoform"] = isoform
    return made


def _place(place: Record, side: str) -> str:
    """A position as UniProt prints it."""
    number = whole(place, "value")
    modifier = text(place, "modifier").upper()
    if number is None or modifier == "UNKNOWN":
        return "?"
    if modifier == "OUTSIDE":
        return f"{'<' if side == 'start' else '>'}{number}"
    return f"?{number}" if modifier == "UNSURE" else str(number)


def _change(feature: Record) -> str:
    """What is replaced by what; a replacement by nothing, an empty object, is a deletion."""
    if not isinstance(feature.get("alternativeSequence"), dict):
        return ""
    replaced = record(feature, "alternativeSequence")
    before, after = text(replaced, "originalSequence"), texts(replaced, "alternativeSequences")
    return f"{before} -> {' or '.join(after)}" if after else "missing"


def _touches(feature: Feature, wanted: tuple[int, int]) -> bool:
    """Whether it lies on one of the positions; a disulfide bond and a cross-link lie on their two ends only.

    What is open or unknown on a side may reach any position there, unless it is unknown on both.
    """
    first, last = (_number(feature[side]) for side in ("start", "end"))
    if first is None and last is None:
        return False
    low, high = wanted
    if feature["type"] in ("Disulfide bond", "Cross-link"):
        return any(end is not None and low <= end <= high for end in (first, last))
    starts_in_time = first is None or feature["start"].startswith("<") or first <= high
    return starts_in_time and (last is None or feature["end"].startswith(">") or last >= low)


def _number(place: str) -> int | None:
    bare = place.lstrip("<>?")
    return int(bare) if bare else None
