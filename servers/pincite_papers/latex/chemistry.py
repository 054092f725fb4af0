"""mhchem: ``\\ce{SO4^2- + 2 H2O -> La2CuO4}`` as it is read aloud: amounts bare, charges as superscripts, arrows."""

import re

from pincite_papers.latex.inline import Inline, Script, inline
from pincite_papers.latex.tex import Handler, Tex

_ARROWS = {
    "<=>>": "⇌",
    "<<=>": "⇌",
    "<-->": "⇄",
    "<=>": "⇌",
    "<->": "↔",
    "->": "→",
    "<-": "←",
}
_PIECE = re.compile(
    r"(?P<arrow><=>>|<<=>|<-->|<=>|<->|->|<-)|(?P<charge>(?<=[A-Za-z0-9)\]}])\^?(?P<sign>\d*[+-])(?=[\s)\],]|$))"
    r"|\^(?P<up>\d+[+-]*|[+-]+|[a-z]?)|_(?P<down>\d+(?:[.,]\d+)*|[a-z]?)|(?P<dot>\*|\.(?=\s*\d*[A-Z(]))|(?P<plain>[A-Za-z]+|\d+(?:[./]\d+)*|\s+|.)",
    re.DOTALL,
)


def _formula(tex: Tex) -> None:
    found = Inline(atoms=1)
    tokens = tex.reader.argument()
    index = 0
    level = 0
    while index < len(tokens):
        lexeme = tokens[index]
        index += 1
        if lexeme == "{":
            end = _closing(tokens, index)
            part = _reading(tex, tokens[index:end])
            if level:
                found.parts.append(Script(level, part))
            else:
                found.extend(part)
            index, level = end + 1, 0
        elif lexeme == "$":
            end = tokens.index("$", index) if "$" in tokens[index:] else len(tokens)
            content = tex.render(tokens[index:end], math=True)
            if level:
                found.parts.append(Script(level, content))
            else:
                found.extend(content)
            index, level = end + 1, 0
        elif lexeme in ("^", "_"):
            level = 1 if lexeme == "^" else -1
        elif lexeme[0] == "\\":
            part = tex.render([lexeme], math=True)
            if level:
                found.parts.append(Script(level, part))
            else:
                found.extend(part)
            level = 0
        else:
            _text(found, ("^" if level > 0 else "_" if level < 0 else "") + lexeme)
            level = 0
    tex.out.extend(found)
    tex.out.last = "ord"
    tex.out.atoms += 1


def _reading(tex: Tex, tokens: list[str]) -> Inline:
    """A group: text as it stands, formulas between dollars."""
    return tex.render(tokens)


def _closing(tokens: list[str], start: int) -> int:
    depth = 1
    for index in range(start, len(tokens)):
        depth += (tokens[index] == "{") - (tokens[index] == "}")
        if depth == 0:
            return index
    return len(tokens)


def _text(found: Inline, text: str) -> None:
    """Characters of a chemical formula."""
    for match in _PIECE.finditer(text):
        if match["arrow"]:
            found.add(f" {_ARROWS[match['arrow']]} ")
        elif match["charge"]:
            _charge(found, match["sign"], marked="^" in match["charge"])
        elif match["up"] is not None:
            found.parts.append(Script(1, inline(match["up"].replace("-", "−"))))
        elif match["down"] is not None:
            found.parts.append(Script(-1, inline(match["down"])))
        elif match["dot"]:
            found.add("·")
        else:
            found.add(match["plain"])


def _charge(found: Inline, sign: str, *, marked: bool) -> None:
    """``^2-`` and ``^+`` as they stand; in ``NO3-`` the digit is an amount and only the sign the charge."""
    digits = sign[:-1]
    if digits and not marked:
        found.add(digits)
        sign = sign[-1]
    found.parts.append(Script(1, inline(sign.replace("-", "−"))))


def commands() -> dict[str, Handler]:
    """What the commands of mhchem and chemformula mean."""
    return dict.fromkeys(("\\ce", "\\cee", "\\cf", "\\ch"), _formula)
