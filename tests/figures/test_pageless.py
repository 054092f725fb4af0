"""Figures of sources without pages: picture files in a LaTeX archive, and pictures that are only named."""

import io
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from mcp import Client

from pincite_core.settings import Settings
from pincite_figures.server import create_server

LATEX = r"""\documentclass{article}
\usepackage{graphicx}
\begin{document}
\title{Pictures in an archive}\maketitle
\section{Results}
We see Fig.~\ref{f:plot} and Fig.~\ref{f:two}. This is the running text of a small paper about made-up pictures.
\begin{figure}\includegraphics[width=8cm]{figs/plot}\caption{A plot as a PDF.}\label{f:plot}\end{figure}
\begin{figure}\includegraphics{figs/noise.png}\includegraphics{figs/old.eps}\caption{Two.}\label{f:two}\end{figure}
\begin{figure}\includegraphics{figs/broken.png}\caption{A damaged file.}\end{figure}
\begin{figure}\includegraphics{figs/missing.png}\caption{A file that is not there.}\end{figure}
\end{document}
"""
HTML = """<!DOCTYPE html><html><head><title>A page</title></head><body><article><h1>A page with a figure</h1>
<p>The running text of a page about a figure that is somewhere else.</p>
<figure id="f1"><img src="https://example.org/pictures/one.png"><figcaption>Figure 1. Elsewhere.</figcaption></figure>
</article></body></html>"""


@pytest.fixture(scope="module")
def archive(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with source.tar.gz and page.html."""
    place = tmp_path_factory.mktemp("pageless")
    members = {
        "main.tex": LATEX.encode(),
        "figs/plot.pdf": (folder / "plot.pdf").read_bytes(),
        "figs/noise.png": (folder / "picture.png").read_bytes(),
        "figs/old.eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\nshowpage\n",
        "figs/broken.png": (folder / "picture.png").read_bytes()[:900],
    }
    with tarfile.open(place / "source.tar.gz", "w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    (place / "page.html").write_text(HTML)
    return place


@pytest.fixture
def own(settings: Settings, archive: Path) -> Settings:
    return settings.model_copy(update={"roots": (archive,)})


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    return await client.call_tool(tool, {"paper": "source.tar.gz", **arguments})


async def test_pictures_of_an_archive_are_listed_shown_and_read(own: Settings) -> None:
    async with Client(create_server(own)) as client:
        listed = (await call(client, "list_figures")).structured_content
        assert listed["figures"][0]["graphics"] == ["figs/plot.pdf"]
        assert listed["figures"][0]["page"] is None
        name = listed["figures"][0]["figure"]
        shown = await call(client, "zoom_figure", figure=name, bbox="0,0,0.5,0.5")
        assert not shown.is_error, shown.content[0].text
        assert "picture figs/plot.pdf" in shown.content[1].text
        assert "dpi" in shown.content[1].text
        texts = (await call(client, "read_figure_text", figure=name)).structured_content
        assert {"Temperature (K)", "Field (mT)"} <= {entry["text"] for entry in texts["texts"]}


async def test_a_picture_file_is_shown_in_its_own_pixels(own: Settings, noise: npt.NDArray[np.uint8]) -> None:
    import base64

    from PIL import Image

    async with Client(create_server(own)) as client:
        listed = (await call(client, "list_figures")).structured_content["figures"]
        shown = await call(client, "zoom_figure", figure=listed[1]["figure"], bbox="0.25,0,0.75,1", max_side=200)
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(shown.content[0].data))))
    factor = pixels.shape[0] // 90
    assert pixels.shape == (90 * factor, 60 * factor, 3)
    if factor == 1:
        assert np.array_equal(pixels, noise[:, 30:90])
    assert "1 of 2" in shown.content[1].text


@pytest.mark.parametrize(
    ("index", "part", "said"),
    [(1, "/2", "PostScript"), (1, "/3", "2 picture files"), (2, "", "damaged"), (3, "", "missing.png")],
)
async def test_what_cannot_be_shown_is_said_with_its_name(own: Settings, index: int, part: str, said: str) -> None:
    async with Client(create_server(own)) as client:
        listed = (await call(client, "list_figures")).structured_content["figures"]
        result = await call(client, "view_figure", figure=listed[index]["figure"] + part)
    assert result.is_error
    assert said in result.content[0].text


async def test_a_picture_that_is_only_an_address_is_named(own: Settings) -> None:
    async with Client(create_server(own)) as client:
        result = await client.call_tool("view_figure", {"paper": "page.html", "figure": "1"})
    assert result.is_error
    assert "https://example.org/pictures/one.png" in result.content[0].text


async def test_a_source_without_pages_has_no_page_to_view(own: Settings) -> None:
    async with Client(create_server(own)) as client:
        result = await call(client, "view_page", page=1)
    assert result.is_error
    assert "no pages" in result.content[0].text
