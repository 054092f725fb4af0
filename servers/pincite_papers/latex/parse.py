"""parse_latex: a LaTeX source, bare or in an archive, becomes a Paper."""

import re
from functools import cache

from pincite_papers.latex import (
    acronyms,
    algorithms,
    bibliography,
    byline,
    chemistry,
    citations,
    columns,
    definitions,
    equations,
    floats,
    formula,
    front,
    inputs,
    lengths,
    links,
    lists,
    longtables,
    numbers,
    passed,
    pictures,
    revisions,
    sections,
    siunitx,
    tables,
    text_commands,
)
from pincite_papers.latex.conditionals import Conditionals
from pincite_papers.latex.emit import emit
from pincite_papers.latex.files import SourceFiles, open_files
from pincite_papers.latex.inline import Inline
from pincite_papers.latex.lexer import Lexer
from pincite_papers.latex.macros import DEFINITIONS
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Language, Tex
from pincite_papers.markup import Run
from pincite_papers.model import Paper

PARSER = "pincite-latex/2"
_BEGIN = re.compile(r"\\begin\s*\{\s*document\s*\}")
_PREAMBLE = [
    "title",
    "author",
    "authors",
    "collaboration",
    "correspondingauthor",
    "affiliation",
    "affil",
    "address",
    "institute",
    "email",
    "date",
    "keywords",
    "pacs",
    "abstract",
    "doi",
    "acmDOI",
    "journal",
    "thanks",
    "subtitle",
    "input",
    "include",
    "import",
    "subimport",
    "InputIfFileExists",
    "documentclass",
    "documentstyle",
    "usepackage",
    "RequirePackage",
    "newtheorem",
    "setcounter",
    "addtocounter",
    "newcounter",
    "numberwithin",
    "counterwithin",
    "newcolumntype",
    "graphicspath",
    "bibliography",
    "addbibresource",
    "sisetup",
    "DeclareSIUnit",
    "AtBeginDocument",
    "newenvironment",
    "renewenvironment",
    "bibliographystyle",
    "setcitestyle",
    "PassOptionsToPackage",
    "DeclareMathOperator",
    "endinput",
    "subjclass",
    "curraddr",
    "received",
    "accepted",
    "published",
    "makeatletter",
]


@cache
def _language() -> tuple[dict[str, Handler], dict[str, EnvironmentHandler]]:
    # Later ones count where two give a meaning: formulas know their own of what is else passed over.
    commands = passed.handlers() | text_commands.handlers() | formula.handlers()
    environments: dict[str, EnvironmentHandler] = {}
    for module in (
        sections,
        lengths,
        links,
        lists,
        numbers,
        citations,
        columns,
        siunitx,
        chemistry,
        definitions,
        inputs,
        revisions,
        acronyms,
    ):
        commands |= module.commands()
    for module in (equations, tables, pictures, floats, longtables, front):
        commands |= module.commands()
    for module in (
        sections,
        lists,
        equations,
        tables,
        pictures,
        floats,
        longtables,
        front,
        algorithms,
        bibliography,
        acronyms,
    ):
        environments |= module.environments()
    return commands, environments


def parse_latex(data: bytes, *, max_pages: int) -> Paper:
    """The Paper of a LaTeX source: a .tex file, or a tar, tar.gz or zip of one. ``max_pages`` does not apply.

    Raises UnknownFormatError when there is no TeX in it, LimitReachedError when the archive or the expansion of macros
    grows past its limits, EmptySourceError when no text is left.
    """
    files = open_files(data)
    text = files.read(files.main)
    tex = _begun(files, text)
    if _BEGIN.search(text) and not _preamble(tex):
        # The words stand in a comment or an example: this is a part of a document.
        tex = _begun(files, text)
    _body(tex)
    return emit(tex, data, PARSER)


def parse_formula(source: str) -> Run:
    """A formula's TeX, without the marks around it, as linear text; LimitReachedError where its macros never end."""
    tex = _begun(SourceFiles({"": b""}, ("",), ""), source)
    content = Inline()
    with tex.into(content), tex.mode(math=True):
        tex.run()
    return content.run(lambda run, part: None)


def _begun(files: SourceFiles, text: str) -> Tex:
    """The state in which reading begins."""
    commands, environments = _language()
    tex = Tex(files, Language(dict(commands), dict(environments), text_commands.character))
    Conditionals(tex)
    numbers.define_numbers(tex)
    tex.reader.push_source(Lexer(text, files.main))
    return tex


def _preamble(tex: Tex) -> bool:
    """What stands before the document begins: definitions and front matter; all else is passed over.

    False when the document never begins.
    """
    allowed = {f"\\{name}" for name in _PREAMBLE} | set(DEFINITIONS) | {"\\let"}
    while (lexeme := tex.reader.next()) is not None:
        if lexeme in ("\\makeatletter", "\\makeatother"):
            lexer = tex.reader.innermost_file()
            if lexer is not None:
                lexer.at_letter = lexeme == "\\makeatletter"
        elif lexeme == "\\begin":
            name = tex.reader.text_argument()
            if name == "document":
                return True
            if name.rstrip("*") == "filecontents":
                inputs.file_contents(tex, name)
            elif name == "abstract":
                tex.begin(name)
                tex.run("\\begin")
        elif lexeme in allowed or (lexeme[0] == "\\" and lexeme[1:].startswith("ead")):
            handler = tex.handlers.get(lexeme)
            if handler is not None:
                handler(tex)
    return False


def _body(tex: Tex) -> None:
    acronyms.collect(tex)
    tex.in_body = True
    tex.out.parts.clear()
    tex.reader.push(tex.at_begin)
    tex.body("document")
    tex.par()
    bibliography.fill(tex)
    byline.finish(tex)
