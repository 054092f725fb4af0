"""The format of a source is told from its bytes, whatever its name."""

import contextlib
import gzip
import io
import random
import tarfile
import zipfile

import pytest

from pincite_core.errors import EmptySourceError, PinciteError, UnknownFormatError
from pincite_core.settings import Settings
from pincite_papers.model import SourceFormat
from pincite_papers.opening.detect import detect_format
from pincite_papers.opening.source import parse_source

_JATS = '<article article-type="research-article"><front><article-meta/></front><body><p>Text.</p></body></article>'
_DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "JATS.dtd" [<!ENTITY a "b">]>'
_PAGE = "<html><body><p>Text.</p></body></html>"
_TEX = "\\documentclass{article}\\begin{document}Text.\\end{document}"


def _tar(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


# fmt: off
_SOURCES: dict[str, tuple[SourceFormat, bytes]] = {
    "pdf": (SourceFormat.PDF, b"%PDF-1.7\n1 0 obj"),
    "pdf behind other bytes": (SourceFormat.PDF, b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4"),
    "pdf far behind other bytes": (SourceFormat.PDF, b"\n" * 5000 + b"%PDF-1.4"),
    "tei": (SourceFormat.TEI, b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>Text</p></body></text></TEI>'),
    "jats": (SourceFormat.JATS, _JATS.encode()),
    "jats with a declaration and a type": (SourceFormat.JATS, f'<?xml version="1.0"?>\n{_DOCTYPE}\n{_JATS}'.encode()),
    "jats behind comments": (SourceFormat.JATS, f"<!-- a <html> of old --><?x y?><!-- - -->{_JATS}".encode()),
    "jats with a byte order mark": (SourceFormat.JATS, b"\xef\xbb\xbf" + _JATS.encode()),
    "jats in utf-16": (SourceFormat.JATS, f'<?xml version="1.0" encoding="UTF-16"?>{_JATS}'.encode("utf-16")),
    "jats in utf-16 without a mark": (SourceFormat.JATS, f'<?xml version="1.0"?>{_JATS}'.encode("utf-16-be")),
    "jats with a prefix": (SourceFormat.JATS, _JATS.replace("<", "<j:").replace("<j:/", "</j:").encode()),
    "jats with a class": (SourceFormat.JATS, _JATS.replace("<article ", '<article class="x" ').encode()),
    "jats inside of another document": (SourceFormat.JATS, f"<OAI-PMH><record><metadata>{_JATS}".encode()),
    "jats without front matter": (SourceFormat.JATS, b"<article><body><sec><title>A</title></sec></body></article>"),
    "bmc": (SourceFormat.JATS, b'<?xml version="1.0"?><art><ui>x</ui><fm><bibl/></fm><bdy><p>x</p></bdy></art>'),
    "html": (SourceFormat.HTML, _PAGE.encode()),
    "html behind a declaration": (SourceFormat.HTML, f"<!DOCTYPE html>{_PAGE}".encode()),
    "xhtml": (SourceFormat.HTML, f'<?xml version="1.0"?>{_PAGE}'.encode()),
    "html in capitals": (SourceFormat.HTML, _PAGE.upper().encode()),
    "html in utf-16": (SourceFormat.HTML, _PAGE.encode("utf-16")),
    "html with an article": (SourceFormat.HTML, b'<!doctype html><body><article class="a"><p>x</p></article>'),
    "an article of html": (SourceFormat.HTML, b'<article class="ltx_document"><h1>x</h1><p>y</p></article>'),
    "an article of html without a class": (SourceFormat.HTML, b"<article><h1>x</h1><p>y</p></article>"),
    "html behind a comment": (SourceFormat.HTML, b"<!-- saved from url --><html><p>x"),
    "a fragment of html": (SourceFormat.HTML, b"<div><p>Text.</p></div>"),
    "html with formulas": (SourceFormat.HTML, b"<p>As \\begin{equation} shows</p>"),
    "tex": (SourceFormat.LATEX, _TEX.encode()),
    "tex behind comments": (SourceFormat.LATEX, f"% a <p> of html\n%% <html>\n{_TEX}".encode()),
    "tex behind a command": (SourceFormat.LATEX, f"\\newcommand{{\\a}}{{<p>}}{_TEX}".encode()),
    "plain tex": (SourceFormat.LATEX, b"\\magnification=1200 Text. \\bye"),
    "gzipped tex": (SourceFormat.LATEX, gzip.compress(_TEX.encode())),
    "tar": (SourceFormat.LATEX, _tar("a.tex", _TEX.encode())),
    "gzipped tar": (SourceFormat.LATEX, gzip.compress(_tar("a.tex", _TEX.encode()))),
}
# fmt: on


@pytest.mark.parametrize("name", _SOURCES)
def test_the_format_is_told_from_the_bytes(name: str) -> None:
    kind, data = _SOURCES[name]
    assert detect_format(data) is kind


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (random.Random(1).randbytes(5000), "binary data"),
        (b"\x89PNG\r\n\x1a\n" + b"\0\x01\x02<p>" * 100, "binary data"),
        (b"Dear reader, here is nothing but text.", "plain text"),
        (b'<?xml version="1.0"?><rss><channel><title>x</title></channel></rss>', "XML of another kind"),
        (b'<?xml version="1.0"?><opml version="2.0"><body/></opml>', "XML of another kind"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>', "XML of another kind"),
    ],
    ids=["noise", "picture", "letter", "feed", "outline", "drawing"],
)
def test_what_is_no_paper_says_what_it_is(data: bytes, seen: str) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        detect_format(data)
    assert seen in caught.value.seen
    assert "JATS" in caught.value.next


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf", b"\x00" * 10])
def test_nothing_is_an_empty_source(data: bytes) -> None:
    with pytest.raises(EmptySourceError):
        detect_format(data)


def test_an_office_file_of_another_kind_is_an_archive_without_tex() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("ppt/presentation.xml", "<p:presentation/>")
    with pytest.raises(UnknownFormatError):
        parse_source(out.getvalue(), max_pages=Settings().max_pages)


@pytest.mark.parametrize("name", ["html", "an article of html", "html in utf-16", "jats", "jats in utf-16", "tex"])
def test_each_format_finds_its_parser(name: str) -> None:
    kind, data = _SOURCES[name]
    paper = parse_source(data, max_pages=10)
    assert paper.format is kind
    assert paper.text


@pytest.mark.parametrize("piece", [b"<?x", b"<!--", b"<!DOCTYPE a [", b"<a:", b"< ", b"<article", b"\\", b"%\n"])
def test_detection_is_linear(piece: bytes) -> None:
    """Patterns that ran in time squared would take minutes for these."""
    with contextlib.suppress(UnknownFormatError):
        assert detect_format(piece * 20_000 + b"z") is not SourceFormat.PDF


def _zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, content)
    return out.getvalue()


_SECRET = b"hunter2hunter2"
_REFUSED = {
    "passwords": b"root:" + _SECRET + b":0:0:root:/root:/bin/bash",
    "secret first": _SECRET + b" = 1",
    "private key": b"-----BEGIN " + _SECRET + b"-----",
    "binary": b"\x00\x01\x02" + _SECRET + b"\x00" * 50,
    "xml": b"<?xml version='1.0'?><" + _SECRET + b"><a>x</a></" + _SECRET + b">",
    "broken xml": b"<article><front></" + _SECRET + b"><&" + _SECRET,
    "empty article": b"<article><front><" + _SECRET + b"/></front></article>",
    "page without text": b"<html><head><title>" + _SECRET + b"</title></head><body></body></html>",
    "archive without tex": _zipped("hunter2hunter2.txt", _SECRET),
    "damaged archive": _zipped("hunter2hunter2.txt", _SECRET)[:-30],
    "mismatching archive": _zipped("hunter2hunter2.txt", _SECRET).replace(_SECRET + b".txt", b"other2other222.txt", 1),
    "gzip of something": gzip.compress(_SECRET),
    "pdf": b"%PDF-1.4\n" + _SECRET,
    "pdf with objects": b"%PDF-1.4\n1 0 obj<</" + _SECRET + b" 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF",
}


def test_errors_hold_nothing_of_a_file_that_is_refused() -> None:
    told: list[str] = []
    for name, data in _REFUSED.items():
        with pytest.raises(PinciteError) as caught:
            parse_source(data, max_pages=5)
        if "hunter2" in str(caught.value):
            told.append(f"{name}: {caught.value}")
    assert not told
