"""How a claim is told in words, in every export."""

from collections import Counter
from collections.abc import Sequence

from pincite_provenance.ledger.entry import LedgerEntry
from pincite_provenance.model import Judgement


def claim_words(entry: LedgerEntry) -> str:
    """``transition temperature of YBa2Cu3O7: 92.5 K``; the quote where nothing else was claimed."""
    claim = entry.claim
    about = " of ".join(part for part in (claim["property"], claim["material"]) if part)
    value = " ".join(part for part in (claim["value"], claim["unit"]) if part)
    return ": ".join(part for part in (about, value) if part) or claim["quote"]


def verdict_words(entry: LedgerEntry) -> list[str]:
    """Whether quote, value and claim stand, each check with its reason, who judged, what became of it, its note."""
    lines = [str(entry.facts), *judgement_words(entry.judgement, entry.reading)]
    lines += [f"{check['name']} {check['verdict']}: {check['reason']}" for check in entry.content["checks"]]
    if entry.superseded_by:
        lines.append(f"Superseded by {entry.superseded_by}")
    if entry.retracted_by:
        lines.append(f"Retracted by {entry.retracted_by}")
    if entry.content["note"]:
        lines.append(f"Note: {entry.content['note']}")
    return lines


def judgement_words(judgement: Judgement | None, reading: str = "") -> list[str]:
    """What a judge said where the rules were unsure, and how the caller reads the claim: neither is a verdict."""
    lines: list[str] = []
    if judgement is not None:
        who = f"{'a model' if judgement.kind == 'model' else 'a person'} ({judgement.by})"
        if judgement.answer == "unsure":
            lines.append(f"not settled by {who}{f': {judgement.reason}' if judgement.reason else ''}")
        else:
            words = f", by the words {judgement.words!r}" if judgement.words else ""
            lines.append(f"settled by {who}: {judgement.answer}{words}")
    if reading:
        lines.append(f"the caller's reading: {reading}")
    return lines


def tally(entries: Sequence[LedgerEntry]) -> str:
    """``quote stands in 4, value stands in 2 of 3, claim holds in 2, is unsure in 1, fails in 1``."""
    facts = [entry.facts for entry in entries]
    valued = [each.value for each in facts if each.value != "not claimed"]
    claims = Counter(each.claim for each in facts)
    return (
        f"quote stands in {sum(each.quote == 'stands' for each in facts)}, "
        f"value stands in {valued.count('stands')} of {len(valued)}, "
        f"claim holds in {claims['holds']}, is unsure in {claims['unsure']}, fails in {claims['fails']}"
    )


def agent_words(entry: LedgerEntry) -> str:
    """Name, version and model of who recorded, as far as they were told."""
    agent = entry.content["agent"]
    client = " ".join(part for part in (agent["name"], agent["version"]) if part)
    return ", ".join(part for part in (client, agent["model"]) if part)


def paper_address(entry: LedgerEntry) -> str:
    """The paper's DOI as an address, else its id as a URN."""
    from urllib.parse import quote

    paper = entry.paper
    return f"https://doi.org/{quote(paper['doi'], safe='/:;()')}" if paper["doi"] else f"urn:{paper['paper_id']}"
