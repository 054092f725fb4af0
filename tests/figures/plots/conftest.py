"""The plots of the test set, drawn once; small drawings as open pages."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pypdfium2 as pdfium
import pytest
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).parent))

from plot_cases import CASES
from plot_others import have
from plot_score import Score, read_drawn, score
from plot_truth import Drawn

from pincite_figures.plots.model import Plot, PlotSeries
from pincite_figures.plots.read import read_plots
from pincite_papers.model import Rect


@pytest.fixture(scope="session")
def drawn_case(
    tmp_path_factory: pytest.TempPathFactory, missing: Callable[[str], None]
) -> Callable[[str], tuple[Drawn, Plot, Score]]:
    """A case by name: as it was drawn, what is read of it, and the score; each drawn and read once."""
    known: dict[str, tuple[Drawn, Plot, Score]] = {}
    cases = {case.name: case for case in CASES}

    def get(name: str) -> tuple[Drawn, Plot, Score]:
        if name not in known:
            case = cases[name]
            if not have(case.needs):
                missing(f"no {case.needs} (apt-get install gnuplot-nox texlive-pictures ghostscript)")
            drawn = case.draw(tmp_path_factory.mktemp("plot"))
            plot, _, _ = read_drawn(drawn)
            known[name] = drawn, plot, score(drawn, plot)
        return known[name]

    return get


@pytest.fixture
def page_of() -> Iterator[Callable[[bytes], pdfium.PdfPage]]:
    """The first page of a PDF, open until the test ends."""
    documents: list[pdfium.PdfDocument] = []

    def open_page(pdf: bytes) -> pdfium.PdfPage:
        documents.append(pdfium.PdfDocument(pdf))
        return documents[-1][0]

    yield open_page
    for document in documents:
        document.close()


@pytest.fixture
def read_figure(page_of: Callable[[bytes], pdfium.PdfPage]) -> Callable[..., Plot]:
    """What is read of a whole matplotlib figure."""

    def read(figure: Figure, **rc: Any) -> Plot:
        out = io.BytesIO()
        with mpl.rc_context(rc):
            figure.savefig(out, format="pdf")
        page = page_of(out.getvalue())
        width, height = page.get_size()
        return read_plots(page, Rect(0, 0, width, height))

    return read


@pytest.fixture
def only_series(read_figure: Callable[..., Plot]) -> Callable[..., PlotSeries]:
    """The one series of the one panel of a matplotlib figure."""

    def read(figure: Figure, **rc: Any) -> PlotSeries:
        (panel,) = read_figure(figure, **rc).panels
        (series,) = panel.series
        return series

    return read
