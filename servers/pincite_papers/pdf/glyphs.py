"""Glyphs: the characters of one page as arrays, read from PDFium one function at a time."""

import ctypes
import math
import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.elements import Style
from pincite_papers.pdf.scriptcodes import EAST_ASIAN, is_east_asian, scripts_of

_BOLD_NAME = re.compile(
    r"bold|black|heavy|cmbx|cmssbx|^cmb\d|^(?:sf|ec|la)(?:b[xlim]|s[xo]|xc)\d|demi(?!ta)|semib|-bd\b|[.-]B(I)?$|,B|-Medi",
    re.IGNORECASE,
)
_ITALIC_NAME = re.compile(
    r"ital|obliq|cmti|cmmi|cmsl|cmssi|cmbx(?:ti|sl)|^(?:sf|ec|la)(?:ti|sl|si|so|bi|bl)\d|-it\b|[.-]B?I$|-Slant|"
    r"(?-i:(?<=[a-z])It)$",
    re.IGNORECASE,
)
"""Names of slanted fonts; TeX's own are named by shape and size (``SFTI1000``: cm-super in text italic)."""
_FIXED_NAME = re.compile(r"mono|courier|consol|typewriter|cmtt|lmtt|hack|menlo|inconsolata|fixed", re.IGNORECASE)
_SUBSET = re.compile(r"^[A-Z]{6}\+|\+[0-9a-f]{2}$")
_FLAG_ITALIC = 1 << 6
"""Flag of a font descriptor: italic (ISO 32000-1, table 123)."""
_FLAG_FORCE_BOLD = 1 << 18
"""Flag of a font descriptor: drawn bold (ISO 32000-1, table 123)."""
_HYPHEN_MARK = 2
"""PDFium's code for a hyphen at the end of a line."""
_HYPHEN_IN_TEXT = 0xFFFE
"""PDFium's other code for such a hyphen."""
_NOTHING = 0x200B
"""The zero-width space, which stands for a glyph that is to be passed over."""
_LARGEST_TABLE = 64 << 16
"""Codes of a table by index; higher ones are looked up one by one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How a page's user space is shown: the visible box (points), its rotation in quarter turns clockwise, its size."""

    left: float
    bottom: float
    right: float
    top: float
    quarter_turns: int
    width: float
    height: float

    @classmethod
    def of(cls, page: pdfium.PdfPage) -> "Frame":
        """The frame of an open page."""
        handle = raw.address(page)
        box = (ctypes.c_float * 4)()
        raw.page_bounding_box(handle, ctypes.addressof(box))
        left, top, right, bottom = box
        return cls(
            min(left, right),
            min(bottom, top),
            max(left, right),
            max(bottom, top),
            raw.page_rotation(handle) % 4,
            float(raw.page_width(handle)),
            float(raw.page_height(handle)),
        )

    def show(
        self, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """User-space coordinates as points from the top left corner of the page as it is shown."""
        turned = self.quarter_turns % 2 == 1
        across = self.top - self.bottom if turned else self.right - self.left
        scale = self.width / across if across > 0 else 1.0
        if self.quarter_turns == 0:
            shown = x - self.left, self.top - y
        elif self.quarter_turns == 1:
            shown = y - self.bottom, x - self.left
        elif self.quarter_turns == 2:
            shown = self.right - x, y - self.bottom
        else:
            shown = self.top - y, self.right - x
        return (shown[0] * scale, shown[1] * scale) if scale != 1.0 else shown

    def show_boxes(
        self,
        left: npt.NDArray[np.float64],
        bottom: npt.NDArray[np.float64],
        right: npt.NDArray[np.float64],
        top: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.float32]:
        """Float32 (n, 4): user-space rectangles as shown boxes x0, y0, x1, y1."""
        xa, ya = self.show(left, top)
        xb, yb = self.show(right, bottom)
        if self.quarter_turns:
            xa, xb = np.minimum(xa, xb), np.maximum(xa, xb)
            ya, yb = np.minimum(ya, yb), np.maximum(ya, yb)
        return np.stack((xa, ya, xb, yb), axis=1).astype(np.float32)


@dataclass(slots=True)
class Run:
    """A text object: its style, direction of print in degrees counter-clockwise, origin; ``fixed`` for one width.

    ``face`` tells fonts of one name apart on a page.
    """

    style: Style
    angle: float
    x: float
    y: float
    fixed: bool
    face: int = 0


@dataclass(slots=True)
class Ink:
    """How the text objects of a page are printed.

    ``handles`` are valid while the page is open; ``modes`` the render modes (0 to 7); ``colors`` uint32 (n, 4), red,
    green, blue and alpha of the fill; ``widths`` float64 (n), how many times as wide as high letters are drawn;
    ``sizes`` float64 (n) in points; ``origins`` float64 (n, 2), as shown.
    """

    handles: list[int]
    modes: list[int]
    colors: npt.NDArray[np.uint32]
    widths: npt.NDArray[np.float64]
    sizes: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    origins: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))

    @classmethod
    def unknown(cls) -> "Ink":
        """The ink of print that no text object made."""
        return cls([], [], np.zeros((0, 4), np.uint32), np.zeros(0))


@dataclass(slots=True)
class Faces:
    """The fonts of a page: their ``names``, the one ``of_run`` of each text object (int64), the ``keys`` of the glyphs
    (int64 (n), one number for each pair of font and code), and ``places`` (int64), a glyph of each such pair."""

    names: list[str] = field(default_factory=list[str])
    of_run: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    keys: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    places: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(slots=True)
class Glyphs:
    """The n characters of a page in the order of the content stream, PDFium's own spaces and line breaks among them.

    ``codes`` uint32 (n); ``boxes`` float32 (n, 4) tight boxes in points, origin top left; ``runs`` int32 (n), the text
    object, -1 for white space and what no object printed; ``hyphens`` bool (n), hyphens at a line's end; ``suspects``
    bool (n), characters whose code the font does not map. ``scripts``: flags of scripts
    that need care; ``mirrored``: seen in a mirror, for print that runs
    leftwards; ``down``: bool (text objects), those that print downwards, ``ranks`` int64 (n): the reading order of
    their glyphs, both None where none does. ``faces`` are the fonts and codes; ``judged`` bool (n), glyphs whose font
    was found to be one of signs: what they print has been settled.
    """

    codes: npt.NDArray[np.uint32]
    boxes: npt.NDArray[np.float32]
    runs: npt.NDArray[np.int32]
    hyphens: npt.NDArray[np.bool_]
    suspects: npt.NDArray[np.bool_]
    objects: list[Run]
    ink: Ink
    scripts: int = 0
    mirrored: bool = False
    down: npt.NDArray[np.bool_] | None = None
    ranks: npt.NDArray[np.int64] | None = None
    faces: Faces = field(default_factory=Faces)
    judged: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    def __post_init__(self) -> None:
        """No glyph has been judged yet."""
        if not len(self.judged):
            self.judged = np.zeros(len(self.codes), np.bool_)


def read_glyphs(page: pdfium.PdfPage, frame: Frame) -> Glyphs:
    """The glyphs of an open page."""
    textpage = page.get_textpage()
    try:
        handle = raw.address(textpage)
        codes, hyphens = _read_codes(handle, max(raw.count_chars(handle), 0))
        scripts = scripts_of(codes)
        if scripts & EAST_ASIAN:
            _drop_spaces(handle, codes)
        white = (codes == 0x20) | (codes == 0x0D) | (codes == 0x0A) | (codes == _NOTHING)
        places = np.flatnonzero(~white)
        boxes = np.zeros((len(codes), 4), np.float32)
        left, right, bottom, top = raw.four_doubles(raw.get_char_box, handle, places.tolist()).T
        boxes[places] = frame.show_boxes(left, bottom, right, top)
        _write_strokes(handle, frame, codes, boxes)
        pointers = _read_objects(handle, places)
        runs = np.full(len(codes), -1, np.int32)
        runs[places], firsts = _number_runs(pointers)
        objects, ink = _read_runs(handle, frame, pointers[firsts].tolist(), places[firsts].tolist())
        faces = _read_faces(codes, runs, objects)
        suspects = _map_errors(handle, codes, faces) & ~hyphens
        return Glyphs(codes, boxes, runs, hyphens, suspects, objects, ink, scripts, faces=faces)
    finally:
        textpage.close()


def _read_codes(handle: int, n: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.bool_]]:
    """The code of each character, and which are hyphens at a line's end.

    PDFium's text string leaves out characters that it cannot map: only where none is left out do its places agree.
    """
    text = np.zeros(n + 1, np.uint16)
    if n and raw.get_text(handle, 0, n, int(text.ctypes.data)) == n + 1:
        codes = text[:n].astype(np.uint32)
        hyphens = codes == _HYPHEN_IN_TEXT
        codes[hyphens] = _HYPHEN_MARK
        return codes, hyphens
    codes = np.fromiter(raw.each(raw.get_unicode, handle, range(n)), np.uint32, n)
    hyphens = np.zeros(n, np.bool_)
    for i in np.flatnonzero(codes == _HYPHEN_MARK).tolist():
        hyphens[i] = raw.is_hyphen(handle, i) == 1
    return codes, hyphens


def _drop_spaces(handle: int, codes: npt.NDArray[np.uint32]) -> None:
    """Write the spaces that PDFium saw beside a Chinese or Japanese character, and nobody printed, as nothing."""
    if len(codes) < 3:
        return
    east = is_east_asian(codes)
    beside = np.zeros(len(codes), np.bool_)
    beside[1:-1] = east[2:] | east[:-2]
    for i in np.flatnonzero(beside & (codes == 0x20)).tolist():
        if raw.is_generated(handle, i) == 1:
            codes[i] = _NOTHING


def _write_strokes(handle: int, frame: Frame, codes: npt.NDArray[np.uint32], boxes: npt.NDArray[np.float32]) -> None:
    """Write an l that a stroke is printed over as ł: TeX keeps the stroke at the code of a space."""
    at = np.flatnonzero((codes[:-1] == 0x20) & (codes[1:] == ord("l")))
    places: list[int] = at.tolist()
    if not places:
        return
    left, right, bottom, top = raw.four_doubles(raw.get_char_box, handle, places).T
    strokes, letters = frame.show_boxes(left, bottom, right, top), boxes[at + 1]
    middles = (strokes[:, :2] + strokes[:, 2:]) / 2
    inked = (strokes[:, 2:] - strokes[:, :2] > 0).all(axis=1)
    over = ((middles > letters[:, :2]) & (middles < letters[:, 2:])).all(axis=1) & inked
    codes[at[over]], codes[at[over] + 1] = _NOTHING, ord("ł")


def _read_objects(handle: int, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """The text object of the characters at ``places``; a run of neighbours is asked only at both ends where they
    agree."""
    n = len(places)
    starts = np.flatnonzero(np.diff(places, prepend=-2) > 1)
    ends = np.append(starts[1:], n) - 1 if len(starts) else starts
    first = np.fromiter(raw.each(raw.get_text_object, handle, places[starts].tolist()), np.uint64, len(starts))
    last = np.fromiter(raw.each(raw.get_text_object, handle, places[ends].tolist()), np.uint64, len(ends))
    pointers = np.repeat(first, ends - starts + 1)
    mixed = first != last
    inside = np.flatnonzero(np.repeat(mixed, ends - starts + 1))
    asked = raw.each(raw.get_text_object, handle, places[inside].tolist())
    pointers[inside] = np.fromiter(asked, np.uint64, len(inside))
    return pointers


def _number_runs(pointers: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.int32], list[int]]:
    """Each character's run, numbered as they appear (-1 for none), and the first character of each run."""
    if not len(pointers):
        return np.empty(0, np.int32), []
    starts = np.flatnonzero(np.concatenate(([True], pointers[1:] != pointers[:-1])))
    number_of: dict[int, int] = {}
    firsts: list[int] = []
    numbers: list[int] = []
    for start, pointer in zip(starts.tolist(), pointers[starts].tolist(), strict=True):
        if pointer == 0:
            numbers.append(-1)
            continue
        number = number_of.setdefault(pointer, len(firsts))
        if number == len(firsts):
            firsts.append(start)
        numbers.append(number)
    lengths = np.diff(np.append(starts, len(pointers)))
    return np.repeat(np.array(numbers, np.int32), lengths), firsts


def _read_runs(handle: int, frame: Frame, pointers: list[int], firsts: list[int]) -> tuple[list[Run], Ink]:
    """The style, direction and origin of each text object, asked of its first character, and how it is printed."""
    fonts: dict[int, tuple[str, bool, bool, bool]] = {}
    styles: dict[tuple[object, ...], tuple[Style, float, bool]] = {}
    origins = raw.two_doubles(raw.get_char_origin, handle, firsts)
    matrices = raw.matrices(raw.get_char_matrix, handle, firsts)
    xs, ys = frame.show(origins[:, 0], origins[:, 1])
    colors = raw.four_unsigned(raw.get_fill_color, handle, firsts)
    modes: list[int] = list(map(raw.text_render_mode, pointers))
    wide, high = np.hypot(matrices[:, 0], matrices[:, 1]), np.hypot(matrices[:, 2], matrices[:, 3])
    sizes: list[float] = list(raw.each(raw.get_font_size, handle, firsts))
    ink = Ink(
        pointers, modes, colors, wide / np.maximum(high, 1e-9), np.array(sizes) * high, np.stack((xs, ys), axis=1)
    )
    shapes: list[list[float]] = matrices.tolist()
    runs: list[Run] = []
    for pointer, shape, x, y, nominal in zip(pointers, shapes, xs.tolist(), ys.tolist(), sizes, strict=True):
        a, b, c, d, _, _ = shape
        font = raw.text_font(pointer) or 0
        key = font, nominal, a, b, c, d
        if key not in styles:
            if font not in fonts:
                fonts[font] = _font_traits(font)
            name, bold, italic, fixed = fonts[font]
            slanted = italic or (abs(b) < 1e-3 < abs(c) and abs(c) > 0.1 * abs(d))
            level = not b and a >= 0 and not frame.quarter_turns
            angle = 0.0 if level else (math.degrees(math.atan2(b, a)) - 90 * frame.quarter_turns) % 360
            styles[key] = Style(name, round(nominal * math.hypot(c, d), 2), bold, slanted), angle, fixed
        style, angle, fixed = styles[key]
        runs.append(Run(style, angle, x, y, fixed, font))
    return runs, ink


def _font_traits(font: int) -> tuple[str, bool, bool, bool]:
    """A font's name without its subset tag, whether it is bold, slanted, of one width."""
    if not font:
        return "", False, False, False
    buffer = ctypes.create_string_buffer(256)
    raw.font_name(font, ctypes.addressof(buffer), 256)
    name = _SUBSET.sub("", buffer.value.decode("utf-8", "replace"))
    flags = max(0, raw.font_flags(font))
    bold = bool(_BOLD_NAME.search(name)) or bool(flags & _FLAG_FORCE_BOLD) or raw.font_weight(font) >= 600
    italic = bool(_ITALIC_NAME.search(name)) or bool(flags & _FLAG_ITALIC)
    return name, bold, italic, bool(_FIXED_NAME.search(name))


def _read_faces(codes: npt.NDArray[np.uint32], runs: npt.NDArray[np.int32], objects: list[Run]) -> Faces:
    """The fonts of the text objects, and the pairs of font and code."""
    if not objects:
        return Faces()
    fonts: dict[tuple[int, str], int] = {}
    font_of_run = np.array([fonts.setdefault((run.face, run.style.font), len(fonts)) for run in objects], np.int64)
    keys = np.minimum(codes, 0xFFFF).astype(np.int64) + (np.where(runs >= 0, font_of_run[runs], len(fonts)) << 16)
    return Faces([name for _, name in fonts], font_of_run, keys, _one_place_each(keys, (len(fonts) + 1) << 16))


def _map_errors(handle: int, codes: npt.NDArray[np.uint32], faces: Faces) -> npt.NDArray[np.bool_]:
    """Which characters the font maps to no code point: asked once for each pair of font and code, then of each."""
    places = faces.places
    failed = np.fromiter(raw.each(raw.has_map_error, handle, places.tolist()), np.int32, len(places)) == 1
    errors = np.zeros(len(codes), np.bool_)
    if failed.any():
        asked = np.flatnonzero(np.isin(faces.keys, faces.keys[places[failed]]) & (codes != 0x20)).tolist()
        errors[[place for place in asked if raw.has_map_error(handle, place) == 1]] = True
    return errors


def _one_place_each(keys: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """A place of each key, all below ``most``; by a table where that is small."""
    if most > _LARGEST_TABLE:
        return np.unique(keys, return_index=True)[1]
    seen, places = np.zeros(most, np.bool_), np.empty(most, np.int64)
    seen[keys], places[keys] = True, np.arange(len(keys))
    return places[np.flatnonzero(seen)]
