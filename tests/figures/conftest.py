"""A paper with figures that we typeset ourselves, looked at through the real server."""

import base64
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pytest
import typst
from mcp import Client
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from pincite_core.settings import Settings
from pincite_figures.server import create_server
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore

mpl.use("Agg")

SOURCE = r"""
#set page(paper: "a4", columns: 2, margin: 18mm, numbering: "1")
#set text(size: 9pt, lang: "en")
#set par(justify: true)
#align(center)[#text(15pt, weight: "bold")[Figures of a made-up cuprate]]
= Introduction
The resistivity falls, as Fig. 1 shows. #lorem(90)

#figure(image("plot.pdf", width: 100%), caption: [Resistivity of two samples against temperature. (a) Linear. \
(b) Logarithmic.], supplement: [Fig.])
#lorem(120)

#figure(image("picture.png", width: 80%), caption: [A picture of noise.], supplement: [Fig.])
#lorem(120)
#colbreak()
= Results
#lorem(60)

#figure(image("words.png", width: 100%), caption: [Words in a picture.], supplement: [Fig.])
#lorem(200)
"""
NOISE = np.random.default_rng(7).integers(0, 256, (90, 120, 3), dtype=np.uint8)
"""The pixels of picture.png."""


@dataclass(frozen=True)
class Shown:
    """An image that a tool returned: its pixels, its MIME type, its size in bytes, and the text beside it."""

    pixels: npt.NDArray[np.uint8]
    mime_type: str
    size: int
    text: str

    @property
    def view(self) -> str:
        (line,) = [line for line in self.text.split("\n") if line.startswith("view: ")]
        return line.removeprefix("view: ")


def draw_plot(path: Path) -> None:
    """A figure of two panels in 6 pt type, 3.4 inches wide."""
    import matplotlib.pyplot as plt

    with plt.rc_context({"font.size": 6}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(3.4, 1.9))
        x = np.linspace(0, 300, 50)
        left.plot(x, np.exp(x / 80), label="sample A")
        left.plot(x, np.exp(x / 90), "o", ms=2, label="sample B")
        left.set(xlabel="Temperature (K)", ylabel="Resistivity (µΩ cm)")
        left.legend()
        left.set_title("(a)", loc="left")
        right.semilogy(x, np.exp(x / 30))
        right.set(xlabel="Field (mT)", ylabel="Intensity (arb. units)")
        right.set_title("(b)", loc="left")
        figure.tight_layout()
        figure.savefig(path)
        plt.close(figure)


def draw_words(path: Path) -> None:
    """A picture of words: one level, one upright."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4, 3))
    axes.plot([0, 10], [0, 5], color="0.6")
    axes.set(xlabel="Pressure (GPa)", ylabel="Volume change", xticks=[0, 5, 10], yticks=[0, 5])
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    plt.close(figure)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of papers: cuprate.pdf, and the same with its pages turned (turned.pdf) and trimmed (trimmed.pdf)."""
    folder = tmp_path_factory.mktemp("papers")
    draw_plot(folder / "plot.pdf")
    draw_words(folder / "words.png")
    Image.fromarray(NOISE).save(folder / "picture.png")
    (folder / "cuprate.typ").write_text(SOURCE)
    typst.compile(str(folder / "cuprate.typ"), output=str(folder / "cuprate.pdf"), root=str(folder))
    for name, change in (("turned", lambda page: page.rotate(90)), ("trimmed", trim)):
        writer = PdfWriter(clone_from=PdfReader(folder / "cuprate.pdf"))
        for page in writer.pages:
            change(page)
        writer.write(folder / f"{name}.pdf")
    return folder


def trim(page: Any) -> None:
    """A visible box whose corner is not that of the page."""
    left, bottom, right, top = map(float, page.mediabox)
    page.mediabox = RectangleObject((left - 30, bottom - 20, right + 10, top + 40))
    page.cropbox = RectangleObject((left + 15.5, bottom + 12.25, right - 9.75, top - 8))


@pytest.fixture(scope="session")
def settings(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with the folder as the only root and a cache of their own."""
    return Settings(roots=(folder,), cache_dir=tmp_path_factory.mktemp("cache"), parse_workers=1)


@pytest.fixture(scope="session")
def papers(settings: Settings) -> dict[str, Paper]:
    """The parsed papers by their names."""
    with PaperStore(settings) as store:
        return {name: store.open(f"{name}.pdf") for name in ("cuprate", "turned", "trimmed")}


@pytest.fixture(scope="session")
def noise() -> npt.NDArray[np.uint8]:
    """The pixels of picture.png."""
    return NOISE


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    """A client that speaks to the server in memory."""
    async with Client(create_server(settings)) as client:
        yield client


@pytest.fixture
def look(client: Client) -> Callable[..., Awaitable[Shown]]:
    """Call an image tool on the paper: its image and text, and no structured content."""

    async def look(tool: str, *, paper: str = "cuprate.pdf", **arguments: Any) -> Shown:
        result = await client.call_tool(tool, {"paper": paper, **arguments})
        assert not result.is_error, result.content[0].text
        assert result.structured_content is None
        image, text, *_ = result.content
        data = base64.b64decode(image.data)
        pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
        return Shown(pixels, image.mime_type, len(data), text.text)

    return look


@pytest.fixture
async def ask(client: Client) -> Callable[..., Awaitable[Any]]:
    """Call a tool on the paper: structured content, checked against the tool's output schema, or text."""
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}

    async def ask(tool: str, *, paper: str = "cuprate.pdf", **arguments: Any) -> Any:
        result = await client.call_tool(tool, {"paper": paper, **arguments})
        (block,) = result.content
        assert not result.is_error, block.text
        if schemas[tool] is None:
            assert result.structured_content is None
            return block.text
        jsonschema.validate(result.structured_content, schemas[tool])
        assert json.loads(block.text) == result.structured_content
        return result.structured_content

    return ask


@pytest.fixture
def fails(client: Client) -> Callable[..., Awaitable[str]]:
    """Call a tool that must fail, and return what it says."""

    async def fails(tool: str, *, paper: str = "cuprate.pdf", **arguments: Any) -> str:
        result = await client.call_tool(tool, {"paper": paper, **arguments})
        assert result.is_error
        assert result.structured_content is None
        return "".join(block.text for block in result.content)

    return fails
