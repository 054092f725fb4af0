"""Reading: what a font of signs prints for a code, by the shape of its glyph and the encodings that are known.

One kind of evidence is not enough: a sign is sure when its shape and a known encoding, or a name in the font, agree.
"""

import unicodedata
from dataclasses import dataclass

from pincite_papers.pdf.signs.encodings import LATIN_TWINS, SIGNS_AT, alike, known_at
from pincite_papers.pdf.signs.ligatures import LETTERS
from pincite_papers.pdf.signs.shapes import known_shapes

RARE = frozenset("¼½¾ðþÞÐ¦¬¿¡¤¢¥ªº\x7f\ufffd")
"""What symbol fonts claim to print and papers in English rarely do: reason to look at the shape, no more."""

CONTRADICTED = 0.30
"""Distance of a shape from the claimed character, from which on it is another one: above that of nearly all letters and
digits of the text fonts looked at."""

LIKE = 0.27
"""Distance up to which a shape is that of a character: the signs of the symbol fonts looked at stay below it."""

_UNIQUE = 1.2
"""How many times farther the next character must be, for a shape to say one alone."""

_CLEARLY = 1.35
"""How many times farther the claimed character must be than a sign that a known encoding puts at its code."""

_ALSO = 1.3
"""How many times farther than the nearest a sign may be that a known encoding puts at the code."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a code of a font prints: ``text`` (None as claimed); ``sure``; else ``fits``: context may make it sure."""

    text: str | None
    sure: bool
    fits: bool = False


def decide(claimed: str, far: dict[str, float]) -> Verdict:
    """What a font of signs prints for a code, by how far the characters are from the shape."""
    if _is_mapped(claimed) and _drawn_as_claimed(claimed, far):
        return Verdict(None, sure=True)
    signs = {text: value for text, value in far.items() if is_sign(text)}
    best = min(signs, key=lambda text: signs[text], default="")
    if not best or signs[best] > LIKE:
        return Verdict(None, sure=False)
    sign = _settled(best, claimed, signs)
    if sign is not None and known_at(claimed, sign) and far.get(claimed, 9.0) > _CLEARLY * signs[best]:
        return Verdict(sign, sure=True)
    if far.get(claimed, 9.0) < min(LIKE, _UNIQUE * signs[best]):
        return Verdict(None, sure=far[claimed] <= signs[best] and not _has_twin(claimed, signs))
    if sign is None:
        return Verdict(None, sure=False)
    return Verdict(sign, sure=False, fits=True)


def _is_mapped(claimed: str) -> bool:
    """Whether a font says by name or table that it prints this sign: its code alone would be a letter or a digit."""
    return not claimed.isascii() and claimed not in RARE and is_sign(claimed)


def _drawn_as_claimed(claimed: str, far: dict[str, float]) -> bool:
    """Whether no shape contradicts what a font says; a sign that is not in the table cannot be contradicted."""
    if claimed not in known_shapes().rows and not any(alike(claimed, text) for text in far):
        return True
    return min((value for text, value in far.items() if alike(claimed, text)), default=9.0) < CONTRADICTED


def is_sign(text: str) -> bool:
    """Whether a character is one that fonts print behind other codes: a ligature, or neither Latin letter nor digit."""
    if _is_greek(text) or text in LETTERS:
        return True
    return not (text.isascii() and text.isalnum()) and unicodedata.category(text) not in ("Lu", "Ll")


def _is_greek(text: str) -> bool:
    return "Α" <= text <= "ϵ" or text == "µ"


def _settled(best: str, claimed: str, signs: dict[str, float]) -> str | None:
    """The sign that the shape says alone, or with the known encodings of its code."""
    near = (text for text, value in signs.items() if value < _ALSO * signs[best])
    listed = sorted((text for text in near if known_at(claimed, text)), key=lambda text: signs[text])
    if listed:
        return _plain(next((text for text in listed if text in SIGNS_AT[claimed]), listed[0]))
    return _plain(best) if _tells(best, signs) else None


def _tells(best: str, signs: dict[str, float]) -> bool:
    """Whether all signs that a shape may be are drawn alike."""
    limit = max(_UNIQUE * signs[best], signs[best] + 0.02)
    return all(alike(best, text) for text, value in signs.items() if value < limit)


def _has_twin(claimed: str, signs: dict[str, float]) -> bool:
    """Whether a letter may as well be the Greek one that looks like it."""
    return any(latin == claimed and signs.get(greek, 9.0) < LIKE for greek, latin in LATIN_TWINS.items())


_PLAIN = {"–": "−", "—": "−", "-": "−", "~": "∼", "△": "Δ", "∆": "Δ", "▲": "▲", "μ": "µ", "○": "°", "'": "′",
          "’": "′", "´": "′", "*": "∗", "●": "•", "▪": "•"}  # fmt: skip


def _plain(sign: str) -> str:
    """What a shape says in a font of signs: a dash is a minus there."""
    return _PLAIN.get(sign, sign)
