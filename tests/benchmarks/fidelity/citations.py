"""(e) References: the list split into its entries, DOIs read."""

from dataclasses import dataclass

from normalise import letters
from rapidfuzz import fuzz
from truth import Truth, TruthReference

from pincite_papers.model import Paper

_TITLE_LIKENESS = 95


@dataclass(frozen=True, slots=True)
class ReferenceScore:
    """``found`` of ``expected`` entries, ``reported`` by the Paper; ``dois`` right of the ``expected_dois``."""

    found: int
    expected: int
    reported: int
    dois: int
    expected_dois: int
    misses: tuple[str, ...]


def score_references(truth: Truth, paper: Paper) -> ReferenceScore:
    """An entry is found when one reference, used once, holds the work's title and the first author's surname."""
    texts = [paper.text[each.start : each.end] for each in paper.references]
    entries = [letters(text) for text in texts]
    free = set(range(len(entries)))
    misses: list[str] = []
    found = dois = expected_dois = 0
    for wanted in truth.references:
        hits = [index for index in free if is_entry(entries[index], wanted)]
        hit = min(hits, key=lambda i: (letters(wanted.doi) not in entries[i], len(entries[i]), i), default=None)
        if hit is None:
            misses.append(f"reference not found: {wanted.surname}: {wanted.title[:60]!r}")
            expected_dois += bool(wanted.doi)
            continue
        free.discard(hit)
        found += 1
        if wanted.doi and letters(wanted.doi) in entries[hit]:
            seen = paper.references[hit].doi or ""
            right = seen.casefold() == wanted.doi.casefold()
            expected_dois, dois = expected_dois + 1, dois + right
            misses += [] if right else [f"DOI not read: {wanted.doi} (seen {seen!r})"]
    misses += [f"not an entry: {texts[index][:70]!r}" for index in sorted(free)]
    return ReferenceScore(found, len(truth.references), len(entries), dois, expected_dois, tuple(misses))


def is_entry(entry: str, wanted: TruthReference) -> bool:
    """Whether an entry, reduced to its letters, holds the wanted work's title and first surname."""
    title = letters(wanted.title)
    likely = title in entry or fuzz.partial_ratio(title, entry) >= _TITLE_LIKENESS
    return bool(title) and letters(wanted.surname) in entry and likely
