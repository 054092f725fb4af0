"""Draw the table of shapes by which pincite_papers reads symbol fonts, from the free fonts that come with matplotlib.

python scripts/build_glyph_shapes.py
"""

from pathlib import Path

import matplotlib
import numpy as np
from fontTools.ttLib import TTFont
from matplotlib._mathtext_data import latex_to_bakoma, tex2uni
from PIL import Image, ImageDraw, ImageFont

from pincite_papers.pdf.signs.ligatures import TH
from pincite_papers.pdf.signs.shapes import Shape, describe, pack

_TABLE = Path(__file__).resolve().parents[1] / "servers" / "pincite_papers" / "pdf" / "signs" / "shapes.npz"
_FONTS = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "STIXGeneral", "STIXGeneralItalic", "STIXGeneralBol",
          "DejaVuSans-Oblique", "DejaVuSerif-Italic")  # fmt: skip
_SIZE = 64
_TH_OVERLAPS = (0.08, 0.14)
"""Ems by which the T and the h of a ligature are set closer than side by side; Minion Pro is near the first."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]_`{|}~"
_LATIN = "¡£¥§©«®°±µ¶·»¼½¾¿ÅÆÐÖ×ØÞßåæð÷øþ†‡•…‰€™–—‘’“”ﬀﬁﬂﬃﬄ"
_GREEK = "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρστυφχψωϑϕϵ"
_SIGNS = "−∓∗√∝∞∠∥∩∪∫≈≅≃∼≠≡≤≥≪≫⊂⊃⊕⊗⊙⊥∂∇∈∑∏′″←↑→↓↔⇒⇔⟨⟩‖ℏℓ■□▪●○◆◇▲△▼▽★☆✓✉"
_CHARACTERS = _LETTERS + _MARKS + _LATIN + _GREEK + _SIGNS


def main() -> int:
    """Write the table; returns 0."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    shapes: list[tuple[str, Shape]] = []
    for name in _FONTS:
        path = folder / f"{name}.ttf"
        known = TTFont(path).getBestCmap() or {}
        font = ImageFont.truetype(str(path), _SIZE)
        drawn = ((char, _draw(font, char)) for char in _CHARACTERS if ord(char) in known)
        shapes += [(char, shape) for char, shape in drawn if shape is not None]
    shapes += _computer_modern(folder)
    shapes += _th_ligatures(folder)
    np.savez_compressed(_TABLE, **pack(shapes))
    print(f"{len(shapes)} shapes of {len({char for char, _ in shapes})} characters, {_TABLE.stat().st_size} bytes")
    return 0


def _computer_modern(folder: Path) -> list[tuple[str, Shape]]:
    """The signs of Computer Modern, whose files have codes of their own: matplotlib knows which sign stands where."""
    fonts = {name: ImageFont.truetype(str(folder / f"{name}.ttf"), _SIZE) for name in ("cmr10", "cmmi10", "cmsy10")}
    shapes: list[tuple[str, Shape]] = []
    for command, (name, code) in sorted(latex_to_bakoma.items()):
        sign = chr(tex2uni.get(command.lstrip("\\")) or ord(command[0]))
        shape = _draw(fonts[name], chr(code)) if name in fonts and sign in _CHARACTERS and sign != "\\" else None
        if shape is not None:
            shapes.append((sign, shape))
    return shapes


def _th_ligatures(folder: Path) -> list[tuple[str, Shape]]:
    """Th as one glyph, which none of these fonts has: a T whose bar runs into an h, at two distances."""
    shapes: list[tuple[str, Shape]] = []
    for name in _FONTS:
        font = ImageFont.truetype(str(folder / f"{name}.ttf"), _SIZE)
        for overlap in _TH_OVERLAPS:
            picture = _ink(font, "T")
            picture.paste(255, (round(font.getlength("T") - overlap * _SIZE), 0), _ink(font, "h"))
            shape = describe(np.asarray(picture, np.float32) / 255, _SIZE, 2 * _SIZE)
            if shape is not None:
                shapes.append((TH, shape))
    return shapes


def _draw(font: ImageFont.FreeTypeFont, char: str) -> Shape | None:
    return describe(np.asarray(_ink(font, char), np.float32) / 255, _SIZE, 2 * _SIZE)


def _ink(font: ImageFont.FreeTypeFont, char: str) -> Image.Image:
    picture = Image.new("L", (4 * _SIZE, 4 * _SIZE), 0)
    ImageDraw.Draw(picture).text((_SIZE, 2 * _SIZE), char, fill=255, font=font, anchor="ls")
    return picture


if __name__ == "__main__":
    raise SystemExit(main())
