"""The reference list: ``thebibliography`` in the source or a .bbl, biblatex's .bbl, else the .bib's cited entries."""

from pathlib import PurePosixPath

from pincite_papers.latex.biblatex import is_biblatex, read_biblatex
from pincite_papers.latex.bibtex import BibEntry, entry_source, read_bibtex
from pincite_papers.latex.inline import Inline, inline
from pincite_papers.latex.items import BibliographyMark, HeadingItem, Item, ReferenceItem
from pincite_papers.latex.lexer import Lexer
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex

_JOURNALS = {
    "aj": "AJ", "apj": "ApJ", "apjl": "ApJL", "apjs": "ApJS", "aap": "A&A", "aapr": "A&A Rev.", "aaps": "A&AS",
    "araa": "ARA&A", "mnras": "MNRAS", "pasp": "PASP", "pasj": "PASJ", "nat": "Nature", "prl": "Phys. Rev. Lett.",
    "pra": "Phys. Rev. A", "prb": "Phys. Rev. B", "prc": "Phys. Rev. C", "prd": "Phys. Rev. D", "pre": "Phys. Rev. E",
    "jcap": "JCAP", "icarus": "Icarus", "ssr": "Space Sci. Rev.", "solphys": "Sol. Phys.", "physrep": "Phys. Rep.",
    "jgr": "J. Geophys. Res.", "grl": "Geophys. Res. Lett.", "memsai": "Mem. Soc. Astron. Ital.", "apss": "Ap&SS",
    "procspie": "Proc. SPIE", "planss": "Planet. Space Sci.", "ao": "Appl. Opt.", "pasa": "PASA", "psj": "PSJ",
}  # fmt: skip
"""The journals that classes of astronomy abbreviate."""
_ITEMS = ("\\bibitem", "\\reference", "\\harvarditem")


def _entries(tex: Tex, name: str) -> None:
    """``\\begin{thebibliography}{99}``."""
    tex.reader.argument()
    tex.par()
    _heading(tex)
    lexer = tex.reader.innermost_file()
    at_letter = lexer is not None and lexer.at_letter
    if lexer is not None:
        # Lists made for revtex use \\href@noop and the like.
        lexer.at_letter = True
    tex.in_list = True
    with tex.into(Inline()):
        stop = tex.body(name, *_ITEMS)
    while stop in _ITEMS:
        tag = tex.reader.optional()
        if stop == "\\harvarditem":
            tag = [*tex.reader.argument(), "(", *tex.reader.argument(), ")"]
        item = ReferenceItem(tex.reader.text_argument(), Inline())
        tex.links = []
        item.tag = tex.render(tag).plain() if tag else ""
        with tex.into(item.content):
            stop = tex.body(name, *_ITEMS)
        item.links = tex.links
        tex.items.append(item)
    if lexer is not None:
        lexer.at_letter = at_letter
    tex.in_list = False
    tex.par()


def _heading(tex: Tex) -> None:
    own = "\\refname" if "\\refname" in tex.reader.macros else "\\bibname"
    title = tex.render([own]) if own in tex.reader.macros else inline("References")
    if not title.empty():
        tex.items.append(HeadingItem(title, 1, ""))


def _bibliography(tex: Tex) -> None:
    """``\\bibliography{one,two}`` and ``\\printbibliography``."""
    tex.bibliographies += [name.strip() for name in tex.reader.text_argument().split(",") if name.strip()]
    if tex.in_body:
        _print(tex)


def _resource(tex: Tex) -> None:
    tex.reader.optional()
    tex.bibliographies.append(tex.reader.text_argument())


def _print_command(tex: Tex) -> None:
    tex.reader.optional()
    _print(tex)


def _print(tex: Tex) -> None:
    if tex.printed_bibliography:
        return
    tex.printed_bibliography = True
    tex.par()
    name = _made_list(tex)
    if name is None:
        tex.items.append(BibliographyMark())
        return
    text = tex.files.read(name)
    if is_biblatex(text):
        _heading(tex)
        add_entries(tex, read_biblatex(text), tex.items)
    else:
        tex.reader.push_source(Lexer(text, name, at_letter=True))


def _made_list(tex: Tex) -> str | None:
    """The .bbl of the main file, else the only one there is."""
    stem = str(PurePosixPath(tex.files.main).with_suffix(""))
    made = [name for name in tex.files.texts if name.lower().endswith(".bbl")]
    for wanted in (f"{stem}.bbl", "output.bbl"):
        if wanted in made:
            return wanted
    return made[0] if len(made) == 1 else None


def fill(tex: Tex) -> None:
    """Put the entries of the .bib files that are cited where the list is printed."""
    place = next((k for k, item in enumerate(tex.items) if isinstance(item, BibliographyMark)), None)
    if place is None:
        return
    known: dict[str, BibEntry] = {}
    for name in dict.fromkeys(tex.bibliographies):
        found = tex.files.find(name, ("", ".bib"))
        if found is None:
            tex.files.missing(name if name.endswith(".bib") else f"{name}.bib")
            continue
        for key, entry in read_bibtex(tex.files.read(found)).items():
            known.setdefault(key, entry)
    folded = {key.lower(): entry for key, entry in known.items()}
    wanted = list(known) if "*" in tex.cited else list(tex.cited)
    entries = [entry for key in wanted if (entry := known.get(key) or folded.get(key.lower())) is not None]
    if not entries:
        del tex.items[place]
        return
    if tex.by_name:
        entries.sort(key=lambda entry: (entry.fields.get("author", entry.fields.get("editor", "")).lower(), entry.key))
    tex.made_list = True
    tex.warn("The reference list was made from the .bib files: its order and wording are not those of the print.")
    made: list[Item] = [HeadingItem(inline("References"), 1, "")]
    add_entries(tex, entries, made)
    tex.items[place : place + 1] = made


def add_entries(tex: Tex, entries: list[BibEntry], items: list[Item]) -> None:
    """Append the entries as references."""
    for entry in entries:
        tokens, lexer = list[str](), Lexer(entry_source(entry), at_letter=True)
        while (lexeme := lexer.next()) is not None:
            tokens.append(lexeme)
        tex.links = []
        content = tex.render(tokens)
        links = [*tex.links, *entry.links()]
        items.append(ReferenceItem(entry.key, content, entry.tag(tex.render), links))


def _named(journal: str) -> Handler:
    return lambda tex: tex.out.add(journal)


def commands() -> dict[str, Handler]:
    """What commands of the reference list mean."""
    return {
        **{"\\" + name: _named(journal) for name, journal in _JOURNALS.items()},
        "\\bibliography": _bibliography,
        "\\addbibresource": _resource,
        "\\printbibliography": _print_command,
        "\\Eprint": lambda tex: (tex.links.append(tex.reader.text_argument()), tex.reader.skip_spaces())[-1],
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of the reference list mean."""
    return {"thebibliography": _entries, "references": _entries_without_width}


def _entries_without_width(tex: Tex, name: str) -> None:
    tex.reader.push(["{", "}"])
    _entries(tex, name)
