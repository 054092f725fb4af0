"""One spelling for the characters that print a number, a unit or a formula."""

import unicodedata

from pincite_core.characters import LINE_DASHES, LOWERED_MINUS, RAISED_MINUS, UNSEEN

_DASHES = dict.fromkeys(map(ord, LINE_DASHES + RAISED_MINUS + LOWERED_MINUS + "\u02d7"), "-")
_MARKS = {
    **_DASHES,
    **dict.fromkeys(map(ord, UNSEEN), None),
    **dict.fromkeys(map(ord, "∼≈≃≅≂˜～"), "~"),
    **dict.fromkeys(map(ord, "⁄∕"), "/"),
    **dict.fromkeys(map(ord, "⋅∙·•‧・"), "·"),
    **dict.fromkeys(map(ord, "⩽≦"), "≤"),
    **dict.fromkeys(map(ord, "⩾≧"), "≥"),
    ord("✕"): "×",
    ord("⨯"): "×",
}


def plain(text: str) -> str:
    """``text`` with compatibility characters resolved (₂ is 2, ⁻ is -, Å and µ in one form) and one kind of dash.

    Length may change. Superscript and subscript digits lose their level: mark it first where it matters.
    """
    text = text.translate(_MARKS)
    return unicodedata.normalize("NFKC", text).translate(_MARKS)
