"""Write pictures to judge figures and tables by eye: every figure's crop, and every page with its boxes.

python tests/benchmarks/contact_sheet.py --out DIR [--pages] [--dpi N] PDF_OR_FOLDER…
"""

import argparse
import sys
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw

from pincite_core.errors import PinciteError
from pincite_papers.model import Figure, Paper, Rect
from pincite_papers.pdf.parse import parse_pdf

_TILE = (330, 330)
_ACROSS, _DOWN = 5, 4
_COLORS = {"caption": "green", "figure": "orange", "table": "purple", "footnote": "gray"}
_MOST_PAGES = 3000


def main() -> int:
    """Write the sheets; 2 where there is no PDF."""
    arguments = _arguments()
    files = [file for path in arguments.paths for file in (sorted(path.glob("**/*.pdf")) if path.is_dir() else [path])]
    if not files:
        print("No PDF was found.", file=sys.stderr)
        return 2
    arguments.out.mkdir(parents=True, exist_ok=True)
    tiles: list[Image.Image] = []
    for file in files:
        data = file.read_bytes()
        try:
            paper = parse_pdf(data, max_pages=_MOST_PAGES)
        except PinciteError as error:
            print(f"{file.name}: {error}")
            continue
        with pypdfium2.PdfDocument(data) as document:
            tiles += [_tile(document, paper, figure, file.stem, arguments.dpi / 72) for figure in paper.figures]
            if arguments.pages:
                _draw_pages(document, paper, arguments.out, file.stem)
        print(f"{file.name}: {len(paper.figures)} figures, {len(paper.tables)} tables")
    _write_sheets(tiles, arguments.out)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pages", action="store_true", help="also every page that has a figure or a table, with boxes")
    parser.add_argument("--dpi", type=int, default=110, help="of the crops")
    return parser.parse_args()


def _tile(document: pypdfium2.PdfDocument, paper: Paper, figure: Figure, name: str, scale: float) -> Image.Image:
    """The crop of a figure with its label, kind, panels and the first words of its caption under it."""
    tile = Image.new("RGB", _TILE, "white")
    draw = ImageDraw.Draw(tile)
    caption = figure.caption
    words = "no caption" if caption is None else paper.text[caption.start : min(caption.end, caption.start + 55)]
    panels = "".join(panel.label for panel in figure.panels)
    draw.text((4, _TILE[1] - 30), f"{name[:26]} p{figure.page} {figure.kind or ''} {panels}", fill="blue")
    draw.text((4, _TILE[1] - 16), words, fill="black")
    box = figure.bbox
    if box is not None and figure.page is not None and box.x1 - box.x0 > 1 and box.y1 - box.y0 > 1:
        page = document[figure.page - 1].render(scale=scale).to_pil().convert("RGB")
        crop = page.crop((int(box.x0 * scale), int(box.y0 * scale), int(box.x1 * scale), int(box.y1 * scale)))
        crop.thumbnail((_TILE[0] - 8, _TILE[1] - 40))
        tile.paste(crop, (4, 4))
    draw.rectangle((0, 0, _TILE[0] - 1, _TILE[1] - 1), outline="lightgray")
    return tile


def _draw_pages(document: pypdfium2.PdfDocument, paper: Paper, out: Path, name: str) -> None:
    """Every page with a figure or a table: figures red, tables blue with their cells, blocks in thin lines."""
    scale = 1.2
    wanted = {each.page for each in (*paper.figures, *paper.tables)}
    for number in sorted(number for number in wanted if number is not None):
        page = document[number - 1].render(scale=scale).to_pil().convert("RGB")
        draw = ImageDraw.Draw(page)
        for block in paper.blocks:
            if block.page == number:
                _frame(draw, block.bbox, _COLORS.get(block.kind, "lightblue"), 1, scale)
        for figure in paper.figures:
            if figure.page == number:
                _frame(draw, figure.bbox, "red", 3, scale)
                for panel in figure.panels:
                    _frame(draw, panel.bbox, "magenta", 2, scale)
        for table in paper.tables:
            if table.page == number:
                _frame(draw, table.bbox, "blue", 3, scale)
            for cell in table.cells:
                if cell.page == number:
                    _frame(draw, cell.bbox, "purple", 1, scale)
        page.save(out / f"{name[:40]}-{number}.png")


def _frame(draw: ImageDraw.ImageDraw, box: Rect | None, color: str, width: int, scale: float) -> None:
    if box is not None and box.x1 > box.x0 and box.y1 > box.y0:
        edges = (box.x0 * scale, box.y0 * scale, box.x1 * scale, box.y1 * scale)
        draw.rectangle(edges, outline=color, width=width)


def _write_sheets(tiles: list[Image.Image], out: Path) -> None:
    each = _ACROSS * _DOWN
    for first in range(0, len(tiles), each):
        sheet = Image.new("RGB", (_ACROSS * _TILE[0], _DOWN * _TILE[1]), "white")
        for place, tile in enumerate(tiles[first : first + each]):
            sheet.paste(tile, ((place % _ACROSS) * _TILE[0], (place // _ACROSS) * _TILE[1]))
        sheet.save(out / f"sheet-{first // each + 1:02}.png")


if __name__ == "__main__":
    raise SystemExit(main())
