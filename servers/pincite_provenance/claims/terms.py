"""Terms: the words of a claim's material or property that must be found with its value, and where a text has them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.units import known
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.words import Word, alike, meaning, read_words

_ALIAS = re.compile(r"\(\s*([A-Za-z0-9][\w./+-]{0,15})\s*\)")
COMMON = {
    "LD50": "median lethal dose", "ED50": "median effective dose", "LC50": "median lethal concentration", "LT50":
        "median lethal time",
    "LT_50": "median lethal time", "SOD": "superoxide dismutase", "Km": "Michaelis constant", "K_m":
        "Michaelis constant",
    "kcat": "turnover number", "K_cat": "turnover number", "T_g": "glass transition temperature", "IC50":
        "half maximal inhibitory concentration", "BMI": "body mass index",
    "EC50": "half maximal effective concentration", "MIC": "minimum inhibitory concentration", "AUC":
        "area under curve",
    "MBC": "minimum bactericidal concentration", "OR": "odds ratio", "HR": "hazard ratio", "RR": "relative risk",
    "CI": "confidence interval", "SD": "standard deviation", "SEM": "standard error mean", "IQR": "interquartile range",
    "PFS": "progression-free survival", "OS": "overall survival", "ORR": "objective response rate",
    "RFS": "relapse-free survival", "DFS": "disease-free survival", "BP": "blood pressure",
    "SBP": "systolic blood pressure", "DBP": "diastolic blood pressure", "PCR": "polymerase chain reaction",
    "XRD": "X-ray diffraction", "FWHM": "full width at half maximum", "RMSE": "root mean square error",
    "MAE": "mean absolute error", "WER": "word error rate", "PPL": "perplexity", "Tg": "glass transition temperature",
    "Tm": "melting temperature", "LOS": "length of stay", "QOL": "quality of life", "LOD": "limit of detection",
    "RMSD": "root mean square deviation", "R_0": "basic reproduction number", "R0": "basic reproduction number",
    "r.m.s": "root mean square", "rms": "root mean square", "r.m.s.d": "root mean square deviation",
}  # fmt: skip
"""Short forms that papers do not define; one that the paper defines itself goes first."""

_NUMBER_BEFORE = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?\s?°?\s?$")
_LONGEST_SYMBOL = 3
"""Letters of a unit's symbol; longer ones are words, which a text may have without the number."""

MOST_OF = 0.6
"""Share of the words of a long form that stand for the short one."""
_FULL, _LIGHT = 1.0, 0.2
"""How much a term counts: words such as "value" or "group" say little of what a value is."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a claim, with all keys under which a text may have it."""

    text: str
    keys: frozenset[str]
    weight: float
    entity: bool = False
    long: tuple[frozenset[str], ...] = ()
    """The keys of the words that it is short for, where it is an abbreviation."""
    initials: frozenset[str] = frozenset()
    """Initials of the words that it stands among (``RT`` for retention time)."""
    number: float | None = None
    """Its value, where it is a number."""

    @property
    def light(self) -> bool:
        return self.weight < _FULL


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a material or property, and short forms that stand for all of them."""

    text: str
    terms: tuple[Term, ...]
    aliases: tuple[frozenset[str], ...] = ()

    @property
    def total(self) -> float:
        return sum(term.weight for term in self.terms)


def terms_of(text: str, abbreviations: Mapping[str, str]) -> Terms:
    """The terms of a claim's material or property; abbreviations of the paper are spelled out."""
    text = clean(text)
    aliases = [match for match in _ALIAS.finditer(text) if re.search(r"[A-Z].*[A-Z\d]|\d", match[1])]
    short = {match.start(1) for match in aliases if match.start() > 0}
    found: dict[frozenset[str], Term] = {}
    words = [word for word in read_words(text) if not word.stop and not _is_unit_of_number(text, word)]
    for word in words:
        if any(
            start <= word.start < start + 16
            for start in short
            if word.start >= start and ")" not in text[start : word.start]
        ):
            continue
        long = tuple(w.keys for w in read_words(long_form(word.text, abbreviations)) if not w.stop)
        number = float(word.text) if re.fullmatch(r"\d+(?:\.\d+)?", word.text) else None
        weight = _LIGHT if word.light else _FULL
        found.setdefault(
            word.keys,
            Term(
                word.text,
                word.keys,
                weight,
                word.entity,
                long,
                _initials(words, word) if not word.entity else frozenset(),
                number,
            ),
        )
    keys = tuple(
        frozenset[str]().union(*(w.keys for w in read_words(match[1])[:1])) for match in aliases if match.start() > 0
    )
    return Terms(text, tuple(found.values()), tuple(key for key in keys if key))


def _is_unit_of_number(text: str, word: Word) -> bool:
    """Whether a short word is the unit of the number before it (``500 °C``, ``50 μm``), which the number stands for."""
    if len(word.text) > _LONGEST_SYMBOL or not _NUMBER_BEFORE.search(text, max(word.start - 12, 0), word.start):
        return False
    return known(word.text) or text[word.start - 1] == "°"


def _inner_capital(word: str) -> bool:
    return any(c.isupper() for c in word[1:])


def _initials(words: Sequence[Word], word: Word) -> frozenset[str]:
    """The initials of two to five words in a row with ``word`` among them."""
    words = [each for each in words if not each.entity and not _inner_capital(each.text)]
    if word not in words:
        return frozenset()
    at = words.index(word)
    found: set[str] = set()
    for start in range(max(at - 4, 0), at + 1):
        for end in range(max(at, start + 1), min(start + 5, len(words))):
            found.add("".join(each.text[0].upper() for each in words[start : end + 1]))
    return frozenset(found)


def long_form(word: str, abbreviations: Mapping[str, str]) -> str:
    """What a word is short for in the paper, "" for nothing; ``NPs`` is several ``NP``."""
    for short in (word, word.removesuffix("s")):
        if short in abbreviations:
            return abbreviations[short]
        if short in COMMON:
            return COMMON[short]
    return ""


def with_long_forms(words: Iterable[Word], abbreviations: Mapping[str, str]) -> list[tuple[Word, frozenset[str]]]:
    """Words with their keys, and those of what they are short for."""
    found: list[tuple[Word, frozenset[str]]] = []
    for word in words:
        keys = word.keys
        long = long_form(word.text, abbreviations)
        if long:
            keys = keys.union(*(w.keys for w in read_words(long) if not w.stop))
        found.append((word, keys))
    return found


class Vocabulary:
    """The words of a text, asked for terms."""

    def __init__(self, text: str, abbreviations: Mapping[str, str]) -> None:
        self._keys: set[str] = set()
        self._roots: dict[str, set[str]] = {}
        for _, keys in with_long_forms(read_words(text), abbreviations):
            self._keys |= keys
        for key in self._keys:
            self._roots.setdefault(key[:5], set()).add(key)

    def has(self, term: Term) -> bool:
        """Whether one of the words may be the term."""
        if self._any(term.keys):
            return True
        return bool(term.long) and sum(self._any(keys) for keys in term.long) >= MOST_OF * len(term.long)

    def has_siblings(self, term: Term) -> bool:
        """Whether there are names that differ from the term in their number only (``FT5`` beside ``FT2``)."""
        name = re.fullmatch(r"([A-Za-z]{1,6})-?\d+", term.text)
        if name is None:
            return False
        like = re.compile(rf"{name[1].lower()}\d+")
        return any(like.fullmatch(key) for key in self._keys - term.keys)

    def _any(self, keys: frozenset[str]) -> bool:
        if keys & self._keys:
            return True
        return any(alike(frozenset({key}), frozenset(self._roots.get(key[:5], ()))) for key in keys)


@lru_cache(maxsize=4096)
def plain_keys(text: str) -> frozenset[str]:
    """All keys of the words of a short text, stop words aside."""
    return frozenset[str]().union(*(meaning(word.text) | word.keys for word in read_words(text) if not word.stop))
