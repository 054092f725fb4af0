"""How a claim is told in words, in every export."""

from pincite_provenance.ledger.entry import Entry


def claim_words(entry: Entry) -> str:
    """``transition temperature of YBa2Cu3O7: 92.5 K``; the quote where nothing else was claimed."""
    claim = entry.claim
    about = " of ".join(part for part in (claim["property"], claim["material"]) if part)
    value = " ".join(part for part in (claim["value"], claim["unit"]) if part)
    return ": ".join(part for part in (about, value) if part) or claim["quote"]


def verdict_words(entry: Entry) -> list[str]:
    """The verdict, then each check with its reason, then what became of the claim, then its note."""
    lines = [f"Verdict: {entry.verdict}"]
    lines += [f"{check['name']} {check['verdict']}: {check['reason']}" for check in entry.content["checks"]]
    if entry.superseded_by:
        lines.append(f"Superseded by {entry.superseded_by}")
    if entry.retracted_by:
        lines.append(f"Retracted by {entry.retracted_by}")
    if entry.content["note"]:
        lines.append(f"Note: {entry.content['note']}")
    return lines


def agent_words(entry: Entry) -> str:
    """Name, version and model of who recorded, as far as they were told."""
    agent = entry.content["agent"]
    client = " ".join(part for part in (agent["name"], agent["version"]) if part)
    return ", ".join(part for part in (client, agent["model"]) if part)


def paper_address(entry: Entry) -> str:
    """The paper's DOI as an address, else its id as a URN."""
    from urllib.parse import quote

    paper = entry.paper
    return f"https://doi.org/{quote(paper['doi'], safe='/:;()')}" if paper["doi"] else f"urn:{paper['paper_id']}"
