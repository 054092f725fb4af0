"""Picture files and pixels: decoding within limits, and encoding as PNG or JPEG within a number of bytes."""

import io
import warnings
from typing import TYPE_CHECKING

from PIL import Image, UnidentifiedImageError

from pincite_core.errors import DamagedError, LimitReachedError, UnknownFormatError
from pincite_figures.arguments import MOST_BYTES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MOST_PIXELS = 40_000_000
_FORMATS = ("PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP")
_POSTSCRIPT = (b"%!PS", b"\xc5\xd0\xd3\xc6")
_PNG_LEVEL = 3
_QUALITIES = (92, 80, 65, 45)
_PHOTO_COLOURS = 2500
_SAMPLES = 20_000


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
                raise LimitReachedError(
                    f"{name} has too many pixels.",
                    seen=f"{picture.width} x {picture.height}",
                    next=f"At most {_MOST_PIXELS // 1_000_000} million can be shown.",
                )
            picture.load()
    except UnidentifiedImageError as error:
        raise UnknownFormatError(
            f"{name} is no picture that can be shown.",
            seen=f"it starts with {data[:16]!r}",
            next="Open the paper's PDF to look at its figures.",
        ) from error
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise DamagedError(f"{name} is a damaged picture.", seen=str(error)[:200]) from error
    return plain(picture)


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
    import numpy as np

    if picture.mode == "1":
        return picture.convert("L")
    values = np.nan_to_num(np.asarray(picture, np.float32))
    low, high = float(values.min()), float(values.max())
    return Image.fromarray(((values - low) * (255.0 / max(high - low, 1e-30))).astype(np.uint8))


def encode(pixels: "npt.NDArray[np.uint8]") -> tuple[str, bytes]:
    """``("png" | "jpeg", bytes)`` of uint8 (height, width, 3): JPEG for photographs and for what is large as PNG."""
    import numpy as np

    if np.array_equal(pixels[..., 0], pixels[..., 1]) and np.array_equal(pixels[..., 0], pixels[..., 2]):
        picture = Image.fromarray(np.ascontiguousarray(pixels[..., 0]))
    else:
        picture = Image.fromarray(pixels)
    if not _is_photo(pixels):
        data = _saved(picture, "PNG", compress_level=_PNG_LEVEL)
        if len(data) <= MOST_BYTES:
            return "png", data
    for quality in _QUALITIES:
        data = _saved(picture, "JPEG", quality=quality, subsampling=0)
        if len(data) <= MOST_BYTES:
            return "jpeg", data
    raise LimitReachedError("The image is too large to be sent.", next="Ask for fewer pixels with max_side.")


def _saved(picture: Image.Image, kind: str, **options: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def _is_photo(pixels: "npt.NDArray[np.uint8]") -> bool:
    """Whether a sample of the pixels has as many colours as photographs have and drawings do not."""
    import numpy as np

    step = max(1, int((pixels.shape[0] * pixels.shape[1] / _SAMPLES) ** 0.5))
    sample = pixels[::step, ::step].astype(np.uint32)
    colours = np.unique(sample[..., 0] << 16 | sample[..., 1] << 8 | sample[..., 2])
    return len(colours) > _PHOTO_COLOURS * min(1.0, sample.shape[0] * sample.shape[1] / _SAMPLES)
