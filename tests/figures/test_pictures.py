"""Picture files are decoded within limits; images are encoded exactly, or within their bytes."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from pincite_core.errors import DamagedError, LimitReachedError, PinciteError, UnknownFormatError
from pincite_figures.pictures import decode, encode, encode_png

RNG = np.random.default_rng(3)


def png_of(width: int, height: int) -> bytes:
    """A PNG that claims this size and holds a few rows."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(1_000_000))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def saved(picture: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (300, 400)])
@pytest.mark.parametrize("colours", [(), (3,)])
def test_png_is_exact(shape: tuple[int, int], colours: tuple[int, ...]) -> None:
    pixels = RNG.integers(0, 256, shape + colours, dtype=np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(encode_png(pixels)))), pixels)


def test_drawings_are_png_and_photographs_jpeg_unless_they_are_wanted_exactly() -> None:
    drawing = np.full((500, 700, 3), 255, np.uint8)
    drawing[100:110, 50:600] = (200, 0, 0)
    photograph = np.asarray(Image.fromarray(RNG.integers(0, 256, (40, 50, 3), dtype=np.uint8)).resize((700, 500)))
    assert encode(drawing)[0] == "png"
    assert encode(photograph)[0] == "jpeg"
    kind, data = encode(photograph, exact=True)
    assert kind == "jpeg" or np.array_equal(np.asarray(Image.open(io.BytesIO(data))), photograph)
    assert len(data) <= 1_000_000


@pytest.mark.parametrize("side", [7_000, 60_000])
def test_what_claims_too_many_pixels_is_refused_before_it_is_decoded(side: int) -> None:
    with pytest.raises(LimitReachedError) as caught:
        decode(png_of(side, side), "bomb.png")
    assert "bomb.png has too many pixels" in caught.value.what


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", UnknownFormatError),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", UnknownFormatError),
        (b"%!PS-Adobe-3.0 EPSF-3.0", UnknownFormatError),
        (b"\xc5\xd0\xd3\xc6" + bytes(40), UnknownFormatError),
        (png_of(3000, 3000), DamagedError),
        (saved(Image.new("RGB", (90, 90)), "JPEG")[:200], PinciteError),
    ],
)
def test_what_is_no_whole_picture_is_a_typed_error(data: bytes, error: type[PinciteError]) -> None:
    with pytest.raises(error) as caught:
        decode(data, "figs/a.png")
    assert "figs/a.png" in caught.value.what


def test_what_is_transparent_is_white_and_deep_grey_is_spread() -> None:
    clear = Image.new("RGBA", (4, 4), (255, 0, 0, 0))
    assert np.asarray(decode(saved(clear, "PNG"), "a")).min() == 255
    deep = Image.fromarray(np.array([[0, 1000], [2000, 4000]], np.uint16))
    assert np.asarray(decode(saved(deep, "PNG"), "a")).tolist() == [[0, 63], [127, 255]]
    assert np.asarray(decode(saved(Image.new("1", (2, 2), 1), "PNG"), "a")).min() == 255
    assert decode(saved(Image.new("CMYK", (2, 2)), "JPEG"), "a").mode == "RGB"
