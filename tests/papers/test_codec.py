import dataclasses
import struct

import numpy as np
import pytest

from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.geometry import Geometry
from pincite_papers.model import (
    Block,
    BlockKind,
    Cell,
    Citation,
    Figure,
    FigureKind,
    Furniture,
    FurnitureKind,
    Page,
    Panel,
    Paper,
    Place,
    Recognition,
    Rect,
    Reference,
    Section,
    SourceFormat,
    Span,
    Table,
)

TEXT = "Über T_c ≈ 92 K in YBa2Cu3O6.93 \U0001d447\n\nTable 1\n\na\tb"
BOX = Rect(0.1, 2.0, 1e-7, 841.8897705078125)


def _rich() -> Paper:
    rows = np.random.default_rng(3).normal(size=(len(TEXT), 4)).astype(np.float32)
    rows[4] = np.nan
    cell = Cell(0, 1, 1, 2, "a", 3, 4, 1, BOX, header=True)
    return Paper(
        paper_id="sha256:" + "ab" * 32,
        parser="pincite-pdf/1",
        title="Über T_c",
        text=TEXT,
        pages=(
            Page(1, "iv", 595.0, 842.0, 0, 20, (Furniture(FurnitureKind.HEADER, "Phys. Rev.", BOX),)),
            Page(2, "", 595.0, 842.0, 20, len(TEXT)),
        ),
        blocks=(Block(BlockKind.HEADING, 0, 8, 1, BOX), Block(BlockKind.TABLE, 9, 20, 2, BOX)),
        geometry=Geometry(rows),
        doi="10.1000/x",
        authors=("A. Ö. One", "B"),
        sections=(Section("IV", "Über", 1, 1, 0, 8, 20),),
        tables=(
            Table("Table 1", 2, BOX, 9, 20, 1, 3, (cell, cell), Span(1, 2), ruled=True, parts=(Place(2, BOX),)),
            Table("", 2, BOX, 0, 0, 0, 0, ()),
        ),
        figures=(
            Figure("Fig. 1", 1, BOX, Span(0, 3), None, FigureKind.MIXED, (Panel("a", BOX, Span(1, 2)), Panel("b"))),
            Figure("", None, None, graphics=("fig/one.pdf",)),
        ),
        references=(Reference("12", 1, 3, 2, doi="10.1/y"), Reference("", 1, 3, 2, arxiv="2101.00001", pmid="31")),
        citations=(Citation(2, 4, (0, 1)),),
        recognised=(Recognition(5, 8, 1, 0.875),),
        format=SourceFormat.LATEX,
        journal="Phys. Rev.",
        year=1957,
        keywords=("superconductivity",),
        suspects=(Span(4, 5),),
        metadata={"producer": "typst", "ключ": "значение"},
        attachments=("data.csv",),
        warnings=("page 2: no text",),
    )


def test_the_sample_fills_every_field() -> None:
    paper = _rich()
    empty = [field.name for field in dataclasses.fields(paper) if getattr(paper, field.name) in ("", (), {}, None)]
    assert empty == []


def test_every_field_comes_back_equal() -> None:
    paper = _rich()
    copy = decode_paper(encode_paper(paper))
    for field in dataclasses.fields(Paper):
        if field.name != "geometry":
            assert getattr(copy, field.name) == getattr(paper, field.name), field.name
    assert copy.geometry.rows.dtype == np.float32
    np.testing.assert_array_equal(copy.geometry.rows, paper.geometry.rows)
    assert isinstance(copy.blocks[0].kind, BlockKind)
    assert isinstance(copy.pages[0].furniture[0].kind, FurnitureKind)
    assert encode_paper(copy) == encode_paper(paper)


def test_the_smallest_paper_comes_back() -> None:
    nothing = Paper("sha256:" + "0" * 64, "p/1", "", "", (), (), Geometry(np.zeros((0, 4), np.float32)))
    copy = decode_paper(encode_paper(nothing))
    assert copy.geometry.rows.shape == (0, 4)
    assert (copy.text, copy.pages, copy.doi, copy.metadata) == ("", (), None, {})


def test_geometry_is_shared_with_the_bytes_and_cannot_be_written() -> None:
    copy = decode_paper(encode_paper(_rich()))
    assert not copy.geometry.rows.flags.writeable
    assert copy.geometry.rows.flags.aligned


def test_numbers_that_are_not_finite_come_back_as_nan() -> None:
    paper = dataclasses.replace(_rich(), blocks=(Block(BlockKind.FIGURE, 0, 1, 1, Rect(float("inf"), 1.0, 2.0, 3.0)),))
    box = decode_paper(encode_paper(paper)).blocks[0].bbox
    assert np.isnan(box.x0)
    assert (box.y0, box.x1, box.y1) == (1.0, 2.0, 3.0)


def test_geometry_must_fit_the_text() -> None:
    wrong = dataclasses.replace(_rich(), geometry=Geometry(np.zeros((3, 4), np.float32)))
    with pytest.raises(ValueError, match="geometry of shape"):
        encode_paper(wrong)


def _cut(content: bytes) -> list[bytes]:
    length = struct.unpack_from("<8sQ", content)[1]
    return [
        b"",
        b"PCPAPER1",
        content[:100],
        content[:-1],
        b"PCPAPER0" + content[8:],
        struct.pack("<8sQ", b"PCPAPER1", length + 16) + content[16:],
        struct.pack("<8sQ", b"PCPAPER1", 1 << 62) + content[16:],
        content[: 16 + length] + b"{}",
        content[: 16 + length] + b"[]",
        content[: 16 + length] + content[16 + length :].replace(b'"heading"', b'"heathen"'),
    ]


@pytest.mark.parametrize("case", range(10))
def test_other_bytes_are_a_value_error(case: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_paper(_cut(encode_paper(_rich()))[case])
