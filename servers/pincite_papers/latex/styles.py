"""What classes print: names of figures and tables, what stands behind a caption's number, how sections are numbered."""

from dataclasses import dataclass, field

_ARABIC = {
    "section": "\\arabic{section}",
    "subsection": "\\thesection.\\arabic{subsection}",
    "subsubsection": "\\thesubsection.\\arabic{subsubsection}",
    "paragraph": "\\thesubsubsection.\\arabic{paragraph}",
    "subparagraph": "\\theparagraph.\\arabic{subparagraph}",
}
_ROMAN = {
    "section": "\\Roman{section}",
    "subsection": "\\Alph{subsection}",
    "subsubsection": "\\arabic{subsubsection}",
    "paragraph": "\\alph{paragraph}",
}


@dataclass(frozen=True, slots=True)
class ClassStyle:
    """How a class prints numbers: ``numbers`` by counter as TeX source; ``full`` says that a reference to a subsection
    prints the section's number before its own ("II A"), ``depth`` to what level sections are numbered.
    """

    numbers: dict[str, str] = field(default_factory=lambda: dict(_ARABIC))
    figure: str = "Figure"
    table: str = "Table"
    separator: str = ":"
    table_number: str = "\\arabic{table}"
    full: bool = False
    depth: int = 3
    chapters: bool = False
    citations: str = ""


_REVTEX = ClassStyle(dict(_ROMAN), "FIG.", "TABLE", ".", "\\Roman{table}", full=True, depth=4, citations="numbers")
_IEEE = ClassStyle(dict(_ROMAN), "Fig.", "TABLE", ".", "\\Roman{table}", full=True, depth=4, citations="numbers")
_ARTICLE = ClassStyle()
_BOOK = ClassStyle(
    {"chapter": "\\arabic{chapter}", **_ARABIC, "section": "\\thechapter.\\arabic{section}"}, depth=2, chapters=True
)
_STYLES = {
    "revtex": _REVTEX,
    "ieeetran": _IEEE,
    "ieee": _IEEE,
    "elsart": ClassStyle(citations="numbers"),
    "ams": ClassStyle(separator="."),
    "aastex": ClassStyle(separator=".", citations="author-year"),
    "emulateapj": ClassStyle(figure="Fig.", separator=".—", citations="author-year"),
    "mnras": ClassStyle(separator=".", citations="author-year"),
    "aa": ClassStyle(figure="Fig.", separator=".", citations="author-year"),
    "llncs": ClassStyle(figure="Fig.", separator=".", depth=2),
    "svjour": ClassStyle(figure="Fig.", separator=""),
    "sn-jnl": ClassStyle(figure="Fig.", separator=""),
    "iopart": ClassStyle(separator="."),
    "acmart": ClassStyle(separator=".", citations="numbers"),
    "sig-alternate": ClassStyle(separator=":"),
    "achemso": ClassStyle(separator=":", citations="super"),
    "wlscirep": ClassStyle(separator=".", citations="super"),
    "report": _BOOK,
    "book": _BOOK,
    "memoir": _BOOK,
    "scrbook": _BOOK,
    "scrreprt": _BOOK,
}


def class_style(name: str, options: set[str]) -> ClassStyle:
    """The style of a document class, told by how its name begins; that of ``article`` for one not known."""
    name = name.lower()
    if name in _STYLES:
        return _STYLES[name]
    found = max((key for key in _STYLES if name.startswith(key) and len(key) > 2), key=len, default="")
    if found.startswith("revtex") and "rmp" in options:
        return ClassStyle(
            dict(_ROMAN), "FIG.", "TABLE", ".", "\\Roman{table}", full=True, depth=4, citations="author-year"
        )
    return _STYLES.get(found, _ARTICLE)
