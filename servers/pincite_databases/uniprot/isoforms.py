"""Isoforms of an entry: which there are, and their sequences, which UniProt gives as FASTA alone.

Asked for an isoform as JSON, UniProt answers with the whole entry and its canonical sequence.
"""

import re
from dataclasses import dataclass

from pincite_core.errors import NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_databases.fields import Record, record, records, text, texts, whole
from pincite_databases.uniprot.api import UNIPROT, Entry

_HEADER = re.compile(r">(?:sp|tr)\|([A-Z0-9]+-\d+)\|")
_SEQUENCE = re.compile(r"[A-Z*]+")


@dataclass(frozen=True, slots=True)
class Isoform:
    """An isoform; ``status`` says where its sequence is: Displayed, Described, External or Not described."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    status: str
    changes: tuple[str, ...]
    """Numbers of the features (VSP_…) that turn the canonical sequence into this one."""

    @property
    def label(self) -> str:
        """Its number and names."""
        return f"{', '.join(self.ids)} ({' / '.join(self.names)})"


def isoforms(entry: Record) -> list[Isoform]:
    """The isoforms that an entry describes."""
    found: list[Isoform] = []
    for comment in records(entry, "comments"):
        if text(comment, "commentType") != "ALTERNATIVE PRODUCTS":
            continue
        for item in records(comment, "isoforms"):
            names = [text(item, "name", "value"), *(text(other, "value") for other in records(item, "synonyms"))]
            found.append(
                Isoform(
                    ids=tuple(texts(item, "isoformIds")),
                    names=tuple(name for name in names if name),
                    status=text(item, "isoformSequenceStatus"),
                    changes=tuple(texts(item, "sequenceIds")),
                )
            )
    return found


def choose(entry: Entry, wanted: str) -> Isoform:
    """The isoform with this accession ("P05067-2"), number ("2") or name; NotFoundError lists those there are."""
    known = isoforms(entry.content)
    value = wanted.strip()
    number = f"{entry.accession}-{value}"
    for isoform in known:
        if value.upper() in isoform.ids or number in isoform.ids:
            return isoform
    named = [isoform for isoform in known if value.lower() in (name.lower() for name in isoform.names)]
    if len(named) == 1:
        return named[0]
    listed = "; ".join(isoform.label for isoform in known) or "none described"
    raise NotFoundError(
        f"{entry.accession} has no isoform {value[:40]!r}.",
        seen=listed[:1000],
        next="Leave isoform out for the canonical one.",
    )


async def fetch_isoform(web: Web, isoform: Isoform, accession: str) -> tuple[str, Response]:
    """The sequence of an isoform that the entry describes; NotFoundError where UniProt has none of it there."""
    status = isoform.status.lower()
    own = next((name for name in isoform.ids if name.startswith(f"{accession}-")), "")
    if status == "external" or not own:
        raise NotFoundError(
            f"The sequence of {isoform.label} is not in this entry.",
            next=f"Ask for the entry {(isoform.ids or ('?',))[0].partition('-')[0]}.",
        )
    if status == "not described":
        raise NotFoundError(f"UniProt does not describe the sequence of {isoform.label}.")
    response = await web.get(UNIPROT, f"uniprotkb/{own}.fasta")
    lines = response.content.decode("utf-8", "replace").strip().splitlines()
    header = _HEADER.match(lines[0]) if lines else None
    sequence = "".join(line.strip() for line in lines[1:])
    if header is None or not _SEQUENCE.fullmatch(sequence):
        raise response.malformed("no FASTA of one isoform")
    if header[1] != own:
        raise response.malformed(f"the sequence of {header[1]} instead of {own}")
    return sequence, response


def derived(entry: Record, canonical: str, isoform: Isoform) -> str | None:
    """The isoform's sequence made from the canonical one by the features that it names; None where that is open."""
    by_id = {text(feature, "featureId"): feature for feature in records(entry, "features")}
    edits: list[tuple[int, int, str]] = []
    for change in isoform.changes:
        feature = by_id.get(change, {})
        start, end = (whole(feature, "location", side, "value") for side in ("start", "end"))
        if start is None or end is None or not 1 <= start <= end <= len(canonical):
            return None
        replaced = record(feature, "alternativeSequence")
        after = texts(replaced, "alternativeSequences")
        if len(after) > 1 or text(replaced, "originalSequence") not in ("", canonical[start - 1 : end]):
            return None
        edits.append((start, end, after[0] if after else ""))
    for start, end, after in sorted(edits, reverse=True):
        canonical = canonical[: start - 1] + after + canonical[end:]
    return canonical if edits else None
