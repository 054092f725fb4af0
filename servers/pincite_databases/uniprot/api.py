"""UniProt's REST API: how it is asked, its releases, its faults and its entries.

Every answer names its release (``X-UniProt-Release: 2025_03``, ``X-UniProt-Release-Date``). Faults are
``{"url": …, "messages": […]}`` with 400 or 404. A secondary accession is redirected to its entry; an accession that was
deleted, merged or split answers 200 with ``{"entryType": "Inactive", "inactiveReason": {"inactiveReasonType": "MERGED",
"mergeDemergeTo": […]}}``.
"""

import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

from pydantic import Field

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_databases.fields import Record, record, text, texts

UNIPROT = SourcePolicy(
    name="uniprot",
    title="UniProt",
    base_url="https://rest.uniprot.org",
    rate=Rate(5, 1.0),
)
"""UniProt publishes no number of requests for this API; 5 a second is ours."""

AccessionName = Annotated[str, Field(description="Such as P05067")]

_ACCESSION = re.compile(r"(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})")
_ISOFORM = re.compile(r"[1-9][0-9]{0,3}")
_NEXT = re.compile(r'<([^<>]*)>\s*;\s*rel="?next"?')


@dataclass(frozen=True, slots=True)
class Entry:
    """An active entry; ``asked_as`` is the accession asked for, which may be a secondary one of it."""

    accession: str
    asked_as: str
    content: Record
    response: Response

    @property
    def remark(self) -> str:
        """What became of the accession that was asked for, empty when it is the entry's own."""
        if self.asked_as == self.accession:
            return ""
        secondary = self.asked_as in texts(self.content, "secondaryAccessions")
        how = "is a secondary accession of" if secondary else "leads to"
        return f"{self.asked_as} {how} {self.accession}: cite {self.accession}."


def read_accession(text: str) -> tuple[str, str]:
    """Accession and isoform ("P05067", "P05067-2") of an accession, the isoform empty where none is named."""
    value = text.strip().upper()
    accession, dash, number = value.partition("-")
    if not _ACCESSION.fullmatch(accession) or (dash and not _ISOFORM.fullmatch(number)):
        raise BadInputError(
            f"{text.strip()[:40]!r} is not a UniProt accession.",
            seen="an accession is written like P05067, A0A024R161 or, for an isoform, P05067-2",
            next="Search the protein with search_proteins.",
        )
    return accession, f"{accession}-{number}" if number else ""


async def fetch_entry(web: Web, name: str) -> Entry:
    """The active entry of an accession; NotFoundError says what became of an inactive one."""
    accession, _ = read_accession(name)
    response = await web.get(UNIPROT, f"uniprotkb/{accession}.json", expect=(400, 404))
    if response.status != 200:
        said = "; ".join(faults(response))
        raise NotFoundError(f"UniProt has no entry {accession}.", seen=said, next="Search it with search_proteins.")
    content = record(response.json())
    primary = text(content, "primaryAccession")
    if not text(content, "entryType") or not primary:
        raise response.malformed("no entry")
    if is_inactive(content):
        raise NotFoundError(
            f"The UniProt entry {accession} is no longer active.", seen=what_became(content), next=_after(content)
        )
    return Entry(primary, accession, content, response)


def is_inactive(entry: Record) -> bool:
    """Whether an entry is only the trace of one that is gone."""
    return text(entry, "entryType").lower() == "inactive"


def what_became(entry: Record) -> str:
    """Why an inactive entry is gone and which entries stand for it now."""
    reason = record(entry, "inactiveReason")
    kind = text(reason, "inactiveReasonType").lower() or "inactive"
    why = text(reason, "deletedReason")
    into = texts(reason, "mergeDemergeTo")
    how = {"merged": "merged into", "demerged": "split (demerged) into"}.get(kind)
    return f"{how} {', '.join(into)}" if how and into else f"{kind}{f': {why}' if why else ''}"


def release_of(response: Response) -> str:
    """The release that the answer is from: "2025_03 of 18-June-2025"; empty where it says none."""
    name, day = response.headers.get("x-uniprot-release", ""), response.headers.get("x-uniprot-release-date", "")
    return f"{name} of {day}" if name and day else name


def faults(response: Response) -> list[str]:
    """What an answer says that is wrong."""
    said = texts(response.json(), "messages")
    if not said:
        raise response.malformed(f"HTTP {response.status} without messages")
    return [message[:300] for message in said[:5]]


def next_cursor_of(response: Response) -> str:
    """UniProt's cursor of the next page, out of the Link header; empty on the last one."""
    link = _NEXT.search(response.headers.get("link", ""))
    return parse_qs(urlsplit(link[1]).query).get("cursor", [""])[0] if link else ""


def entry_page(accession: str) -> str:
    """UniProt's page for people."""
    return f"https://www.uniprot.org/uniprotkb/{accession}/entry"


def _after(entry: Record) -> str:
    into = texts(entry, "inactiveReason", "mergeDemergeTo")
    if len(into) == 1:
        return f"Ask for {into[0]}."
    if into:
        return "Ask for the one of them that is meant: they are different proteins."
    upi = text(entry, "extraAttributes", "uniParcId")
    kept = f" Its sequence is kept as {upi} in UniParc." if upi else ""
    return f"Search the protein with search_proteins.{kept}"
