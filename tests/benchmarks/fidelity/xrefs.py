"""(f) In-text citations: the entries that the text cites."""

from collections import Counter
from dataclasses import dataclass

from citations import is_entry
from lxml.etree import _Element
from normalise import letters
from truth import Truth, TruthReference

from pincite_papers.model import Paper

_LONGEST_RANGE = 60


@dataclass(frozen=True, slots=True)
class XrefScore:
    """``found`` of ``expected`` citations of the XML, among ``reported`` ones of the Paper, counted entry by entry."""

    found: int
    expected: int
    reported: int
    misses: tuple[str, ...]


def count_citations(root: _Element) -> Counter[int]:
    """How often the XML cites each entry of its list (by its place); a range of two marks cites what is between."""
    if root.tag == "art":
        return _count_bmc(root)
    places = {ref.get("id"): place for place, ref in enumerate(root.iter("ref"))}
    counts: Counter[int] = Counter()
    before: int | None = None
    for xref in root.iter("xref"):
        if xref.get("ref-type") != "bibr":
            continue
        cited = [places[each] for each in (xref.get("rid") or "").split() if each in places]
        counts.update(cited)
        if before is not None and len(cited) == 1:
            counts.update(range(before + 1, min(cited[0], before + _LONGEST_RANGE)))
        ranges_on = (xref.tail or "").strip() in {"-", "–", "−"}
        before = cited[0] if ranges_on and len(cited) == 1 else None
    return counts


def _count_bmc(root: _Element) -> Counter[int]:
    entries = [entry for group in root.iter("refgrp") for entry in group.findall("bibl")]
    places = {entry.get("id"): place for place, entry in enumerate(entries)}
    return Counter(places[abbr.get("bid")] for abbr in root.iter("abbr") if abbr.get("bid") in places)


def score_xrefs(truth: Truth, paper: Paper) -> XrefScore:
    """Each citation of an entry by the XML that the Paper has too, entry by entry, as often as both have it."""
    if truth.cited is None:
        return XrefScore(0, 0, 0, ())
    counts = truth.cited
    hits = _match_references(truth, paper)
    seen = Counter(index for citation in paper.citations for index in citation.references)
    found = sum(min(count, seen[hits[place]]) for place, count in counts.items() if hits[place] is not None)
    misses: list[str] = []
    for place, hit in enumerate(hits):
        reported = seen[hit] if hit is not None else 0
        if counts[place] != reported:
            wanted = truth.references[place]
            misses.append(f"cited {counts[place]} times, seen {reported}: {wanted.surname}: {wanted.title[:50]!r}")
    return XrefScore(found, sum(counts.values()), sum(seen.values()), tuple(misses))


def _match_references(truth: Truth, paper: Paper) -> list[int | None]:
    """For each entry of the XML the reference of the Paper that holds it, each used once."""
    entries = [letters(paper.text[each.start : each.end]) for each in paper.references]
    free = set(range(len(entries)))
    matched: list[int | None] = []
    for wanted in truth.references:
        hit = _best(wanted, entries, free)
        free.discard(-1 if hit is None else hit)
        matched.append(hit)
    return matched


def _best(wanted: TruthReference, entries: list[str], free: set[int]) -> int | None:
    hits = [index for index in free if is_entry(entries[index], wanted)]
    return min(hits, key=lambda i: (letters(wanted.doi) not in entries[i], len(entries[i]), i), default=None)
