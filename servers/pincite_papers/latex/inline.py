"""Inline: text with scripts, citations and references to numbers that are known only at the end."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite_papers.markup import Run


@dataclass(frozen=True, slots=True)
class Text:
    """Characters; ``italic`` for the letters of a formula."""

    text: str
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A superscript (``level`` 1) or subscript (-1)."""

    level: int
    body: "Inline"


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to labels, in the manner of ``command`` ("ref", "eqref", "cref", ...)."""

    command: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation of keys, in the manner of ``command`` ("cite", "citet", ...), with its notes."""

    command: str
    keys: tuple[str, ...]
    before: "Inline | None" = None
    after: "Inline | None" = None


Part = Text | Script | Ref | Cite
Resolve = Callable[[Run, Ref | Cite], None]


@dataclass(slots=True)
class Inline:
    """Inline content under construction.

    ``last`` is the kind of the last atom of a formula, ``atoms`` how many there are, ``loose`` whether an operator
    stands between them: by these a fraction knows its brackets.
    """

    parts: list[Part] = field(default_factory=list[Part])
    last: str = ""
    atoms: int = 0
    loose: bool = False

    def add(self, text: str, *, italic: bool = False) -> None:
        """Append characters."""
        if text:
            self.parts.append(Text(text, italic))

    def extend(self, other: "Inline") -> None:
        """Append all of another."""
        self.parts.extend(other.parts)

    def empty(self) -> bool:
        """Whether there is nothing but white space."""
        return all(isinstance(part, Text) and not part.text.strip() for part in self.parts)

    def strip(self) -> None:
        """Take white space off both ends."""
        for place, cut in ((0, str.lstrip), (-1, str.rstrip)):
            while self.parts and isinstance(part := self.parts[place], Text):
                rest = cut(part.text)
                if rest:
                    self.parts[place] = Text(rest, part.italic)
                    break
                del self.parts[place]

    def strip_end(self, characters: str) -> None:
        """Take these characters off the end."""
        if self.parts and isinstance(part := self.parts[-1], Text):
            self.parts[-1] = Text(part.text.rstrip(characters), part.italic)

    def plain(self) -> str:
        """The text without its references and citations."""
        return str(self.run(lambda run, part: None))

    def run(self, resolve: Resolve) -> Run:
        """The run, its references and citations put in by ``resolve``."""
        run = Run()
        for part in _joined(self.parts):
            if isinstance(part, Text):
                run.add(part.text, italic=part.italic)
            elif isinstance(part, Script):
                run.add_script(part.level, part.body.run(resolve))
            else:
                resolve(run, part)
        return run


def _joined(parts: Sequence[Part]) -> list[Part]:
    """The parts with neighbouring upright texts in one, composed (NFC)."""
    found: list[Part] = []
    open_texts: list[str] = []
    for part in parts:
        if isinstance(part, Text) and not part.italic:
            open_texts.append(part.text)
            continue
        if open_texts:
            found.append(Text(unicodedata.normalize("NFC", "".join(open_texts))))
            open_texts = []
        found.append(Text(unicodedata.normalize("NFC", part.text), italic=True) if isinstance(part, Text) else part)
    if open_texts:
        found.append(Text(unicodedata.normalize("NFC", "".join(open_texts))))
    return found


def inline(text: str) -> Inline:
    """Plain characters."""
    found = Inline()
    found.add(text)
    return found
