"""Characters: what a glyph's code becomes in the text, and letters that are printed in two pieces put together."""

import unicodedata

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.scriptcodes import CodeSet
from pincite_papers.pdf.signs.ligatures import LETTERS

UNKNOWN = "\ufffd"
_SPACES = CodeSet(
    (
        *(0x20, 0x0D, 0x0A, 0x09, 0xA0, 0x0C, 0x0B, 0x85, 0x1680, 0x202F, 0x205F, 0x2028, 0x2029, 0x3000),
        *range(0x2000, 0x200B),
    )
)
_NOTHING = CodeSet(
    (0x00, 0xFEFF, 0x061C, 0x2060, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
_EXPANDED = {
    **LETTERS, "\ufb05": "st", "\ufb06": "st",
    "\u00ad": "-", "\u2010": "-", "\u2011": "-", "\ufffe": "-", "\u2126": "Ω", "\u212a": "K", "\u212b": "Å",
}  # fmt: skip
_COMBINING = {chr(code): chr(code) for code in range(0x300, 0x370)} | {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "˚": "\u030a", "¸": "\u0327",
    "ˇ": "\u030c", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307", "˝": "\u030b", "˛": "\u0328", "^": "\u0302",
    "~": "\u0303",    "\u02ca": "\u0301", "\u02cb": "\u0300", "\u02c9": "\u0304", "°": "\u030a",
}  # fmt: skip
_ACCENT_CODES = CodeSet(map(ord, _COMBINING))
# The tops of large brackets that fonts named Symbol print in pieces; their other pieces say nothing more.
_BRACKETS = {0xF8EB: "(", 0xF8EE: "[", 0xF8F1: "{", 0xF8F6: ")", 0xF8F9: "]", 0xF8FC: "}"}
# Adobe's Symbol encoding, the codes that fonts named Symbol show as letters and digits of another script.
_SYMBOL_CODES = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_SYMBOL_CAPITALS = "ΑΒΧ∆ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_SYMBOL = {
    **dict(zip("abcdefghijklmnopqrstuvwxyz", _SYMBOL_CODES, strict=True)),
    **dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", _SYMBOL_CAPITALS, strict=True)),
    "-": "−", "*": "∗", "'": "∋", '"': "∀", "$": "∃", "@": "≅", "^": "⊥", "~": "∼",
}  # fmt: skip
_SYMBOL_HIGH = {
    0xA1: "ϒ", 0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xA6: "ƒ", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→",
    0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷",
    0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCE: "∈", 0xD0: "∠",
    0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip


def is_space(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which codes are white space (PDFium's own line breaks too)."""
    return _SPACES.among(codes)


def is_nothing(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which codes print nothing and part no words: null, joiners, direction marks."""
    return _NOTHING.among(codes)


def characters(glyphs: Glyphs) -> list[str]:
    """One string a glyph: ligatures expanded, hyphens made one, control codes and halves of surrogates ``UNKNOWN``."""
    texts = list(map(chr, glyphs.codes.tolist()))
    odd: list[int] = np.flatnonzero((glyphs.codes < 0x20) | (glyphs.codes > 0x7E)).tolist()
    for i in odd:
        texts[i] = _character(int(glyphs.codes[i]), hyphen=bool(glyphs.hyphens[i]))
    _join_surrogates(glyphs, texts)
    _translate_symbol_fonts(glyphs, texts)
    return texts


def _character(code: int, *, hyphen: bool) -> str:
    if hyphen:
        return "-"
    if 0xF8E5 <= code <= 0xF8FE:
        return _BRACKETS.get(code, "")
    if 0xE0000 <= code <= 0xE01EF:
        return chr(code - 0xE0000) if 0xE0020 <= code <= 0xE007E else ""
    text = chr(code)
    if text in _EXPANDED:
        return _EXPANDED[text]
    if 0xF020 <= code <= 0xF0FF:
        low = code - 0xF000
        return _SYMBOL_HIGH.get(low) or (_SYMBOL.get(chr(low), chr(low)) if low < 0x7F else UNKNOWN)
    if 0x1D400 <= code <= 0x1D7FF or 0x2100 <= code <= 0x214F:
        return _plain_letter(text)
    category = unicodedata.category(text)
    if category in {"Cc", "Cs", "Co", "Cn"}:
        return UNKNOWN
    return unicodedata.normalize("NFC", text)


def _plain_letter(text: str) -> str:
    """A mathematical letter without its style: ``T`` for an italic, bold or script one."""
    plain = unicodedata.normalize("NFKC", text)
    return plain if len(plain) == 1 and plain.isalnum() else unicodedata.normalize("NFC", text)


def _join_surrogates(glyphs: Glyphs, texts: list[str]) -> None:
    """The two halves of a code point beyond the basic plane; a mathematical letter becomes its plain letter.

    So does a letter of Unicode's tags, which no font prints: what is spelled with them is to be read by people.
    """
    high: list[int] = np.flatnonzero((glyphs.codes >= 0xD800) & (glyphs.codes < 0xDC00)).tolist()
    for i in high:
        low = int(glyphs.codes[i + 1]) if i + 1 < len(texts) else 0
        if 0xDC00 <= low < 0xE000:
            whole = 0x10000 + ((int(glyphs.codes[i]) - 0xD800) << 10) + low - 0xDC00
            texts[i], texts[i + 1] = _character(whole, hyphen=False), ""


def _translate_symbol_fonts(glyphs: Glyphs, texts: list[str]) -> None:
    """A font named Symbol that claims to print Latin letters prints Greek ones (Adobe Symbol encoding)."""
    symbolic = [number for number, run in enumerate(glyphs.objects) if run.style.font.startswith("Symbol")]
    if not symbolic:
        return
    letters = np.isin(glyphs.runs, symbolic) & (glyphs.codes < 0x7F) & (glyphs.codes > 0x20) & ~glyphs.judged
    for i in np.flatnonzero(letters).tolist():
        texts[i] = _SYMBOL.get(texts[i], texts[i])
        glyphs.suspects[i] = True


def compose(texts: list[str], boxes: npt.NDArray[np.float32], order: list[int]) -> None:
    """Put an accent printed over a letter into that letter, in place: ``A`` and ``˚`` become ``Å`` and an empty string.

    ``order`` are the glyphs in their order; an accent belongs to the neighbour whose box its centre stands over.
    """
    for position in [place for place, i in enumerate(order) if texts[i] in _COMBINING]:
        i = order[position]
        mark = _COMBINING.get(texts[i])
        if mark is None:
            continue
        centre = float(boxes[i, 0] + boxes[i, 2]) / 2
        for neighbour in (position - 1, position + 1):
            if not 0 <= neighbour < len(order):
                continue
            j = order[neighbour]
            over = float(boxes[j, 0]) <= centre <= float(boxes[j, 2])
            if not texts[j].isalpha() or not (over or (mark == texts[i] and neighbour < position)):
                continue
            if float(boxes[j, 3]) < float(boxes[i, 1]) - 1 and mark not in "\u0327\u0328":
                continue
            whole = unicodedata.normalize("NFC", "i" + mark if texts[j] == "ı" else texts[j] + mark)
            if len(whole) == 1:
                texts[j], texts[i] = whole, ""
                break


def normal(text: str, glyphs: list[int]) -> tuple[str, list[int]]:
    """A word in normal form C with its glyphs: each base letter and its marks keep the glyph of the base."""
    parts: list[str] = []
    sources: list[int] = []
    for character, glyph in zip(text, glyphs, strict=True):
        if parts and unicodedata.normalize("NFC", parts[-1] + character) != parts[-1] + character:
            parts[-1] = unicodedata.normalize("NFC", parts[-1] + character)
        else:
            parts.append(unicodedata.normalize("NFC", character))
            sources.append(glyph)
    return "".join(parts), [glyph for part, glyph in zip(parts, sources, strict=True) for _ in part]


def composing(glyphs: Glyphs) -> bool:
    """Whether a page prints any accent on its own."""
    return bool(_ACCENT_CODES.among(glyphs.codes).any())
