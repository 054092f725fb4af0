"""Drawing from the source: exact to the pixel, within bounds, whatever the page."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pincite_core.errors import PinciteError
from pincite_figures.drawing import Drawn, draw, draw_job
from pincite_figures.native import native_of
from pincite_figures.source import OpenSource
from pincite_figures.views import View, read_box
from pincite_papers.model import Paper

FIGURES = {"vector": 0, "raster": 1}
PAPERS = ("cuprate", "turned", "trimmed")


def target(paper: Paper, index: int) -> dict[str, Any]:
    figure = paper.figures[index]
    assert figure.bbox is not None
    return {"page": figure.page, "box": [figure.bbox.x0, figure.bbox.y0, figure.bbox.x1, figure.bbox.y1]}


def any_box(rng: random.Random, most: float = 0.9) -> str:
    width, height = rng.uniform(0.1, most), rng.uniform(0.1, most)
    x, y = rng.uniform(0, 1 - width), rng.uniform(0, 1 - height)
    return ",".join(f"{edge:.3f}" for edge in (x, y, x + width, y + height))


def drawn(source: OpenSource, wanted: dict[str, Any], view: View, **options: Any) -> Drawn:
    return draw(source.subject(wanted), list(view.region), **({"max_side": 500} | options))


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize("name", PAPERS)
def test_a_zoom_of_a_zoom_is_the_direct_crop_to_the_pixel(
    folder: Path, papers: dict[str, Paper], name: str, kind: str
) -> None:
    source = OpenSource((folder / f"{name}.pdf").read_bytes())
    wanted = target(papers[name], FIGURES[kind])
    rng = random.Random(3)
    for _ in range(25):
        nested = View("f").zoom(read_box(any_box(rng))).zoom(read_box(any_box(rng))).zoom(read_box(any_box(rng)))
        floats = ",".join(repr(float(edge)) for edge in nested.region)
        direct = View("f").zoom(read_box(floats))
        assert np.array_equal(drawn(source, wanted, nested).pixels, drawn(source, wanted, direct).pixels)


@pytest.mark.parametrize("name", PAPERS)
def test_a_part_is_what_the_whole_shows_there_at_the_same_resolution(
    folder: Path, papers: dict[str, Paper], name: str
) -> None:
    source = OpenSource((folder / f"{name}.pdf").read_bytes())
    wanted = target(papers[name], 0)
    whole = drawn(source, wanted, View("f"), max_side=2000, dpi=300)
    rng = random.Random(4)
    for _ in range(25):
        part = drawn(source, wanted, View("f").zoom(read_box(any_box(rng))), max_side=2000, dpi=300)
        left = round((part.box.x0 - whole.box.x0) * 300 / 72)
        top = round((part.box.y0 - whole.box.y0) * 300 / 72)
        height, width = part.pixels.shape[:2]
        seen = whole.pixels[top : top + height, left : left + width]
        assert seen.shape == part.pixels.shape
        assert np.abs(seen.astype(int) - part.pixels.astype(int)).max() <= 2


@pytest.mark.parametrize("name", PAPERS)
def test_a_raster_figure_is_cropped_in_its_own_pixels(
    folder: Path, papers: dict[str, Paper], noise: npt.NDArray[np.uint8], name: str
) -> None:
    source = OpenSource((folder / f"{name}.pdf").read_bytes())
    wanted = target(papers[name], 1)
    native = native_of(source.subject(wanted))
    assert native is not None
    expected = np.rot90(noise, -1) if name == "turned" else noise
    assert np.array_equal(native.pixels, expected)


def test_the_box_is_of_what_is_shown(folder: Path, papers: dict[str, Paper]) -> None:
    source = OpenSource((folder / "cuprate.pdf").read_bytes())
    wanted = target(papers["cuprate"], 0)
    reply, _ = draw_job(source, {"target": wanted, "region": ["0", "0", "1", "1"], "max_side": 700})
    assert reply["box"] == pytest.approx(wanted["box"], abs=72 / reply["dpi"])
    assert 690 <= max(reply["width"], reply["height"]) <= 700


def pdf_page(entries: str) -> bytes:
    """A PDF of one page with these entries and a black square from 10,10 to 60,60."""
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<>>{entries}>>",
        "<</Length 16>>stream\n10 10 50 50 re f\nendstream",
    ]
    body = "%PDF-1.6\n" + "".join(f"{n} 0 obj\n{text}\nendobj\n" for n, text in enumerate(objects, 1))
    return (body + "trailer<</Root 1 0 R/Size 5>>\n%%EOF").encode()


def page_drawn(entries: str, **arguments: Any) -> tuple[dict[str, Any], bytes]:
    source = OpenSource(pdf_page(entries))
    wanted = {"page": 1} | ({"box": arguments.pop("box")} if "box" in arguments else {})
    return draw_job(source, {"target": wanted, "region": ["0", "0", "1", "1"], "max_side": 2000} | arguments)


@pytest.mark.parametrize(
    "entries",
    [
        "/MediaBox[0 0 1000000 1000000]",
        "/MediaBox[0 0 1e30 1e30]",
        "/MediaBox[0 0 0 0]",
        "/MediaBox[0 0 612 0]",
        "/MediaBox[0 0 0.0001 800]",
        "/MediaBox[0 0 100000 1]",
        "/MediaBox[0 0 nan inf]",
        "/MediaBox[612 792 0 0]",
        "/MediaBox[-99999999999 0 99999999999 5]",
        "/MediaBox[0 0 612 792]/UserUnit 75000",
        "/MediaBox[0 0 612 792]/UserUnit -1",
        "/MediaBox[0 0 612 792]/CropBox[700 700 900 900]",
        "/MediaBox[0 0 612 792]/Rotate 91",
        "/MediaBox[0 0 612 792]/Rotate 2147483647",
        "",
    ],
)
@pytest.mark.parametrize("dpi", [None, 300])
def test_strange_pages_are_drawn_within_bounds_or_refused(entries: str, dpi: int | None) -> None:
    try:
        reply, image = page_drawn(entries, dpi=dpi)
    except PinciteError as error:
        assert error.what
        return
    assert 0 < reply["width"] <= 2000
    assert 0 < reply["height"] <= 2000
    assert len(image) <= 1_000_000


@pytest.mark.parametrize(
    "box",
    [
        [float("nan"), 0, 100, 100],
        [0, 0, float("inf"), float("nan")],
        [-50, -50, -10, -10],
        [700, 900, 800, 1000],
        [100, 100, 100, 200],
        [200, 200, 100, 100],
    ],
)
def test_a_box_outside_its_page_is_refused(box: list[float]) -> None:
    with pytest.raises(PinciteError) as caught:
        page_drawn("/MediaBox[0 0 612 792]", box=box)
    assert "view_page" in caught.value.next


@pytest.mark.parametrize(
    ("entries", "box"),
    [
        ("/MediaBox[0 0 200 100]", [10, 40, 60, 90]),
        ("/MediaBox[0 0 200 100]/Rotate 90", [10, 10, 60, 60]),
        ("/MediaBox[0 0 200 100]/Rotate 180", [140, 10, 190, 60]),
        ("/MediaBox[0 0 200 100]/Rotate 270", [40, 140, 90, 190]),
        ("/MediaBox[-20 -30 180 70]", [30, 10, 80, 60]),
        ("/MediaBox[0 0 200 100]/CropBox[5 5 105 95]", [5, 35, 55, 85]),
        ("/MediaBox[0 0 200 100]/CropBox[5 5 105 95]/Rotate 90", [5, 5, 55, 55]),
    ],
)
def test_boxes_are_of_the_page_as_it_is_shown(entries: str, box: list[float]) -> None:
    source = OpenSource(pdf_page(entries))
    exact = draw(source.subject({"page": 1, "box": box}), list(View("f").region), max_side=400)
    assert exact.pixels[3:-3, 3:-3].max() == 0
    wide = [box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4]
    around = draw(source.subject({"page": 1, "box": wide}), list(View("f").region), max_side=580, dpi=720)
    edge = around.pixels[:, :, 0]
    assert edge[:38].min() == edge[-38:].min() == edge[:, :38].min() == edge[:, -38:].min() == 255
    assert edge[42:-42, 42:-42].max() == 0


def test_fractions_of_a_figure_are_exact(folder: Path, papers: dict[str, Paper]) -> None:
    source = OpenSource((folder / "cuprate.pdf").read_bytes())
    subject = source.subject(target(papers["cuprate"], 0))
    thirds = subject.within([Fraction(1, 3), Fraction(0), Fraction(2, 3), Fraction(1)])
    assert thirds[2] - thirds[0] == (Fraction(subject.box.x1) - Fraction(subject.box.x0)) / 3
