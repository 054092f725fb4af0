"""Byline: title, names and addresses, told apart in the author arguments of many classes."""

import re
from collections.abc import Iterator

from pincite_papers.latex.inline import Inline, inline
from pincite_papers.latex.items import BlockItem, FrontMark, Item
from pincite_papers.latex.tex import Tex
from pincite_papers.model import BlockKind

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
"""Groups inside each other that are taken apart. Set by judgement."""


_LISTED = re.compile(r",|\^|\band\b")


_KEYED = re.compile(r"\b(?:organization|department|addressline|city|postcode|state|country|institution)\s*=\s*")


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
