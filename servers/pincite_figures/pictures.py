"""Picture files and pixels: decoding within limits, and encoding as PNG or JPEG within a number of bytes."""

import io
import struct
import warnings
import zlib

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from pincite_core.errors import DamagedError, LimitReachedError, UnknownFormatError
from pincite_figures.arguments import MOST_BYTES
from pincite_figures.pixels import Pixels

_MOST_PIXELS = 40_000_000
"""Pixels of a picture that is decoded: 160 MB with transparency."""
_FORMATS = ("PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP")
_POSTSCRIPT = (b"%!PS", b"\xc5\xd0\xd3\xc6")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_LEVEL = 1
"""zlib's fastest level: a picture is sent once."""
_QUALITIES = (92, 80, 65, 45)
"""Qualities of JPEG, tried in turn until the picture is small enough; below 45 small type is lost."""
_PHOTO_COLOURS = 2500
"""Colours among the samples from which a picture is a photograph, which JPEG suits better. Set by judgement."""
_SAMPLES = 20_000
"""Pixels that are looked at for that, evenly over the picture."""
_EXACT_PIXELS = 350_000
"""Pixels up to which a picture is sent as PNG whatever it shows. Set by judgement."""


def decode(data: bytes, name: str) -> Image.Image:
    """The pixels of a picture file, RGB on white or grey; a PinciteError says why there are none."""
    if data.startswith(_POSTSCRIPT):
        raise UnknownFormatError(
            f"{name} is a PostScript file, which cannot be shown.", next="Open the paper's PDF to look at its figures."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(data), formats=_FORMATS)
            if picture.width * picture.height > _MOST_PIXELS:
                raise _too_many(name, f"{picture.width} x {picture.height}")
            picture.load()
    except UnidentifiedImageError as error:
        raise UnknownFormatError(
            f"{name} is not a picture that can be shown.",
            seen=f"{len(data)} bytes of no known format",
            next="Open the paper's PDF to look at its figures.",
        ) from error
    except Image.DecompressionBombError as error:
        raise _too_many(name, str(error)) from error
    except (OSError, SyntaxError, ValueError) as error:
        raise DamagedError(f"{name} is a damaged picture.", seen=type(error).__name__) from error
    return plain(picture)


def _too_many(name: str, seen: str) -> LimitReachedError:
    return LimitReachedError(
        f"{name} has too many pixels.", seen=seen, next=f"At most {_MOST_PIXELS // 1_000_000} million can be shown."
    )


def plain(picture: Image.Image) -> Image.Image:
    """The picture as grey or RGB, what is transparent white."""
    if picture.mode in ("L", "RGB"):
        return picture
    if picture.mode in ("1", "LA", "I;16", "I", "F") and "A" not in picture.mode:
        return _grey(picture)
    rgba = picture.convert("RGBA")
    white = Image.new("RGBA", rgba.size, (255, 255, 255, 255))
    white.alpha_composite(rgba)
    return white.convert("RGB")


def _grey(picture: Image.Image) -> Image.Image:
    """One bit or deep grey as eight bits, the darkest black and the lightest white."""
    if picture.mode == "1":
        return picture.convert("L")
    values = np.nan_to_num(np.asarray(picture, np.float32))
    low, high = float(values.min()), float(values.max())
    return Image.fromarray(((values - low) * (255.0 / max(high - low, 1e-30))).astype(np.uint8))


def encode(pixels: Pixels, *, exact: bool = False) -> tuple[str, bytes]:
    """``("png" | "jpeg", bytes)`` of a picture: JPEG for photographs and for what is large as PNG.

    A photograph that is wanted ``exact`` is PNG too while it has at most 350,000 pixels.
    """
    shown = pixels
    if np.array_equal(pixels[..., 0], pixels[..., 1]) and np.array_equal(pixels[..., 0], pixels[..., 2]):
        shown = np.ascontiguousarray(pixels[..., 0])
    small = exact and pixels.shape[0] * pixels.shape[1] <= _EXACT_PIXELS
    if small or not _is_photo(pixels):
        data = encode_png(shown)
        if len(data) <= MOST_BYTES:
            return "png", data
    for quality in _QUALITIES:
        out = io.BytesIO()
        Image.fromarray(shown).save(out, "JPEG", quality=quality, subsampling=0)
        if out.tell() <= MOST_BYTES:
            return "jpeg", out.getvalue()
    raise LimitReachedError("The image is too large to be sent.", next="Ask for fewer pixels with max_side.")


def encode_png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """PNG of uint8 (height, width) grey or (height, width, 3), its rows unfiltered.

    Filters are what costs the time of most encoders; on drawings they gain nothing (a fifth of the time, same size).
    """
    height, width = pixels.shape[:2]
    rows = np.zeros((height, pixels[0].size + 1), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    body = zlib.compress(rows.data, _PNG_LEVEL)
    return _SIGNATURE + b"".join(map(_chunk, (b"IHDR", b"IDAT", b"IEND"), (header, body, b"")))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(content, zlib.crc32(kind)))


def _is_photo(pixels: Pixels) -> bool:
    """Whether a sample of the pixels has as many colours as photographs have and drawings do not."""
    step = max(1, int((pixels.shape[0] * pixels.shape[1] / _SAMPLES) ** 0.5))
    sample = pixels[::step, ::step].astype(np.uint32)
    colours = np.unique(sample[..., 0] << 16 | sample[..., 1] << 8 | sample[..., 2])
    return len(colours) > _PHOTO_COLOURS * min(1.0, sample.shape[0] * sample.shape[1] / _SAMPLES)
