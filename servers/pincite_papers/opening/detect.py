"""Detect: the format of a source, from its bytes alone."""

import re

from pincite_core.errors import EmptySourceError, PinciteError, UnknownFormatError
from pincite_papers.model import SourceFormat

_HEAD = 1 << 16
"""First bytes of a source, which show its format."""
_PDF_WITHIN = 1 << 20
"""Bytes in which ``%PDF-`` may stand where nothing else is known: files with a preamble."""
_PDF_FIRST = 1024
"""Bytes in which readers look for ``%PDF-``."""
_ARCHIVES = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ\x00")
_ZIP = b"PK\x03\x04"
_PACKAGES = {"word/document.xml": SourceFormat.DOCX, "xl/workbook.xml": SourceFormat.XLSX}
"""The part that each kind of office file has."""
_EPUB_AT, _EPUB = slice(30, 58), b"mimetypeapplication/epub+zip"
"""An EPUB says what it is in its first member, which is not compressed (OCF 3.3, section 4.3)."""
_TAR_MAGIC = slice(257, 262)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff")
_MOST_CONTROLS = 0.02
"""Share of control characters from which bytes are not text. Set by judgement."""

_PROLOG = re.compile(
    rb"\s*+(?:<\?[^>]*+>\s*+|<!--(?:[^-]|-(?!->))*+-->\s*+"
    rb"|<!DOCTYPE[^>\[]*+(?:\[[^\]]*+\]\s*+)?>\s*+)*+",
    re.IGNORECASE,
)
_ROOT = re.compile(rb"<(?:[\w.-]{1,40}:)?([A-Za-z][\w.-]{0,60})([^<>]*+)")
_JATS_ROOTS = frozenset((b"article", b"art", b"pmc-articleset", b"articles", b"journal-article"))
_ELSEVIER_ROOTS = frozenset((b"article", b"full-text-retrieval-response", b"converted-article", b"simple-article"))
_ELSEVIER = re.compile(rb"elsevier\.com/xml/")
_JATS = re.compile(
    rb"<(?:[\w.-]{1,40}:)?(?:front|article-meta|journal-meta|article-title|ui|fm|bdy|sec)\b|\barticle-type\s*=|dtd-version"
    rb"|//(?:NLM|TaxonX)//DTD"
)
_JATS_INSIDE = re.compile(rb"<(?:[\w.-]{1,40}:)?(?:article|art)\b(?![^<>]*\bclass=)[^<>]*+>")
_HTML = re.compile(
    rb"<(?:!DOCTYPE\s+)?html\b"
    rb"|<(?:head|body|article|section|main|div|p|h[1-6]|table|ul|ol|span|title|meta|center)\b",
    re.IGNORECASE,
)
_LATEX = re.compile(rb"\\(?:documentclass|documentstyle|begin\s*\{|section\b|chapter\b|input\b|include\b|title\s*\{)")
_PLAIN_TEX = re.compile(
    rb"\\(?:magnification|beginsection|bye\b|font\\|hsize|vsize|centerline|def\\|noindent|proclaim)"
)


def detect_format(data: bytes) -> SourceFormat:
    """The format of a source; UnknownFormatError when it is not one that can be read.

    A PDF may have bytes before its header. A compressed or tar archive is a LaTeX source, as arXiv gives it.
    """
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise EmptySourceError(
            "The file is empty.", seen=f"{len(data)} bytes", next="Check the download, then try again."
        )
    head = data[:_HEAD]
    if head.startswith(_ZIP) and (packed := _of_package(data)) is not None:
        return packed
    if head.startswith(_ARCHIVES) or head[_TAR_MAGIC] == b"ustar":
        return SourceFormat.LATEX
    if data.find(b"%PDF-", 0, _PDF_FIRST) >= 0:
        return SourceFormat.PDF
    text = _as_ascii(head)
    found = _of_text(text) if text is not None else None
    if found is not None:
        return found
    if data.find(b"%PDF-", 0, _PDF_WITHIN) >= 0:
        return SourceFormat.PDF
    raise UnknownFormatError(
        "The file is not a paper in a format that can be read.",
        seen=f"{len(data)} bytes of {_nature(text)}",
        next="Give a PDF, a JATS XML file, a LaTeX source (.tex or its archive), HTML, .docx, .xlsx or .epub.",
    )


def _of_package(data: bytes) -> SourceFormat | None:
    """The kind of office file or book that a zip is; None for another archive, or one that cannot be listed."""
    if data[_EPUB_AT] == _EPUB:
        return SourceFormat.EPUB
    if not any(part.encode() in data for part in _PACKAGES):
        return None
    from pincite_papers.archives.archives import names

    try:
        parts = frozenset(names(data))
    except PinciteError:
        return None
    return next((kind for part, kind in _PACKAGES.items() if part in parts), None)


def _nature(text: bytes | None) -> str:
    """What a refused file is, in words that hold nothing of it."""
    if text is None:
        return "binary data"
    return "XML of another kind" if _root(text) is not None else "plain text"


def _as_ascii(head: bytes) -> bytes | None:
    """The head such that marks of ASCII are seen in it (UTF-16 and UTF-32 without zeros); None for no text."""
    wide = head.startswith(_BOMS[1:]) or head[:4].count(0) >= 2
    for mark in _BOMS:
        if head.startswith(mark):
            head = head[len(mark) :]
            break
    if wide and head.count(0) >= len(head) // 3:
        return head.replace(b"\x00", b"")
    sample = head[:4096]
    controls = sum(byte < 9 or 13 < byte < 27 for byte in sample)
    return None if controls > _MOST_CONTROLS * len(sample) else head


def _root(text: bytes) -> bytes | None:
    """The name of the element that a text starts with, behind declarations, comments and a document type."""
    prolog = _PROLOG.match(text)
    match = _ROOT.match(text, prolog.end() if prolog is not None else 0)
    return match[1] if match is not None else None


def _of_text(text: bytes) -> SourceFormat | None:
    """The format of marked-up text; None for none that is known."""
    root = _root(text)
    if root is not None:
        if root.lower() == b"html" or (root == b"article" and not _JATS.search(text) and _HTML.search(text)):
            return SourceFormat.HTML
        if root == b"TEI":
            return SourceFormat.TEI
        if root in _ELSEVIER_ROOTS and _ELSEVIER.search(text):
            return SourceFormat.ELSEVIER
        if root in _JATS_ROOTS or (_JATS.search(text) and _JATS_INSIDE.search(text)):
            return SourceFormat.JATS
        if text.lstrip().startswith(b"<?xml") and not _HTML.match(text, text.find(b"<" + root)):
            return None
    if text.lstrip()[:1] in (b"%", b"\\") and (_LATEX.search(text) or _PLAIN_TEX.search(text)):
        return SourceFormat.LATEX
    marks = ((SourceFormat.HTML, _HTML), (SourceFormat.JATS, _JATS_INSIDE), (SourceFormat.LATEX, _LATEX))
    found = sorted((match.start(), kind) for kind, mark in marks if (match := mark.search(text)))
    if found:
        return found[0][1]
    return SourceFormat.LATEX if _PLAIN_TEX.search(text) else None
