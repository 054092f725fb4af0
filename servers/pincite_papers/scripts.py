"""Sub- and superscripts in plain text: ``10^-3``, ``T_c``, ``x_{i}y``; subscripts of a chemical formula stand bare."""

import re
from dataclasses import dataclass

_ELEMENT_AT_END = re.compile(
    r"(?:"
    r"H|He|Li|Be|B|C|N|O|F|Ne|Na|Mg|Al|Si|P|S|Cl|Ar|K|Ca|Sc|Ti|V|Cr|Mn|Fe|Co|Ni|Cu|Zn|Ga|Ge|As|Se|Br|"
    r"Kr|Rb|Sr|Y|Zr|Nb|Mo|Tc|Ru|Rh|Pd|Ag|Cd|In|Sn|Sb|Te|I|Xe|Cs|Ba|La|Ce|Pr|Nd|Pm|Sm|Eu|Gd|Tb|Dy|Ho|"
    r"Er|Tm|Yb|Lu|Hf|Ta|W|Re|Os|Ir|Pt|Au|Hg|Tl|Pb|Bi|Po|At|Rn|Fr|Ra|Ac|Th|Pa|U|Np|Pu|Am|Cm|Bk|Cf|Es|"
    r"Fm|Md|No|Lr|Rf|Db|Sg|Bh|Hs|Mt|Ds|Rg|Cn|Nh|Fl|Mc|Lv|Ts|Og|D|Ln|RE"
    r")$"
)
_POINT_AT_END = re.compile(r"\d[.,]$")
"""A digit a little below its line behind a decimal point, as in crooked scans, is a decimal."""
_AMOUNT = re.compile(r"^[0-9.,xyzδ±–+−-]+$")
DEGREE = frozenset({"∘", "◦", "○", "°"})


@dataclass(slots=True)
class Piece:
    """Characters of one level (0 base, 1 superscript, -1 subscript) with the glyph of each character."""

    level: int
    texts: list[str]
    glyphs: list[int]
    italic: bool
    opens: bool = True
    closes: bool = True


def mark(pieces: list[Piece]) -> tuple[str, list[int]]:
    """The text of a word with its script marks, and the glyph behind each code point (-1 for a mark).

    ``opens`` and ``closes`` are False for a script that runs on from or into the neighbouring word of the same script.
    """
    text: list[str] = []
    glyphs: list[int] = []
    base = ""
    italic = False
    for k, piece in enumerate(pieces):
        body = "".join(piece.texts)
        if piece.level == 1 and piece.opens and piece.closes and body in DEGREE:
            body, before, after = "°", "", ""
            base, italic = body, False
            spelled = [(body, piece.glyphs[0])]
        else:
            before, after = ("", "") if piece.level == 0 else _marks(piece, body, base, italic, pieces[k + 1 :])
            if piece.level == 0:
                base, italic = body, piece.italic
            spelled = list(zip(piece.texts, piece.glyphs, strict=True))
        text.append(before + body + after)
        glyphs.extend([-1] * len(before))
        for characters, glyph in spelled:
            glyphs.extend([glyph] * len(characters))
        glyphs.extend([-1] * len(after))
    return "".join(text), glyphs


def _marks(piece: Piece, body: str, base: str, italic: bool, rest: list[Piece]) -> tuple[str, str]:
    """What stands before and after a script."""
    follows = next(("".join(p.texts) for p in rest), "") if rest and rest[0].level == 0 else ""
    if piece.opens and piece.closes:
        return script_marks(piece.level, body, base, follows, italic=italic)
    sign = "^" if piece.level == 1 else "_"
    return (sign + "{" if piece.opens else ""), ("}" if piece.closes else "")


def script_marks(level: int, body: str, base: str, follows: str, *, italic: bool = False) -> tuple[str, str]:
    """What stands before and after the script ``body`` (level 1 or -1) between ``base`` and ``follows``."""
    if level == -1 and body[:1].isdigit() and _POINT_AT_END.search(base):
        return "", ""
    if level == -1 and _AMOUNT.match(body) and _ends_in_element(base, italic):
        return "", ""
    sign = "^" if level == 1 else "_"
    return (sign + "{", "}") if follows[:1].isalnum() else (sign, "")


def _ends_in_element(base: str, italic: bool) -> bool:
    """Whether text ends in an upright element symbol or a closing bracket, as a formula does before an amount."""
    if base[-1:] in {")", "]", "}"}:
        return True
    if italic and len(base) <= 2:
        return False
    return _ELEMENT_AT_END.search(base) is not None
