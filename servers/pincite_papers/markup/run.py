"""Run: inline text under construction, with sub- and superscripts and the citations in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from pincite_papers.characters import clean, compose
from pincite_papers.scripts import DEGREE, script_marks

_BARE = re.compile(r"[+−–±-]?(?:\w+(?:\.\w+)*[+−–-]?|\W)|\d+[a-z]?(?:[,–−-]\d+[a-z]?)*")
"""Scripts that need no braces: one word or number with its sign, one symbol, or citations by number."""


@dataclass(frozen=True, slots=True)
class Cited:
    """``text[start:end]`` of a run cites the entries with these anchors."""

    start: int
    end: int
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text of one level (0 base, 1 superscript, -1 subscript); ``cited`` counts from its own start."""

    text: str
    level: int = 0
    italic: bool = False
    cited: tuple[Cited, ...] = ()


@dataclass(slots=True)
class Run:
    """Text that grows at its end. White space collapses to single spaces; the ends are stripped.

    Scripts are written as in a PDF's canonical text: ``10^-3``, ``T_c``, ``x_{i}y``, and ``H2O``; one that is more than
    a word stands in braces: ``x_{i+1}``. Scripts of one level that touch are one. Characters are those of ``clean``.
    """

    _pieces: list[_Piece] = field(default_factory=list[_Piece])

    def add(self, text: str, *, italic: bool = False) -> "Run":
        """Append plain text."""
        if text:
            self._pieces.append(_Piece(clean(text), 0, italic))
        return self

    def add_script(self, level: int, body: "Run") -> "Run":
        """Append a superscript (``level`` 1) or subscript (-1); an empty one is nothing, but parts words as it did."""
        text, cited = body.render()
        if text:
            self._pieces.append(_Piece(text, level, cited=tuple(cited)))
        elif body._pieces:
            self._pieces.append(_Piece(" "))
        return self

    def add_citation(self, anchors: "Sequence[str]", body: "str | Run") -> "Run":
        """Append what cites the reference entries with these anchors; citations inside ``body`` are part of it."""
        run = Run().add(body) if isinstance(body, str) else body
        text, _ = run.render()
        if not text:
            return self.add_run(run)
        whole = Cited(0, len(text), tuple(anchors))
        if run._pieces[0].text[:1].isspace():
            self._pieces.append(_Piece(" "))
        self._pieces.append(_Piece(text, cited=(whole,)))
        if run._pieces[-1].text[-1:].isspace():
            self._pieces.append(_Piece(" "))
        return self

    def add_run(self, run: "Run") -> "Run":
        """Append another run."""
        self._pieces.extend(run._pieces)
        return self

    def stripped(self) -> "Run":
        """The run without white space at its ends."""
        pieces = list(self._pieces)
        while pieces and not pieces[0].text.strip():
            pieces.pop(0)
        while pieces and not pieces[-1].text.strip():
            pieces.pop()
        if pieces and not pieces[0].level and pieces[0].text[:1].isspace():
            pieces[0] = replace(pieces[0], text=pieces[0].text.lstrip())
        if pieces and not pieces[-1].level and pieces[-1].text[-1:].isspace():
            pieces[-1] = replace(pieces[-1], text=pieces[-1].text.rstrip())
        return Run(pieces)

    @property
    def ending(self) -> str:
        """The last one or two characters before white space at the end, without rendering the run; "" if empty."""
        for piece in reversed(self._pieces):
            text = piece.text.rstrip()
            if text:
                return text[-2:]
        return ""

    def render(self) -> tuple[str, list[Cited]]:
        """The text and the citations in it, in order."""
        parts: list[str] = []
        cited: list[Cited] = []
        length, base, italic, spaced = 0, "", False, True
        pieces = _joined(self._pieces)
        for index, piece in enumerate(pieces):
            text, shift = piece.text, 0
            if piece.level:
                follows = pieces[index + 1] if index + 1 < len(pieces) else None
                after = follows.text if follows is not None and follows.level == 0 else ""
                text, shift = _script(piece, base, after, italic=italic)
            else:
                base, italic = text or base, piece.italic
                text = text if piece.cited else _collapsed(text, after_space=spaced)
                if spaced and text == " ":
                    continue
            if not text:
                continue
            for one in piece.cited:
                start = length + shift + one.start
                cited.append(Cited(start, min(length + shift + one.end, length + len(text)), one.anchors))
            parts.append(text)
            length += len(text)
            spaced = text.endswith(" ")
        return _finished("".join(parts).rstrip(), cited)

    def __str__(self) -> str:
        return self.render()[0]

    def __bool__(self) -> bool:
        return any(not piece.text.isspace() and piece.text for piece in self._pieces)


def _joined(pieces: list[_Piece]) -> list[_Piece]:
    """The pieces, scripts of one level that touch made one."""
    found: list[_Piece] = []
    for level, group in groupby(pieces, key=lambda piece: piece.level):
        members = list(group)
        if level == 0 or len(members) == 1:
            found += members
            continue
        text, cited = "", list[Cited]()
        for member in members:
            cited += [Cited(len(text) + one.start, len(text) + one.end, one.anchors) for one in member.cited]
            text += member.text
        found.append(_Piece(text, level, cited=tuple(cited)))
    return found


def _script(piece: _Piece, base: str, follows: str, *, italic: bool) -> tuple[str, int]:
    """The script with its marks, and how many characters stand before it."""
    body = piece.text
    if piece.level == 1 and body in DEGREE:
        return "°", 0
    before, after = script_marks(piece.level, body, base, follows, italic=italic)
    if before and not after and not _BARE.fullmatch(body):
        before, after = before + "{", "}"
    return before + body + after, len(before)


def _collapsed(text: str, *, after_space: bool) -> str:
    """``text`` with single spaces, and none at its start where one stands before it."""
    words = text.split()
    if not words:
        return " " if text and not after_space else ""
    lead = " " if text[0].isspace() and not after_space else ""
    return lead + " ".join(words) + (" " if text[-1].isspace() else "")


def _finished(text: str, cited: list[Cited]) -> tuple[str, list[Cited]]:
    """The text composed, the citations within it in order."""
    if text.isascii():
        return text, [Cited(one.start, min(one.end, len(text)), one.anchors) for one in cited if one.start < len(text)]
    places = sorted({place for one in cited for place in (one.start, one.end)})
    text, moved = compose(text, places)
    to = dict(zip(places, moved, strict=True))
    whole = [Cited(to[one.start], min(to[one.end], len(text)), one.anchors) for one in cited]
    return text, [one for one in whole if one.start < one.end]
