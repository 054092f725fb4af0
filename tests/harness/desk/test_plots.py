"""A figure with what read_plot read drawn over it, crops beside a passage, and reports of misreadings."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

REPOSITORY = Path(__file__).parents[3]
PAPERS = REPOSITORY / "tasks" / "property_extraction" / "papers"


@pytest.fixture(scope="module")
def plotted(open_desk: Any) -> Iterator[Any]:
    """A desk with papers whose first figure is a plot of a line; of the second with a marker at each point."""
    with open_desk(PAPERS / "lscf_cathode.pdf", PAPERS / "garnet_electrolyte.pdf") as opened:
        yield opened


def test_points_that_were_read_lie_on_the_ink_of_the_print(plotted: Any) -> None:
    for key, series in ((plotted.site.given[0], 1), (plotted.site.given[1], 2)):
        shown = plotted.text(f"paper/{key}/plot/0")
        paper = plotted.site.papers.get(key)
        assert shown.count("<polyline") == series
        points = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', shown)]
        assert len(points) >= 5 * series
        box = paper.figures[0].bbox
        page = paper.figures[0].page
        pixels = np.asarray(Image.open(io.BytesIO(plotted.site.papers.crop(paper, page, box))).convert("L"))
        scale = pixels.shape[1] / (box.x1 - box.x0)
        bare: list[Any] = []
        for x, y in points:
            across, down = round((x - box.x0) * scale), round((y - box.y0) * scale)
            # 1.5 pt around: the thickness of a line and the error of its axes.
            reach = round(1.5 * scale)
            near = pixels[max(0, down - reach) : down + reach + 1, max(0, across - reach) : across + reach + 1]
            if near.size == 0 or near.min() > 160:
                bare.append((x, y))
        assert not bare
    assert plotted.get(f"paper/{plotted.site.given[0]}/plot/99").status_code == 404


def test_series_are_switched_off_to_see_the_print_below(plotted: Any, browser: Any) -> None:
    browser.open(f"{plotted.address}/paper/{plotted.site.given[1]}")
    browser.run("[...document.querySelectorAll('.outline a')].find((each) => each.textContent === 'read plot').click()")
    browser.until("document.querySelectorAll('g.series').length === 2 && document.readyState === 'complete'")
    shown = "getComputedStyle(document.getElementById('series-0')).display"
    assert browser.run(shown) == "inline"
    browser.run("document.querySelector('[data-shows=\"series-0\"]').click()")
    browser.until(f"{shown} === 'none'")
    assert browser.run("getComputedStyle(document.getElementById('series-1')).display") == "inline"
    assert not browser.complaints


def test_a_cell_is_shown_in_a_crop_of_its_table(plotted: Any) -> None:
    key = plotted.site.given[0]
    paper = plotted.site.papers.get(key)
    table = paper.tables[0]
    cell = next(cell for cell in table.cells if cell.row and cell.text)
    shown = plotted.text(f"paper/{key}/place?spans={cell.start}-{cell.end}")
    crop = shown[shown.index('class="crop"') : shown.index("</figure>")]
    assert f"row {cell.row + 1}, column {cell.column + 1}: {cell.text}" in crop
    x0, y0, width, height = (float(each) for each in re.findall(r'viewBox="([^"]+)"', crop)[0].split())
    assert x0 <= table.bbox.x0 < table.bbox.x1 <= x0 + width
    assert y0 <= table.bbox.y0 < table.bbox.y1 <= y0 + height
    assert 'class="cell-mark"' in crop
    words = paper.text.index("the", paper.sections[0].heading_end)
    assert 'class="crop"' not in plotted.text(f"paper/{key}/place?spans={words}-{words + 3}")


def test_a_misreading_is_a_file_with_page_crop_and_text(plotted: Any, browser: Any) -> None:
    key = plotted.site.given[0]
    paper = plotted.site.papers.get(key)
    section = paper.sections[1]
    spans = f"{section.start}-{section.heading_end}"
    answer = plotted.get(f"paper/{key}/misreading?spans={spans}&note=%23%20It%20says%20%3Cother%3E")
    assert answer.headers["content-disposition"].startswith("attachment; filename=")
    held = zipfile.ZipFile(io.BytesIO(answer.content))
    report = json.loads(held.read("misreading.json"))
    assert report["text"] == paper.text[section.start : section.heading_end]
    assert report["note"] == "# It says <other>"
    assert report["paper_id"] == paper.paper_id
    (place,) = report["places"]
    assert place["page"] == section.page
    x0, y0, x1, y1 = place["crop"]
    assert all(x0 <= box[0] < box[2] <= x1 and y0 <= box[1] < box[3] <= y1 for box in place["boxes"])
    picture = Image.open(io.BytesIO(held.read(place["picture"])))
    assert picture.width / picture.height == pytest.approx((x1 - x0) / (y1 - y0), rel=0.02)
    assert "\n    # It says <other>" in held.read("report.md").decode()
    whole = zipfile.ZipFile(io.BytesIO(plotted.get(f"paper/{key}/misreading?spans=&page=2&note=x").content))
    assert json.loads(whole.read("misreading.json"))["text"] == paper.text[paper.pages[1].start : paper.pages[1].end]
    for wrong in ("", "spans=9-3", "page=99", "spans=0-999999999"):
        assert plotted.get(f"paper/{key}/misreading?{wrong}").status_code in {400, 404}
    browser.open(f"{plotted.address}/paper/{key}#at-{spans}")
    browser.until("document.querySelector('#selection .locator')")
    form = "document.querySelector('.misreading form')"
    sent = browser.run(f"new URLSearchParams(new FormData({form})).toString()")
    assert f"spans={spans}" in sent
    assert not browser.complaints
