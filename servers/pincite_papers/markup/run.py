"""Run: inline text under construction, with sub- and superscripts and the citations in it."""

from dataclasses import dataclass, field
from itertools import pairwise

from pincite_papers.layout.scripts import DEGREE, script_marks


@dataclass(frozen=True, slots=True)
class Cited:
    """``text[start:end]`` of a run cites the entries with these anchors."""

    start: int
    end: int
    anchors: tuple[str, ...]


@dataclass(slots=True)
class _Piece:
    text: str
    level: int = 0
    italic: bool = False
    anchors: tuple[str, ...] = ()


@dataclass(slots=True)
class Run:
    """Text that grows at its end. White space collapses to single spaces; the ends are stripped.

    Scripts are written as in a PDF's canonical text: ``10^-3``, ``T_c``, ``x_{i}y``, and ``H2O``.
    """

    _pieces: list[_Piece] = field(default_factory=list[_Piece])

    def add(self, text: str, *, italic: bool = False) -> "Run":
        """Append plain text."""
        if text:
            self._pieces.append(_Piece(text, italic=italic))
        return self

    def add_script(self, level: int, body: "Run") -> "Run":
        """Append a superscript (``level`` 1) or subscript (-1); an empty one is nothing."""
        text, cited = body.render()
        if text:
            anchors = tuple(anchor for one in cited for anchor in one.anchors)
            self._pieces.append(_Piece(text, level, anchors=anchors))
        return self

    def add_citation(self, anchors: "tuple[str, ...] | list[str]", text: str) -> "Run":
        """Append ``text`` that cites the reference entries with these anchors."""
        if text:
            self._pieces.append(_Piece(text, anchors=tuple(anchors)))
        return self

    def add_run(self, run: "Run") -> "Run":
        """Append another run."""
        self._pieces.extend(run._pieces)
        return self

    def render(self) -> tuple[str, list[Cited]]:
        """The text and the citations in it, in order."""
        parts: list[str] = []
        cited: list[Cited] = []
        length, base, italic = 0, "", False
        following = [after.text if after.level == 0 else "" for _, after in pairwise(self._pieces)] + [""]
        for piece, follows in zip(self._pieces, following, strict=True):
            text = piece.text
            if piece.level == 1 and text in DEGREE:
                text = "°"
            elif piece.level:
                before, after = script_marks(piece.level, text, base, follows, italic=italic)
                text = before + text + after
            else:
                base, italic = text.rstrip("\n") or base, piece.italic
            text = _collapsed(text, after_space=not parts or parts[-1].endswith(" "))
            if not text:
                continue
            if piece.anchors:
                lead = len(text) - len(text.lstrip())
                cited.append(Cited(length + lead, length + len(text.rstrip()), piece.anchors))
            parts.append(text)
            length += len(text)
        text = "".join(parts).rstrip()
        return text, [Cited(one.start, min(one.end, len(text)), one.anchors) for one in cited if one.start < len(text)]

    def __str__(self) -> str:
        return self.render()[0]

    def __bool__(self) -> bool:
        return bool(self.render()[0])


def _collapsed(text: str, *, after_space: bool) -> str:
    """``text`` with single spaces, and none at its start where one stands before it."""
    words = text.split()
    if not words:
        return " " if text and not after_space else ""
    lead = " " if text[0].isspace() and not after_space else ""
    return lead + " ".join(words) + (" " if text[-1].isspace() else "")
