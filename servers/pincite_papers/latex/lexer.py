"""Lexer: the characters of a TeX source as tokens, without category codes but that of ``@``.

A token is a string: a control sequence with its backslash, one of ``{}$&#^_~``, ``\\par`` for a blank line, or a chunk
of other text (white space in it as it is written).
"""

import re

_GRAMMAR = (
    r"(?P<text>[^\\{}$&#^_~%\n]+(?:\n(?![ \t]*+[\n%])[^\\{}$&#^_~%\n]++)*+)"
    r"|\\(?:(?P<word>[LETTERS]++)(?:[ \t]*+\n[ \t]*+(?!\n)|[ \t]*+)|(?P<sign>[\s\S]))"
    r"|(?P<special>[{}$&#^_~])"
    r"|(?P<par>\n[ \t]*+\n\s*+)"
    r"|(?P<line>\n[ \t]*+)"
    r"|%[^\n]*+(?:\n[ \t]*+(?P<blank>\n\s*+)?)?"
)
_PLAIN = re.compile(_GRAMMAR.replace("LETTERS", "A-Za-z"))
_INTERNAL = re.compile(_GRAMMAR.replace("LETTERS", "A-Za-z@"))
_OPENING = re.compile(r"\s*\{")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_MOST_GROUP = 5000
"""Characters between a command and the end of its group that are looked through. Set by judgement."""
_LINE_END = re.compile(r"\n|$")


class Lexer:
    """Reads tokens forward; ``at_letter`` makes ``@`` a letter, as in packages."""

    __slots__ = ("_at", "_text", "at_letter", "name")

    def __init__(self, text: str, name: str = "", *, at_letter: bool = False) -> None:
        self._text = text
        self._at = 0
        self.name = name
        self.at_letter = at_letter

    def next(self) -> str | None:
        """The next token; None at the end."""
        pattern = _INTERNAL if self.at_letter else _PLAIN
        while (match := pattern.match(self._text, self._at)) is not None:
            self._at = match.end()
            kind = match.lastgroup
            if kind in ("text", "special"):
                return match.group()
            if kind == "word":
                return "\\" + match["word"]
            if kind == "sign":
                sign = match["sign"]
                return "\\ " if sign.isspace() else "\\" + sign
            if kind in ("par", "blank"):
                return "\\par"
            if kind == "line":
                return " "
        return None

    def take_verb(self) -> str:
        """The text between the next character and its next occurrence on the line, as after ``\\verb``."""
        start = self._at
        if start >= len(self._text):
            return ""
        line_end = _end_of_line(self._text, start)
        end = self._text.find(self._text[start], start + 1, line_end)
        self._at = line_end if end < 0 else end + 1
        return self._text[start + 1 : line_end if end < 0 else end]

    def take_group(self) -> str | None:
        """The raw text of the group that opens next, ``%`` and ``#`` in it as they are; None when none does."""
        match = _OPENING.match(self._text, self._at)
        if match is None:
            return None
        depth = 1
        for brace in _BRACES.finditer(self._text, match.end()):
            depth += (brace.group() == "{") - (brace.group() == "}")
            if depth == 0:
                self._at = brace.end()
                return self._text[match.end() : brace.start()]
            if brace.start() - match.end() > _MOST_GROUP:
                break
        return None

    def take_until(self, mark: str) -> str | None:
        """The text before the next ``mark``, which is passed over; None, and nothing passed, when there is none."""
        end = self._text.find(mark, self._at)
        if end < 0:
            return None
        taken = self._text[self._at : end]
        self._at = end + len(mark)
        return taken

    def stop(self) -> None:
        """Pass over all that is left, as ``\\endinput`` does."""
        self._at = len(self._text)


def _end_of_line(text: str, start: int) -> int:
    match = _LINE_END.search(text, start)
    return match.start() if match else len(text)
