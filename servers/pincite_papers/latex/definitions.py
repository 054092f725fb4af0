"""Definitions of the source and of the packages that come with it."""

from pincite_papers.latex.lexer import Lexer
from pincite_papers.latex.macros import DEFINITIONS, let_command, new_environment
from pincite_papers.latex.reader import Macro
from pincite_papers.latex.tex import Handler, Tex

# Redefinitions of these would hide structure; their meaning here is that of the standard classes.
_KEPT = frozenset(
    "\\" + name
    for name in [
        "section",
        "subsection",
        "subsubsection",
        "paragraph",
        "chapter",
        "part",
        "caption",
        "label",
        "ref",
        "cite",
        "begin",
        "end",
        "item",
        "title",
        "author",
        "maketitle",
        "input",
        "include",
        "includegraphics",
        "footnote",
        "bibitem",
        "thebibliography",
        "abstract",
        "documentclass",
        "usepackage",
        "par",
        "appendix",
        "tag",
        "eqref",
        "multicolumn",
        "multirow",
        "hline",
        "toprule",
        "midrule",
        "bottomrule",
        "frac",
        "sqrt",
        "subfigure",
        "subfloat",
        "thanks",
        "affiliation",
        "and",
        "bibinfo",
        "bibfield",
        "href",
        "natexlab",
        "newcommand",
        "renewcommand",
        "def",
    ]
)


_PRIMITIVES = frozenset(
    "\\" + name
    for name in [
        "expandafter",
        "csname",
        "futurelet",
        "setbox",
        "hbox",
        "vbox",
        "vtop",
        "halign",
        "valign",
        "write",
        "openout",
        "read",
        "catcode",
        "lccode",
        "uccode",
        "afterassignment",
        "aftergroup",
        "edef",
        "xdef",
        "loop",
        "advance",
        "dimen",
        "count",
        "skip",
        "box",
        "copy",
        "unhbox",
        "unvbox",
        "everypar",
        "jobname",
    ]
)


def _use_package(tex: Tex) -> None:
    options = {option.strip() for option in (tex.reader.text_optional() or "").split(",")}
    names = [name.strip() for name in tex.reader.text_argument().split(",")]
    tex.reader.optional()
    for name in names:
        tex.packages.setdefault(name.rpartition("/")[2], set()).update(options)
        own_package(tex, f"{name}.sty")


def _pass_options(tex: Tex) -> None:
    options = {option.strip() for option in tex.reader.text_argument().split(",")}
    tex.packages.setdefault(tex.reader.text_argument(), set()).update(options)


def own_package(tex: Tex, name: str) -> None:
    """Take the simple definitions of a package that comes with the source."""
    found = tex.files.find(name, ("",))
    if found is None or len(tex.files.texts[found]) > 300_000 or found in tex.own_packages:
        return
    tex.own_packages.add(found)
    reader = tex.reader
    text = tex.files.read(found)
    reader.spend(len(text) // 20)
    lexer = Lexer(text, found, at_letter=True)
    # Read apart: what a package does besides defining is not for the text.
    reader.push(["\\pincitestop"])
    reader.push_source(lexer)
    while (lexeme := reader.raw()) is not None and lexeme != "\\pincitestop":
        if lexeme in DEFINITIONS:
            DEFINITIONS[lexeme](reader, lambda name, macro: _take(tex, name, macro))
        elif lexeme == "\\RequirePackage" or lexeme == "\\usepackage":
            _use_package(tex)
        elif lexeme == "\\newif":
            reader.unread(lexeme)
            reader.unread(reader.next() or "\\relax")


def _take(tex: Tex, name: str, macro: Macro) -> None:
    """Define a macro of a package, unless it is about TeX's inner works or has a meaning here."""
    inner = any(
        isinstance(part, str) and (("@" in part and part[0] == "\\") or part in _PRIMITIVES) for part in macro.body
    )
    if inner or "@" in name or name in tex.handlers or name in _KEPT or name[1:] in tex.environments:
        return
    tex.reader.macros[name] = macro


def _define(command: str) -> Handler:
    read = DEFINITIONS[command]
    gentle = command in ("\\providecommand", "\\ProvideDocumentCommand")

    def handle(tex: Tex) -> None:
        def define(name: str, macro: Macro) -> None:
            if name in _KEPT or (gentle and (name in tex.handlers or name in tex.reader.macros)):
                return
            if name in tex.handlers and name in macro.body:
                return
            if macro.body == (name,):
                return
            tex.reader.macros[name] = macro

        read(tex.reader, define)

    return handle


def _let(tex: Tex) -> None:
    """``\\let``: the name takes on the meaning that the other has now."""
    names = let_command(tex.reader)
    if names is None or names[0] in _KEPT:
        return
    name, other = names
    for known in (tex.reader.macros, tex.handlers, tex.reader.expandable):
        known.pop(name, None)
    if other in tex.reader.macros:
        tex.reader.macros[name] = tex.reader.macros[other]
    elif other in tex.handlers:
        tex.handlers[name] = tex.handlers[other]
    elif other in tex.reader.expandable:
        tex.reader.expandable[name] = tex.reader.expandable[other]
    else:
        tex.reader.macros[name] = Macro((other,) if other[0] != "\\" else ())


def _environment(tex: Tex) -> None:
    made = new_environment(tex.reader, lambda name, macro: None)
    if (
        made is not None
        and made[0] not in _OWN_MEANING
        and not (made[0] in tex.environments and made[0] in str(made[1]))
    ):
        tex.own_environments[made[0]] = made[1], made[2]


_OWN_MEANING = frozenset(("abstract", "figure", "table", "thebibliography", "equation", "document", "align", "tabular"))


def commands() -> dict[str, Handler]:
    """What commands of definitions mean."""
    return {
        **{command: _define(command) for command in DEFINITIONS},
        **dict.fromkeys(("\\usepackage", "\\RequirePackage"), _use_package),
        **dict.fromkeys(("\\newenvironment", "\\renewenvironment", "\\provideenvironment"), _environment),
        "\\let": _let,
        "\\PassOptionsToPackage": _pass_options,
    }
