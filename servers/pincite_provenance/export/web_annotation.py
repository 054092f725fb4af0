"""Claims as W3C Web Annotations in JSON-LD (Web Annotation Data Model, Recommendation of 23 February 2017)."""

from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import orjson

from pincite_provenance.ledger.entry import LedgerEntry
from pincite_provenance.ledger.wording import agent_words, claim_words, paper_address, verdict_words


def web_annotations(entries: Sequence[LedgerEntry], ledger: str) -> dict[str, Any]:
    """An AnnotationCollection with one AnnotationPage in it; ``ledger`` is the ledger's name (a UUID)."""
    name = f"urn:uuid:{ledger}"
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": name,
        "type": "AnnotationCollection",
        "label": "Claims about scientific papers, recorded by pincite",
        "total": len(entries),
        "first": {
            "id": f"{name}#page-1",
            "type": "AnnotationPage",
            "partOf": name,
            "startIndex": 0,
            "items": [_annotation(entry, name) for entry in entries],
        },
    }


def _annotation(entry: LedgerEntry, ledger: str) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"{ledger}#{entry.id}",
        "type": "Annotation",
        "motivation": "describing",
        "created": entry.content["time"],
        "generator": {"type": "Software", "name": f"pincite {version('pincite')}"},
        "body": [
            _text(claim_words(entry), "describing"),
            _text("\n".join(verdict_words(entry)), "assessing"),
            {
                "type": "TextualBody",
                "purpose": "describing",
                "format": "application/json",
                "value": orjson.dumps(_data(entry), option=orjson.OPT_SORT_KEYS).decode(),
            },
        ],
        "target": _target(entry),
    }
    agent = agent_words(entry)
    if agent:
        made["creator"] = {"type": "Software", "name": agent}
    return made


def _data(entry: LedgerEntry) -> dict[str, Any]:
    """The claim for programs: what was given, the verdict, the three facts, and who judged what was unsure."""
    made: dict[str, Any] = {**entry.claim, "verdict": entry.verdict, "facts": asdict(entry.facts)}
    if entry.judgement is not None:
        made["judge"] = asdict(entry.judgement)
    if entry.reading:
        made["callers_reading"] = entry.reading
    return made


def _text(value: str, purpose: str) -> dict[str, str]:
    return {"type": "TextualBody", "purpose": purpose, "format": "text/plain", "language": "en", "value": value}


def _target(entry: LedgerEntry) -> dict[str, Any]:
    """The quote's place; the paper alone where the quote was not found in it."""
    source = paper_address(entry)
    locator = entry.locator()
    if locator is None:
        return {"source": source}
    around = entry.content["target"]
    made = locator.to_web_annotation(prefix=around["prefix"], suffix=around["suffix"], source=source)
    return made["target"]
