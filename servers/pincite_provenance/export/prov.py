"""Claims as PROV-JSON (W3C Member Submission of 24 April 2013): papers, their texts, quotes and claims are entities,
tool calls activities, clients agents."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from pincite_provenance.ledger.entry import LedgerEntry, Retraction
from pincite_provenance.ledger.wording import claim_words, paper_address

_SERVER = "agent:pincite"


class _Document:
    """The parts of a PROV-JSON document: records by kind and name; relations get blank names."""

    def __init__(self, prefixes: dict[str, str]) -> None:
        self.prefixes = prefixes
        self.records: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)

    def record(self, kind: str, name: str, **attributes: Any) -> str:
        """An entity, activity or agent; empty attributes are left out, ``_`` in their names stands for ``:``."""
        given = {key.replace("_", ":", 1): value for key, value in attributes.items() if value not in ("", None)}
        self.records[kind].setdefault(name, {}).update(given)
        return name

    def relate(self, kind: str, **attributes: Any) -> None:
        """A relation between records."""
        self.record(kind, f"_:{kind}{len(self.records[kind]) + 1}", **attributes)

    def written(self) -> dict[str, Any]:
        """The document."""
        return {"prefix": self.prefixes, **self.records}


def prov_document(entries: Sequence[LedgerEntry], retractions: Sequence[Retraction], ledger: str) -> dict[str, Any]:
    """The provenance of the claims of the ledger with this name (a UUID), and of what was taken back of them."""
    made = _Document(
        {
            "pincite": "urn:pincite:",
            "ledger": f"urn:uuid:{ledger}#",
            "sha256": "urn:sha256:",
            "quote": f"urn:uuid:{ledger}#quote-",
            "call": f"urn:uuid:{ledger}#call-",
            "agent": f"urn:uuid:{ledger}#agent-",
        }
    )
    made.record("entity", "ledger:all", prov_type=_name("prov:Collection"), prov_label="Ledger of claims")
    software = _name("prov:SoftwareAgent")
    made.record("agent", _SERVER, prov_type=software, prov_label=f"pincite {version('pincite')}")
    agents: dict[tuple[str, str, str], str] = {}
    shown = {entry.id for entry in entries}
    for entry in entries:
        _add_claim(made, entry, agents, shown)
    for retraction in retractions:
        if retraction.retracts in shown:
            call = _call(made, retraction.id, retraction.content, agents)
            made.relate(
                "wasInvalidatedBy",
                prov_entity=f"ledger:{retraction.retracts}",
                prov_activity=call,
                prov_time=retraction.content["time"],
                pincite_reason=retraction.content["reason"],
            )
    return made.written()


def _add_claim(made: _Document, entry: LedgerEntry, agents: dict[tuple[str, str, str], str], shown: set[str]) -> None:
    content, given = entry.content, entry.claim
    paper, text = _paper(made, entry)
    claim = made.record(
        "entity",
        f"ledger:{entry.id}",
        prov_type=_name("pincite:Claim"),
        prov_label=claim_words(entry),
        pincite_hash=entry.row.hash,
        pincite_verdict=entry.verdict,
        pincite_quoteStands=entry.facts.quote,
        pincite_valueStands=entry.facts.value,
        pincite_claimHolds=entry.facts.claim,
        pincite_callersReading=entry.reading,
        **{f"pincite_{name}": given[name] for name in ("value", "unit", "material", "property", "locator")},
    )
    made.relate("hadMember", prov_collection="ledger:all", prov_entity=claim)
    call = _call(made, entry.id, content, agents)
    made.relate("used", prov_activity=call, prov_entity=text, prov_time=content["time"])
    made.relate("wasGeneratedBy", prov_entity=claim, prov_activity=call, prov_time=content["time"])
    made.relate("wasAttributedTo", prov_entity=claim, prov_agent=_agent(made, content["agent"], agents))
    if content["target"] is None:
        made.relate("wasInfluencedBy", prov_influencee=claim, prov_influencer=paper)
    else:
        quote = made.record(
            "entity",
            f"quote:{entry.id}",
            prov_type=_name("pincite:Quote"),
            prov_value=content["target"]["quote"],
            pincite_locator=entry.short_locator,
        )
        quotation = _name("prov:Quotation")
        made.relate("wasDerivedFrom", prov_generatedEntity=quote, prov_usedEntity=text, prov_type=quotation)
        made.relate("wasDerivedFrom", prov_generatedEntity=claim, prov_usedEntity=quote, prov_activity=call)
    _add_judge(made, claim, entry)
    if content["supersedes"] in shown:
        made.relate(
            "wasDerivedFrom",
            prov_generatedEntity=claim,
            prov_usedEntity=f"ledger:{content['supersedes']}",
            prov_type=_name("prov:Revision"),
        )


def _add_judge(made: _Document, claim: str, entry: LedgerEntry) -> None:
    """Who was asked where the rules were unsure: an agent of its own, to whom its answer is attributed."""
    said = entry.judgement
    if said is None:
        return
    kind = "prov:SoftwareAgent" if said.kind == "model" else "prov:Person"
    name = f"agent:judge-{hashlib.sha256(f'{said.kind} {said.by}'.encode()).hexdigest()[:8]}"
    judge = made.record("agent", name, prov_type=_name(kind), prov_label=said.by)
    judgement = made.record(
        "entity",
        f"{claim}-judgement",
        prov_type=_name("pincite:Judgement"),
        prov_value=said.answer,
        pincite_words=said.words,
        pincite_reason=said.reason,
    )
    made.relate("wasAttributedTo", prov_entity=judgement, prov_agent=judge)
    made.relate("wasDerivedFrom", prov_generatedEntity=judgement, prov_usedEntity=claim)


def _paper(made: _Document, entry: LedgerEntry) -> tuple[str, str]:
    """The names of the paper and of its canonical text."""
    known = entry.paper
    paper = made.record(
        "entity",
        known["paper_id"],
        prov_type=_name("pincite:Paper"),
        prov_label=known["title"],
        prov_location=paper_address(entry),
        pincite_doi=known["doi"],
        pincite_format=known["format"],
    )
    text = f"sha256:{known['text_sha256']}"
    if text not in made.records["entity"]:
        made.record("entity", text, prov_type=_name("pincite:CanonicalText"), pincite_parser=known["parser"])
        made.relate("wasDerivedFrom", prov_generatedEntity=text, prov_usedEntity=paper)
        made.relate("wasAttributedTo", prov_entity=text, prov_agent=_SERVER)
    return paper, text


def _call(made: _Document, name: str, content: dict[str, Any], agents: dict[tuple[str, str, str], str]) -> str:
    """The activity of the tool call that recorded a row."""
    call = made.record(
        "activity",
        f"call:{name}",
        prov_startTime=content["time"],
        prov_endTime=content["time"],
        prov_type=_name("pincite:ToolCall"),
        pincite_tool=content["call"]["tool"],
        pincite_session=content["call"]["session"],
        pincite_request=content["call"]["request"],
    )
    made.relate("wasAssociatedWith", prov_activity=call, prov_agent=_agent(made, content["agent"], agents))
    made.relate("wasAssociatedWith", prov_activity=call, prov_agent=_SERVER)
    return call


def _agent(made: _Document, agent: dict[str, str], agents: dict[tuple[str, str, str], str]) -> str:
    key = (agent["name"], agent["version"], agent["model"])
    if key not in agents:
        agents[key] = made.record(
            "agent",
            f"agent:client-{len(agents) + 1}",
            prov_type=_name("prov:SoftwareAgent"),
            prov_label=" ".join(part for part in key if part) or "a client that gave no name",
            pincite_client=agent["name"],
            pincite_version=agent["version"],
            pincite_model=agent["model"],
        )
    return agents[key]


def _name(qualified: str) -> dict[str, str]:
    return {"$": qualified, "type": "xsd:QName"}
