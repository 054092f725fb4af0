"""parse_epub: the chapters of an EPUB, in the order of its spine, read as one HTML page."""

import hashlib
import posixpath
from dataclasses import replace
from html import escape
from urllib.parse import unquote

from pincite_core.errors import DamagedError, EmptySourceError, EncryptedError
from pincite_core.xml import hardened_parser
from pincite_papers.archives.archives import read_member, read_members
from pincite_papers.archives.inflate import MIB
from pincite_papers.html.page import parse_html
from pincite_papers.jats.tree import spell_names
from pincite_papers.markup.elements import Element, etree, local_name, plain_text
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.references import find_doi

PARSER = "pincite-epub/1"
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_MOST = 16 * MIB
"""Bytes of one chapter, and of the list of chapters: a whole book has 1 to 5 MB of text."""
_CHAPTERS = ("application/xhtml+xml", "text/html")


def parse_epub(data: bytes, *, max_pages: int) -> Paper:
    """The Paper of an EPUB without copy protection; its text flows, so that it has no pages.

    Raises DamagedError, EmptySourceError, EncryptedError, HostileError or LimitReachedError.
    """
    package_name = _package_name(data)
    package = _tree(read_member(data, package_name, _MOST), package_name)
    names = _spine(package, package_name)
    _check_protection(data, names)
    found = read_members(data, frozenset(names).__contains__, most=_MOST)
    missing = [name for name in names if name not in found]
    numbers = {name: number for number, name in enumerate(names)}
    bodies = [_body(found[name], name, numbers) for name in names if name in found]
    if not bodies:
        raise EmptySourceError(
            "The EPUB has no chapters.", seen=f"{len(names)} in its list", next="Open another copy of the book."
        )
    chapters = b"\n".join(bodies)
    page = f"<html><head>{_head(package)}</head><body><article>".encode() + chapters + b"</article></body></html>"
    paper = parse_html(page, max_pages=max_pages)
    warnings = paper.warnings
    if missing:
        warnings = (*warnings, f"Chapters that are listed and not there: {len(missing)}.")
    digest = hashlib.sha256(data).hexdigest()
    return replace(paper, paper_id=f"sha256:{digest}", format=SourceFormat.EPUB, parser=PARSER, warnings=warnings)


def _tree(content: bytes, name: str) -> Element:
    """The root of an XML member, what is damaged left out; its names without namespaces."""
    root = etree.fromstring(spell_names(content), hardened_parser(recover=True))
    if root is None:
        raise DamagedError(f"{name} of the EPUB cannot be read.", seen="no XML", next="Open another copy of the book.")
    for element in root.iter("*"):
        element.tag = local_name(element)
    return root


def _package_name(data: bytes) -> str:
    """The member that lists the chapters."""
    for one in _tree(read_member(data, _CONTAINER, MIB), _CONTAINER).iter("rootfile"):
        if place := one.get("full-path"):
            return place
    raise DamagedError("The EPUB names no package.", seen=_CONTAINER, next="Open another copy of the book.")


def _spine(package: Element, name: str) -> list[str]:
    """The chapters as members of the archive, in reading order, without the table of contents."""
    folder = posixpath.dirname(name)
    items = {one.get("id"): one for one in package.iter("item")}
    found: dict[str, None] = {}
    for reference in package.iter("itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _CHAPTERS:
            continue
        if "nav" in (item.get("properties") or "").split():
            continue
        found[_member(folder, item.get("href") or "")] = None
    return list(found)


def _member(folder: str, href: str) -> str:
    """The member that an address names, beside the one that stands in ``folder``."""
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def _check_protection(data: bytes, names: list[str]) -> None:
    """EncryptedError where chapters are encrypted; fonts may be."""
    listed = read_members(data, lambda name: name == _ENCRYPTION, most=MIB).get(_ENCRYPTION)
    if listed is None:
        return
    places = {_member("", one.get("URI") or "") for one in _tree(listed, _ENCRYPTION).iter("CipherReference")}
    if places & set(names):
        raise EncryptedError(
            "The EPUB is copy-protected.",
            seen=f"{len(places & set(names))} of its {len(names)} chapters are encrypted",
            next="Open a copy without protection.",
        )


def _head(package: Element) -> str:
    """The book's title, authors and DOI as the meta tags of a page."""
    fields = [("citation_title", one) for one in package.iter("title")][:1]
    fields += [("citation_author", one) for one in package.iter("creator")]
    doi = find_doi([plain_text(one) for one in package.iter("identifier")])
    tags = [f'<meta name="{name}" content="{escape(plain_text(one))}">' for name, one in fields]
    if doi is not None:
        tags.append(f'<meta name="citation_doi" content="{escape(doi)}">')
    return "".join(tags)


def _body(content: bytes, name: str, numbers: dict[str, int]) -> bytes:
    """What stands in the body of a chapter, as HTML; its anchors are those of no other chapter."""
    root = _tree(content, name)
    body = root.find("body")
    if body is None:
        return b""
    own = numbers[name]
    for element in body.iter("*"):
        if anchor := element.get("id"):
            element.set("id", f"c{own}-{anchor}")
        href = element.get("href") or ""
        place, mark, anchor = href.partition("#")
        if mark and "://" not in place:
            chapter = numbers.get(_member(posixpath.dirname(name), place), own) if place else own
            element.set("href", f"#c{chapter}-{anchor}")
    body.tag = "section"
    return etree.tostring(body, method="html", encoding="unicode", with_tail=False).encode()
