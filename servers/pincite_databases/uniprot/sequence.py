"""get_sequence: the residues of a protein, checked against what UniProt says of them."""

import hashlib
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http.exchange import Response
from pincite_core.paging import DEFAULT_CHARS
from pincite_databases.arguments import MaxChars
from pincite_databases.fields import Record, record, text, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState
from pincite_databases.uniprot.api import (
    AccessionName,
    UniprotEntry,
    entry_page,
    fetch_entry,
    read_accession,
    release_of,
)
from pincite_databases.uniprot.checksums import crc64
from pincite_databases.uniprot.isoforms import choose, derived, fetch_isoform, isoforms

_FRAME_CHARS = 900
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""


class Sequence(TypedDict):
    """Residues ``start`` to ``end`` (from 1) in one-letter code; ``length`` and the rest are of the whole sequence.

    ``mass_da`` is UniProt's: of the unprocessed chain, without modifications. ``checked`` says what the sequence was
    compared with.
    """

    accession: str
    of: str
    length: int
    start: int
    end: int
    sequence: str
    next_start: int | None
    mass_da: NotRequired[int]
    crc64: str
    md5: str
    checked: str
    sequence_version: NotRequired[str]
    page: str
    sources: list[Provenance]
    note: NotRequired[str]


async def get_sequence(
    state: DatabasesState,
    accession: AccessionName,
    isoform: Annotated[str, Field(description="Number or name; empty for the canonical one")] = "",
    start: Annotated[int, Field(ge=1)] = 1,
    end: Annotated[int, Field(ge=0, description="0: to the last")] = 0,
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Sequence:
    """The amino acid sequence of a UniProt entry or of one of its isoforms, or a part of it."""
    _, numbered = read_accession(accession)
    if isoform and numbered and isoform.strip().upper() not in (numbered, numbered.partition("-")[2]):
        raise BadInputError(f"{numbered} is one isoform and {isoform[:40]!r} another.", next="Give one of them.")
    entry = await fetch_entry(state.web, accession)
    canonical, checked = _canonical(entry)
    if numbered and entry.asked_as != entry.accession:
        raise NotFoundError(
            f"{entry.asked_as} is now {entry.accession}; UniProt does not say what became of its isoform {numbered}.",
            next=f"Choose among the isoforms of {entry.accession} (get_protein, topic alternative products).",
        )
    wanted = isoform or numbered
    chosen = choose(entry, wanted) if wanted and not _is_only(entry, wanted) else None
    if chosen is None or chosen.status.lower() == "displayed":
        made = _result(entry, canonical, entry.response, of=_displayed(entry))
        made["checked"] = f"agrees with the entry in {checked}"
        if (mass := whole(entry.content, "sequence", "molWeight")) is not None:
            made["mass_da"] = mass
    else:
        sequence, response = await fetch_isoform(state.web, chosen, entry.accession)
        made = _result(entry, sequence, response, of=f"isoform {chosen.label}")
        made["sources"].append(provenance(entry.response, "which isoforms there are", release_of(entry.response)))
        made["checked"] = _compared(derived(entry.content, canonical, chosen), sequence)
    return _part(made, start, end, max_chars)


def _canonical(entry: UniprotEntry) -> tuple[str, str]:
    """The canonical sequence and what it was checked by; SourceError when it is not what its own checksums say."""
    given = record(entry.content, "sequence")
    sequence = text(given, "value")
    if not sequence.isascii() or not sequence.isalpha():
        raise entry.response.malformed("no sequence")
    found = {"length": str(len(sequence)), "CRC64": crc64(sequence), "MD5": _md5(sequence)}
    said = {name: text(given, name.lower()).upper() for name in found if text(given, name.lower())}
    if wrong := [name for name in said if said[name] != found[name]]:
        raise entry.response.malformed(f"the sequence does not have its {' and '.join(wrong)}")
    return sequence, " and ".join(said) or "nothing: it gives no checksum"


def _is_only(entry: UniprotEntry, wanted: str) -> bool:
    """Whether the first isoform is asked for of an entry that describes none: the one sequence there is."""
    return wanted in ("1", f"{entry.accession}-1") and not isoforms(entry.content)


def _displayed(entry: UniprotEntry) -> str:
    shown = next((isoform for isoform in isoforms(entry.content) if isoform.status.lower() == "displayed"), None)
    return f"canonical sequence: isoform {shown.label}" if shown else "canonical sequence"


def _compared(expected: str | None, sequence: str) -> str:
    if expected is None:
        return "not checked: UniProt gives no checksum of an isoform"
    if expected == sequence:
        return "it is the canonical sequence changed by the isoform's alternative sequence features"
    return "it is NOT what the isoform's features make of the canonical sequence: compare both at UniProt"


def _result(entry: UniprotEntry, sequence: str, response: Response, *, of: str) -> Sequence:
    made = Sequence(
        accession=entry.accession,
        of=of,
        length=len(sequence),
        start=1,
        end=len(sequence),
        sequence=sequence,
        next_start=None,
        crc64=crc64(sequence),
        md5=_md5(sequence),
        checked="",
        page=entry_page(entry.accession),
        sources=[provenance(response, "sequence", release_of(response))],
    )
    if version := text(entry.content, "entryAudit", "sequenceVersion"):
        made["sequence_version"] = version
    if note := " ".join(filter(None, [entry.remark, _flag(entry.content)])):
        made["note"] = note
    return made


def _flag(content: Record) -> str:
    flag = text(content, "proteinDescription", "flag")
    return f"UniProt marks it: {flag}." if flag else ""


def _part(made: Sequence, start: int, end: int, max_chars: int) -> Sequence:
    """The residues asked for, as many as fit; ``next_start`` says where the rest begins."""
    last = end or made["length"]
    if not start <= last <= made["length"]:
        raise BadInputError(
            f"The sequence has no residues {start} to {last}.",
            seen=f"{made['accession']}, {made['of']}: {made['length']} residues",
            next=f"Give start and end within 1 to {made['length']}.",
        )
    shown = min(last, start - 1 + max_chars - _FRAME_CHARS) if max_chars > _FRAME_CHARS else start
    whole_sequence = made["sequence"]
    part: Sequence = {**made, "start": start, "end": shown, "sequence": whole_sequence[start - 1 : shown]}
    part["next_start"] = shown + 1 if shown < last else None
    return part


def _md5(sequence: str) -> str:
    return hashlib.md5(sequence.encode(), usedforsecurity=False).hexdigest().upper()
