"""Pseudocode (algorithmic, algpseudocode): its lines with their words and indents, as code."""

from pincite_papers.latex.inline import Inline, inline
from pincite_papers.latex.items import LinesItem
from pincite_papers.latex.tex import EnvironmentHandler, Tex

_INDENT = "  "
_PLAIN = {
    "state": "",
    "statex": "",
    "require": "Require: ",
    "ensure": "Ensure: ",
    "input": "Input: ",
    "output": "Output: ",
    "return": "return ",
    "print": "print ",
}
_OPENING = {
    "if": ("if ", " then"),
    "for": ("for ", " do"),
    "forall": ("for all ", " do"),
    "while": ("while ", " do"),
    "loop": ("loop", ""),
    "repeat": ("repeat", ""),
    "function": ("function ", ""),
    "procedure": ("procedure ", ""),
}
_BETWEEN = {"elsif": ("else if ", " then"), "elseif": ("else if ", " then"), "else": ("else", "")}
_CLOSING = {
    "endif": "end if",
    "endfor": "end for",
    "endwhile": "end while",
    "endloop": "end loop",
    "endfunction": "end function",
    "endprocedure": "end procedure",
}
_BARE = frozenset(("loop", "repeat", "else"))


def _stops() -> dict[str, str]:
    """The commands that begin a line, in the spellings of both packages, and their keywords."""
    found: dict[str, str] = {}
    for word in (*_PLAIN, *_OPENING, *_BETWEEN, *_CLOSING, "until"):
        mixed = word.capitalize()
        for part in ("if", "for", "while", "loop", "function", "procedure"):
            if word in (f"end{part}", f"els{part}", f"else{part}"):
                mixed = word[: -len(part)].capitalize() + part.capitalize()
        found |= {"\\" + word.upper(): word, "\\" + mixed: word}
    return found | {"\\ForAll": "forall"}


_STOPS = _stops()


def _algorithm(tex: Tex, name: str) -> None:
    """The lines of ``algorithmic``; what stands before the first command is a line too."""
    tex.reader.optional()
    if not tex.nested:
        tex.par()
    lines: list[tuple[int, Inline]] = []
    depth, line = 0, Inline()
    while True:
        with tex.into(line), tex.mode(math=False):
            stop = tex.body(name, *_STOPS)
        if not line.empty():
            line.strip()
            lines.append((depth, line))
        word = _STOPS.get(stop)
        if word is None:
            break
        opens = word in _OPENING
        if word in _CLOSING or word in _BETWEEN or word == "until":
            depth = max(depth - 1, 0)
        line = _head(tex, word)
        if opens or word in _BETWEEN or word in _CLOSING or word == "until":
            lines.append((depth, line))
            line = Inline()
            depth += opens or word in _BETWEEN
    if lines:
        tex.add_item(LinesItem([(_INDENT * min(indent, 20), content) for indent, content in lines]))


def _head(tex: Tex, word: str) -> Inline:
    """The words that a command prints, with its argument."""
    if word in _PLAIN:
        return inline(_PLAIN[word])
    if word in _CLOSING:
        return inline(_CLOSING[word])
    before, after = ("until ", "") if word == "until" else _OPENING.get(word) or _BETWEEN[word]
    made = inline(before)
    if word not in _BARE:
        made.extend(tex.group(math=False))
    if word in ("function", "procedure"):
        made.add("(")
        made.extend(tex.group(math=False))
        made.add(")")
    made.add(after)
    return made


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of pseudocode mean."""
    return dict.fromkeys(("algorithmic", "algorithmicx", "program"), _algorithm)
