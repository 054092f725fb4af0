"""list_claims: what the ledger holds, the newest first, and whether it is intact."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired

import anyio.to_thread
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_papers.arguments import Cursor, MaxChars
from pincite_provenance.state import ProvenanceState

if TYPE_CHECKING:
    from pincite_provenance.ledger.entry import Entry

_FRAME_CHARS = 500
_MOST_CLAIMS = 100
_SHOWN_FAULTS = 3


class ClaimEntry(TypedDict):
    """A claim as it was recorded. ``facts`` tells quote, value and claim apart; ``failed`` says which checks did not
    hold and why; ``judged`` who was asked where the rules were unsure, and how the caller reads it: no verdicts."""

    id: str
    verdict: str
    facts: str
    value: str
    unit: str
    material: str
    property: str
    quote: str
    locator: str
    paper: str
    time: str
    agent: str
    failed: list[str]
    judged: NotRequired[list[str]]
    note: NotRequired[str]
    supersedes: NotRequired[str]
    superseded_by: NotRequired[str]
    retracted_by: NotRequired[str]


class Claims(TypedDict):
    """Claims, the newest first; ``rows`` and ``head`` are the number of rows of the ledger and its last hash,
    ``faults`` what is not as it was recorded."""

    total: int
    claims: list[ClaimEntry]
    next_cursor: str | None
    rows: int
    head: str
    intact: bool
    faults: NotRequired[list[str]]


async def list_claims(
    state: ProvenanceState,
    paper: Annotated[str, Field(description="Id, DOI or part of the title")] = "",
    material: str = "",
    property: str = "",  # noqa: A002
    text: Annotated[str, Field(description="Part of the claim, its quote or its note")] = "",
    verdict: Literal["", "holds", "fails", "unsure"] = "",
    standing: Annotated[bool, Field(description="Leave out superseded and retracted ones")] = False,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Claims:
    """List recorded claims, the newest first, by paper, material, property, text or verdict; superseded and retracted
    ones are marked. Says whether the ledger is intact."""

    query = ("list_claims", paper, material, property, text, verdict, standing)
    before = decode_cursor(cursor, *query)
    wanted = matching(paper=paper, material=material, property=property, text=text, verdict=verdict)

    def read() -> Claims:
        from pincite_provenance.ledger.entry import read_ledger

        audited, entries = read_ledger(state.ledger)
        found = [entry for entry in reversed(entries.claims) if wanted(entry) and (entry.stands or not standing)]
        # Claims that are added while a listing is paged must not shift it: the cursor holds the last number shown.
        start = next((at for at, entry in enumerate(found) if entry.row.seq < before), len(found)) if before else 0
        shown, after = fill_page(found, start, _claim_entry, max_chars=max_chars - _FRAME_CHARS, max_items=_MOST_CLAIMS)
        claims = Claims(
            total=len(found),
            claims=shown,
            next_cursor=encode_cursor(found[after - 1].row.seq, *query) if after < len(found) else None,
            rows=audited.rows,
            head=audited.head,
            intact=audited.intact,
        )
        if audited.findings:
            claims["faults"] = [finding.what for finding in audited.findings[:_SHOWN_FAULTS]]
        return claims

    return await anyio.to_thread.run_sync(read)


def matching(
    *,
    paper: str = "",
    material: str = "",
    property: str = "",  # noqa: A002
    text: str = "",
    verdict: str = "",
) -> "Callable[[Entry], bool]":
    """Whether an entry is asked for: parts of texts, case ignored; the paper by the digits of its id, DOI or title."""

    def matches(entry: "Entry") -> bool:
        claim, named = entry.claim, entry.paper
        digits = paper.strip().removeprefix("sha256:").removeprefix("pc:").partition("#")[0].lower()
        return (
            (not verdict or entry.verdict == verdict)
            and (
                not paper.strip()
                or (len(digits) >= 8 and named["paper_id"].removeprefix("sha256:").startswith(digits))
                or _holds(f"{named['doi']}\n{named['title']}", paper)
            )
            and _holds(claim["material"], material)
            and _holds(claim["property"], property)
            and _holds("\n".join((*claim.values(), entry.content["note"])), text)
        )

    return matches


def _holds(text: str, part: str) -> bool:
    return " ".join(part.split()).casefold() in " ".join(text.split()).casefold()


def _claim_entry(entry: "Entry") -> ClaimEntry:
    from pincite_provenance.ledger.wording import judgement_words

    claim, content = entry.claim, entry.content
    agent = content["agent"]
    made = ClaimEntry(
        id=entry.id,
        verdict=entry.verdict,
        facts=str(entry.facts),
        value=claim["value"],
        unit=claim["unit"],
        material=claim["material"],
        property=claim["property"],
        quote=claim["quote"],
        locator=entry.short_locator,
        paper=entry.paper["title"],
        time=content["time"],
        agent=" ".join(part for part in (agent["name"], agent["version"], agent["model"]) if part),
        failed=[f"{each['name']} {each['verdict']}: {each['reason']}" for each in entry.failed],
    )
    judged = judgement_words(entry.judgement, entry.reading)
    if judged:
        made["judged"] = judged
    if content["note"]:
        made["note"] = content["note"]
    if content["supersedes"]:
        made["supersedes"] = content["supersedes"]
    if entry.superseded_by:
        made["superseded_by"] = entry.superseded_by
    if entry.retracted_by:
        made["retracted_by"] = entry.retracted_by
    return made
