"""Files read from within files, packages of the source's own, definitions."""

import re

from pincite_papers.latex.bibliography import commands as bibliography_commands
from pincite_papers.latex.definitions import own_package
from pincite_papers.latex.items import CodeItem
from pincite_papers.latex.lexer import Lexer
from pincite_papers.latex.numbers import define_numbers
from pincite_papers.latex.styles import class_style
from pincite_papers.latex.tex import Handler, Tex

_MOST_NESTED = 30
"""Files that read each other. Set by judgement."""
_MOST_FILES = 2000
"""Files that are read, each time counted. Set by judgement."""
_BODY = re.compile(r"\\begin\s*\{\s*document\s*\}")
_CLASS = re.compile(r"^[^%\n]*\\document(?:class|style)\b", re.MULTILINE)


def _input(tex: Tex) -> None:
    """``\\input{file}`` and ``\\input file``."""
    lexeme = tex.reader.peek()
    if lexeme == "{" or lexeme.startswith("\\"):
        name = tex.reader.text_argument()
    else:
        tex.reader.raw()
        words = lexeme.split(None, 1)
        name = words[0] if words else ""
        if len(words) > 1:
            tex.reader.unread(words[1])
        while (more := tex.reader.raw()) is not None and words and lexeme == lexeme.rstrip() and more in "_~":
            follows = tex.reader.raw() or ""
            name += more + follows.split(None, 1)[0] if follows.split() else more
        if more is not None:
            tex.reader.unread(more)
    read_file(tex, name)


def read_file(tex: Tex, name: str, *, base: str = "") -> None:
    """Read a file of the source next; one that is missing, or is being read already, is noted."""
    found = tex.files.find(name, base=base)
    if found is None:
        if name and not name.endswith((".sty", ".cls", ".pdf_tex")):
            tex.files.missing(f"{base}{name}")
        return
    open_now = tex.reader.open_files()
    if found in open_now or len(open_now) > _MOST_NESTED:
        tex.warn(f"{found} includes itself: read once.")
        return
    tex.files_read += 1
    if tex.files_read > _MOST_FILES:
        tex.warn(f"More than {_MOST_FILES} files are included: the rest was left out.")
        return
    text = tex.files.read(found)
    tex.reader.spend(len(text) // 200)
    if tex.in_body and _CLASS.search(text) and (match := _BODY.search(text)) is not None:
        end = text.rfind("\\end{document}")
        text = text[match.end() : end if end > 0 else len(text)]
    # The end of a file is the end of a line.
    tex.reader.push([" "])
    tex.reader.push_source(Lexer(text, found))


def _import(tex: Tex) -> None:
    """``\\import{folder/}{file}``."""
    tex.reader.star()
    base = tex.reader.text_argument()
    read_file(tex, tex.reader.text_argument(), base=base)


def _input_if(tex: Tex) -> None:
    name = tex.reader.text_argument()
    one, other = tex.reader.argument(), tex.reader.argument()
    if tex.files.find(name) is not None:
        tex.reader.push(one)
        read_file(tex, name)
    else:
        tex.reader.push(other)


def _verbatim_input(tex: Tex) -> None:
    tex.reader.optional()
    found = tex.files.find(tex.reader.text_argument(), ("", ".tex", ".txt"))
    if found is not None:
        tex.par()
        tex.add_item(CodeItem(tex.files.read(found)))


def _end_input(tex: Tex) -> None:
    lexer = tex.reader.innermost_file()
    if lexer is not None and len(tex.reader.open_files()) > 1:
        lexer.stop()


def _document_class(tex: Tex) -> None:
    options = tex.reader.text_optional() or ""
    name = tex.reader.text_argument().rpartition("/")[2]
    tex.reader.optional()
    if tex.in_body:
        return
    tex.options = {option.strip() for option in options.split(",")}
    tex.packages[name.lower()] = tex.options
    tex.style = class_style(name, tex.options)
    define_numbers(tex)
    own_package(tex, f"{name}.cls")


def _at_begin(tex: Tex) -> None:
    tokens = tex.reader.argument()
    if not tex.in_body:
        tex.at_begin += tokens


def file_contents(tex: Tex, name: str) -> None:
    """A file given in the source itself."""
    tex.reader.optional()
    file = tex.reader.text_argument()
    lexer = tex.reader.lexer()
    text = lexer.take_until(f"\\end{{{name}}}") if lexer is not None else None
    if text is not None and file and len(tex.files.texts) < _MOST_FILES:
        tex.files.add(file, text)


def _operator(tex: Tex) -> None:
    """``\\newcounter``-like lengths and boxes: nothing is kept of them."""
    tex.reader.argument()


def _bibliography_style(tex: Tex) -> None:
    name = tex.reader.text_argument().lower()
    tex.bibliography_style = name
    tex.by_name = not any(
        part in name for part in ("unsrt", "ieeetr", "apsrev", "naturemag", "elsarticle-num", "ieeetran")
    )


def _cite_style(tex: Tex) -> None:
    tex.packages.setdefault("natbib", set()).update(
        option.strip() for option in tex.reader.text_argument().split(",") if option.strip()
    )


def commands() -> dict[str, Handler]:
    """What commands about files and definitions mean."""
    return {
        **bibliography_commands(),
        **dict.fromkeys(("\\input", "\\include", "\\subfile", "\\subfileinclude", "\\@input"), _input),
        **dict.fromkeys(("\\import", "\\subimport", "\\includefrom", "\\inputfrom"), _import),
        "\\InputIfFileExists": _input_if,
        **dict.fromkeys(("\\verbatiminput", "\\lstinputlisting"), _verbatim_input),
        "\\endinput": _end_input,
        **dict.fromkeys(("\\documentclass", "\\documentstyle"), _document_class),
        "\\AtBeginDocument": _at_begin,
        **dict.fromkeys(("\\newdimen", "\\newcount", "\\newskip", "\\newbox", "\\newtoks", "\\newwrite"), _operator),
        "\\bibliographystyle": _bibliography_style,
        "\\setcitestyle": _cite_style,
    }
