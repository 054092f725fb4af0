"""Word documents and workbooks as Papers: what a reader sees is in the text, at its place, and nothing is lost."""

import io
import zipfile
from pathlib import Path

import pytest

from pincite_core.errors import DamagedError, HostileError, LimitReachedError
from pincite_core.settings import Settings
from pincite_papers.model import BlockKind, Paper, SourceFormat
from pincite_papers.opening.detect import detect_format
from pincite_papers.opening.source import parse_source
from pincite_papers.opening.store import PaperStore

docx = pytest.importorskip("docx", reason="python-docx is missing: pip install 'pincite[office]'")
openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is missing: pip install 'pincite[office]'")

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def saved(made: object) -> bytes:
    file = io.BytesIO()
    made.save(file)  # type: ignore[attr-defined]
    return file.getvalue()


def read(data: bytes) -> Paper:
    return parse_source(data, max_pages=100)


def test_a_word_document_is_read_as_it_prints() -> None:
    made = docx.Document()
    made.add_heading("Supplement", 0)
    made.add_heading("S1 Methods", 1)
    paragraph = made.add_paragraph("Films of Bi")
    paragraph.add_run("2").font.subscript = True
    paragraph.add_run("Te at 10")
    paragraph.add_run("-5").font.superscript = True
    paragraph.add_run(" Pa; ")
    hidden = paragraph.add_run("nobody sees this")
    hidden.font.hidden = True
    paragraph._p.append(
        docx.oxml.parse_xml(
            f'<w:ins xmlns:w="{_W}" w:id="1" w:author="a"><w:r><w:t>annealed at 450 K</w:t></w:r></w:ins>'
        )
    )
    paragraph._p.append(
        docx.oxml.parse_xml(
            f'<w:del xmlns:w="{_W}" w:id="2" w:author="a"><w:r><w:delText>at 900 K</w:delText></w:r></w:del>'
        )
    )
    paragraph._p.append(
        docx.oxml.parse_xml(
            f'<m:oMath xmlns:m="{_M}"><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num>'
            "<m:den><m:r><m:t>c</m:t></m:r></m:den></m:f></m:oMath>"
        )
    )
    made.add_paragraph("first", style="List Bullet")
    made.element.body.append(
        docx.oxml.parse_xml(
            f'<w:sdt xmlns:w="{_W}"><w:sdtContent><w:p><w:r><w:t>In a content control.</w:t></w:r></w:p>'
            "</w:sdtContent></w:sdt>"
        )
    )
    paper = read(saved(made))
    assert (paper.format, paper.pages) == (SourceFormat.DOCX, ())
    assert [(one.title, one.level) for one in paper.sections] == [("S1 Methods", 1)]
    assert "Films of Bi2Te at 10^-5 Pa; annealed at 450 K(a+b)/(c)" in paper.text
    assert "nobody" not in paper.text
    assert "900 K" not in paper.text
    assert "In a content control." in paper.text
    assert [block.kind for block in paper.blocks][:4] == [
        BlockKind.TITLE, BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST,
    ]  # fmt: skip
    assert any("Formulas of Word: 1." in warning for warning in paper.warnings)


def test_tables_of_a_word_document_keep_their_spans_and_captions() -> None:
    made = docx.Document()
    made.add_paragraph("Table S1. Gaps of the oxides.")
    table = made.add_table(rows=3, cols=3)
    for row, texts in enumerate((("Oxide", "Gap", ""), ("", "eV", "error"), ("ZnO", "3.3", "0.1"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(2, 0).add_table(1, 1).cell(0, 0).text = "inner"
    made.add_paragraph("Table S2 shows that nothing follows.")
    paper = read(saved(made))
    (found,) = paper.tables
    assert (found.label, found.rows, found.columns) == ("Table S1", 3, 3)
    assert paper.text[found.caption.start : found.caption.end] == "Table S1. Gaps of the oxides."
    cells = {(cell.row, cell.column): cell for cell in found.cells}
    assert (cells[0, 0].row_span, cells[0, 1].column_span) == (2, 2)
    assert (cells[2, 0].text, cells[2, 1].text) == ("ZnO inner", "3.3")
    assert all(paper.text[cell.start : cell.end] == cell.text for cell in found.cells)
    assert paper.blocks[-1].kind is BlockKind.PARAGRAPH


def test_a_workbook_keeps_rows_columns_and_all_digits() -> None:
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Lattice"
    sheet["B2"], sheet["C2"] = "a (Å)", "yield"
    sheet["B3"], sheet["C3"] = 5.4310205, 0.07
    sheet["B3"].number_format, sheet["C3"].number_format = "0.00", "0%"
    sheet["B4"], sheet["C4"] = "=B3*2", 1200
    sheet["B3"].comment = openpyxl.comments.Comment("by XRD", "me")
    sheet.merge_cells("B6:C6")
    sheet["B6"] = "joined"
    other = made.create_sheet("Notes")
    other["A1"] = "see the main text"
    other.sheet_state = "hidden"
    paper = read(saved(made))
    assert (paper.format, [one.title for one in paper.sections]) == (SourceFormat.XLSX, ["Lattice", "Notes"])
    lattice = {(cell.row, cell.column): cell for cell in paper.tables[0].cells}
    assert {place: cell.text for place, cell in lattice.items()} == {
        (1, 1): "a (Å)", (1, 2): "yield", (2, 1): "5.4310205", (2, 2): "7%", (3, 1): "=B3*2", (3, 2): "1200",
        (5, 1): "joined",
    }  # fmt: skip
    assert lattice[5, 1].column_span == 2
    assert "B3: by XRD" in paper.text
    said = " ".join(paper.warnings)
    assert "Formulas without a stored result in 'Lattice' stand as formulas: B4." in said
    assert "'Notes' is hidden" in said


def test_packages_are_told_apart_and_bombs_are_refused(tmp_path: Path) -> None:
    word, book = saved(docx.Document()), saved(openpyxl.Workbook())
    source = io.BytesIO()
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("main.tex", "\\documentclass{article}\\begin{document}Text\\end{document}")
        archive.writestr("supplement.docx", word)
    kinds = [detect_format(data) for data in (word, book, source.getvalue())]
    assert kinds == [SourceFormat.DOCX, SourceFormat.XLSX, SourceFormat.LATEX]
    bomb = io.BytesIO(word)
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/image1.png", b"\0" * 600_000_000)
    with PaperStore(Settings(cache_dir=tmp_path, parse_workers=1)) as store:
        with pytest.raises((LimitReachedError, HostileError)):
            store.examine(bomb.getvalue())
        with pytest.raises(DamagedError):
            store.examine(word.replace(b"word/styles.xml", b"word/styled.xml"))
        assert store.examine(book).format is SourceFormat.XLSX
    wide = openpyxl.Workbook()
    wide.active["XFD1048576"] = 1
    with pytest.raises(LimitReachedError, match="too many cells"):
        read(saved(wide))
