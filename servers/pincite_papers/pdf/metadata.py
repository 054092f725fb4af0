"""Metadata of a PDF: information dictionary, outline, page labels and attachments; never a reason to fail."""

import html
import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import pypdfium2 as pdfium
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from pincite_papers.pdf.layout.headings import OutlineEntry

_MOST_OUTLINE = 2000
"""Entries of a PDF's outline. Set by judgement."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]+")
_MOST_PACKET = 1 << 20
"""Bytes of the XMP packet. Set by judgement."""
_NAMES = r"prism:(?:publicationName|coverDate|publicationDate|doi)|dc:identifier"
_XMP_FIELD = re.compile(
    rf"<(?P<name>{_NAMES})(?:\s[^<>]{{0,200}})?>(?P<element>[^<>]{{1,2000}})</|"
    rf"\s(?P<short>{_NAMES})=[\"'](?P<attribute>[^\"'<>]{{1,2000}})[\"']"
)
_EXPECTED = (
    PyPdfError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    RecursionError,
    OSError,
    AssertionError,
    NotImplementedError,
)


@dataclass(slots=True)
class Metadata:
    """What a PDF says about itself; ``labels`` are the printed page labels, empty where there are none.

    ``layers_off`` says that some of its optional content is not shown.
    """

    fields: dict[str, str] = field(default_factory=dict[str, str])
    outline: list[OutlineEntry] = field(default_factory=list[OutlineEntry])
    labels: list[str] = field(default_factory=list[str])
    attachments: tuple[str, ...] = ()
    layers_off: bool = False
    warnings: list[str] = field(default_factory=list[str])


def read_navigation(document: pdfium.PdfDocument) -> Metadata:
    """The outline and the page labels of an open document, as PDFium reads them."""
    found = Metadata()
    bookmarks = cast("Iterator[pdfium.PdfBookmark]", document.get_toc())  # pyright: ignore[reportUnknownMemberType]
    for bookmark in bookmarks:
        title = _decoded(bookmark.get_title)
        if title:
            level = cast("int", bookmark.level)  # pyright: ignore[reportUnknownMemberType]
            found.outline.append(OutlineEntry(level + 1, title))
        if len(found.outline) >= _MOST_OUTLINE:
            break
    label = cast("Callable[[int], str]", document.get_page_label)  # pyright: ignore[reportUnknownMemberType]
    found.labels = [_decoded(partial(label, k)) or str(k + 1) for k in range(len(document))]
    return found


def _decoded(read: Callable[[], str]) -> str:
    """A string of the document, cleaned; empty where it is not UTF-16."""
    try:
        return clean(read())
    except UnicodeDecodeError:
        return ""


def add_information(data: bytes, found: Metadata) -> None:
    """Add what pypdf reads of information, attachments and layers; what it cannot read becomes a warning.

    It is asked to be strict first: only for a file with faults does it go through all its objects.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for strict in (True, False):
            trial = Metadata()
            _read_all(data, trial, strict=strict)
            if not trial.warnings or not strict:
                found.fields |= trial.fields
                found.attachments, found.layers_off = trial.attachments, trial.layers_off
                found.warnings += trial.warnings
                return


def _read_all(data: bytes, found: Metadata, *, strict: bool) -> None:
    try:
        reader = PdfReader(io.BytesIO(data), strict=strict)
        if reader.is_encrypted:
            reader.decrypt("")
    except _EXPECTED as error:
        found.warnings.append(f"The PDF's metadata could not be read ({type(error).__name__}).")
        return
    parts = (("information", _fields), ("description", _described), ("attachments", _attachments), ("layers", _layers))
    for what, read in parts:
        try:
            read(reader, found)
        except _EXPECTED as error:
            found.warnings.append(f"The PDF's {what} could not be read ({type(error).__name__}).")


def clean(text: str) -> str:
    """A string of the file without control characters and halves of surrogates."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _fields(reader: PdfReader, found: Metadata) -> None:
    information: Any = reader.metadata or {}
    for key, value in information.items():
        text = clean(str(value))
        if text:
            found.fields[clean(str(key)).lstrip("/").casefold()] = text[:2000]


def _described(reader: PdfReader, found: Metadata) -> None:
    """What the XMP packet says of the publication; read by pattern, so that no entity of it is ever expanded."""
    root: Any = reader.trailer["/Root"]
    stream: Any = root.get("/Metadata")
    if stream is None:
        return
    data = bytes(stream.get_object().get_data()[:_MOST_PACKET])
    if b"prism:" not in data and b"dc:identifier" not in data:
        return
    packet = data.decode("utf-8", "replace")
    for match in _XMP_FIELD.finditer(packet):
        text = clean(html.unescape(match["element"] or match["attribute"]))
        if text:
            found.fields.setdefault((match["name"] or match["short"]).casefold(), text[:2000])


def _attachments(reader: PdfReader, found: Metadata) -> None:
    root: Any = reader.trailer["/Root"]
    names: Any = root.get("/Names")
    if names is not None and "/EmbeddedFiles" in names.get_object():
        found.attachments = tuple(sorted({clean(str(name)) for name in reader.attachments}))


def _layers(reader: PdfReader, found: Metadata) -> None:
    """Whether the default configuration of optional content switches any of it off (ISO 32000, 8.11.4)."""
    root: Any = reader.trailer["/Root"]
    properties: Any = root.get("/OCProperties")
    if properties is None:
        return
    default: Any = properties.get_object()["/D"].get_object()
    found.layers_off = default.get("/BaseState", "/ON") != "/ON" or bool(default.get("/OFF", ())) or "/AS" in default
