"""Front matter: title, authors, affiliations, abstract, keywords, dates, in the manners of many classes."""

import re

from pincite_papers.latex.inline import Inline, Script, inline
from pincite_papers.latex.items import BlockItem, FrontMark
from pincite_papers.latex.reader import spelled
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_AUTHOR = ("author", "affiliation", "affil", "address", "institute", "email", "altaffiliation", "IEEEauthorblockN")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_KEYWORD_BREAK = re.compile(r"\s*[,;·•—]\s*")


def _store(tex: Tex) -> None:
    tex.reader.optional()
    tex.front.title = tex.reader.argument()


def _person(command: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.star()
        mark = tex.reader.text_optional() or ""
        tokens = tex.reader.argument()
        if _is_number(tokens) and command != "author" and tex.reader.peek() == "{":
            # AGU's \affiliation{1}{Department of Tides}.
            mark, tokens = spelled(tokens), tex.reader.argument()
        if mark.isdigit() or re.fullmatch(r"[\w,∗*†]{1,12}", mark):
            tokens = ["\\textsuperscript", "{", mark, "}", " ", *tokens] if command != "author" else [
                *tokens, "\\textsuperscript", "{", mark, "}",
            ]  # fmt: skip
        tex.front.authors.append((command, tokens))

    return handle


def _is_number(tokens: list[str]) -> bool:
    return re.fullmatch(r"[\d,\s]+", spelled(tokens)) is not None


def _authors(tex: Tex) -> None:
    """AGU's list of all authors, whose ``\\affil`` are marks."""
    tokens = ["\\textsuperscript" if lexeme == "\\affil" else lexeme for lexeme in tex.reader.argument()]
    tex.front.authors.append(("author", tokens))


def _collaboration(tex: Tex) -> None:
    """``\\collaboration{name}``; AASTeX puts the number of its authors before the name."""
    tokens = tex.reader.argument()
    if _is_number(tokens) and tex.reader.peek() == "{":
        tokens = tex.reader.argument()
    tex.front.authors.append(("author", tokens))


def _corresponding(tex: Tex) -> None:
    """AASTeX's name, or AGU's name and address."""
    note = inline("Corresponding author: ")
    note.extend(tex.group(math=False))
    if tex.reader.peek() == "{":
        note.add(", ")
        note.extend(tex.group(math=False))
    tex.front.notes.append(note)


def _make_title(tex: Tex) -> None:
    tex.par()
    _mark_front(tex)


def _mark_front(tex: Tex) -> None:
    if not tex.nested and not any(isinstance(item, FrontMark) for item in tex.items):
        tex.items.append(FrontMark())


def _abstract(tex: Tex, name: str) -> None:
    tex.par()
    tex.drop_options()
    _mark_front(tex)
    before, tex.kind = tex.kind, BlockKind.ABSTRACT

    def end() -> None:
        tex.par()
        tex.kind = before

    tex.enter(name, end)


def _abstract_command(tex: Tex) -> None:
    tokens = ["\\begin", "{", "abstract", "}", *tex.reader.argument(), "\\par", "\\end", "{", "abstract", "}"]
    if tex.in_body:
        tex.reader.push(tokens)
    else:
        tex.at_begin += tokens


def _keywords(tex: Tex) -> None:
    tex.reader.optional()
    tex.front.keywords.append(tex.group(math=False))
    _print_keywords(tex)


def _keyword_environment(tex: Tex, name: str) -> None:
    content = Inline()
    tex.par()
    with tex.into(content):
        tex.body(name)
    tex.front.keywords.append(content)
    _print_keywords(tex)


def _print_keywords(tex: Tex) -> None:
    shown = inline("Keywords: ")
    shown.extend(tex.front.keywords[-1])
    if tex.front.keywords[-1].empty():
        tex.front.keywords.pop()
    elif tex.in_body and not tex.nested:
        tex.par()
        _mark_front(tex)
        tex.add_item(BlockItem(BlockKind.PARAGRAPH, shown))
    else:
        tex.front.notes.append(shown)


def keyword_list(tex: Tex) -> tuple[str, ...]:
    """The keywords, apart."""
    words = (word.strip(" .") for content in tex.front.keywords for word in _KEYWORD_BREAK.split(content.plain()))
    return tuple(dict.fromkeys(word for word in words if word))


def _date(tex: Tex) -> None:
    tokens = tex.reader.argument()
    tex.front.date = tex.render([lexeme for lexeme in tokens if lexeme != "\\today"]).plain()
    tex.front.printed_date = tex.front.date


def _dated(word: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.optional()
        content = tex.group(math=False)
        if not content.empty():
            note = inline(f"{word} ")
            note.extend(content)
            tex.front.notes.append(note)
            if word == "Published":
                tex.front.date = content.plain()

    return handle


def year(tex: Tex) -> int | None:
    """The year of the date that is printed."""
    match = _YEAR.search(tex.front.date)
    return int(match.group()) if match else None


def _thanks(tex: Tex) -> None:
    tex.front.notes.append(tex.group(math=False))


def _journal(tex: Tex) -> None:
    tex.front.journal = tex.group(math=False).plain()


def _doi(tex: Tex) -> None:
    text = spelled(tex.reader.argument()).replace("\\_", "_").replace("\\", "")
    if not tex.in_body or not tex.items:
        tex.front.doi = tex.front.doi or text
        return
    tex.links.append(f"https://doi.org/{text}")
    tex.out.add(text if tex.out.plain()[-12:].lower().rstrip(" :").endswith(("doi", "doi.org/")) else f"doi:{text}")


def commands() -> dict[str, Handler]:
    """What commands of the front matter mean."""
    found: dict[str, Handler] = {"\\" + name: _person(name) for name in _AUTHOR}
    return found | {
        "\\title": _store,
        "\\subtitle": _subtitle,
        "\\maketitle": _make_title,
        "\\abstract": _abstract_command,
        **dict.fromkeys(("\\keywords", "\\keyword", "\\kwd", "\\keyphrases", "\\pacs", "\\subject"), _keywords),
        "\\date": _date,
        "\\received": _dated("Received"),
        "\\revised": _dated("Revised"),
        "\\accepted": _dated("Accepted"),
        "\\published": _dated("Published"),
        "\\thanks": _thanks,
        "\\journal": _journal,
        "\\journalname": _journal,
        "\\doi": _doi,
        "\\acmDOI": _doi,
        "\\preprint": _thanks,
        "\\authornote": _thanks,
        "\\homepage": _person("address"),
        **dict.fromkeys(
            ("\\institution", "\\department", "\\streetaddress", "\\city", "\\state", "\\postcode", "\\country"), _part
        ),
        **dict.fromkeys(("\\sep", "\\PACS", "\\MSC"), _separate),
        "\\subjclass": _thanks_with_option,
        "\\KeyWords": _keywords,
        "\\ead": _person("email"),
        "\\dedicatory": _thanks,
        "\\cortext": _thanks_with_option,
        "\\fntext": _thanks_with_option,
        "\\tnotetext": _thanks_with_option,
        "\\curraddr": _person("address"),
        "\\collaboration": _collaboration,
        "\\authors": _authors,
        "\\correspondingauthor": _corresponding,
        "\\icmlauthor": _icml_author,
        "\\icmltitle": _store,
        "\\IEEEauthorrefmark": _author_mark,
        "\\inst": _author_mark,
    }


def _part(tex: Tex) -> None:
    """A part of an address: a comma stands before it."""
    if not tex.out.empty():
        _separate(tex)
    tex.reader.skip_spaces()


def _separate(tex: Tex) -> None:
    tex.out.strip()
    tex.out.add(", ")


def _subtitle(tex: Tex) -> None:
    tex.front.title += [" ", *tex.reader.argument()]


def _author_mark(tex: Tex) -> None:
    tex.out.parts.append(Script(1, tex.group(math=False, tight=True)))


def _icml_author(tex: Tex) -> None:
    tex.front.authors.append(("author", tex.reader.argument()))
    tex.reader.argument()


def _thanks_with_option(tex: Tex) -> None:
    tex.reader.optional()
    _thanks(tex)


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of the front matter mean."""
    names = ("keyword", "keywords", "IEEEkeywords", "KeyWords", "Keywords")
    return {
        **dict.fromkeys(("abstract", "Abstract", "onecolabstract"), _abstract),
        **dict.fromkeys(names, _keyword_environment),
        "frontmatter": lambda tex, name: tex.enter(name),
        "titlepage": lambda tex, name: tex.enter(name),
        "icmlauthorlist": lambda tex, name: tex.enter(name),
    }
