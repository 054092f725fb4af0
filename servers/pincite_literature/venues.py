"""Names of journals and conferences, which sources abbreviate differently."""

import re

from pincite_literature.titles import fold

_SKIPPED = frozenset({
    "the", "of", "and", "in", "on", "for", "a", "an", "et", "de", "des", "und", "der", "proceedings", "international",
    "annual", "ieee", "acm", "online",
})  # fmt: skip
_REPOSITORY = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|research square|ssrn|preprints|zenodo|figshare|hal|osf|repository|pubmed|"
    r"europe pmc|corr)\b"
)


def is_repository(venue: str) -> bool:
    """Whether the name is that of a preprint server or a repository rather than of a place of publication."""
    return bool(_REPOSITORY.search(fold(venue)))


def same_venue(one: str, other: str) -> bool | None:
    """Whether two names can be one venue's, abbreviated or not; None when either is missing or a repository's."""
    if not one or not other or is_repository(one) or is_repository(other):
        return None
    first, second = (_words(name) for name in (one, other))
    if not first or not second or "".join(first) == "".join(second):
        return True
    if len(first) == len(second) and all(_shortened(a, b) for a, b in zip(first, second, strict=True)):
        return True
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) == 1 and shorter[0] == "".join(word[0] for word in longer):
        return True
    return all(any(_shortened(word, candidate) for candidate in longer) for word in shorter)


def _words(name: str) -> list[str]:
    words = re.findall(r"[^\W_]+", fold(name))
    return [word for word in words if word not in _SKIPPED and not word.isdigit()]


def _shortened(one: str, other: str) -> bool:
    """Whether one word is the other cut short, or with letters left out ("Natl", "National")."""
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return True
    if len(short) < 3 or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)
