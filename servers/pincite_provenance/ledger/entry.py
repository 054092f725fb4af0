"""LedgerEntry: what a row of the ledger says, as recorded and as read."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

from pincite_core.errors import BadInputError, DamagedError, NotFoundError
from pincite_core.locator import Box, Locator, parse_locator
from pincite_papers.model import Paper
from pincite_provenance.ledger.audit import Audit, audit
from pincite_provenance.ledger.ledger import Ledger, Past
from pincite_provenance.ledger.row import Row, read_id
from pincite_provenance.model import Answer, Claim, ClaimChecks, Facts, Judgement

_FIELDS = {
    "claim": {"agent", "call", "checks", "claim", "note", "paper", "supersedes", "target", "time", "verdict"},
    "retraction": {"agent", "call", "reason", "retracts", "time"},
}

_JUDGE = {"answer", "by", "kind", "reason", "words"}

CONTEXT_CHARS = 32
"""Characters of the paper's text kept on each side of a quote, as a Web Annotation has them."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who recorded: the client's name and version as it gave them, the model if it was told, and the call."""

    name: str = ""
    version: str = ""
    model: str = ""
    session: str = ""
    request: str = ""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A claim or a retraction of the ledger; ``superseded_by`` and ``retracted_by`` are ids of later entries."""

    row: Row
    content: dict[str, Any]
    superseded_by: str = ""
    retracted_by: str = ""

    @property
    def id(self) -> str:
        """The entry's name, as models are shown it."""
        return self.row.id

    @property
    def stands(self) -> bool:
        """Whether no later entry corrects it or takes it back."""
        return not self.superseded_by and not self.retracted_by

    @property
    def claim(self) -> dict[str, str]:
        """Quote, locator, value, unit, material and property as they were given."""
        return self.content["claim"]

    @property
    def paper(self) -> dict[str, Any]:
        """The paper as it was when the claim was recorded."""
        return self.content["paper"]

    @property
    def verdict(self) -> str:
        """``holds``, ``fails`` or ``unsure``."""
        return self.content["verdict"]

    @property
    def facts(self) -> Facts:
        """Whether the quote stands, the value stands and the claim holds; of every ledger, since checks are kept."""
        return Facts.of(
            ((check["name"], check["verdict"]) for check in self.content["checks"]), self.content["verdict"]
        )

    @property
    def judgement(self) -> Judgement | None:
        """What a judge said where the rules were unsure; None in rows of versions that had none."""
        said: dict[str, Any] | None = self.content.get("judge")
        return None if said is None else Judgement(**said)

    @property
    def reading(self) -> str:
        """How the caller reads the claim ("yes", "no", "unsure"), "" where it did not say."""
        return str(self.content.get("reading", ""))

    @property
    def failed(self) -> list[dict[str, str]]:
        """The checks that did not hold: name, verdict and reason."""
        return [check for check in self.content["checks"] if check["verdict"] != "holds"]

    @property
    def short_locator(self) -> str:
        """Where the quote was found, else where it was said to stand."""
        locator = self.locator()
        return self.claim["locator"] if locator is None else locator.short()

    def locator(self) -> Locator | None:
        """Where the quote, or what is nearest to it, stands; None where nothing like it does."""
        target = self.content["target"]
        if target is None:
            return None
        box = [float(part) for part in target["bbox"].split(",")] if target["bbox"] else None
        return Locator(
            paper_id=self.paper["paper_id"],
            doi=self.paper["doi"] or None,
            page=target["page"],
            start=target["start"],
            end=target["end"],
            quote=target["quote"],
            bbox=None if box is None else Box(x0=box[0], y0=box[1], x1=box[2], y1=box[3]),
        )


@dataclass(frozen=True, slots=True)
class Retraction:
    """A row that takes a claim back."""

    row: Row
    content: dict[str, Any]

    @property
    def id(self) -> str:
        """The row's name."""
        return self.row.id

    @property
    def retracts(self) -> str:
        """The id of the claim."""
        return self.content["retracts"]


@dataclass(frozen=True, slots=True)
class Entries:
    """What a ledger says, in order."""

    claims: list[LedgerEntry]
    retractions: list[Retraction]


def claim_content(
    claim: Claim,
    checks: ClaimChecks,
    paper: Paper,
    caller: Caller,
    *,
    supersedes: str = "",
    note: str = "",
    judgement: Judgement | None = None,
    reading: Answer | Literal[""] = "",
) -> dict[str, Any]:
    """What a row says of a claim, of the checks of it, of a judge and of the text that they read."""
    judged = {} if judgement is None else {"judge": asdict(judgement)}
    read = {"reading": reading} if reading else {}
    return {
        "agent": {"model": caller.model, "name": caller.name, "version": caller.version},
        "call": {"request": caller.request, "session": caller.session, "tool": "record_claim"},
        "checks": [asdict(check) for check in checks.checks],
        "claim": asdict(claim),
        "kind": "claim",
        "note": note,
        "paper": _paper(paper),
        "supersedes": supersedes,
        "target": _target(paper, checks.locator),
        "verdict": checks.verdict,
        **judged,
        **read,
    }


def retraction_content(retracts: str, reason: str, caller: Caller) -> dict[str, Any]:
    """What a row says that takes a claim back."""
    return {
        "agent": {"model": caller.model, "name": caller.name, "version": caller.version},
        "call": {"request": caller.request, "session": caller.session, "tool": "retract_claim"},
        "kind": "retraction",
        "reason": reason,
        "retracts": retracts,
    }


def read_entries(rows: Iterable[Row]) -> Entries:
    """The claims among the rows, each with what became of it later, and the retractions."""
    claims: list[tuple[Row, dict[str, Any]]] = []
    superseded: dict[str, str] = {}
    retractions: list[Retraction] = []
    for row in rows:
        content = row.read()
        kind = content.get("kind")
        if _has_another_form(content):
            raise DamagedError(
                f"Row {row.seq} of the ledger is intact but not in the format that this version of pincite writes.",
                next="Read it with the version of pincite that row 0 names.",
            )
        if kind == "claim":
            claims.append((row, content))
            if content["supersedes"]:
                superseded[content["supersedes"]] = row.id
        elif kind == "retraction":
            retractions.append(Retraction(row, content))
    retracted = {each.retracts: each.id for each in retractions}
    found = [
        LedgerEntry(row, content, superseded.get(row.id, ""), retracted.get(row.id, "")) for row, content in claims
    ]
    return Entries(found, retractions)


def read_ledger(ledger: Ledger) -> tuple[Audit, Entries]:
    """What the sound rows of a ledger say, and what is wrong with the others; SQLite's own check is left out."""
    rows: list[Row] = []
    audited = audit(ledger.path, key=ledger.key, thorough=False, visit=rows.append)
    return audited, read_entries(rows)


def _has_another_form(content: dict[str, Any]) -> bool:
    """Whether a row lacks what its kind has: whoever can write the file can append anything that is well chained."""
    fields = _FIELDS.get(content.get("kind", ""))
    if fields is None:
        return content.get("kind") != "genesis"
    judge = content.get("judge")
    if judge is not None and (not isinstance(judge, dict) or set(cast("dict[str, Any]", judge)) != _JUDGE):
        return True
    inner = (content.get(name, {}) for name in ("agent", "call", "claim", "judge", "paper"))
    return not fields <= content.keys() or not all(
        isinstance(part, dict) and all(isinstance(text, str) for text in cast("dict[str, object]", part).values())
        for part in inner
    )


def standing_claim(past: Past, name: str) -> str:
    """The id of a claim that nothing corrects or takes back; NotFoundError, BadInputError that names what does."""
    seq, digits = read_id(name)
    row = past.row(seq)
    content = row.read() if row is not None and row.hash.startswith(digits) else {}
    if row is None or content.get("kind") != "claim":
        raise NotFoundError(
            f"There is no claim {name.strip()!r}.", next="Copy an id that record_claim or list_claims returned."
        )
    for later in past.after(seq):
        change = later.read()
        if change.get("supersedes") == row.id:
            raise BadInputError(f"The claim {row.id} was superseded by {later.id}.", next=f"Name {later.id} instead.")
        if change.get("retracts") == row.id:
            raise BadInputError(
                f"The claim {row.id} was retracted by {later.id}.", next="Record a new claim, without supersedes."
            )
    return row.id


def _paper(paper: Paper) -> dict[str, Any]:
    return {
        "doi": paper.doi or "",
        "format": str(paper.format),
        "paper_id": paper.paper_id,
        "parser": paper.parser,
        "text_sha256": hashlib.sha256(paper.text.encode("utf-8", "surrogatepass")).hexdigest(),
        "title": paper.title,
    }


def _target(paper: Paper, short: str) -> dict[str, Any] | None:
    """Where the quote stands, with what stands around it; boxes as text, since the ledger holds no fractions."""
    if not short:
        return None
    at = parse_locator(short)
    locator = paper.locator(at.start, at.end)
    box = locator.bbox
    return {
        "bbox": "" if box is None else f"{box.x0:.2f},{box.y0:.2f},{box.x1:.2f},{box.y1:.2f}",
        "end": at.end,
        "page": locator.page,
        "prefix": paper.text[max(at.start - CONTEXT_CHARS, 0) : at.start],
        "quote": locator.quote,
        "start": at.start,
        "suffix": paper.text[at.end : at.end + CONTEXT_CHARS],
    }
