"""Denials: words that turn a claim's words round, as ``no pain`` does pain and ``identified`` ``misidentified``."""

import re

from pincite_provenance.claims.words import STOP, read_words, stem, stems

_PREFIXES = ("un", "non", "mis", "dis", "in", "im", "ir", "a")
_PAIRS = {
    "up": "down", "over": "under", "hyper": "hypo", "pre": "post", "intra": "extra", "macro": "micro", "mono": "poly",
    "high": "low", "upper": "lower", "more": "less", "most": "least",
}  # fmt: skip
_OPPOSITE = _PAIRS | {other: word for word, other in _PAIRS.items()}
_DIRECTED = re.compile(rf"\b({'|'.join(sorted(_OPPOSITE, key=len, reverse=True))})-?\s?([a-z]{{4,}})", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:no|not|non|without|never|neither|nor|lack(?:s|ed|ing)?)\b(?!\.)[\s-]+", re.IGNORECASE)
_STOPPED = re.compile(r"[.;:,()]")
_NEGATED_CLAIM = re.compile(r"\b(?:no|not|non|without|never|neither|nor|absence|absent|lack\w*)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]\w{2,}")
_NO_DENIAL = stems("significant significantly different differ difference only statistically")
_RISE = re.compile(
    r"\b(?:increas\w*|ris(?:e|es|en|ing)|rose|rais\w+|elevat\w*|up-?regulat\w*|grew|grow(?:th|s|n)|higher|enhanc\w*)\b",
    re.IGNORECASE,
)
FALL = re.compile(
    r"\b(?:decreas\w*|reduc\w*|declin\w*|drop(?:s|ped)?|f[ae]ll(?:s|en)?|lower\w*|suppress\w*|inhibit\w*"
    r"|diminish\w*|attenuat\w*|down-?regulat\w*|shr[aiu]nk\w*|depress\w*|los[st]\w*)\b",
    re.IGNORECASE,
)
_BOUND = (
    r"(?P<low><|≤|\b(?:below|under|(?:less|lower|smaller|finer|shorter|younger|thinner|lighter) than|at most|up to)\b)"
    r"|(?P<high>>|≥|\b(?:above|over|(?:more|greater|higher|larger|coarser|longer|older|thicker|heavier) than"
    r"|at least)\b)"
)
_BOUNDED = re.compile(rf"(?:{_BOUND})\s*(?P<number>\d[\d.,]*)", re.IGNORECASE)
_SHORTEST = 5
"""Letters that a word must have behind a prefix: ``untreated``, not ``until``."""
_ROOT = 5
"""Letters that tell one root from another: ``regulated`` and ``regulation`` share them."""


def turned_round(claimed: str, text: str) -> tuple[str, str] | None:
    """A word of ``text`` that says the opposite of one of ``claimed``, and that one; None where there is none."""
    words = {match[0].lower() for match in _WORD.finditer(text)}
    stems = {stem(word) for word in words}
    mine = [word.text.lower() for word in read_words(claimed) if word.text.lower() not in STOP and len(word.text) > 2]
    return (
        _by_prefix(mine, words, stems)
        or _by_direction(claimed, text)
        or _by_change(claimed, text)
        or _by_bound(claimed, text)
        or _negated_there(claimed, mine, text)
        or _negated_here(claimed, text)
    )


def _by_prefix(mine: list[str], words: set[str], stems: set[str]) -> tuple[str, str] | None:
    for word in mine:
        if stem(word) in stems:
            continue
        for prefix in _PREFIXES:
            base = word.removeprefix(prefix)
            if base != word and len(base) >= _SHORTEST and stem(base) in stems:
                return base, word
            if len(word) >= _SHORTEST and prefix + word in words:
                return prefix + word, word
    return None


def _by_direction(claimed: str, text: str) -> tuple[str, str] | None:
    there = {(match[1].lower(), stem(match[2])[:_ROOT]) for match in _DIRECTED.finditer(text)}
    for match in _DIRECTED.finditer(claimed):
        direction, root = match[1].lower(), stem(match[2])[:_ROOT]
        if (_OPPOSITE[direction], root) in there and (direction, root) not in there:
            return f"{_OPPOSITE[direction]}-{root}", match[0]
    return None


def _by_change(claimed: str, text: str) -> tuple[str, str] | None:
    """An increase in the claim, where the text has only what falls, or the reverse."""
    for mine, other in ((_RISE, FALL), (FALL, _RISE)):
        said, there = mine.search(claimed), other.search(text)
        if said and there and not other.search(claimed) and not mine.search(text):
            return there[0], said[0]
    return None


def _by_bound(claimed: str, text: str) -> tuple[str, str] | None:
    """``below 200`` in the claim's names, where the text has ``≥ 200``."""
    for said in _BOUNDED.finditer(claimed):
        for there in _BOUNDED.finditer(text):
            if said["number"] == there["number"] and bool(said["low"]) is not bool(there["low"]):
                return there[0], said[0]
    return None


def _negated_there(claimed: str, mine: list[str], text: str) -> tuple[str, str] | None:
    """``no pain`` in the text, where the claim says nothing of the kind."""
    if _NEGATED_CLAIM.search(claimed):
        return None
    wanted = {stem(word): word for word in mine}
    for match in _NEGATION.finditer(text):
        denied = _STOPPED.split(text[match.end() : match.end() + 40], maxsplit=1)[0]
        following = _WORD.findall(denied)[:2]
        if following and stem(following[0]) in _NO_DENIAL:
            continue
        for word in following:
            if stem(word) in wanted:
                return f"{match[0].strip()} {word}", wanted[stem(word)]
    return None


def _negated_here(claimed: str, text: str) -> tuple[str, str] | None:
    """``not infested`` in the claim, where the text has ``infested`` without a negation."""
    for match in _NEGATION.finditer(claimed):
        following = _WORD.match(claimed, match.end())
        if following is None:
            continue
        for there in _WORD.finditer(text):
            if stem(there[0]) != stem(following[0]):
                continue
            if not _NEGATION.search(text[max(there.start() - 16, 0) : there.start()]):
                return there[0], f"{match[0].strip()} {following[0]}"
    return None
