"""get_bioassays: what assays said of a compound, row by row, with counts.

The table of ``assaysummary`` has one row a result: {"Table": {"Columns": {"Column": ["AID", …]}, "Row": [{"Cell":
[…]}]}}. It has no column for a relation: a value may be a bound (> 10) without showing it.
"""

import re
from collections import Counter
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.http.exchange import Response
from pincite_core.json_fields import at
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars
from pincite_databases.fields import records, text, texts, values, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.pubchem.api import ask
from pincite_databases.pubchem.compound import Cid
from pincite_databases.state import DatabasesState

_FRAME_CHARS = 2200
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_ON_A_PAGE = 200
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_MOST_TARGETS = 10
"""Targets whose rows are counted in the summary."""
_MOST_BYTES = 128 << 20
"""Bytes of an answer that is read; a longer one is an error. Set by judgement."""
_VALUE = re.compile(r"Activity Value \[(.+)\]")
_RELATION_NOTE = """\
PubChem's summary has no relation signs: a value may stand for > or <. Check it at the assay's page before use."""


class AssayResult(TypedDict):
    """One result: ``value`` of ``activity`` (such as IC50) in ``unit``; targets by accession and NCBI gene number."""

    aid: int
    assay: str
    outcome: str
    activity: NotRequired[str]
    value: NotRequired[str]
    unit: NotRequired[str]
    target: NotRequired[str]
    gene: NotRequired[str]
    assay_type: NotRequired[str]
    pubmed: NotRequired[str]
    sid: NotRequired[str]
    page: str


class Count(TypedDict):
    """How many rows of the table have this outcome or target, and how many different assays they are from."""

    of: str
    rows: int
    assays: int


class Bioassays(TypedDict):
    """Rows in PubChem's order; ``total`` counts those that fit, ``outcomes`` and ``targets`` all of the compound's."""

    cid: int
    total: int
    outcomes: list[Count]
    targets: list[Count]
    results: list[AssayResult]
    next_cursor: str | None
    sources: list[Provenance]
    note: str


async def get_bioassays(
    state: DatabasesState,
    cid: Cid,
    outcome: Annotated[str, Field(description="Such as active")] = "",
    target: Annotated[str, Field(description="Accession, gene number or words of the assay's name")] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Bioassays:
    """Results of biological assays for a compound of PubChem: counts of outcomes, targets, activity values."""
    call = ("get_bioassays", cid, outcome, target)
    start = decode_cursor(cursor, *call)
    response = await ask(state.web, f"pug/compound/cid/{cid}/assaysummary/JSON", most_bytes=_MOST_BYTES)
    if response is None:
        note = f"PubChem has no assay results for CID {cid}, or no such compound."
        return Bioassays(cid=cid, total=0, outcomes=[], targets=[], results=[], next_cursor=None, sources=[], note=note)
    rows = _rows(response)
    fitting = [row for row in rows if _fits(row, outcome.strip().lower(), target.strip().lower())]
    shown, after = fill_page(
        fitting, start, lambda row: row, max_chars=max_chars - _FRAME_CHARS, max_items=_MOST_ON_A_PAGE
    )
    targets = _counts([(row.get("target") or _gene(row), row["aid"]) for row in rows])
    note = _RELATION_NOTE
    if len(targets) > _MOST_TARGETS:
        note += f" The {_MOST_TARGETS} targets with most rows are counted, of {len(targets)}."
    return Bioassays(
        cid=cid,
        total=len(fitting),
        outcomes=_counts([(row["outcome"], row["aid"]) for row in rows]),
        targets=targets[:_MOST_TARGETS],
        results=shown,
        next_cursor=encode_cursor(after, *call) if after < len(fitting) else None,
        sources=[provenance(response, "results")],
        note=note,
    )


def _rows(response: Response) -> list[AssayResult]:
    """The rows; what has no assay or outcome, or not as many cells as there are columns, is left out."""
    table = at(response.json(), "Table")
    columns = texts(table, "Columns", "Column")
    if "AID" not in columns or not {"Activity Outcome", "Bioactivity Outcome"} & set(columns):
        raise response.malformed("no table of assays")
    unit = next((match[1] for column in columns if (match := _VALUE.fullmatch(column))), "")
    found: list[AssayResult] = []
    for entry in records(table, "Row"):
        cells = [text(cell) for cell in values(entry, "Cell")]
        if len(cells) != len(columns):
            continue
        made = _result(dict(zip(columns, cells, strict=True)), unit)
        if made is not None:
            found.append(made)
    return found


def _result(row: dict[str, str], unit: str) -> AssayResult | None:
    aid = whole(row, "AID")
    outcome = row.get("Activity Outcome") or row.get("Bioactivity Outcome", "")
    if aid is None or not outcome:
        return None
    made = AssayResult(
        aid=aid,
        assay=row.get("Assay Name", ""),
        outcome=outcome,
        page=f"https://pubchem.ncbi.nlm.nih.gov/bioassay/{aid}",
    )
    if activity := row.get("Activity Name"):
        made["activity"] = activity
    if value := row.get(f"Activity Value [{unit}]"):
        made["value"], made["unit"] = value, unit
    if accession := row.get("Target Accession"):
        made["target"] = accession
    if gene := row.get("Target GeneID"):
        made["gene"] = gene
    if kind := row.get("Assay Type"):
        made["assay_type"] = kind
    if pubmed := row.get("PubMed ID"):
        made["pubmed"] = pubmed
    if sid := row.get("SID"):
        made["sid"] = sid
    return made


def _fits(row: AssayResult, outcome: str, target: str) -> bool:
    if outcome and row["outcome"].lower() != outcome:
        return False
    return (
        not target or target in (row.get("target", "").lower(), row.get("gene", "")) or target in row["assay"].lower()
    )


def _gene(row: AssayResult) -> str:
    return f"gene {row['gene']}" if "gene" in row else ""


def _counts(pairs: list[tuple[str, int]]) -> list[Count]:
    """Rows and assays by name, most rows first; what has no name is left out."""
    rows = Counter(name for name, _ in pairs if name)
    assays = Counter(name for name, _ in set(pairs) if name)
    return [Count(of=name, rows=count, assays=assays[name]) for name, count in rows.most_common()]
