"""TEI XML of GROBID and EPUB books as Papers."""

import io
import zipfile

import pytest

from pincite_core.errors import EncryptedError
from pincite_papers.model import BlockKind, Paper, SourceFormat
from pincite_papers.opening.source import parse_source

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0"><teiHeader xml:lang="en"><fileDesc>
<titleStmt><title level="a" type="main">Slow ageing of oxides</title></titleStmt>
<sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Ida</forename><surname>Solberg</surname></persName></author>
<idno type="DOI">10.9999/tei.1</idno></analytic>
<monogr><title level="j">Invented Oxides</title><imprint><date type="published" when="2021-03-04"/></imprint></monogr>
</biblStruct></sourceDesc></fileDesc>
<profileDesc><textClass><keywords><term>ageing</term></keywords></textClass>
<abstract><div><p>Oxides age slowly.</p></div></abstract></profileDesc></teiHeader>
<text><body>
<div><head n="1">Introduction</head><p>Oxides were seen to age <ref type="bibr" target="#b1">[2]</ref> by x<hi
rend="superscript">2</hi>, as <ref type="table" target="#tab_0">Table 1</ref> shows.</p>
<formula xml:id="formula_0">E = mc + 1<label>(1)</label></formula></div>
<div><head>Results</head><p>The gap is 3.3 eV.</p><note place="foot" n="1">Measured twice.</note></div>
<figure xml:id="fig_0"><head>Fig. 1 .</head><label>1</label><figDesc>Loss over time.</figDesc></figure>
<figure type="table" xml:id="tab_0"><head>Table 1 .</head><label>1</label><figDesc>Gaps.</figDesc>
<table><row role="label"><cell>Oxide</cell><cell cols="2">Gap (eV)</cell></row>
<row><cell>ZnO</cell><cell>3.3</cell><cell>0.1</cell></row></table></figure>
</body><back><div type="references"><listBibl>
<biblStruct xml:id="b0"><analytic><title level="a">First work</title><author><persName><forename>A.</forename>
<surname>Lee</surname></persName></author></analytic><monogr><title level="j">J. Made</title>
<imprint><biblScope unit="volume">3</biblScope><date when="2001"/></imprint></monogr></biblStruct>
<biblStruct xml:id="b1"><analytic><title level="a">Second work</title><idno type="DOI">10.9999/second</idno></analytic>
<monogr/><note type="raw_reference">[2] B. Kim, Second work, 2002.</note></biblStruct>
</listBibl></div></back></text></TEI>"""

_CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
_PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0">
<metadata><dc:title>A book of glass</dc:title><dc:creator>I. Duarte</dc:creator></metadata><manifest>
<item id="two" href="text/chapter%202.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/></spine></package>"""
_CHAPTER = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a id="top"/>
<h1>{0}</h1><p>{1}</p></body></html>"""


def book(**more: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", _CONTAINER)
        archive.writestr("OPS/book.opf", _PACKAGE)
        archive.writestr("OPS/nav.xhtml", _CHAPTER.format("Contents", "One. Two."))
        table = "Gaps.</p><table><tr><th>Glass</th></tr><tr><td>3.3 eV</td></tr></table><p>End"
        archive.writestr("OPS/text/chapter 2.xhtml", _CHAPTER.format("Two", table))
        archive.writestr("OPS/text/one.xhtml", _CHAPTER.format("One", "Glass melts&nbsp;at 1400 &#176;C. " * 20))
        for name, content in more.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def texts(paper: Paper, kind: BlockKind) -> list[str]:
    return [paper.text[block.start : block.end] for block in paper.blocks if block.kind is kind]


def test_tei_is_read_with_its_references_and_tables() -> None:
    paper = parse_source(TEI.encode(), max_pages=10)
    assert (paper.format, paper.title, paper.authors) == (SourceFormat.TEI, "Slow ageing of oxides", ("Ida Solberg",))
    assert (paper.doi, paper.journal, paper.year, paper.keywords) == (
        "10.9999/tei.1",
        "Invented Oxides",
        2021,
        ("ageing",),
    )
    assert [(one.number, one.title) for one in paper.sections] == [
        ("1", "Introduction"), ("", "Results"), ("", "References"),
    ]  # fmt: skip
    assert "age [2] by x^2, as Table 1 shows." in paper.text
    assert texts(paper, BlockKind.EQUATION) == ["E = mc + 1 (1)"]
    assert texts(paper, BlockKind.FOOTNOTE) == ["Measured twice."]
    assert "Oxides age slowly." in texts(paper, BlockKind.ABSTRACT)[0]
    (table,) = paper.tables
    assert [[cell.text, cell.column_span, cell.header] for cell in table.cells][:3] == [
        ["Oxide", 1, True], ["Gap (eV)", 2, True], ["ZnO", 1, False],
    ]  # fmt: skip
    assert (table.label, paper.figures[0].label) == ("Table 1", "Fig. 1")
    first, second = (paper.text[one.start : one.end] for one in paper.references)
    assert first == "A. Lee, First work, J. Made, 3, (2001)."
    assert second.startswith("[2] B. Kim, Second work, 2002.")
    assert paper.references[1].doi == "10.9999/second"
    assert [(paper.text[one.start : one.end], one.references) for one in paper.citations] == [("[2]", (1,))]


def test_an_epub_is_read_chapter_by_chapter() -> None:
    data = book()
    paper = parse_source(data, max_pages=10)
    assert (paper.format, paper.title, paper.authors) == (SourceFormat.EPUB, "A book of glass", ("I. Duarte",))
    assert [one.title for one in paper.sections] == ["One", "Two"]
    assert "Contents" not in paper.text
    assert paper.text.count("Glass melts at 1400 °C.") == 20
    assert [cell.text for cell in paper.tables[0].cells] == ["Glass", "3.3 eV"]
    assert paper.paper_id != parse_source(book(other="x"), max_pages=10).paper_id


def test_a_protected_book_is_not_read() -> None:
    listed = """<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:CipherData>
    <e:CipherReference URI="OPS/text/one.xhtml"/></e:CipherData></e:EncryptedData></encryption>"""
    with pytest.raises(EncryptedError):
        parse_source(book(**{"META-INF__encryption.xml": listed}), max_pages=10)
