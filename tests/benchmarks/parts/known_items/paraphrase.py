"""Sentences said in other words by rules: the same for the same seed."""

import random
import re
from collections.abc import Callable, Sequence

from parts.known_items.synonyms import CONNECTIVES, FILLERS, NOUNS, OTHERS, VERBS

LONGEST_RUN = 4
"""Most words in a row that a paraphrase may share with what it paraphrases."""
LEAST_WORDS = 6
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|\^\{?[\d,–*a-z-]+\}?)")
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_OF = re.compile(r"\b([a-z]{4,}) of (?:the |a |an )?([^\W_][\w-]{3,})\b")
_SUFFIXES = (
    ("ies", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ied", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)
_OPENINGS = ("", "", "", "evidence that", "is it true that", "reports that", "work showing")
_PASTS = {
    "be": "been", "set": "set", "put": "put", "give": "given", "build": "built", "find": "found", "hold": "held",
    "keep": "kept", "bring": "brought", "think": "thought", "choose": "chosen", "get": "got", "let": "let",
    "see": "seen", "make": "made", "do": "done", "run": "run", "stick": "stuck", "begin": "begun", "drop": "dropped",
    "grow": "grown", "show": "shown", "lead": "led", "rise": "risen", "take": "taken", "fall": "fallen", "cut": "cut",
    "go": "gone", "undergo": "undergone", "pick": "picked", "foresee": "foreseen", "arise": "arisen", "plan": "planned",
    "die": "died", "tie": "tied", "draw": "drawn", "forecast": "forecast",
    "have": "had", "not": "not", "admit": "admitted",
}  # fmt: skip
_INGS = {
    "be": "being", "set": "setting", "put": "putting", "get": "getting", "let": "letting", "run": "running",
    "begin": "beginning", "drop": "dropping", "cut": "cutting", "die": "dying", "tie": "tying", "see": "seeing",
    "foresee": "foreseeing", "permit": "permitting",
}  # fmt: skip
_SWAPPED, _REPLACED, _DROPPED, _ARTICLES_DROPPED, _SINGULAR = 0.8, 0.9, 0.3, 0.6, 0.5

Weigh = Callable[[str], int]
"""In how many passages a word stands."""


def paraphrase(sentence: str, rng: random.Random, weigh: Weigh) -> str | None:
    """The sentence in other words; None where too much of it would stay as it is, or too little.

    Asides and bare numbers go; halves change places at a connective and "X of Y" becomes "Y X"; words are replaced by
    synonyms in the same form; fillers, most articles and three in ten of the other words are dropped, never the two
    rarest; some plurals become singular. What still shares more than four words in a row loses the commonest of them.
    """
    plain = " ".join(_ASIDE.sub("", sentence).split()).rstrip(".?!")
    words = words_of(_turned(_swapped(plain, rng), rng))
    rarest = set(sorted({word.lower() for word in words}, key=lambda word: (weigh(word), word))[:2])
    said = rng.choice(_OPENINGS).split()
    for word in words:
        said += _said(word, rng, kept=word.lower() in rarest)
    original = [word.lower() for word in words_of(sentence)]
    while (run := _shared_run(said, original)) is not None:
        inside = [k for k in range(run[0] + 1, run[1] - 1) if said[k].lower() not in rarest]
        if not inside:
            return None
        del said[max(inside, key=lambda k: (weigh(said[k].lower()), -k))]
    if len(said) < LEAST_WORDS or _kept(said, original) > 0.75:
        return None
    return " ".join(said)


def words_of(text: str) -> list[str]:
    """The words of a text, without punctuation."""
    return _WORD.findall(text)


def content_words(text: str) -> set[str]:
    """The words of four letters and more, in lower case."""
    return {word.lower() for word in words_of(text) if len(word) > 3}


def longest_run(text: str, original: str) -> int:
    """Most words in a row that two texts share."""
    said, there = [[word.lower() for word in words_of(one)] for one in (text, original)]
    best = 0
    for size in range(1, len(said) + 1):
        known = {tuple(there[k : k + size]) for k in range(len(there) - size + 1)}
        if not any(tuple(said[k : k + size]) in known for k in range(len(said) - size + 1)):
            break
        best = size
    return best


def _swapped(text: str, rng: random.Random) -> str:
    """The halves around the best connective, the second one first."""
    if rng.random() > _SWAPPED:
        return text
    for mark in CONNECTIVES:
        first, found, second = text.partition(mark)
        if found and min(len(first.split()), len(second.split())) > 3:
            return f"{second}, {first}"
    return text


def _turned(text: str, rng: random.Random) -> str:
    return _OF.sub(lambda match: f"{match[2]} {match[1]}" if rng.random() < _REPLACED else match[0], text)


def _said(word: str, rng: random.Random, *, kept: bool) -> list[str]:
    """What is said for a word: nothing, itself or another."""
    low = word.lower()
    if low in FILLERS or word.replace(".", "").isdigit():
        return []
    if low in ("the", "a", "an", "this", "these", "we", "our"):
        return [] if rng.random() < _ARTICLES_DROPPED else [low]
    if other := _synonym(low, rng):
        return [other] if rng.random() < _REPLACED else [low]
    if kept:
        return [word]
    if rng.random() < _DROPPED:
        return []
    if len(low) > 5 and low.endswith("s") and not low.endswith(("ss", "us", "is")) and rng.random() < _SINGULAR:
        return [word[:-3] + "y" if low.endswith("ies") else word[:-1]]
    return [word if word[1:].lower() != word[1:] else low]


def _synonym(word: str, rng: random.Random) -> str:
    """Another word in the form of this one, "" where none is known."""
    for table in (OTHERS, NOUNS, VERBS):
        if word in table:
            return rng.choice(table[word])
    for suffix, ending in _SUFFIXES:
        lemma = word[: -len(suffix)] + ending
        table = NOUNS if lemma in NOUNS and suffix.endswith("s") else VERBS
        if word.endswith(suffix) and lemma in table:
            return _in_form(rng.choice(table[lemma]), suffix)
    return ""


def _in_form(lemma: str, suffix: str) -> str:
    """A lemma with an ending such as ``ed``; of several words the first one takes it."""
    head, space, rest = lemma.partition(" ")
    ies = head.endswith("y") and head[-2:-1] not in "aeiou"
    if suffix in ("ies", "es", "s"):
        made = head[:-1] + "ies" if ies else head + ("es" if head.endswith(("s", "x", "ch", "sh", "o")) else "s")
    elif suffix == "ing":
        made = _INGS.get(head, head.removesuffix("e") + "ing")
    else:
        made = _PASTS.get(head, head[:-1] + "ied" if ies else head.removesuffix("e") + "ed")
    return made + space + rest


def _shared_run(said: Sequence[str], original: Sequence[str]) -> tuple[int, int] | None:
    """The first run of too many words that stand so in the original."""
    size = LONGEST_RUN + 1
    there = {tuple(original[k : k + size]) for k in range(len(original) - size + 1)}
    for k in range(len(said) - size + 1):
        if tuple(word.lower() for word in said[k : k + size]) in there:
            return k, k + size
    return None


def _kept(said: Sequence[str], original: Sequence[str]) -> float:
    """The part of the words of the original, those of four letters and more, that still stand."""
    before = {word for word in original if len(word) > 3}
    return len(before & {word.lower() for word in said}) / max(len(before), 1)
