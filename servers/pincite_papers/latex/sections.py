"""Sections, lists, statements (theorems), quotations, footnotes and what else makes up the running text."""

import re

from pincite_papers.latex.inline import Inline, Script, inline
from pincite_papers.latex.items import BlockItem, CodeItem, HeadingItem
from pincite_papers.latex.reader import Macro
from pincite_papers.latex.state import Target
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_LEVELS = {
    "part": -1,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
_CODE = ("verbatim", "Verbatim", "lstlisting", "minted", "alltt", "BVerbatim", "LVerbatim", "verbatimtab", "spverbatim")
_PASSED = ("comment", "filecontents", "CCSXML")
_MARKS = ("tikzpicture", "picture", "pspicture", "pgfpicture", "circuitikz", "tikzcd", "asy", "feynman")


def section(name: str) -> Handler:
    """``\\section*[short]{title}`` and its kin."""

    def handle(tex: Tex) -> None:
        starred = tex.reader.star()
        tex.reader.optional()
        tex.par()
        number = "" if starred or not _numbered(tex, name) else _step(tex, name)
        title = tex.group(math=False)
        if tex.nested:
            tex.out.extend(title)
            tex.out.add(" ")
            return
        first = 0 if tex.style.chapters else 1
        level = max(_LEVELS[name] - first + 1, 1)
        tex.items.append(HeadingItem(title, level, number))

    return handle


def _unnumbered(tex: Tex) -> None:
    """IOP's ``\\nonum\\section{title}``."""
    follows = tex.reader.raw()
    if follows is not None:
        tex.reader.push([follows, "*"] if follows[1:] in _LEVELS else [follows])


def _heading(title: str) -> Handler:
    """A command that prints a heading of its own."""
    return lambda tex: tex.reader.push(["\\section", "*", "{", title, "}"])


def _numbered(tex: Tex, name: str) -> bool:
    depth = tex.counters.values.get("secnumdepth", tex.style.depth)
    return _LEVELS[name] <= depth and ("\\the" + name in tex.reader.macros)


def _step(tex: Tex, name: str) -> str:
    number = tex.step(name)
    if tex.style.full and _LEVELS[name] > 1:
        above = tex.number("section")
        # A class of this kind prints "A." and refers to "II A".
        tex.here = Target(f"{above} {number}".strip(), name)
    return number


def _appendix(tex: Tex) -> None:
    top = "chapter" if tex.style.chapters else "section"
    tex.counters.set(top, 0)
    tex.counters.set("subsection", 0)
    tex.reader.macros["\\the" + top] = Macro(("\\Alph", "{", top, "}"))


def _label(tex: Tex) -> None:
    name = tex.reader.text_argument()
    if tex.row_labels is not None:
        tex.row_labels.append(name)
        return
    tex.labels.setdefault(name, tex.here)


def _footnote(tex: Tex) -> None:
    number = tex.reader.text_optional() or tex.step("footnote")
    _mark(tex, number)
    note = tex.group(math=False)
    add_footnote(tex, number, note)


def _footnote_mark(tex: Tex) -> None:
    _mark(tex, tex.reader.text_optional() or tex.step("footnote"))


def _footnote_text(tex: Tex) -> None:
    number = tex.reader.text_optional() or tex.number("footnote")
    add_footnote(tex, number, tex.group(math=False))


def _mark(tex: Tex, number: str) -> None:
    tex.out.parts.append(Script(1, inline(number)))


def add_footnote(tex: Tex, mark: str, note: Inline) -> None:
    """Append a note behind its mark, after the paragraph."""
    whole = Inline()
    if mark:
        whole.parts.append(Script(1, inline(mark)))
        whole.add(" ")
    whole.extend(note)
    tex.add_item(BlockItem(BlockKind.FOOTNOTE, whole))


def _code(tex: Tex, name: str) -> None:
    tex.par()
    lexer = tex.reader.lexer() or tex.reader.innermost_file()
    text = lexer.take_until(f"\\end{{{name}}}") if lexer is not None else None
    if text is None:
        tex.enter(name, tex.par)
        return
    head, _, rest = text.partition("\n")
    # The rest of the first line holds options, if anything; a verbatim that starts there is kept.
    lines = rest if re.match(r"^\s*(?:\[.*\]|\{.*\}|)+\s*$", head) else text
    if lines.strip():
        tex.add_item(CodeItem(lines))


def _comment(tex: Tex, name: str) -> None:
    lexer = tex.reader.lexer() or tex.reader.innermost_file()
    if lexer is None or lexer.take_until(f"\\end{{{name}}}") is None:
        tex.enter(name)


def _drawing(tex: Tex, name: str) -> None:
    """A picture drawn by commands: passed over, and said so."""
    lexer = tex.reader.lexer()
    if lexer is not None and lexer.take_until(f"\\end{{{name}}}") is not None:
        tex.warn("Pictures drawn by commands (TikZ, pgfplots, picture) are not read: their text is lost.")
        if tex.float is not None:
            tex.float.drawn = True
        return
    content = Inline()
    with tex.into(content):
        tex.body(name)
    tex.warn("Pictures drawn by commands (TikZ, pgfplots, picture) are not read: their text is lost.")


def _plain(tex: Tex, name: str) -> None:
    """An environment of which only the content counts."""
    tex.drop_options()
    tex.enter(name)


def _paragraphs(tex: Tex, name: str) -> None:
    tex.par()
    tex.drop_options()
    tex.enter(name, tex.par)


def _with_arguments(count: int) -> EnvironmentHandler:
    def handle(tex: Tex, name: str) -> None:
        for _ in range(3):
            if tex.reader.optional() is None:
                break
        for _ in range(count):
            tex.reader.argument()
        tex.enter(name)

    return handle


def _acknowledgments(tex: Tex, name: str) -> None:
    tex.par()
    tex.items.append(HeadingItem(inline("Acknowledgments"), 1, ""))
    tex.enter(name, tex.par)


def commands() -> dict[str, Handler]:
    """What commands of the running text mean."""
    return {
        **{"\\" + name: section(name) for name in _LEVELS},
        "\\nonum": _unnumbered,
        "\\ack": _heading("Acknowledgments"),
        "\\References": _heading("References"),
        "\\appendix": _appendix,
        "\\label": _label,
        "\\footnote": _footnote,
        "\\footnotemark": _footnote_mark,
        "\\footnotetext": _footnote_text,
        "\\endnote": _footnote,
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of the running text mean."""
    found: dict[str, EnvironmentHandler] = {}
    found |= dict.fromkeys(("quote", "quotation", "verse", "displayquote", "abstract*"), _paragraphs)
    found |= dict.fromkeys(_CODE, _code)
    found |= dict.fromkeys(_PASSED, _comment)
    found |= dict.fromkeys(("filecontents*",), _comment)
    found |= dict.fromkeys(_MARKS, _drawing)
    found |= dict.fromkeys(("center", "flushleft", "flushright", "widetext", "appendices", "spacing"), _paragraphs)
    found |= dict.fromkeys(
        (
            "small",
            "footnotesize",
            "scriptsize",
            "tiny",
            "large",
            "group",
            "document",
            "ruledtabular",
            "threeparttable",
            "threeparttablex",
            "measuredfigure",
        ),
        _plain,
    )
    found |= dict.fromkeys(("sloppypar", "landscape", "singlespace", "doublespace", "adjustwidth*"), _plain)
    found |= dict.fromkeys(("minipage", "adjustbox", "multicols", "CJK", "CJK*", "scope", "turn"), _with_arguments(1))
    found |= dict.fromkeys(("adjustwidth", "changemargin"), _with_arguments(2))
    found |= dict.fromkeys(("acknowledgments", "acknowledgements", "acknowledgement", "acks", "ack"), _acknowledgments)
    return found
