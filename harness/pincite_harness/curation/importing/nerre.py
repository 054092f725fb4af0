"""NERRE: hosts and dopants of abstracts (Dagdelen et al., Nat. Commun. 2024) become tasks of record_filling.

Published shape, as a JSON list or JSON lines: ``{"doi", "title", "text", "doping_sentences": [{"sentence_text",
"relevant", "basemats": {"b0": …}, "dopants": {"d0": …}, "dopants2basemats": {"d0": ["b0"]}, "results": {"r0": …},
"doping_modifiers": […]}]}``. Each pair that ``dopants2basemats`` links is an object, and so is what stands alone; the
results and modifiers of a sentence go to all objects of that sentence, for the annotation does not say to which. Equal
pairs of an abstract are one object, and what stands alone in one sentence belongs to the one pair that has it in
another. Sentences that are not relevant say nothing.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError
from pincite_core.json_fields import mapping
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.filling import bundled_schema, distinct, filling_entry, new_task_id
from pincite_harness.curation.importing.json_items import read_items
from pincite_harness.curation.importing.plain_paper import PlainPaper, make_plain_paper
from pincite_papers.quoting.quotes import find_quote
from pincite_scoring.record_filling.schema import EVIDENCE

_TAGS = re.compile(r"</?(?:inf|sub|sup|i|b|em|strong)>", re.IGNORECASE)
"""Mark-up of titles and abstracts that the annotated sentences have lost."""

_MAPS = ("basemats", "dopants", "dopants2basemats")


def read_nerre(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task an abstract that has entities; what is broken is left out with a note."""
    schema = bundled_schema("nerre")
    taken: set[str] = set()
    for where, item in read_items(source, options):
        with options.item(where):
            yield _entry(where, item, schema, taken)


def _entry(where: str, item: Any, schema: str, taken: set[str]) -> DatasetEntry:
    record = mapping(item)
    if not isinstance(record.get("doping_sentences"), list):
        raise BadInputError(f"{where} is not a record of NERRE.", next='It needs "doping_sentences".')
    doi, title, text = (_TAGS.sub("", str(record.get(key) or "")).strip() for key in ("doi", "title", "text"))
    if not text:
        raise BadInputError(f"{where}: it has no text")
    paper = make_plain_paper(title, text)
    objects = _objects(record["doping_sentences"], paper, where)
    if not objects:
        raise BadInputError(f"{where}: no sentence of it has an entity")
    task_id = new_task_id(doi or title, taken)
    name = f"{task_id}.html"
    metadata = {"title": title, "doi": doi, "map": f"maps/{task_id}.json"}
    files = {f"maps/{task_id}.json": orjson.dumps(paper.map("text"))}
    return filling_entry(task_id, schema, objects, (name, paper.page), metadata, files)


def _objects(sentences: list[Any], paper: PlainPaper, where: str) -> list[dict[str, Any]]:
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for number, sentence in enumerate(sentences):
        if not isinstance(sentence, dict):
            raise BadInputError(f"{where}, sentence {number}: it is not an object.", next="Correct the record.")
        stated = cast("dict[str, Any]", sentence)
        if not stated.get("relevant", True):
            continue
        try:
            pairs: list[dict[str, str]] = _pairs(stated)
        except (KeyError, TypeError, AttributeError) as error:
            raise BadInputError(
                f"{where}, sentence {number}: its entities cannot be read.",
                seen=repr(error),
                next="Correct the record.",
            ) from error
        shared = {
            "results": _distinct(stated.get("results", {}).values()),
            "modifiers": _distinct(stated.get("doping_modifiers", [])),
        }
        if not pairs and shared["results"]:
            pairs = [{}]
        passage = _passage(str(stated.get("sentence_text", "")), paper)
        for pair in pairs:
            key = (pair.get("host", ""), pair.get("dopant", ""), *([] if pair else shared["results"]))
            known = found.setdefault(key, {**pair, EVIDENCE: []})
            _add(known, shared, passage, paper)
    return distinct(_joined(list(found.values())))


def _joined(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without hosts and dopants that stand alone somewhere and in a pair elsewhere: what is said of them goes to that
    pair, where it is the only one."""
    pairs = [each for each in objects if "host" in each and "dopant" in each]
    kept: list[dict[str, Any]] = []
    for each in objects:
        alone = [name for name in ("host", "dopant") if name in each]
        homes = [pair for pair in pairs if len(alone) == 1 and pair[alone[0]] == each[alone[0]]]
        if not homes:
            kept.append(each)
        elif len(homes) == 1:
            for name in ("results", "modifiers"):
                if name in each:
                    homes[0][name] = _distinct([*homes[0].get(name, []), *each[name]])
            homes[0][EVIDENCE] += each[EVIDENCE]
    return kept


def _pairs(stated: Mapping[str, Any]) -> list[dict[str, str]]:
    """The linked pairs of a sentence, then its hosts and its dopants that no link names."""
    hosts, dopants, links = (cast("dict[str, Any]", stated.get(name) or {}) for name in _MAPS)
    pairs = [{"host": str(hosts[b]), "dopant": str(dopants[d])} for d, linked in links.items() for b in linked]
    linked_hosts = {b for linked in links.values() for b in linked}
    pairs += [{"host": str(host)} for b, host in hosts.items() if b not in linked_hosts]
    pairs += [{"dopant": str(dopant)} for d, dopant in dopants.items() if not links.get(d)]
    return [{name: " ".join(value.split()) for name, value in pair.items() if value.strip()} for pair in pairs]


def _add(
    known: dict[str, Any], shared: Mapping[str, list[str]], passage: tuple[int, int] | None, paper: PlainPaper
) -> None:
    """Add what a sentence says of an object, and where."""
    for name, values in shared.items():
        if values:
            known[name] = _distinct([*known.get(name, []), *values])
    stated = [(name, known[name]) for name in ("host", "dopant") if name in known]
    for name, value in [*stated, *((name, value) for name, values in shared.items() for value in values)]:
        piece = _piece(name, value, passage, paper)
        if piece and piece not in known[EVIDENCE]:
            known[EVIDENCE].append(piece)


def _passage(sentence: str, paper: PlainPaper) -> tuple[int, int] | None:
    """Where the sentence stands, with or without its full stop (titles got one); None where it does not."""
    for words in (sentence, sentence.rstrip(" .")):
        match = find_quote(paper.paper, words) if words.strip() else None
        if match is not None and match.stands:
            return match.start, match.end
    return None


def _piece(name: str, value: str, passage: tuple[int, int] | None, paper: PlainPaper) -> dict[str, Any] | None:
    """The value in its sentence, to the character; else the sentence; None where that does not stand."""
    if passage is None:
        return None
    start, end = passage
    words = r"\s+".join(map(re.escape, value.split()))
    found = re.compile(rf"(?<!\w){words}(?!\w)").search(paper.paper.text, start, end) or re.compile(words).search(
        paper.paper.text, start, end
    )
    if found is not None:
        start, end = found.span()
    return {"field": name, "quote": paper.paper.text[start:end], "start": start, "end": end}


def _distinct(values: Any) -> list[str]:
    return list(dict.fromkeys(" ".join(str(value).split()) for value in values if str(value).strip()))
