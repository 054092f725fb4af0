"""Every figure of real papers is drawn, within bounds, and zooms compose in it."""

import random
from pathlib import Path

import numpy as np
import pytest

from pincite_figures.drawing import draw, draw_job
from pincite_figures.source import OpenSource
from pincite_figures.texts import texts_job
from pincite_figures.views import View, read_box
from pincite_papers.pdf.parse import parse_pdf

PAPERS = Path(__file__).parents[3] / "shared/data/papers-cc-by"
NAMES = ["PMC4521097", "f1000_3-190", "iucrj_fel", "mdpi_04-00932", "natcomm_zeolite"]


@pytest.mark.parametrize("name", NAMES)
def test_figures_of_real_papers_are_drawn_and_zoomed(name: str) -> None:
    path = PAPERS / f"{name}.pdf"
    if not path.exists():
        pytest.skip(f"the open papers are not here: {PAPERS.name}")
    data = path.read_bytes()
    source = OpenSource(data)
    rng = random.Random(5)
    figures = [figure for figure in parse_pdf(data, max_pages=100).figures if figure.bbox is not None]
    assert figures
    for figure in figures:
        box = figure.bbox
        assert box is not None
        wanted = {"page": figure.page, "box": [box.x0, box.y0, box.x1, box.y1]}
        region = ["0", "0", "1", "1"]
        reply, image = draw_job(source, {"target": wanted, "region": region, "max_side": 1200})
        assert 250 <= max(reply["width"], reply["height"]) <= 1200
        assert len(image) <= 1_000_000
        x, y = rng.randrange(500), rng.randrange(500)
        outer = read_box(f"{x / 1000},{y / 1000},{x / 1000 + 0.4:.3f},{y / 1000 + 0.4:.3f}")
        nested = View("f").zoom(outer).zoom(read_box("0.25,0.25,0.75,0.75"))
        floats = ",".join(repr(float(edge)) for edge in nested.region)
        direct = View("f").zoom(read_box(floats))
        subject = source.subject(wanted)
        one, other = (draw(subject, list(view.region), max_side=600).pixels for view in (nested, direct))
        assert np.array_equal(one, other)
        texts, _ = texts_job(source, {"target": wanted, "region": region, "ocr": None})
        for text in texts["texts"]:
            assert text["text"].strip()
            assert box.x0 - 1 <= (text["box"][0] + text["box"][2]) / 2 <= box.x1 + 1
