"""read_plot through the real server: on the papers typeset for the figures server, and on plots made for it."""

import io
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typst
from matplotlib.figure import Figure
from mcp import Client

from pincite_core.settings import Settings
from pincite_figures.server import create_server

Ask = Callable[..., Awaitable[Any]]


def points(series: dict[str, Any]) -> dict[str, list[float]]:
    """The columns of an entry's points."""
    rows = [line.split(",") for line in series["points"].split("\n")]
    return {name: [float(row[k]) for row in rows] for k, name in enumerate(series["columns"])}


async def test_the_panels_and_series_of_a_paper_are_numbers(ask: Ask) -> None:
    content = await ask("read_plot", figure="1")
    assert content["figure"] == "Fig. 1"
    assert content["locator"].startswith("pc:")
    assert "refused" not in content
    assert [panel["panel"] for panel in content["panels"]] == ["a", "b"]
    titles = [[axis["title"] for axis in panel["axes"]] for panel in content["panels"]]
    assert titles == [["Temperature (K)", "Resistivity (µΩ cm)"], ["Field (mT)", "Intensity (arb. units)"]]
    assert content["panels"][1]["axes"][1]["scale"] == "log"
    first, second, third = content["series"]
    assert (first["series"], first["name"], first["kind"]) == ("a.1", "sample A", "line")
    assert (second["name"], second["marker"]) == ("sample B", "circle")
    for series, grow in ((first, 80), (second, 90), (third, 30)):
        own = points(series)
        assert own["y"] == pytest.approx(np.exp(np.array(own["x"]) / grow), rel=0.02)


async def test_one_panel_and_one_series_may_be_asked_for(ask: Ask) -> None:
    content = await ask("read_plot", figure="Fig. 1", panel="(b)")
    assert [series["panel"] for series in content["series"]] == ["b"]
    content = await ask("read_plot", figure="Fig. 1", series="sample B")
    (series,) = content["series"]
    assert series["shown"] == "points 1-50 of 50"
    assert len(points(series)["x"]) == 50


async def test_long_series_are_thinned_as_stated_and_paged_whole(ask: Ask) -> None:
    content = await ask("read_plot", figure="1", max_chars=1500)
    assert any("every" in series["shown"] for series in content["series"])
    first = content["series"][0]
    assert first["n"] == 50
    assert points(first)["x"][0] == pytest.approx(0, abs=0.2)
    assert points(first)["x"][-1] == pytest.approx(300, abs=0.2)
    gathered: list[float] = []
    cursor = ""
    for _ in range(20):
        content = await ask("read_plot", figure="1", series="a.1", max_chars=1000, cursor=cursor)
        gathered += points(content["series"][0])["x"]
        cursor = content["next_cursor"]
        if cursor is None:
            break
    assert cursor is None
    assert gathered == pytest.approx(np.linspace(0, 300, 50), abs=0.3)


async def test_every_series_is_listed_however_short_the_pages(ask: Ask) -> None:
    seen: list[str] = []
    cursor = ""
    for _ in range(10):
        content = await ask("read_plot", figure="1", max_chars=1000, cursor=cursor)
        seen += [series["series"] for series in content["series"]]
        assert {series["panel"] for series in content["series"]} <= {panel["panel"] for panel in content["panels"]}
        cursor = content["next_cursor"]
        if cursor is None:
            break
    assert seen == ["a.1", "a.2", "b.1"]


async def test_pictures_are_refused_with_the_way_on(ask: Ask) -> None:
    content = await ask("read_plot", figure="2")
    assert content["refused"] == "raster_figure"
    assert "zoom_figure" in content["next"]
    assert content["series"] == []


async def test_a_flagged_figure_is_not_read(ask: Ask) -> None:
    await ask("flag_wrong_figure", figure="1", reason="shows another sample")
    content = await ask("read_plot", figure="1")
    assert content["refused"] == "flagged"
    assert "another sample" in content["seen"]
    await ask("flag_wrong_figure", figure="1", reason="")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"panel": "z"}, "its plot panels are a, b"),
        ({"series": "sample C"}, "a.1 sample A, a.2 sample B, b.1"),
        ({"figure": "9"}, "There is no figure"),
        ({"cursor": "AAAAAAAAAAAA"}, "does not belong"),
    ],
)
async def test_wrong_names_are_answered_with_the_right_ones(
    fails: Callable[..., Awaitable[str]], arguments: dict[str, str], says: str
) -> None:
    assert says in await fails("read_plot", **{"figure": "1", **arguments})


@pytest.fixture
async def own_client(tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a server with one paper: categories, a gap, and both axes where nothing tells."""
    figure = Figure(figsize=(6, 2.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.bar(["iron", "cobalt"], [3.0, 4.5])
    x = np.arange(10.0)
    right.plot(x, np.where(x == 4, np.nan, x**2), "-")
    right.twinx().plot(x, 50 - x, ":")
    out = io.BytesIO()
    figure.savefig(out, format="pdf")
    (tmp_path / "two.pdf").write_bytes(out.getvalue())
    source = '#figure(image("two.pdf"), caption: [Two panels.])\n#lorem(200)'
    (tmp_path / "paper.typ").write_text(source)
    typst.compile(str(tmp_path / "paper.typ"), output=str(tmp_path / "paper.pdf"))
    settings = Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", parse_workers=1)
    async with Client(create_server(settings)) as client:
        yield client


async def test_categories_pieces_and_both_axes_are_columns(own_client: Client) -> None:
    result = await own_client.call_tool("read_plot", {"paper": "paper.pdf", "figure": "1"})
    assert not result.is_error, result.content[0].text
    content = result.structured_content
    assert content is not None
    bars, curve, dots = content["series"]
    assert bars["columns"][0] == "category"
    assert [line.partition(",")[0] for line in bars["points"].split("\n")] == ['"iron"', '"cobalt"']
    assert curve["columns"] == ["x", "y", "y2", "piece"]
    assert {row.rpartition(",")[2] for row in curve["points"].split("\n")} == {"1", "2"}
    assert any("both" in note for note in curve["notes"])
    assert dots["line"] == "dotted"
