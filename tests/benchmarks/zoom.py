"""How long a warm zoom_figure takes over MCP, against drawing the same pixels with pypdfium2 alone, in one run.

Run: python tests/benchmarks/zoom.py [PAPER.pdf …] [--rounds N]. Without papers it typesets one. The exit status is 1
when the median of the zooms is above the bar of 60 ms.
"""

import argparse
import base64
import io
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import anyio
import pypdfium2 as pdfium
from mcp import Client

from pincite_core.settings import Settings
from pincite_figures.server import create_server

BAR_MS = 60
PLOT = """
#set page(columns: 2)
#lorem(200)
#figure(grid(columns: 2, gutter: 4pt, ..range(2).map(_ => box(width: 100%, height: 60mm, stroke: 0.5pt, {
  for k in range(300) {
    place(dx: calc.rem(k * 37, 97) * 1%, dy: calc.rem(k * 53, 89) * 1%, circle(radius: 1pt, fill: blue))
  }
  for k in range(12) { place(dx: 2pt, dy: k * 8%, text(6pt)[#(k * 10)]) }
}))), caption: [Six hundred points.])
#lorem(300)
"""


def typeset(folder: Path) -> Path:
    """A paper with a figure of 600 markers."""
    import typst

    path = folder / "plot.pdf"
    path.write_bytes(typst.compile(PLOT.encode()))
    return path


async def zooms(client: Client, paper: Path, rounds: int, rng: random.Random) -> tuple[list[float], list[float]]:
    """Milliseconds of zooms of random parts of the paper's figures, and of drawing the same regions bare."""
    listed = (await client.call_tool("list_figures", {"paper": paper.name})).structured_content
    assert listed is not None
    figures = [figure for figure in listed["figures"] if figure["points"] is not None]
    document = pdfium.PdfDocument(paper)
    pages = {figure["page"]: document[figure["page"] - 1] for figure in figures}
    ours: list[float] = []
    floor: list[float] = []
    for figure in figures:
        arguments = {"paper": paper.name, "figure": figure["figure"]}
        await client.call_tool("view_figure", arguments)
        for _ in range(rounds):
            side = rng.uniform(0.2, 0.6)
            x, y = rng.uniform(0, 1 - side), rng.uniform(0, 1 - side)
            box = f"{x:.3f},{y:.3f},{x + side:.3f},{y + side:.3f}"
            started = time.perf_counter()
            result = await client.call_tool("zoom_figure", arguments | {"bbox": box})
            ours.append((time.perf_counter() - started) * 1000)
            assert not result.is_error, result.content[0]
            size = _size(result.content[0])
            floor.append(_bare(pages[figure["page"]], figure["points"], (x, y, side), size))
    return ours, floor


def _size(image: object) -> int:
    from PIL import Image

    data = base64.b64decode(image.data)  # type: ignore[attr-defined]
    return max(Image.open(io.BytesIO(data)).size)


def _bare(page: pdfium.PdfPage, box: list[float], part: tuple[float, float, float], longest: int) -> float:
    """Milliseconds to draw the part on the loaded page with as many pixels on its longest side."""
    x, y, side = part
    width, height = box[2] - box[0], box[3] - box[1]
    left, top = box[0] + x * width, box[1] + y * height
    crop = (left, page.get_height() - top - side * height, page.get_width() - left - side * width, top)
    started = time.perf_counter()
    page.render(scale=longest / (side * max(width, height)), crop=tuple(max(edge, 0) for edge in crop)).to_numpy()
    return (time.perf_counter() - started) * 1000


async def main(papers: list[Path], rounds: int) -> int:
    """Zoom into every figure of every paper; print both medians and their ratio."""
    ours: list[float] = []
    floor: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for paper in [path.resolve() for path in papers] or [typeset(Path(folder))]:
            settings = Settings(roots=(paper.parent,), cache_dir=Path(folder, "cache"))
            async with Client(create_server(settings)) as client:
                some = await zooms(client, paper, rounds, random.Random(1))
            ours += some[0]
            floor += some[1]
    p50 = statistics.median(ours)
    p95 = statistics.quantiles(ours, n=20)[-1]
    print(f"zoom_figure over MCP, warm  p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  n {len(ours)}")
    print(f"pypdfium2 draws the same    p50 {statistics.median(floor):6.1f} ms")
    ratio = statistics.median(a / b for a, b in zip(ours, floor, strict=True))
    print(f"ratio                       p50 {ratio:6.2f}       bar {BAR_MS} ms")
    return 0 if p50 <= BAR_MS else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    sys.exit(anyio.run(main, given.papers, given.rounds))
