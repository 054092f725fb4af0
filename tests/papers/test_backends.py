"""Optional backends against real HTTP servers on the loopback, real worker processes and typeset papers."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from pincite_core.errors import BadInputError, DamagedError, LimitReachedError, MissingExtraError, UnavailableError
from pincite_core.settings import Settings
from pincite_papers.backends.docling import with_tables
from pincite_papers.backends.grobid_tei import merge
from pincite_papers.backends.markdown import read_markdown
from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.model import BlockKind, Paper
from pincite_papers.opening.store import PaperStore
from pincite_papers.pdf.parse import parse_pdf

SOURCE = """
#set page(width: 420pt, height: 560pt, numbering: "1")
#align(center)[#text(16pt, weight: "bold")[Growth of garnet films]]
#align(center)[A. Author, B. Writer]
= Introduction
Films of garnet were grown before [1], and measured by others [2]. They are smooth.
#figure(
  table(columns: 3, stroke: none, table.hline(), [Sample], [Thickness (nm)], [Damping], table.hline(),
    [Alpha], [120], [0.35], [Beta], [240], [0.41], table.hline()),
  caption: [Damping of two films.])
= References
[1] A. Smith and C. Jones, Epitaxy of garnet on gadolinium gallium garnet, J. Cryst. Growth 12, 34 (1998).

[2] D. Miller, Ferromagnetic resonance of thin garnet films, Phys. Rev. B 56, 7 (2003). doi:10.1103/example.56.7
"""
TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title level="a" type="main">Growth of garnet films</title></titleStmt>
<sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Ada</forename><surname>Author</surname></persName></author>
<author><persName><forename type="first">Ben</forename><forename type="middle">K</forename><surname>Writer</surname>
</persName></author><idno type="DOI">10.1234/garnet</idno></analytic>
<monogr><title level="j">Journal of Films</title><imprint><date type="published" when="2021-03-04"/></imprint></monogr>
</biblStruct></sourceDesc></fileDesc>
<profileDesc><textClass><keywords><term>garnet</term><term>damping</term></keywords></textClass></profileDesc></teiHeader>
<text><back><div type="references"><listBibl>
<biblStruct><analytic><idno type="DOI">10.1016/S0022-0248(98)00001-2</idno></analytic><monogr/>
<note type="raw_reference">A. Smith and C. Jones, Epitaxy of garnet on gadolinium gallium garnet, J. Cryst. Growth 12,
34 (1998).</note></biblStruct>
<biblStruct><monogr/><idno type="PMID">1234567</idno><idno type="arXiv">arXiv:0301.12345v2</idno>
<note type="raw_reference">D. Miller, Ferromagnetic resonance of thin garnet films, Phys. Rev. B 56, 7 (2003).</note>
</biblStruct>
<biblStruct><monogr/>
<note type="raw_reference">N. Body, A paper that is cited nowhere in this text at all.</note></biblStruct>
</listBibl></div></back></text></TEI>
"""


@pytest.fixture(scope="module")
def pdf(typeset: Callable[[str], bytes]) -> bytes:
    return typeset(SOURCE)


@pytest.fixture(scope="module")
def ours(pdf: bytes) -> Paper:
    return parse_pdf(pdf, max_pages=10)


@pytest.fixture
def settings(tmp_path: Path, pdf: bytes) -> Settings:
    (tmp_path / "paper.pdf").write_bytes(pdf)
    return Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", parse_workers=1)


@contextmanager
def grobid(*answers: tuple[int, bytes]) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A server that answers so, one after the other; its address and what it got."""
    left, got = list(answers), list[tuple[str, bytes]]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self._body()))
            status, content = left.pop(0)
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _body(self) -> bytes:
            if "content-length" in self.headers:
                return self.rfile.read(int(self.headers["content-length"]))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            return body

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", got
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_grobid_fills_the_header_and_the_references_and_leaves_the_text(
    settings: Settings, pdf: bytes, ours: Paper
) -> None:
    with grobid((503, b"busy"), (200, TEI.encode())) as (url, got):
        changed = settings.model_copy(update={"backend": "grobid", "grobid_url": url})
        with PaperStore(changed) as store:
            paper = store.open("paper.pdf")
        with PaperStore(changed) as store:
            assert store.open("paper.pdf").authors == paper.authors
    assert len(got) == 2
    path, body = got[1]
    assert path == "/api/processFulltextDocument"
    assert pdf in body
    assert paper.text == ours.text
    assert np.array_equal(paper.geometry.rows, ours.geometry.rows, equal_nan=True)
    assert paper.authors == ("Ada Author", "Ben K Writer")
    assert (paper.journal, paper.year, paper.keywords) == ("Journal of Films", 2021, ("garnet", "damping"))
    first, second = paper.references
    assert (first.doi, second.doi) == ("10.1016/s0022-0248(98)00001-2", "10.1103/example.56.7")
    assert (second.pmid, second.arxiv) == ("1234567", "0301.12345")
    assert paper.text[first.start : first.end].startswith("[1] A. Smith")
    assert "2 of its 3 references stand in the text" in paper.warnings[-1]
    # Another choice is another paper in the cache.
    with PaperStore(settings) as store:
        assert store.open("paper.pdf").authors == ours.authors


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        ((500, b"[BAD_INPUT_DATA] no"), UnavailableError, "HTTP 500 .BAD_INPUT_DATA. no"),
        ((204, b""), UnavailableError, "HTTP 204"),
        ((200, b"<html>a proxy's page</html>"), DamagedError, "no TEI"),
        ((200, b"no xml"), DamagedError, "no XML"),
    ],
)
def test_what_grobid_cannot_do_is_an_error(
    settings: Settings, answer: tuple[int, bytes], kind: type[Exception], told: str
) -> None:
    with grobid(answer) as (url, _):
        changed = settings.model_copy(update={"backend": "grobid", "grobid_url": url})
        with PaperStore(changed) as store, pytest.raises(kind, match=told):
            store.open("paper.pdf")


def test_a_grobid_that_is_down_is_an_outage_and_not_our_own_reading(settings: Settings) -> None:
    changed = settings.model_copy(
        update={"backend": "grobid", "grobid_url": "http://127.0.0.1:9", "backend_seconds": 1.0}
    )
    with PaperStore(changed) as store, pytest.raises(UnavailableError, match="could not be reached") as caught:
        store.open("paper.pdf")
    assert "PINCITE_GROBID_URL" in caught.value.next


def test_entities_in_tei_are_not_expanded(ours: Paper, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret words")
    bomb = f'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
    tei = TEI.replace("<TEI ", bomb + "<TEI ", 1).replace("<term>garnet", "<term>&x;", 1)
    assert "secret" not in repr(merge(ours, tei.encode(), "grobid"))


def _document(paper: Paper, cells: list[tuple[str, int, int, int, int, bool]]) -> dict[str, Any]:
    """A DoclingDocument (schema 1.10, as docling-core exports it) of the paper's table with these cells."""
    table = paper.tables[0]
    height = paper.pages[0].height

    def bottom_left(box: Any) -> dict[str, Any]:
        return {"l": box.x0, "t": height - box.y0, "r": box.x1, "b": height - box.y1, "coord_origin": "BOTTOMLEFT"}

    made: list[dict[str, Any]] = []
    for text, row, end_row, column, end_column, header in cells:
        at = paper.text.index(text.split()[0], table.start)
        last = paper.text.index(text.split()[-1], at) + len(text.split()[-1])
        boxes = [box for _, box in paper.boxes(at, last)]
        whole = {
            "l": min(b.x0 for b in boxes),
            "t": min(b.y0 for b in boxes),
            "r": max(b.x1 for b in boxes),
            "b": max(b.y1 for b in boxes),
            "coord_origin": "TOPLEFT",
        }
        made.append(
            {
                "bbox": whole,
                "row_span": end_row - row,
                "col_span": end_column - column,
                "start_row_offset_idx": row,
                "end_row_offset_idx": end_row,
                "start_col_offset_idx": column,
                "end_col_offset_idx": end_column,
                "text": text,
                "column_header": header,
                "row_header": False,
                "row_section": False,
                "fillable": False,
            }
        )
    data = {"table_cells": made, "num_rows": 3, "num_cols": 3, "orientation": "rot_0"}
    prov = [{"page_no": 1, "bbox": bottom_left(table.bbox), "charspan": [0, 0]}]
    return {"schema_name": "DoclingDocument", "version": "1.10.0", "tables": [{"prov": prov, "data": data}]}


CELLS = [
    ("Sample", 0, 1, 0, 1, True),
    ("Thickness (nm)", 0, 1, 1, 2, True),
    ("Damping", 0, 1, 2, 3, True),
    ("Alpha", 1, 2, 0, 1, False),
    ("120", 1, 2, 1, 2, False),
    ("0.35", 1, 2, 2, 3, False),
    ("Beta", 2, 3, 0, 1, False),
    ("240", 2, 3, 1, 3, False),
]


def test_docling_tables_are_mapped_to_our_characters(ours: Paper) -> None:
    paper = with_tables(ours, _document(ours, CELLS), "docling 2.143.0")
    (table,) = paper.tables
    assert [(c.text, c.row, c.column, c.column_span, c.header) for c in table.cells] == [
        (text, row, column, end - column, header) for text, row, _, column, end, header in CELLS
    ]
    assert all(paper.text[cell.start : cell.end] == cell.text for cell in table.cells)
    assert (table.label, table.caption, table.start) == (
        ours.tables[0].label,
        ours.tables[0].caption,
        ours.tables[0].start,
    )
    assert "1 tables: 1 replace ours" in paper.warnings[-1]
    assert decode_paper(encode_paper(paper)).tables == paper.tables


def test_a_docling_table_that_does_not_agree_with_the_text_is_left_out(ours: Paper) -> None:
    document = _document(ours, CELLS)
    document["tables"][0]["data"]["table_cells"][5]["text"] = "0.85"
    paper = with_tables(ours, document, "docling 2.143.0")
    assert paper.tables == ours.tables
    assert "1 were left out" in paper.warnings[-1]


def test_docling_that_is_not_installed_is_named(settings: Settings) -> None:
    with pytest.raises(MissingExtraError) as caught:
        PaperStore(settings.model_copy(update={"backend": "docling"}))
    assert caught.value.next == "pip install docling"


@pytest.mark.parametrize("backend", ["grobid", "vision"])
def test_a_backend_that_is_half_set_says_so(settings: Settings, backend: str) -> None:
    with pytest.raises(BadInputError, match="PINCITE_"):
        PaperStore(settings.model_copy(update={"backend": backend}))


MARKDOWN = """# Growth of garnet films

A. Author, B. Writer

## 1 Introduction

Films of **garnet** were grown before [1], and their area was 25 $cm^2$.

Table 1: Damping of two films.

| Sample | Damping |
|--------|---------|
| Alpha  | 0.35    |
| Beta   | 0.41 \\| 0.42 |

Figure 1. Damping against thickness.

## References

[1] A. Smith, Epitaxy of garnet, J. Cryst. Growth 12, 34 (1998).
[2] D. Miller, Ferromagnetic resonance (2003).
"""


def test_a_model_reads_pages_from_their_pictures(settings: Settings, endpoints: ModuleType, ours: Paper) -> None:
    def page(body: dict[str, Any]) -> str:
        (picture,) = endpoints.pictures(body)
        assert picture.startswith(b"\x89PNG")
        assert int.from_bytes(picture[16:20], "big") > 1000
        return MARKDOWN

    with endpoints.scripted(endpoints.Answered(status=503), endpoints.Answered(page)) as server:
        changed = settings.model_copy(update={"backend": "vision", "vision_url": server.url, "vision_model": "seer"})
        with PaperStore(changed) as store:
            paper = store.open("paper.pdf")
    assert (paper.paper_id, paper.parser) == (ours.paper_id, "pincite-vision/1")
    assert "read by the vision model seer at 127.0.0.1" in paper.warnings[0]
    assert [(s.number, s.title, s.level, s.page) for s in paper.sections] == [
        ("1", "Introduction", 1, 1),
        ("", "References", 1, 1),
    ]
    (table,) = paper.tables
    assert (table.label, [cell.text for cell in table.cells]) == (
        "Table 1",
        ["Sample", "Damping", "Alpha", "0.35", "Beta", "0.41 | 0.42"],
    )
    (figure,) = paper.figures
    assert (figure.label, figure.page, figure.bbox) == ("Figure 1", 1, None)
    assert [reference.key for reference in paper.references] == ["1", "2"]
    assert "Films of garnet were grown" in paper.text
    at = paper.text.index("Films of")
    assert paper.boxes(at, at + 10) == []
    assert paper.locator(at, at + 10).page == 1
    assert paper.blocks[0].kind is BlockKind.TITLE


def test_a_model_reads_a_scan_without_ocr(
    settings: Settings, endpoints: ModuleType, pdf: bytes, scan: Callable[..., bytes], tmp_path: Path
) -> None:
    (tmp_path / "scan.pdf").write_bytes(scan(pdf, dpi=150))
    with endpoints.scripted(endpoints.Answered(MARKDOWN)) as server:
        changed = settings.model_copy(
            update={"backend": "vision", "vision_url": server.url, "vision_model": "seer", "ocr": "off"}
        )
        with PaperStore(changed) as store:
            paper = store.open("scan.pdf")
    assert paper.title == "Growth of garnet films"
    assert [(page.number, round(page.width), round(page.height)) for page in paper.pages] == [(1, 420, 560)]


def test_pages_of_markdown_part_the_text(ours: Paper) -> None:
    two = parse_pdf(_two_pages(), max_pages=3)
    paper = read_markdown(["## First\n\nOne.", "## Second\n\nTwo."], two, "a model")
    assert [paper.text[page.start : page.end].strip() for page in paper.pages] == ["First\n\nOne.", "Second\n\nTwo."]
    assert [section.page for section in paper.sections] == [1, 2]
    blank = read_markdown(["Only here.", ""], two, "a model")
    assert [(page.start, page.end) for page in blank.pages] == [(0, 10), (10, 10)]


def _two_pages() -> bytes:
    import typst

    return typst.compile(b"First page.\n#pagebreak()\nSecond page.")


def test_a_model_that_fails_or_dawdles_is_an_error(settings: Settings, endpoints: ModuleType) -> None:
    with endpoints.scripted(endpoints.Answered(status=400, body=b"no images, please")) as server:
        changed = settings.model_copy(update={"backend": "vision", "vision_url": server.url, "vision_model": "seer"})
        with PaperStore(changed) as store, pytest.raises(UnavailableError, match="no images, please"):
            store.open("paper.pdf")
    with endpoints.scripted(endpoints.Answered("late", delay=3)) as server:
        changed = settings.model_copy(
            update={"backend": "vision", "vision_url": server.url, "vision_model": "seer", "backend_seconds": 0.5}
        )
        with PaperStore(changed) as store, pytest.raises(LimitReachedError, match=re.escape("longer for this paper")):
            store.open("paper.pdf")


def test_other_formats_are_read_without_a_backend(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f"<html><body><article><h1>T</h1><p>{'Word ' * 50}</p></article></body></html>")
    changed = settings.model_copy(update={"backend": "grobid", "grobid_url": "http://127.0.0.1:9"})
    with PaperStore(changed) as store:
        assert "Word" in store.open("page.html").text
