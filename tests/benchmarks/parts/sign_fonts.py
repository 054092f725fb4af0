"""PDFs whose signs stand in fonts of our own making: free outlines behind codes that say something else."""

import io
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

_FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
_SIZE = 11
_PLAIN = {chr(code): chr(code) for code in range(0x21, 0x7F)}
_OVERLAP = 0.1
"""Ems by which the letters of a ligature are set closer than side by side."""


@dataclass(frozen=True)
class SignFont:
    """A font called ``name`` that prints ``signs[code]`` for each code, with the outlines of the file ``outlines``.

    A sign of two letters is a ligature: both are drawn as one glyph.

    ``claims``: its encoding is WinAnsi, so that the codes claim to be letters; else it has none of its own.
    """

    name: str
    outlines: str
    signs: dict[str, str]
    claims: bool = True


TEXT = SignFont("Text-Regular", "DejaVuSerif.ttf", _PLAIN)


def print_lines(lines: list[str], font: SignFont, text: SignFont = TEXT) -> bytes:
    """A PDF of one page with these lines in a text font, but with the font's codes wherever its signs stand.

    The codes of the lines are those of ``text``: where it has a ligature behind ``+``, write ``+e`` for "The".
    """
    code_of = {sign: code for code, sign in font.signs.items()}
    objects: list[bytes] = []
    widths: dict[str, dict[str, float]] = {}
    for key, each in (("T", text), ("S", font)):
        data, widths[key] = _encode(each)
        objects += _font_objects(each, data, widths[key], len(objects) + 4)
    content = [b"BT"]
    for number, line in enumerate(lines):
        x = 60.0
        for char in line:
            key, code = ("S", code_of[char]) if char in code_of else ("T", char)
            if char != " ":
                shown = code.encode("latin-1").hex()
                content.append(f"/{key} {_SIZE} Tf 1 0 0 1 {x:.2f} {760 - 16 * number} Tm <{shown}> Tj".encode())
            x += _SIZE * (widths[key][code] if char != " " else 0.32)
    content.append(b"ET")
    stream = b"\n".join(content)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 10 0 R/Resources<</Font<</T 4 0 R/S 7 0 R>>>>>>"
    head = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page]
    return _file([*head, *objects, _stream(stream, b"")])


def _encode(font: SignFont) -> tuple[bytes, dict[str, float]]:
    """The font program, its codes bound to the glyphs of the signs, and the advance of each code in ems."""
    face = TTFont(_FONTS / font.outlines)
    for table in ("FFTM", "GSUB", "GPOS"):
        if table in face:
            del face[table]
    glyphs = {code: _glyph(face, sign) for code, sign in font.signs.items()}
    subsetter = Subsetter()
    subsetter.populate(glyphs=list(glyphs.values()))
    subsetter.subset(face)
    tables: list[CmapSubtable] = []
    for form, platform, encoding in ((4, 3, 1 if font.claims else 0), (0, 1, 0)):
        table = CmapSubtable.newSubtable(form)
        table.platformID, table.platEncID, table.language = platform, encoding, 0
        base = 0xF000 if encoding == 0 and platform == 3 else 0
        table.cmap = {base + ord(code): glyph for code, glyph in glyphs.items()}
        tables.append(table)
    face["cmap"] = newTable("cmap")
    face["cmap"].tableVersion, face["cmap"].tables = 0, tables
    stream = io.BytesIO()
    advances = {code: face["hmtx"][glyph][0] / face["head"].unitsPerEm for code, glyph in glyphs.items()}
    face.save(stream)
    return stream.getvalue(), advances


def _glyph(face: TTFont, sign: str) -> str:
    """The name of the glyph of a character, or of a new one of two letters."""
    names = [(face.getBestCmap() or {})[ord(letter)] for letter in sign]
    if len(names) == 1:
        return names[0]
    first, second = names
    shift = face["hmtx"][first][0] - round(_OVERLAP * face["head"].unitsPerEm)
    pen = TTGlyphPen(face.getGlyphSet())
    pen.addComponent(first, (1, 0, 0, 1, 0, 0))
    pen.addComponent(second, (1, 0, 0, 1, shift, 0))
    name = "_".join(names)
    face.setGlyphOrder([*face.getGlyphOrder(), name])
    face["glyf"][name] = pen.glyph()
    face["hmtx"][name] = (shift + face["hmtx"][second][0], face["hmtx"][first][1])
    return name


def _font_objects(font: SignFont, data: bytes, advances: dict[str, float], number: int) -> list[bytes]:
    """A simple font, its descriptor and its program as the objects ``number`` and the two after it."""
    name = f"ABCDEF+{font.name}".encode()
    widths = " ".join(f"{1000 * advances.get(chr(code), 0):.0f}" for code in range(256)).encode()
    encoding = b"/Encoding/WinAnsiEncoding" if font.claims else b""
    flags = 32 if font.claims else 4
    return [
        b"<</Type/Font/Subtype/TrueType/BaseFont/%s/FirstChar 0/LastChar 255/Widths[%s]%s/FontDescriptor %d 0 R>>"
        % (name, widths, encoding, number + 1),
        b"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[-200 -250 1200 950]/ItalicAngle 0/Ascent 900"
        b"/Descent -250/CapHeight 700/StemV 80/FontFile2 %d 0 R>>" % (name, flags, number + 2),
        _stream(data, b"/Length1 %d" % len(data)),
    ]


def _stream(data: bytes, entries: bytes) -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), entries, data)


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.5\n")
    places: list[int] = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(out)
