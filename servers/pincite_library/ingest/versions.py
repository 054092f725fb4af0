"""Versions: what the chunks of a library were made with, and whether that is what would make them now."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite_library.chunks.context import Context


@dataclass(frozen=True, slots=True)
class Versions:
    """What makes chunks now: ``made`` of chunker, terms and parser, and the model that describes, "" for none."""

    made: str
    describer: str = ""

    @classmethod
    def of(cls, parser: str, describer: str = "", context: "Context" = "short") -> "Versions":
        """The versions of this process; ``parser`` as ``PaperStore.version``."""
        from pincite_library.chunks.cut import CHUNKER
        from pincite_library.ranking.terms import TERMS

        cut = CHUNKER if context == "short" else f"{CHUNKER} {context}"
        return cls(f"{cut} {TERMS} {parser}", describer)

    @property
    def chunker(self) -> str:
        """What is written down with a paper that is made now."""
        return f"{self.made} by {self.describer}" if self.describer else self.made

    def accepts(self, chunker: str) -> bool:
        """Whether what was written down so need not be made again: a description by a model does no harm."""
        return chunker == self.chunker or (not self.describer and chunker.startswith(f"{self.made} by "))
