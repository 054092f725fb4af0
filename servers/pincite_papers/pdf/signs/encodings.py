"""Encodings: which signs the private encodings of symbol fonts put at a code, and which characters print alike.

The codes are those that readers of such papers have reported in public: Linotype's Mathematical Pi and Universal Greek
with Math Pi (pdfminer.six issue 233, PyMuPDF issue 1371), the Advent fonts of 3B2 and their copies of Computer Modern
(pdf-inspector pull request 165), TeX's own symbol encoding (OMS), and Adobe's Symbol.
"""

import re
from functools import cache

_PI_FONT = re.compile(
    r"symbol|pi\d*$|(?:math|mathematical|comm|custom|special|chemical)pi|[-_]sy$|[-_]mi$|msy|mth|wingd|dingb|"
    r"euclid.?(?:extra|math)",
    re.IGNORECASE,
)
_TEX_FONT = re.compile(r"^(?:cm|lm|newcm|stix|xits|tex(?!_))", re.IGNORECASE)
# Of one code, the signs of all encodings: a table alone decides nothing, it must agree with the shape that is printed.
_MATHEMATICAL_PI = dict(zip("123456789,.#$~", "+−×÷=±∓°′<>≤≥∝", strict=True))
_ADVENT_MATHS = dict(zip("¼þðÞ½0pjfg1!rhi/k?", "=+()[′√|{}∞→∇⟨⟩∝‖⊥", strict=True))
_ADVENT_PI = dict(zip("84m*+Dsad5{6gF&b", "°>µ∼±Δσαδ<†×γΦ≈β", strict=True))
_ADVENT_TEXT = dict(zip("wzZCDGKPNbFfT8$", "∼≈=+=±−≥><±∼°,·", strict=True))
_ADVENT_SIZED = dict(zip("\\[P,B^IU", "<>≥∼−±·=", strict=True))
_ADVENT_GREEK = dict(zip("rqldsghjbkcvpmDRUX", "σρμδτηθκβλγχπνΔΣΦΩ", strict=True))
_ADVENT_MARKS = dict(zip("#21q/:;@~=", "©™®©φ.,∂</", strict=True))
_MATH_TECHNICAL = dict(zip("cpFBP;~1`^kK!7", "+=∼±−≈<>>≤≫≪×·", strict=True))
_SCIENCE_PI = dict(zip('-)"=;X(rqsyxwFGf', "<>±×∼′≤/+=−][≤≥≈", strict=True))
_UNIVERSAL = dict(zip("79?", "°×+", strict=True))
_SYMBOL = {
    **dict(zip("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    **dict(zip("DFGLPQSWXYUJ", "ΔΦΓΛΠΘΣΩΞΨϒϑ", strict=True)),
    **dict(zip("-*'\"$@^~", "−∗∋∀∃≅⊥∼", strict=True)),
    **dict(zip("£¥«¬®¯°±²³´µ¶·¸¹º»¼¢¤", "≤∞↔←→↓°±″≥×∝∂•÷≠≡≈…′/", strict=True)),
    "\xad": "↑",
}
# A code 0 arrives as 0x1A: nothing else may be written for it.
_OMS = {
    chr(code): sign
    for code, sign in {
        0x00: "−", 0x1A: "−", 0x01: "·", 0x02: "×", 0x03: "∗", 0x04: "÷", 0x06: "±", 0x07: "∓", 0x0E: "°", 0x0F: "•",
        0x14: "≤", 0x15: "≥", 0x18: "∼", 0x19: "≈", 0x1C: "≪", 0x1D: "≫", 0xA3: "−", 0xA4: "·",
    }.items()
}  # fmt: skip
_ENCODINGS = (
    _MATHEMATICAL_PI, _ADVENT_MATHS, _ADVENT_PI, _ADVENT_TEXT, _ADVENT_SIZED, _ADVENT_GREEK, _ADVENT_MARKS,
    _MATH_TECHNICAL, _SCIENCE_PI, _UNIVERSAL, _SYMBOL, _OMS,
)  # fmt: skip

SIGNS_AT: dict[str, frozenset[str]] = {
    code: frozenset(each[code] for each in _ENCODINGS if code in each)
    for code in {code for each in _ENCODINGS for code in each}
}
"""The signs that known private encodings print at a code."""

# Characters that fonts draw alike; the first is what such a shape says in a font of signs.
_ALIKE = (
    "−–—-_", "·.•▪●∙⋅", "°○®◦˚∘", "′'’´|", "∼~˜", "∗*", "Δ∆△▲", "Σ∑", "Π∏", "µμ", "Ω", "∥‖", "<⟨", ">⟩", "φϕ", "ϵε∈",
    "″\"”", "‘`", "|∣", "⊙☉", "/∕", "→", ",‚", "©",
)  # fmt: skip
_CLASS_OF = {char: group for group in _ALIKE for char in reversed(group)}

# Greek letters that fonts draw like Latin ones: their shape alone never says which.
LATIN_TWINS = dict(zip("ανγκρτυωχικηβθ", "avykptuwxiknß0", strict=True))


def alike(one: str, other: str) -> bool:
    """Whether two characters are drawn so much alike that a shape does not tell them apart."""
    if one == other or other in _CLASS_OF.get(one, "") or one in _CLASS_OF.get(other, ""):
        return True
    return LATIN_TWINS.get(one) == other or LATIN_TWINS.get(other) == one


def known_at(code: str, sign: str) -> bool:
    """Whether some known encoding prints ``sign``, or its like, at ``code``."""
    return any(sign == each or alike(sign, each) for each in SIGNS_AT.get(code, ()))


@cache
def is_named_for_signs(font: str) -> bool:
    """Whether a font's name is one of fonts of signs with an encoding of their own; those of TeX name their glyphs."""
    return bool(_PI_FONT.search(font)) and not _TEX_FONT.match(font)
