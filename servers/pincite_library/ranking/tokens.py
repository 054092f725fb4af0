"""The terms of one token: words stemmed, numbers, formulas and identifiers whole, and the parts of what is compound."""

import functools
import hashlib
import importlib
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from pincite_library.ranking.folding import SEAM
from pincite_library.ranking.formulas import family
from pincite_library.ranking.function_words import ELEMENTS, FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TERM = 39
"""Longest term in characters; a longer one ends in a digest (full-text engines drop tokens of 40 and more)."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SCIENTIFIC = re.compile(r"(\d+(?:\.\d+)?)[eE]([-+]?\d{1,3})")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_JOINTS = re.compile(f"[-·{SEAM}]")
_LOOSE_POINT = re.compile(r"\.(?!\d)|(?<!\d)\.")
_RUNS = re.compile(r"\d+|[^\W\d_]+")
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]+)")
_VERSIONED = re.compile(r"([A-Za-z]*\d{4,}|\d{4}\.\d{4,5})(?:\.|v)\d+")
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)"
)
_CODES = {".": "_p", "-": "_m", "/": "_s", "(": "_l", ")": "_r", "[": "_l", "]": "_r", ",": "_k", "'": "_a", "+": "_j"}
_SYMBOLS = frozenset(symbol for symbol in ELEMENTS if symbol.lower() in FUNCTION_WORDS) | {"A"}
_LONGEST_ACRONYM = 6
"""Letters up to which capitals are an acronym; longer ones are a heading's words. Set by judgement."""
_PART_LETTERS = 3
"""Letters from which a part of a compound is a term by itself. Set by judgement."""


@functools.lru_cache(maxsize=1 << 16)
def token_terms(token: str) -> tuple[str, ...]:
    """The terms of a token of folded text, which holds no white space; empty for a function word."""
    if token.isalpha() and token.isascii():
        return tuple(_of_word(token))
    if token.startswith("10.") and "/" in token:
        return tuple(_of_doi(token))
    power = _SCIENTIFIC.fullmatch(token)
    if power:
        return (scientific(power[1], power[2]),)
    if _GROUPED.fullmatch(token):
        return (encoded(token.replace(",", "")), *map(encoded, token.split(",")))
    if token.startswith("."):
        return (encoded("0" + token),)
    return tuple(_of_compound(token))


def starts_as_symbol(token: str) -> bool:
    """Whether a function word is written like the symbol of an element ("In", "As") or a letter of its own ("A")."""
    return token in _SYMBOLS


def scientific(factor: str, power: str) -> str:
    """The term of ``factor`` × 10 to the ``power``, however it was printed: ``1_p2e_m3``."""
    return f"{encoded(factor)}e{encoded(str(int(power)))}"


def encoded(token: str) -> str:
    """``token`` in lower case as one term; other signs than those of numbers and names are left out."""
    lowered = token.lower()
    if lowered.isalnum() and lowered.isascii():
        return _bounded(lowered)
    return _bounded("".join(map(_code, lowered)))


def _code(sign: str) -> str:
    if sign.isascii():
        return sign if sign.isalnum() else _CODES.get(sign, "")
    number = ord(sign)
    return "" if not sign.isalnum() else f"_x{number:04x}" if number < 0x10000 else f"_y{number:06x}"


def _bounded(term: str) -> str:
    if len(term) <= MAX_TERM:
        return term
    digest = hashlib.blake2b(term.encode(), digest_size=6).hexdigest()
    return f"{term[: MAX_TERM - 14]}_h{digest}"


@functools.cache
def _stem() -> "Callable[[str], str]":
    package = cast("Any", importlib.import_module("Stemmer"))  # it has no types
    return package.Stemmer("english").stemWord


def _of_word(word: str) -> list[str]:
    """An ASCII word: its stem, and the exact form of an acronym or a name with capitals within it (AIDS, NaCl)."""
    lowered = word.lower()
    if lowered in FUNCTION_WORDS:
        acronym = word.isupper() and len(word) > 1
        return [lowered] if acronym or word in _SYMBOLS else []
    stem = _bounded(_stem()(lowered))
    if word[1:].islower() or len(word) == 1:
        return [stem]
    found = [stem] if stem == lowered or len(word) > MAX_TERM else [stem, lowered]
    if word.isupper() and len(word) > _LONGEST_ACRONYM:
        return [stem]
    return found + _of_family(word)


def _of_family(token: str) -> list[str]:
    elements = family(token)
    return [_bounded(f"_f{elements}")] if elements else []


def _of_doi(token: str) -> list[str]:
    token = token.rstrip(".,;:'")
    while token[-1:] in (")", "]", "}") and token.count(token[-1]) > token.count("([{"[")]}".index(token[-1])]):
        token = token[:-1].rstrip(".,;:'")
    parts = re.findall(r"[^\W_]+(?:[-.][^\W_]+)*", token.partition("/")[2])
    return [encoded(token), *(term for part in parts for term in token_terms(part))]


def _of_compound(token: str) -> list[str]:
    """The whole, then what its joints separate: ``/``, then hyphens and seams, then points and commas."""
    if "/" in token:
        pieces = token.split("/")
        short = any(len(piece) <= _PART_LETTERS or not piece.isalpha() for piece in pieces)
        return ([encoded(token)] if short else []) + _of_pieces(pieces)
    pieces = _JOINTS.split(token)
    if len(pieces) > 1:
        return _of_joined(token, pieces) + _of_pieces(pieces)
    if "'" in token:
        return list(token_terms(token.removesuffix("'s").removesuffix("'S").replace("'", "")))
    if "," in token:
        return _of_pieces(token.split(","))
    if "." in token and not _NUMBER.fullmatch(token):
        return _of_pointed(token)
    return _of_mixed(token)


def _of_pieces(pieces: list[str]) -> list[str]:
    return [term for piece in pieces if piece for term in token_terms(piece)]


def _of_joined(token: str, pieces: list[str]) -> list[str]:
    """What hyphens join: numbers keep them (``7732_m18_m5``), else they are forgiven (``IL-6`` is ``IL6``)."""
    joined = "".join(pieces)
    if not any(sign.isalpha() for sign in joined):
        return [encoded(token.replace(SEAM, "-").replace("·", "-"))]
    if joined.isalpha() and joined.isascii():
        return [_bounded(_stem()(joined.lower())), *_of_family(token)]
    return [encoded(joined), *_of_family(token)]


def _of_pointed(token: str) -> list[str]:
    pieces = _LOOSE_POINT.split(token)
    if len(pieces) > 1:
        if all(len(piece) == 1 and piece.isalpha() for piece in pieces):
            return list(token_terms("".join(pieces)))
        digits = any(sign.isdigit() for sign in token)
        return ([encoded(token)] if digits else []) + _of_pieces(pieces)
    return _of_mixed(token)


def _of_mixed(token: str) -> list[str]:
    """Letters and digits without a joint, decimal points among the digits; or a word in another script."""
    if _UNSPACED.search(token):
        return _of_unspaced(token)
    whole = encoded(token)
    if token.isalpha() or _NUMBER.fullmatch(token):
        return [whole]
    measured = _WITH_UNIT.fullmatch(token)
    if measured:
        return [whole, *token_terms(measured[1]), *token_terms(measured[2])]
    elements = _of_family(token)
    if elements:
        return [whole, *elements]
    versioned = _VERSIONED.fullmatch(token)
    base = [encoded(versioned[1])] if versioned else []
    letters = [run for run in _RUNS.findall(token) if run.isalpha()]
    parts = [run for run in letters if len(run) >= _PART_LETTERS or (run in ELEMENTS and len(letters) == 1)]
    return [whole, *base, *_of_pieces(parts)]


def _of_unspaced(token: str) -> list[str]:
    """A script without spaces between words: every sign and every pair of neighbours; what stands between them."""
    found: list[str] = []
    for place, piece in enumerate(_UNSPACED.split(token)):
        if place % 2 == 0:
            found += _of_pieces([piece])
            continue
        signs = [encoded(sign) for sign in piece]
        found += [sign for sign in signs if sign]
        found += [a + b for a, b in pairwise(signs) if a and b]
    return found
