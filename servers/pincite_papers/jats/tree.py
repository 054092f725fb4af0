"""The tree of an XML source: no entity is expanded, nothing is fetched, damage is repaired where possible."""

import re
from html.entities import html5
from typing import Any, cast

from pincite_core.errors import DamagedError, HostileError, UnknownFormatError
from pincite_core.xml import hardened_parser
from pincite_papers.markup.elements import Element, etree, local_name

_ARTICLES = ("article", "art", "book-part", "TEI", "converted-article", "simple-article")
_FRONTS = ("front", "fm", "item-info")
_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_NAMES = (b"amp", b"lt", b"gt", b"quot", b"apos")
_DECLARATION = re.compile(rb"^\s*<\?xml\b[^>]*\?>")
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_UNDECLARED = ((b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))
_MOST_DEEP = 200
"""Elements inside each other; lxml's own bound is 256."""
_MOST_ENTITIES = 20_000
"""Entities of an article that are looked at. Set by judgement."""
_DEEP_PATH = "/*" + "/*" * _MOST_DEEP


def read_tree(data: bytes, warnings: list[str]) -> Element:
    """The article element of a source, without namespaces, comments and entities; ``warnings`` say what was repaired.

    Raises DamagedError (no XML), HostileError (nested too deeply) or UnknownFormatError (no article in it).
    """
    root, problem, seen = _parsed(data)
    if root.xpath(_DEEP_PATH):
        raise HostileError(
            "The XML is nested too deeply to be a paper.",
            seen=f"more than {_MOST_DEEP} elements inside each other",
            next="Open another copy of the paper.",
        )
    for element in root.xpath("//*[namespace-uri() != '']"):
        element.tag = local_name(element)
    _spell_entities(root, warnings)
    if problem:
        if not "".join(root.itertext()).strip():
            raise _damaged(seen)
        warnings.append(problem)
    return _article(root, warnings)


def _damaged(seen: str) -> DamagedError:
    return DamagedError("The XML cannot be read.", seen=seen, next="Check the download, then try again.")


def _parsed(data: bytes) -> tuple[Element, str, str]:
    """The root, what is wrong with it ("" for nothing), and the same without a word of the source.

    Read strictly; then with its encoding put right; then whatever can be recovered.
    """
    try:
        return _parse(spell_names(data)), "", ""
    except etree.XMLSyntaxError as error:
        first, seen = str(error), _kind(error)
    repaired = spell_names(_reencoded(data))
    try:
        return _parse(repaired), f"The XML was repaired before it could be read ({first[:120]}).", seen
    except etree.XMLSyntaxError:
        recovered = _recovered(repaired)
    if recovered is None:
        raise _damaged(seen)
    return recovered, f"The XML is damaged ({first[:120]}): parts of the text may be missing.", seen


def _kind(error: Any) -> str:
    """Where and how XML is wrong: the parser's own message quotes the source."""
    entries = list(error.error_log)
    kind = str(entries[0].type_name).removeprefix("ERR_").replace("_", " ").lower() if entries else "not well-formed"
    return f"{kind} in line {error.lineno or 1}"


def _parse(data: bytes) -> Element:
    return cast("Element", etree.fromstring(data, hardened_parser()))


def _recovered(data: bytes) -> Element | None:
    try:
        return cast("Element | None", etree.fromstring(data, hardened_parser(recover=True)))
    except etree.XMLSyntaxError:
        return None


def _reencoded(data: bytes) -> bytes:
    """The bytes as UTF-8 without a declaration: by their byte order mark, else as UTF-8, else as Windows-1252."""
    start = data.lstrip(b"\t\r\n ")
    for mark, encoding in (*_BOMS, *_UNDECLARED):
        if start.startswith(mark):
            decoded = start[len(mark) if (mark, encoding) in _BOMS else 0 :].decode(encoding, errors="replace")
            return _DECLARATION.sub(b"", decoded.encode(errors="replace"))
    body = _DECLARATION.sub(b"", start)
    try:
        body.decode()
    except UnicodeDecodeError:
        return body.decode("cp1252", errors="replace").encode()
    return body


def spell_names(data: bytes) -> bytes:
    """The source with named characters of HTML (``&mu;``) by their numbers."""
    return _NAMED.sub(_spelled, data)


def _spelled(match: re.Match[bytes]) -> bytes:
    """A named character (``&mu;``) by its number; unknown names stay."""
    if match[1] in _XML_NAMES:
        return match[0]
    characters = html5.get(f"{match[1].decode()};")
    return match[0] if characters is None else b"".join(b"&#%d;" % ord(one) for one in characters)


def _spell_entities(root: Element, warnings: list[str]) -> None:
    """Replace the nodes of entities that were not expanded: named characters by themselves, others by nothing."""
    unknown: set[str] = set()
    nodes = list(cast("Any", root).iter(etree.Entity))
    if len(nodes) > _MOST_ENTITIES:
        raise HostileError(
            "The XML has more references to entities than a paper has.",
            seen=f"{len(nodes)} of them",
            next="Open another copy of the paper.",
        )
    for node in nodes:
        characters = html5.get(f"{node.name};")
        if characters is None:
            unknown.add(node.name)
        _replace(node, characters or "")
    if unknown:
        named = ", ".join(sorted(unknown)[:5])
        warnings.append(f"Entities of the source itself are not expanded ({named}): text may be missing.")


def _replace(node: Element, text: str) -> None:
    """Put ``text`` in the place of a node, its tail kept."""
    parent, previous = node.getparent(), node.getprevious()
    if parent is None:
        return
    text += node.tail or ""
    if previous is not None:
        previous.tail = (previous.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    node.tail = None
    parent.remove(node)


def _article(root: Element, warnings: list[str]) -> Element:
    """The first article in the tree: its root, or one inside a wrapper such as ``pmc-articleset``."""
    if root.tag in _ARTICLES:
        return root
    found = [element for tag in _ARTICLES for element in root.iter(tag)]
    if not found:
        raise UnknownFormatError(
            "The XML holds no article.",
            seen="XML without an article element",
            next="Give JATS XML, as PubMed Central and publishers offer it.",
        )
    inner = [one for one in found if any(one.find(tag) is not None for tag in _FRONTS)] or found
    if len(inner) > 1:
        warnings.append(f"The source holds {len(inner)} articles: only the first one is read.")
    return inner[0]
