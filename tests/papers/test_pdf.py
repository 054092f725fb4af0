"""Every file that is no readable paper has its own error; every file that is one opens."""

import io
import re
from collections.abc import Callable

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from pincite_core.errors import (
    DamagedError,
    EmptySourceError,
    EncryptedError,
    ImageOnlyError,
    LimitReachedError,
    UnknownFormatError,
)
from pincite_papers.pdf.parse import parse_pdf

_TEXT = "A plain paragraph that says 42 K."


@pytest.fixture(scope="module")
def plain(typeset: Callable[[str], bytes]) -> bytes:
    return typeset(_TEXT)


def _written(plain: bytes, change: Callable[[PdfWriter], object]) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(plain)))
    change(writer)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_password_is_asked_for(plain: bytes) -> None:
    data = _written(plain, lambda w: w.encrypt("secret", algorithm="AES-256"))
    with pytest.raises(EncryptedError, match="password"):
        parse_pdf(data, max_pages=9)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_owner_password_alone_opens(plain: bytes, algorithm: str) -> None:
    data = _written(plain, lambda w: w.encrypt("", owner_password="owner", algorithm=algorithm))
    assert parse_pdf(data, max_pages=9).text == _TEXT


def test_pages_that_are_images_have_no_text() -> None:
    stream = io.BytesIO()
    Image.effect_noise((200, 200), 80).save(stream, "PDF")
    with pytest.raises(ImageOnlyError, match="text layer"):
        parse_pdf(stream.getvalue(), max_pages=9)


@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_no_bytes_are_an_empty_source(data: bytes) -> None:
    with pytest.raises(EmptySourceError):
        parse_pdf(data, max_pages=9)


def test_blank_pages_are_an_empty_source() -> None:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    stream = io.BytesIO()
    writer.write(stream)
    with pytest.raises(EmptySourceError, match="blank"):
        parse_pdf(stream.getvalue(), max_pages=9)


@pytest.mark.parametrize("data", [b"PK\x03\x04 a zip", b"<html>not found</html>", b"\x89PNG\r\n"])
def test_other_bytes_are_no_pdf(data: bytes) -> None:
    with pytest.raises(UnknownFormatError, match="not a PDF"):
        parse_pdf(data, max_pages=9)


def test_truncated_file_is_damaged(plain: bytes) -> None:
    with pytest.raises(DamagedError, match="damaged"):
        parse_pdf(plain[: len(plain) // 3], max_pages=9)


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 5000])
def test_bytes_before_the_header_do_no_harm(plain: bytes, before: bytes) -> None:
    assert parse_pdf(before + plain, max_pages=9).text == _TEXT


def test_page_limit(typeset: Callable[[str], bytes]) -> None:
    data = typeset("One #pagebreak() Two #pagebreak() Three")
    with pytest.raises(LimitReachedError, match="3 pages"):
        parse_pdf(data, max_pages=2)
    assert len(parse_pdf(data, max_pages=3).pages) == 3


def test_metadata_labels_and_attachments(plain: bytes) -> None:
    def change(writer: PdfWriter) -> None:
        writer.add_metadata({"/Title": "Stated", "/Author": "A. Body", "/Subject": "doi:10.1234/abc.5"})
        writer.set_page_label(0, 0, "/r", start=4)
        writer.add_attachment("data.csv", b"1,2")

    paper = parse_pdf(_written(plain, change), max_pages=9)
    assert paper.metadata["author"] == "A. Body"
    assert paper.title == "Stated"
    assert paper.doi == "10.1234/abc.5"
    assert paper.pages[0].label == "iv"
    assert paper.attachments == ("data.csv",)


def test_broken_information_is_a_warning_and_no_error(plain: bytes) -> None:
    broken = re.sub(rb"/Info \d+ 0 R", b"/Info 9999 0 R", plain)
    assert parse_pdf(broken, max_pages=9).text == _TEXT
