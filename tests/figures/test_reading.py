"""Text inside figures: from the source with boxes and roles, by OCR where there is none."""

import shutil
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from PIL import Image

from pincite_core.settings import Settings
from pincite_figures.figure_text import Text
from pincite_figures.roles import Role, roles_of
from pincite_figures.server import create_server
from pincite_figures.source import OpenSource
from pincite_figures.texts import texts_job
from pincite_papers.model import Paper

Ask = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="session")
def tesseract(missing: Callable[[str], None]) -> str:
    """The path of tesseract."""
    path = shutil.which("tesseract")
    if path is None:
        missing("no tesseract (apt install tesseract-ocr)")
    assert path is not None
    return path


def by_text(result: Any) -> dict[str, dict[str, Any]]:
    return {entry["text"]: entry for entry in result["texts"]}


@pytest.mark.parametrize("paper", ["cuprate.pdf", "turned.pdf", "trimmed.pdf"])
async def test_texts_of_a_plot_have_their_roles(ask: Ask, paper: str) -> None:
    result = await ask("read_figure_text", paper=paper, figure="1")
    assert result["read_from"] == "source"
    found = by_text(result)
    roles = {text: entry["role"] for text, entry in found.items()}
    assert roles["(a)"] == roles["(b)"] == "panel letter"
    assert {roles[text] for text in ("0", "100", "200", "300", "40", "10^2")} == {"tick"}
    if paper != "turned.pdf":
        assert {roles[text] for text in ("Temperature (K)", "Resistivity (µΩ cm)", "Field (mT)")} == {"axis label"}
        assert roles["sample A"] == roles["sample B"] == "legend"
        assert found["Resistivity (µΩ cm)"]["rotation"] == 90


async def test_texts_stand_where_their_boxes_say(ask: Ask, papers: dict[str, Paper]) -> None:
    found = by_text(await ask("read_figure_text", figure="1"))
    figure = papers["cuprate"].figures[0]
    label = found["Temperature (K)"]
    assert 0.1 < label["box"][0] < label["box"][2] < 0.5
    assert label["box"][1] > 0.9
    assert figure.bbox is not None
    width = figure.bbox.x1 - figure.bbox.x0
    assert figure.bbox.x0 + label["box"][0] * width == pytest.approx(label["points"][0], abs=0.1)
    start, end = map(int, label["locator"].rpartition(":")[2].split("-"))
    assert papers["cuprate"].text[start:end] == "Temperature (K)"
    assert label["size"] == pytest.approx(6, abs=0.4)


async def test_a_region_narrows_what_is_read(ask: Ask) -> None:
    right = await ask("read_figure_text", figure="1", bbox="0.5,0,1,1")
    assert "Field (mT)" in by_text(right)
    assert "Temperature (K)" not in by_text(right)
    below = await ask("read_figure_text", figure="1", bbox="0,0.9,1,1", view=right["view"])
    assert [entry["text"] for entry in below["texts"]] == ["Field (mT)"]


async def test_texts_are_paged_and_complete(ask: Ask) -> None:
    whole = await ask("read_figure_text", figure="1", max_chars=50_000)
    texts: list[Any] = []
    cursor = ""
    while cursor is not None:
        page = await ask("read_figure_text", figure="1", max_chars=1000, cursor=cursor)
        texts += page["texts"]
        cursor = page["next_cursor"]
    assert texts == whole["texts"]


async def test_a_picture_is_read_by_ocr_and_says_so(ask: Ask, tesseract: str) -> None:
    result = await ask("read_figure_text", figure="3")
    assert result["read_from"] == "OCR"
    found = by_text(result)
    assert found["Pressure (GPa)"]["confidence"] > 0.6
    assert found["Volume change"]["rotation"] == 90
    assert not any("locator" in entry for entry in result["texts"])


async def test_without_ocr_a_picture_has_no_text_and_the_reason_is_given(settings: Settings) -> None:
    async with Client(create_server(settings.model_copy(update={"ocr": "off"}))) as client:
        result = await client.call_tool("read_figure_text", {"paper": "cuprate.pdf", "figure": "3"})
    assert result.structured_content["read_from"] == "nothing"
    assert "PINCITE_OCR" in result.structured_content["note"]


async def test_a_six_point_tick_label_is_legible_after_one_zoom(
    ask: Ask, look: Ask, tesseract: str, tmp_path: Path
) -> None:
    found = by_text(await ask("read_figure_text", figure="1"))
    ticks = [text for text, entry in found.items() if entry["role"] == "tick" and "^" not in text and len(text) > 1]
    assert len(ticks) >= 5
    shown = await look("zoom_figure", figure="1", bbox="0,0.5,0.5,1")
    Image.fromarray(shown.pixels).save(tmp_path / "zoom.png")
    command = [tesseract, str(tmp_path / "zoom.png"), "-", "--psm", "11"]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert {"100", "200", "300", "10"} <= set(read)
    assert "Temperature" in read


def test_letters_placed_one_by_one_upright_are_joined_in_the_order_of_print() -> None:
    shows = "".join(
        f"BT /F1 9 Tf 0 1 -1 0 60 {300 + 6 * place} Tm ({letter}) Tj ET\n"
        for place, letter in reversed(list(enumerate("Energy")))
    )
    level = "BT /F1 9 Tf 100 150 Td (Time) Tj ET\n"
    stream = shows + level
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 500]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}endstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>",
    ]
    body = "%PDF-1.4\n" + "".join(f"{n} 0 obj\n{text}\nendobj\n" for n, text in enumerate(objects, 1))
    source = OpenSource((body + "trailer<</Root 1 0 R/Size 6>>\n%%EOF").encode())
    arguments = {"target": {"page": 1}, "region": ["0", "0", "1", "1"], "ocr": None}
    reply, _ = texts_job(source, arguments)
    assert {(text["text"], text["rotation"]) for text in reply["texts"]} == {("Energy", 90), ("Time", 0)}


def test_numbers_alone_are_no_scale() -> None:
    scale = [Text(str(n), (10.0, 20.0 * n, 16.0, 20.0 * n + 6), 6.0, 0) for n in range(1, 6)]
    values = [Text("72", (100.0, 50.0, 108.0, 60.0), 9.0, 0), Text("86", (140.0, 50.0, 148.0, 60.0), 9.0, 0)]
    assert roles_of([*scale, *values], []) == [Role.TICK] * 5 + [Role.TEXT] * 2
    assert roles_of(values[:1], []) == [Role.TEXT]
