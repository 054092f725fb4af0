"""Front matter: title, authors, affiliations, abstract, keywords, dates, in the manners of many classes."""

import re
from collections.abc import Iterator

from pincite_papers.latex.inline import Inline, Script, inline
from pincite_papers.latex.items import BlockItem, FrontMark, Item
from pincite_papers.latex.reader import spelled
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_AUTHOR = ("author", "affiliation", "affil", "address", "institute", "email", "altaffiliation", "IEEEauthorblockN")
_ADDRESSES = frozenset(
    ("affiliation", "affil", "address", "institute", "altaffiliation", "IEEEauthorblockA", "institution")
)
_MAILS = frozenset(("email", "ead", "mail", "ead@"))
_NOTES = frozenset(
    (
        "thanks",
        "footnote",
        "titlenote",
        "authornote",
        "tnoteref",
        "corref",
        "cormark",
        "fnref",
        "fnmark",
        "orcid",
        "orcidID",
        "orcidlink",
        "ORCID",
        "orcidicon",
        "thankstext",
        "thanksref",
        "footnotemark",
    )
)
_NEXT = frozenset(("\\and", "\\And", "\\AND"))
_AFFILIATION = re.compile(
    r"universi|institut|departm|laborat|college|school|center|centre|facult|academy|hospital|division|research|CNRS|"
    r"Inc\.|Ltd|GmbH|@|street|\bUSA\b|China|Germany|Japan|France|\bUK\b|\d{4,}|^\s*\^|^\s*\d",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\^(?:\{[^}]*\}|[^\s,;]+)|[*∗†‡§¶‖#]+|\[[\d,\s]*\]|(?<=[^\W\d_])\d[\d,]*")
_BETWEEN = re.compile(r"\s*(?:,|;|&|·|\band\b|\s\s)\s*")
_SUFFIX = re.compile(r"^(?:Jr|Sr|II|III|IV|Ph\.?D|M\.?D|et al)\b\.?", re.IGNORECASE)
_WIDE = frozenset(("\\quad", "\\qquad", "\\hfill", "\\hfil", "\\enspace"))
_MOST_INSIDE = 3
_LISTED = re.compile(r",|\^|\band\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_KEYED = re.compile(r"\b(?:organization|department|addressline|city|postcode|state|country|institution)\s*=\s*")
_KEYWORD_BREAK = re.compile(r"\s*[,;·•—]\s*")


def _store(tex: Tex) -> None:
    tex.reader.optional()
    tex.front.title = tex.reader.argument()


def _person(command: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.star()
        mark = tex.reader.text_optional() or ""
        tokens = tex.reader.argument()
        if mark.isdigit() or re.fullmatch(r"[\w,∗*†]{1,12}", mark):
            tokens = ["\\textsuperscript", "{", mark, "}", " ", *tokens] if command != "author" else [
                *tokens, "\\textsuperscript", "{", mark, "}",
            ]  # fmt: skip
        tex.front.authors.append((command, tokens))

    return handle


def finish(tex: Tex) -> None:
    """Put the title, the authors and their addresses where the source prints them."""
    found: list[Item] = []
    title = _without_notes(tex, tex.front.title)
    if not title.empty():
        found.append(BlockItem(BlockKind.TITLE, title))
    names, addresses = _byline(tex)
    shown = Inline()
    for index, name in enumerate(names):
        shown.add(", " if index else "")
        shown.extend(name)
    if not shown.empty():
        found.append(BlockItem(BlockKind.AUTHORS, shown))
    seen: set[str] = set()
    for address in addresses:
        text = address.plain()
        if text and text not in seen:
            seen.add(text)
            found.append(BlockItem(BlockKind.AUTHORS, address))
    if tex.front.printed_date:
        found.append(BlockItem(BlockKind.AUTHORS, inline(tex.front.printed_date)))
    found += [BlockItem(BlockKind.FOOTNOTE, note) for note in tex.front.notes if not note.empty()]
    place = next((k for k, item in enumerate(tex.items) if isinstance(item, FrontMark)), 0)
    rest = [item for item in tex.items if not isinstance(item, FrontMark)]
    tex.items[:] = [*rest[:place], *found, *rest[place:]]
    tex.front.title = [title.plain()]


def author_names(tex: Tex) -> tuple[str, ...]:
    """The names of the authors, without marks."""
    found: dict[str, None] = {}
    for item in tex.items:
        if isinstance(item, BlockItem) and item.kind is BlockKind.AUTHORS:
            found.update(dict.fromkeys(split_names(item.content.plain())))
            break
    return tuple(found)


def split_names(text: str) -> tuple[str, ...]:
    """The names that a byline lists."""
    names: list[str] = []
    for part in _BETWEEN.split(_MARKS.sub(" ", text)):
        name = " ".join(part.split()).strip(" .,:")
        if _SUFFIX.match(name) and names and not name.lower().startswith("et al"):
            names[-1] += f", {part.strip()}"
        elif len(name) > 1 and name[0].isalpha() and len(name.split()) < 8 and "@" not in name:
            names.append(" ".join(part.split()).strip(" ,:;"))
    return tuple(names)


def _without_notes(tex: Tex, tokens: list[str]) -> Inline:
    kept: list[str] = []
    for kind, part in _pieces(tokens):
        if kind == "note":
            tex.front.notes.append(tex.render(part))
        else:
            kept += [*part, " "]
    return tex.render(kept)


def _byline(tex: Tex) -> tuple[list[Inline], list[Inline]]:
    """Names and addresses in order."""
    names: list[Inline] = []
    addresses: list[Inline] = []
    for command, tokens in tex.front.authors:
        first, joins, listed = True, False, False
        for kind, part in _pieces(tokens):
            if kind == "note":
                tex.front.notes.append(tex.render(part))
                continue
            first = first or kind == "next"
            content = tex.render(part)
            content.strip()
            text = content.plain()
            if not text:
                continue
            if command != "author" or kind == "address":
                _add_address(addresses, _unkeyed(content), joins=joins)
                joins = True
            elif kind == "name" or first or (listed and _LISTED.search(text) and not _AFFILIATION.search(text)):
                names.append(content)
                listed = _LISTED.search(text) is not None
                joins = False
            else:
                _add_address(addresses, content, joins=joins)
                joins = True
            first = False
    return names, addresses


def _add_address(addresses: list[Inline], content: Inline, *, joins: bool) -> None:
    """Append a line of an address, to the lines before it of the same one."""
    if joins and addresses and not content.plain().startswith("^"):
        addresses[-1].add(", ")
        addresses[-1].extend(content)
    else:
        addresses.append(content)


def _unkeyed(content: Inline) -> Inline:
    """An address of elsarticle (``organization={...}, city={...}``) without its keys."""
    text = content.plain()
    return inline(_KEYED.sub("", text)) if _KEYED.search(text) else content


def _pieces(tokens: list[str], inside: int = 0) -> Iterator[tuple[str, list[str]]]:
    """An author argument by lines and commands: (kind, tokens); ``next`` begins another person."""
    line: list[str] = []
    kind, index, depth = "next", 0, 0
    while index < len(tokens):
        lexeme = tokens[index]
        index += 1
        name = lexeme[1:] if lexeme[0] == "\\" else ""
        if name in _NOTES or name in _ADDRESSES or name in _MAILS or name == "IEEEauthorblockN":
            group, index = _argument(tokens, index)
            if name in ("thanks", "footnote", "titlenote", "authornote"):
                yield "note", group
            elif name == "IEEEauthorblockN":
                yield "name", group
            elif name not in _NOTES:
                for _, part in _pieces(group, inside + 1) if inside < _MOST_INSIDE else [("", group)]:
                    yield "address", part
            continue
        if name in ("begin", "end"):
            group, index = _argument(tokens, index)
            if name == "begin" and group == ["tabular"]:
                _, index = _argument(tokens, index)
            continue
        depth += (lexeme == "{") - (lexeme == "}")
        if depth <= 0 and (lexeme in ("\\\\", "\\newline", "\\par") or lexeme in _NEXT):
            yield kind, line
            line = []
            kind = "next" if lexeme in _NEXT else "line"
            index = _after_break(tokens, index)
            continue
        if depth <= 0 and lexeme in _WIDE:
            while line and line[-1].isspace():
                line.pop()
            line += [",", " "]
        else:
            line.append(lexeme)
    yield kind, line


def _after_break(tokens: list[str], index: int) -> int:
    """Past the star and length behind a line break."""
    if index < len(tokens) and re.fullmatch(r"\*?\s*\[[-\d. a-z]+\]\s*", tokens[index]):
        return index + 1
    return index


def _argument(tokens: list[str], index: int) -> tuple[list[str], int]:
    """The group at ``index``, after white space and an option in brackets, and where it ends."""
    while index < len(tokens) and not tokens[index].strip():
        index += 1
    if index < len(tokens) and tokens[index].lstrip().startswith("["):
        while index < len(tokens) and not tokens[index].rstrip().endswith("]"):
            index += 1
        index += 1
    if index >= len(tokens) or tokens[index] != "{":
        return [], index
    depth, start = 1, index + 1
    index = start
    while index < len(tokens) and depth:
        depth += (tokens[index] == "{") - (tokens[index] == "}")
        index += 1
    return tokens[start : index - 1 if depth == 0 else index], index


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
        "\\collaboration": _person("author"),
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
