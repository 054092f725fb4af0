"""What a user of the image tools, the flag and the record would miss."""

import base64
import io
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import numpy.typing as npt
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceTemplateReference
from PIL import Image

from pincite_core.settings import Settings
from pincite_figures.server import create_server
from pincite_papers.model import Paper

Look = Callable[..., Awaitable[Any]]


async def test_figures_are_listed_with_what_finds_them(ask: Look, papers: dict[str, Paper]) -> None:
    listed = await ask("list_figures")
    assert listed["total"] == 3
    first, second, _ = listed["figures"]
    assert first["figure"] == "Fig. 1"
    assert (first["kind"], second["kind"]) == ("vector", "raster")
    assert first["texts"] > 15
    assert [panel["panel"] for panel in first["panels"]] == ["a", "b"]
    start, end = map(int, first["caption_locator"].rpartition(":")[2].split("-"))
    assert papers["cuprate"].text[start:end] == first["caption"]
    assert first["caption"].startswith("Fig. 1")


async def test_boxes_of_panels_are_fractions_that_zoom_takes(ask: Look, look: Look) -> None:
    figure = (await ask("list_figures"))["figures"][0]
    for panel in figure["panels"]:
        box = ",".join(map(str, panel["box"]))
        texts = (await ask("read_figure_text", figure=figure["figure"], bbox=box))["texts"]
        assert f"({panel['panel']})" in [text["text"] for text in texts]
        assert (await look("zoom_figure", figure=figure["figure"], bbox=box)).view.startswith("Fig. 1 > ")
    assert figure["panels"][0]["box"][0] < 0.5 < figure["panels"][1]["box"][0]


async def test_images_link_to_a_resource_that_shows_the_same(client: Client) -> None:
    for name, more in (("view_figure", {}), ("zoom_figure", {"bbox": "0.5,0.5,0.75,0.75"})):
        result = await client.call_tool(name, {"paper": "cuprate.pdf", "figure": "Fig. 2"} | more)
        image, _, link = result.content
        assert link.type == "resource_link"
        (read,) = (await client.read_resource(link.uri)).contents
        assert (read.mime_type, link.mime_type) == ("image/png", "image/png")  # type: ignore[union-attr]
        shown, again = (Image.open(io.BytesIO(base64.b64decode(data))) for data in (image.data, read.blob))  # type: ignore[union-attr]
        pair = [np.asarray(picture.convert("RGB"), np.int16) for picture in (shown, again)]
        assert np.abs(pair[0] - pair[1]).mean() < 5, "more than JPEG takes away"
    with pytest.raises(MCPError, match="There is no figure"):
        await client.read_resource(link.uri.partition("/Fig")[0] + "/Fig.%209")
    template = ResourceTemplateReference(uri="figure://{id}/{view}")
    digits = link.uri.removeprefix("figure://")[:8]
    completed = await client.complete(template, {"name": "view", "value": "fig"}, {"id": digits})
    assert completed.completion.values == ["Fig. 1", "Fig. 2", "Fig. 3"]


async def test_listing_is_paged_and_complete(ask: Look) -> None:
    names: list[str] = []
    cursor = ""
    while cursor is not None:
        page = await ask("list_figures", cursor=cursor, max_chars=1000)
        names += [figure["figure"] for figure in page["figures"]]
        cursor = page["next_cursor"]
    assert names == ["Fig. 1", "Fig. 2", "Fig. 3"]


@pytest.mark.parametrize("name", ["Fig. 1", "fig 1", "Figure 1", "1", "#1", "FIGURE 1.", "Fig. 1 > 0,0,0.5,0.5"])
async def test_a_figure_goes_by_the_names_a_model_writes(look: Look, name: str) -> None:
    shown = await look("view_figure", figure=name, max_side=300)
    assert shown.text.startswith("Fig. 1, page 1, box ")


async def test_a_figure_goes_by_a_locator_in_its_caption(look: Look, ask: Look) -> None:
    locator = (await ask("list_figures"))["figures"][1]["caption_locator"]
    assert (await look("view_figure", figure=locator)).view == "Fig. 2"


async def test_an_image_is_bounded_and_says_what_it_shows(look: Look) -> None:
    shown = await look("view_figure", figure="1", max_side=640)
    assert 630 <= max(shown.pixels.shape) <= 640
    assert shown.mime_type == "image/png"
    assert shown.size < 1_000_000
    assert "dpi" in shown.text
    assert "caption: Fig. 1" in shown.text
    assert "locator: pc:" in shown.text


async def test_a_zoom_is_sharper_and_names_its_view(look: Look) -> None:
    whole = await look("view_figure", figure="1")
    part = await look("zoom_figure", figure="1", bbox="0.5,0.5,0.75,0.75")
    assert part.view == "Fig. 1 > 0.5,0.5,0.75,0.75"
    dpi = [int(shown.text.split(" dpi")[0].rpartition(" ")[2]) for shown in (whole, part)]
    assert dpi[1] > 3.5 * dpi[0]


@pytest.mark.parametrize("figure", ["1", "2"])
@pytest.mark.parametrize("paper", ["cuprate.pdf", "turned.pdf", "trimmed.pdf"])
async def test_a_zoom_in_a_named_view_is_the_direct_zoom(look: Look, paper: str, figure: str) -> None:
    first = await look("zoom_figure", paper=paper, figure=figure, bbox="0.2,0.1,0.8,0.9")
    nested = await look("zoom_figure", paper=paper, figure=figure, bbox="0.5,0.25,1,0.75", view=first.view)
    direct = await look("zoom_figure", paper=paper, figure=figure, bbox="0.5,0.3,0.8,0.7")
    assert nested.view.endswith(" > 0.2,0.1,0.8,0.9 > 0.5,0.25,1,0.75")
    assert np.array_equal(nested.pixels, direct.pixels)


async def test_a_raster_figure_comes_in_its_own_pixels(look: Look, noise: npt.NDArray[np.uint8]) -> None:
    whole = await look("view_figure", figure="2", max_side=200)
    assert "native pixels" in whole.text
    assert np.array_equal(whole.pixels, noise)


async def test_zooms_at_once_do_not_disturb_each_other(look: Look) -> None:
    boxes = [f"{x / 10},0.1,{x / 10 + 0.2:.1f},0.5" for x in range(8)]
    alone = [await look("zoom_figure", figure="1", bbox=box, max_side=300) for box in boxes]
    together: dict[str, Any] = {}

    async def zoom(box: str) -> None:
        together[box] = await look("zoom_figure", figure="1", bbox=box, max_side=300)

    async with anyio.create_task_group() as tasks:
        for box in boxes:
            tasks.start_soon(zoom, box)
    for box, shown in zip(boxes, alone, strict=True):
        assert together[box].view == shown.view
        assert np.array_equal(together[box].pixels, shown.pixels)


async def test_a_view_of_another_figure_is_refused(fails: Look) -> None:
    said = await fails("zoom_figure", figure="1", bbox="0,0,1,1", view="Fig. 2 > 0,0,0.5,0.5")
    assert "Fig. 1" in said


async def test_an_unknown_figure_is_answered_with_those_there_are(fails: Look) -> None:
    assert "Fig. 1, Fig. 2, Fig. 3" in await fails("view_figure", figure="Fig. 9")
    assert "not a box" in await fails("zoom_figure", figure="1", bbox="0,0,50,50")


async def test_a_page_is_shown_at_the_resolution_asked_for(look: Look, fails: Look) -> None:
    shown = await look("view_page", page=1, dpi=50)
    assert shown.pixels.shape == (round(841.89 * 50 / 72), round(595.28 * 50 / 72), 3)
    assert "at 50 dpi" in shown.text
    large = await look("view_page", page=1, dpi=300)
    assert 1980 <= max(large.pixels.shape) <= 2000
    assert "there is no page 9" in (await fails("view_page", page=9)).lower()


async def test_a_flagged_figure_is_not_shown_until_the_flag_is_taken_back(ask: Look, look: Look) -> None:
    assert "Spend no more calls" in await ask("flag_wrong_figure", figure="1", reason="shows  another sample")
    for tool, arguments in (("view_figure", {}), ("zoom_figure", {"bbox": "0,0,0.5,0.5"})):
        said = await ask(tool, figure="Fig. 1", **arguments)
        assert "shows another sample" in said
        assert len(said) < 300
    listed = (await ask("list_figures"))["figures"]
    assert [figure.get("flagged") for figure in listed] == ["shows another sample", None, None]
    await look("view_figure", figure="2")
    await ask("flag_wrong_figure", figure="1", reason="")
    await look("view_figure", figure="1")


async def test_everything_shown_is_recorded_with_its_picture(settings: Settings, tmp_path: Path) -> None:
    own = settings.model_copy(update={"record_dir": tmp_path / "record"})
    async with Client(create_server(own)) as client:
        for tool, arguments in (
            ("view_figure", {"figure": "1"}),
            ("zoom_figure", {"figure": "1", "bbox": "0,0,0.5,0.5", "hint": "the legend"}),
            ("flag_wrong_figure", {"figure": "1", "reason": "no"}),
        ):
            await client.call_tool(tool, {"paper": "cuprate.pdf", **arguments})
    lines = (tmp_path / "record" / "figures.jsonl").read_text().splitlines()
    view, zoom, flag = map(json.loads, lines)
    assert [entry["event"] for entry in (view, zoom, flag)] == ["view", "zoom", "flag"]
    assert zoom["view"] == "Fig. 1 > 0,0,0.5,0.5"
    assert zoom["hint"] == "the legend"
    assert flag["reason"] == "no"
    for entry in (view, zoom):
        assert (tmp_path / "record" / entry["image"]).read_bytes().startswith(b"\x89PNG")


async def test_a_record_that_cannot_be_written_is_an_outage(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "record").write_text("a file")
    own = settings.model_copy(update={"record_dir": tmp_path / "record"})
    async with Client(create_server(own)) as client:
        result = await client.call_tool("view_figure", {"paper": "cuprate.pdf", "figure": "1"})
    assert result.is_error
    assert "PINCITE_RECORD_DIR" in result.content[0].text


async def test_a_source_that_changed_since_is_an_error_that_says_so(settings: Settings, tmp_path: Path) -> None:
    paper = tmp_path / "copy.pdf"
    paper.write_bytes((settings.roots[0] / "cuprate.pdf").read_bytes())
    own = settings.model_copy(update={"roots": (tmp_path,)})
    async with Client(create_server(own)) as client:
        listed = await client.call_tool("list_figures", {"paper": "copy.pdf"})
        name = listed.structured_content["figures"][0]["locator"].partition("#")[0]
        paper.write_bytes((settings.roots[0] / "trimmed.pdf").read_bytes())
        result = await client.call_tool("view_figure", {"paper": name, "figure": "1"})
    assert result.is_error
    assert "changed" in result.content[0].text


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_the_server_survives_a_worker_that_dies(settings: Settings, client: Client, look: Look) -> None:
    await look("view_figure", figure="1")
    assert len(workers()) == 1
    for pid in workers():
        os.kill(pid, signal.SIGKILL)
    await look("view_figure", figure="1")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_first_calls_at_once_share_their_workers_and_none_outlives_the_server(settings: Settings) -> None:
    before = workers()
    many = settings.model_copy(update={"parse_workers": 4})
    async with Client(create_server(many)) as client:
        await client.call_tool("list_figures", {"paper": "cuprate.pdf"})
        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(client.call_tool, "view_figure", {"paper": "cuprate.pdf", "figure": "1"})
        assert 1 <= len(workers() - before) <= 2
    assert workers() <= before


def workers() -> set[int]:
    """The process ids of this process's figure workers."""
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    pids = {int(pid) for path in children for pid in path.read_text().split()}
    return {pid for pid in pids if b"pincite_figures.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()}
