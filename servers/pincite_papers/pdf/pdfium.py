"""PDFium's functions as plain C calls on integer addresses, so that one C-driven loop fills one numpy buffer."""

import ctypes
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw

_P = ctypes.c_void_p
_I = ctypes.c_int
_D = ctypes.c_double
_F = ctypes.c_float
_U = ctypes.c_uint
_ROWS = 4096
"""Rows that are filled at a time; a page of print has 3,000 to 8,000 characters."""
_SLOTS = 4
"""Numbers of a row: the four sides of a box."""
_SLOT_BYTES = 8
"""Bytes of a double."""
_ROW_BYTES = _SLOTS * _SLOT_BYTES


def _bind(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The C function without a release of the interpreter lock: a call costs half of the wrapper's.

    Beside it lies the same function for arguments that are ready for C: a call costs half of that again.
    """
    address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value or 0
    prototype: Any = ctypes.PYFUNCTYPE(result, *arguments)
    bare: Any = ctypes.PYFUNCTYPE(result)
    function: Any = prototype(address)
    function.bare = bare(address)
    return function


count_chars = _bind("FPDFText_CountChars", _I, _P)
get_text = _bind("FPDFText_GetText", _I, _P, _I, _I, _P)
get_unicode = _bind("FPDFText_GetUnicode", _U, _P, _I)
get_char_box = _bind("FPDFText_GetCharBox", _I, _P, _I, _P, _P, _P, _P)
get_char_origin = _bind("FPDFText_GetCharOrigin", _I, _P, _I, _P, _P)
get_text_object = _bind("FPDFText_GetTextObject", ctypes.c_size_t, _P, _I)
get_char_matrix = _bind("FPDFText_GetMatrix", _I, _P, _I, _P)
get_font_size = _bind("FPDFText_GetFontSize", _D, _P, _I)
get_fill_color = _bind("FPDFText_GetFillColor", _I, _P, _I, _P, _P, _P, _P)
has_map_error = _bind("FPDFText_HasUnicodeMapError", _I, _P, _I)
is_hyphen = _bind("FPDFText_IsHyphen", _I, _P, _I)
is_generated = _bind("FPDFText_IsGenerated", _I, _P, _I)
text_font = _bind("FPDFTextObj_GetFont", _P, _P)
text_size = _bind("FPDFTextObj_GetFontSize", _I, _P, _P)
text_render_mode = _bind("FPDFTextObj_GetTextRenderMode", _I, _P)
font_name = _bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, _P, _P, ctypes.c_size_t)
font_flags = _bind("FPDFFont_GetFlags", _I, _P)
font_weight = _bind("FPDFFont_GetWeight", _I, _P)
count_objects = _bind("FPDFPage_CountObjects", _I, _P)
get_object = _bind("FPDFPage_GetObject", _P, _P, _I)
object_type = _bind("FPDFPageObj_GetType", _I, _P)
object_bounds = _bind("FPDFPageObj_GetBounds", _I, _P, _P, _P, _P, _P)
object_matrix = _bind("FPDFPageObj_GetMatrix", _I, _P, _P)
object_transparency = _bind("FPDFPageObj_HasTransparency", _I, _P)
object_clip = _bind("FPDFPageObj_GetClipPath", _P, _P)
clip_count = _bind("FPDFClipPath_CountPaths", _I, _P)
clip_segments = _bind("FPDFClipPath_CountPathSegments", _I, _P, _I)
clip_segment = _bind("FPDFClipPath_GetPathSegment", _P, _P, _I, _I)
set_active = _bind("FPDFPageObj_SetIsActive", _I, _P, _I)
form_count = _bind("FPDFFormObj_CountObjects", _I, _P)
form_object = _bind("FPDFFormObj_GetObject", _P, _P, ctypes.c_ulong)
render_text = _bind("FPDFTextObj_GetRenderedBitmap", _P, _P, _P, _P, _F)
bitmap_buffer = _bind("FPDFBitmap_GetBuffer", _P, _P)
bitmap_width = _bind("FPDFBitmap_GetWidth", _I, _P)
bitmap_height = _bind("FPDFBitmap_GetHeight", _I, _P)
bitmap_stride = _bind("FPDFBitmap_GetStride", _I, _P)
destroy_bitmap = _bind("FPDFBitmap_Destroy", None, _P)
path_segments = _bind("FPDFPath_CountSegments", _I, _P)
path_segment = _bind("FPDFPath_GetPathSegment", _P, _P, _I)
segment_point = _bind("FPDFPathSegment_GetPoint", _I, _P, _P, _P)
segment_type = _bind("FPDFPathSegment_GetType", _I, _P)
segment_close = _bind("FPDFPathSegment_GetClose", _I, _P)
path_draw_mode = _bind("FPDFPath_GetDrawMode", _I, _P, _P, _P)
stroke_width = _bind("FPDFPageObj_GetStrokeWidth", _I, _P, _P)
object_fill = _bind("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
object_stroke = _bind("FPDFPageObj_GetStrokeColor", _I, _P, _P, _P, _P, _P)
dash_count = _bind("FPDFPageObj_GetDashCount", _I, _P)
dash_array = _bind("FPDFPageObj_GetDashArray", _I, _P, _P, ctypes.c_size_t)
page_rotation = _bind("FPDFPage_GetRotation", _I, _P)
page_width = _bind("FPDF_GetPageWidthF", _F, _P)
page_height = _bind("FPDF_GetPageHeightF", _F, _P)
page_bounding_box = _bind("FPDF_GetPageBoundingBox", _I, _P, _P)


def address(handle: Any) -> int:
    """The integer address behind a pypdfium2 handle."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def drive(calls: Iterable[object]) -> None:
    """Exhaust an iterator of calls in C, keeping nothing."""
    deque(calls, maxlen=0)


def each(function: Any, handle: int, indices: Iterable[int]) -> Iterator[Any]:
    """What ``function(handle, index)`` returns for each index."""
    return map(function.bare, repeat(_P.from_param(handle)), indices)


def four_doubles(function: Any, handle: int, indices: Sequence[int]) -> npt.NDArray[np.float64]:
    """Float64 (n, 4): the out-parameters of ``function(handle, index, *out)`` for each index, zero where it fails."""
    return _filled(function, handle, indices, 4)


def two_doubles(function: Any, handle: int, indices: Sequence[int]) -> npt.NDArray[np.float64]:
    """Float64 (n, 2): the same for a function with two out-parameters."""
    return _filled(function, handle, indices, 2)[:, :2]


def four_unsigned(function: Any, handle: int, indices: Sequence[int]) -> npt.NDArray[np.uint32]:
    """Uint32 (n, 4): the same for a function with four unsigned out-parameters."""
    return _filled(function, handle, indices, 4).view(np.uint32)[:, ::2]


def matrices(function: Any, handle: int, indices: Sequence[int]) -> npt.NDArray[np.float32]:
    """Float32 (n, 6): the same for a function with one out-parameter, a matrix."""
    return _filled(function, handle, indices, 1).view(np.float32)[:, :6]


class _Rows:
    """A buffer whose addresses are ready for C, so that no call converts them; one caller at a time holds ``lock``."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.values = np.zeros((_ROWS, _SLOTS))
        base = int(self.values.ctypes.data)
        stop = base + _ROWS * _ROW_BYTES
        starts = range(base, base + _ROW_BYTES, _SLOT_BYTES)
        self.addresses = [list(map(_P.from_param, range(start, stop, _ROW_BYTES))) for start in starts]


@cache
def _rows() -> _Rows:
    return _Rows()


def _filled(function: Any, handle: int, indices: Sequence[int], slots: int) -> npt.NDArray[np.float64]:
    """Call ``function`` for each index with the addresses of the first ``slots`` slots of 8 bytes of a row of four."""
    rows = _rows()
    filled = np.zeros((len(indices), _SLOTS))
    with rows.lock:
        for start in range(0, len(indices), _ROWS):
            part = indices[start : start + _ROWS]
            rows.values[: len(part)] = 0
            drive(map(function.bare, repeat(_P.from_param(handle)), part, *rows.addresses[:slots]))
            filled[start : start + len(part)] = rows.values[: len(part)]
    return filled
