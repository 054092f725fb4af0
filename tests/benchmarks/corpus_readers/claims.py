"""What a careful reader knows of sentences: who says it, whether it still holds, what it corrects."""

import re

PREDICTED = re.compile(
    r"predict|[Cc]alculat|[Cc]omput|[Ss]imulat|McMillan|Allen-Dynes|Eliashberg|we expect|virtual crystal"
    r"|[Tt]heory|ab initio|[Ii]nterpolat|[Ee]xtrapolat|\bmodel\b|[Dd]ensity functional|scaling relation"
    r"|first principles|regression|fit holds"
)
QUOTED = re.compile(r"et al\.|\b[A-Z]\w+ and [A-Z]\w+ \(\d{4}\)|\w+ \(\d{4}\) (?:report|found|state)|earlier authors")
CORRECTING = re.compile(
    r"should read|to be replaced by|recalibrated|in truth|wrong channel|correct(?:ed)? [\w-]+"
    r"|withdraw the number|shifted the value|^Readers of|in error|slip in|^Read |does not hold|calibration drift"
    r"|^Corrected for"
    r"|is right|and not .{1,40} as printed|exchanged in|rather than|had been mistaken|instead of|error of transcription"
)
_NEW_FIRST = re.compile(r"instead of|rather than|in place of|and not |, where ")
_WHERE = re.compile(r"(\d+), (\d+) \((\d{4})\)")
_ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5})")
REPLACING = re.compile(r"supersede|replace|provisional|final|earlier version|preliminary|measured again")
WITHDRAWING = re.compile(r"no longer be relied|withdrawn|retract")
_FACTOR = re.compile(r"(?:factor of|divided by) (\d+(?:\.\d+)?)")


def newer(values: list[str], sentence: str) -> tuple[str, str]:
    """The value that holds and the one that it replaces, of the two in a correcting sentence."""
    first, last = values[0], values[-1]
    parting = [found for found in _NEW_FIRST.finditer(sentence) if found.start() > sentence.find(first)]
    if parting and "not " + first not in sentence:
        return first, last
    return last, first


def place_named(sentence: str) -> tuple[str, str] | None:
    """Volume and page of the work that a sentence names."""
    found = _WHERE.search(sentence)
    return (found[1], found[2]) if found else None


def preprints_replaced(sentences: list[str]) -> set[str]:
    """The arXiv numbers that a text says it replaces."""
    return {found[1] for each in sentences if REPLACING.search(each) for found in _ARXIV.finditer(each)}


def places_withdrawn(sentences: list[str]) -> set[tuple[str, str]]:
    """Volume and page of the works that a text says are retracted."""
    said = zip(sentences, [*sentences[1:], ""], strict=True)
    named = (place_named(each) for each, following in said if WITHDRAWING.search(f"{each} {following}"))
    return {place for place in named if place}


def factors(sentences: list[str]) -> list[tuple[str, tuple[str, str], float]]:
    """Sentence, place and factor where all values of a work are to be divided."""
    made: list[tuple[str, tuple[str, str], float]] = []
    for each in sentences:
        found, place = _FACTOR.search(each), place_named(each)
        if found and place and "divided" in each:
            made.append((each, place, float(found[1])))
    return made
