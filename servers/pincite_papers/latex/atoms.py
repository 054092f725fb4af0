"""Atoms of formulas: characters and what stands between them, as print spaces them; a minus sign is U+2212."""

import re

from pincite_papers.characters import is_one_bracket
from pincite_papers.latex.inline import Inline, Script, Text
from pincite_papers.latex.symbols import kind_of
from pincite_papers.latex.tex import Tex

_MOST_LOOKED_AT = 60
"""Parts of a formula's piece up to which it is compared as text."""


_PIECE = re.compile(r"\d+(?:[.,]\d+)*|\.\d+|[^\W\d_]|\s+|'+|:=|.", re.DOTALL)


_PIECE_UPRIGHT = re.compile(r"\d+(?:[.,]\d+)*|\.\d+|[^\W\d_]+|\s+|'+|:=|.", re.DOTALL)


AS_PRINTED = {"-": "−", "*": "∗", ":=": "≔"}


_UNARY_AFTER = frozenset(("", "bin", "rel", "open", "punct", "op"))


def chunk(tex: Tex, text: str) -> None:
    """Characters of a formula."""
    for match in (_PIECE_UPRIGHT if tex.upright else _PIECE).finditer(text):
        piece = match.group()
        if piece.isspace():
            continue
        if piece[0] == "'":
            tex.out.add("′" * len(piece))
        elif len(piece) > 1 and piece != ":=":
            atom(tex, piece, "ord")
        elif piece.isalpha():
            atom(tex, piece, "ord", italic=not tex.upright)
        elif text == "," and _closes(tex):
            tex.out.add(text)
        else:
            printed = AS_PRINTED.get(piece, piece)
            atom(tex, printed, "rel" if piece == ":=" else kind_of(printed))


def _closes(tex: Tex) -> bool:
    """Whether the group ends here: ``1{,}000`` is one number."""
    follows = tex.reader.raw()
    if follows is not None:
        tex.reader.unread(follows)
    return follows == "}"


def atom(tex: Tex, text: str, kind: str, *, italic: bool = False) -> None:
    """Append an atom of a formula with the spaces that print sets around it."""
    out = tex.out
    last = out.last
    if kind == "bin" and last in _UNARY_AFTER:
        kind = "sign"
    if kind in ("rel", "bin"):
        out.loose = True
        out.add(text if tex.tight else f"{text} " if not last else f" {text} ")
    elif kind == "punct":
        out.add(text if tex.tight else f"{text} ")
        out.loose = True
    else:
        out.add(_between(last, kind) + text, italic=italic and not _between(last, kind))
    out.last = kind
    out.atoms += 1


def _between(last: str, kind: str) -> str:
    """The space between two atoms that are not operators between operands."""
    if last == "op" and kind in ("ord", "op", "frac"):
        return " "
    if kind == "op" and last in ("ord", "close", "frac"):
        return " "
    if (last == "frac" and kind in ("ord", "open", "frac")) or (kind == "frac" and last in ("ord", "close")):
        return " "
    return ""


def close(out: Inline) -> None:
    """End a formula in the text: an operator without a right operand stands close, as in ``3.5$\\times$``."""
    if out.last in ("bin", "rel") and out.parts and isinstance(part := out.parts[-1], Text):
        out.parts[-1] = Text(part.text.strip() if out.last == "bin" else part.text.rstrip(), part.italic)
    out.last = ""


def put(tex: Tex, content: Inline, kind: str = "ord") -> None:
    """Append inline content as one atom."""
    if content.empty():
        return
    tex.out.add(_between(tex.out.last, kind))
    tex.out.extend(content)
    tex.out.last = kind
    tex.out.atoms += max(content.atoms, 1)
    tex.out.loose = tex.out.loose or content.loose


def script(tex: Tex, level: int) -> None:
    """A superscript or subscript."""
    upright = tex.upright
    body = tex.group(tight=True, upright=upright)
    text = body.plain() if level == 1 and len(body.parts) < 4 else ""
    if text and not text.strip("′"):
        tex.out.add(text)
    elif body.parts:
        tex.out.parts.append(Script(level, body))


def grouped(content: Inline) -> Inline:
    """In brackets unless it is one number, symbol, word or bracket."""
    if content.atoms <= 1 and not content.loose:
        return content
    text = content.plain() if len(content.parts) < _MOST_LOOKED_AT else ""
    if text[:1] in "([{" and text[-1:] in ")]}" and is_one_bracket(text):
        return content
    found = Inline(atoms=1)
    found.add("(")
    found.extend(content)
    found.add(")")
    return found
