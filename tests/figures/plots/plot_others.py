"""Plots drawn with gnuplot and pgfplots from the scripts beside this module, plots in papers, and what is not a
plot."""

import io
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import typst
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D
from plot_matplotlib import finish, one, panel, rng
from plot_truth import Case, Drawn, Floats, TruePanel, TrueSeries

HERE = Path(__file__).parent
CASES: list[Case] = []
_LIMIT = 120


def case(needs: str = "") -> Callable[[Callable[[Path], Drawn]], Callable[[Path], Drawn]]:
    """Add a drawing function to the cases under its name."""

    def add(function: Callable[[Path], Drawn]) -> Callable[[Path], Drawn]:
        CASES.append(Case(function.__name__.replace("_", " ", 1), function, needs))
        return function

    return add


def gnuplot(folder: Path, script: str, columns: Sequence[Floats]) -> bytes:
    """The PDF of a gnuplot script, which reads data.txt and writes plot.pdf or plot.ps."""
    np.savetxt(folder / "data.txt", np.column_stack(columns), fmt="%.10g")
    run(["gnuplot", str(HERE / "gnuplot" / f"{script}.gp")], folder)
    if (folder / "plot.ps").exists():
        run(["ps2pdf", "-dEPSCrop", "plot.ps", "plot.pdf"], folder)
    return (folder / "plot.pdf").read_bytes()


def pgfplots(folder: Path, source: str, columns: Sequence[Floats]) -> bytes:
    """The PDF of a pgfplots source, which reads data.txt."""
    np.savetxt(folder / "data.txt", np.column_stack(columns), fmt="%.10g")
    return latex(folder, (HERE / "pgfplots" / f"{source}.tex").read_text())


def latex(folder: Path, body: str) -> bytes:
    """A page typeset by pdfTeX with pgfplots at hand."""
    head = (HERE / "pgfplots" / "head.txt").read_text()
    (folder / "plot.tex").write_text(head + body + "\n\\end{document}\n")
    run(["pdflatex", "-interaction=batchmode", "-halt-on-error", "plot.tex"], folder)
    return (folder / "plot.pdf").read_bytes()


def run(command: Sequence[str], folder: Path) -> None:
    """Run a program; its output is in the error where it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_LIMIT)
    if done.returncode:
        log = folder / "plot.log"
        raise RuntimeError(
            f"{command}: {done.stderr or done.stdout}\n{log.read_text()[-2000:] if log.exists() else ''}"
        )


def have(program: str) -> bool:
    """Whether programs, parted by blanks, are there."""
    return all(shutil.which(name) for name in program.split())


@case("gnuplot")
def gnuplot_lines(folder: Path) -> Drawn:
    x = np.linspace(0, 10, 101)
    ys = [np.exp(-x / 5) * np.sin(2 * x), np.exp(-x / 5), -np.exp(-x / 5)]
    series = [TrueSeries(x, y, name=name) for y, name in zip(ys, ("signal", "upper", "lower"), strict=True)]
    return Drawn(gnuplot(folder, "lines", [x, *ys]), [TruePanel((0, 10), (-1, 1), series)])


@case("gnuplot")
def gnuplot_points(folder: Path) -> Drawn:
    r = rng()
    x = np.linspace(1, 20, 20)
    ys = [r.uniform(0, 100, 20) for _ in range(6)]
    names = ("plus", "cross", "open square", "square", "open circle", "circle")
    series = [TrueSeries(x, y, "points", name) for y, name in zip(ys, names, strict=True)]
    return Drawn(gnuplot(folder, "points", [x, *ys]), [TruePanel((0, 25), (0, 120), series)])


@case("gnuplot")
def gnuplot_triangles(folder: Path) -> Drawn:
    r = rng()
    x = np.linspace(1, 20, 12)
    ys = [r.uniform(0, 1e-3, 12) for _ in range(4)]
    names = ("up", "full up", "down", "diamond")
    series = [TrueSeries(x, y, "points", name) for y, name in zip(ys, names, strict=True)]
    return Drawn(gnuplot(folder, "triangles", [x, *ys]), [TruePanel((0, 22), (-2e-4, 1.2e-3), series)])


@case("gnuplot")
def gnuplot_log(folder: Path) -> Drawn:
    x = np.logspace(-2, 3, 26)
    ys = [4e3 / (1 + x**2), 2e-1 * x**0.5]
    series = [TrueSeries(x, y, "points", name) for y, name in zip(ys, ("falling", "rising"), strict=True)]
    return Drawn(gnuplot(folder, "log", [x, *ys]), [TruePanel((1e-2, 1e3), (1e-3, 1e5), series, "xy")])


@case("gnuplot")
def gnuplot_error_bars(folder: Path) -> Drawn:
    r = rng()
    x, y, error = np.arange(1.0, 13), r.normal(300, 20, 12), r.uniform(8, 25, 12)
    series = [TrueSeries(x, y, "points", "measured", y - error, y + error)]
    return Drawn(gnuplot(folder, "errors", [x, y, error]), [TruePanel((0, 14), (200, 400), series)])


@case("gnuplot")
def gnuplot_boxes(folder: Path) -> Drawn:
    x, y = np.arange(0.0, 10), rng().integers(3, 40, 10).astype(float)
    return Drawn(gnuplot(folder, "boxes", [x, y]), [TruePanel((-1, 10), (0, 45), [TrueSeries(x, y, "bars", "counts")])])


@case("gnuplot")
def gnuplot_two_axes(folder: Path) -> Drawn:
    x = np.linspace(0, 50, 51)
    ys = [x**1.5, 20 - x / 4]
    series = [TrueSeries(x, ys[0], name="Load (N)"), TrueSeries(x, ys[1], name="Strain (%)", axis="y2")]
    return Drawn(gnuplot(folder, "two_axes", [x, *ys]), [TruePanel((0, 50), (0, 400), series, y2=(5, 25))])


@case("gnuplot")
def gnuplot_dashes(folder: Path) -> Drawn:
    x = np.linspace(-2, 2, 81)
    ys = [x**2, x**2 - 1, 3 - x**2]
    series = [TrueSeries(x, y, name=name) for y, name in zip(ys, ("one", "two", "three"), strict=True)]
    return Drawn(gnuplot(folder, "dashes", [x, *ys]), [TruePanel((-2, 2), (-2, 5), series)])


@case("gnuplot ps2pdf")
def gnuplot_postscript(folder: Path) -> Drawn:
    x = np.linspace(100, 900, 33)
    ys = [np.sqrt(x), np.sqrt(x) * 0.6 + 4]
    series = [TrueSeries(x, ys[0], "points", "heating"), TrueSeries(x, ys[1], name="cooling")]
    return Drawn(gnuplot(folder, "postscript", [x, *ys]), [TruePanel((0, 1000), (5, 35), series)])


@case("gnuplot")
def gnuplot_multiplot(folder: Path) -> Drawn:
    x = np.linspace(0, 6, 61)
    ys = [np.sin(x), 40 * np.cos(x)]
    panels = [
        TruePanel((0, 6), limits, [TrueSeries(x, y)]) for y, limits in zip(ys, ((-1.5, 1.5), (-60, 60)), strict=True)
    ]
    return Drawn(gnuplot(folder, "multiplot", [x, *ys]), panels)


@case("pdflatex")
def pgfplots_marks(folder: Path) -> Drawn:
    x = np.arange(0.0, 11)
    ys = [x**2, 50 - x, 10 + 5 * np.sin(x), 90 * np.exp(-x / 3)]
    series = [TrueSeries(x, y, "points", name) for y, name in zip(ys, ("alpha", "beta", "gamma", "delta"), strict=True)]
    return Drawn(pgfplots(folder, "marks", [x, *ys]), [TruePanel((-1, 11), (-10, 110), series)])


@case("pdflatex")
def pgfplots_loglog(folder: Path) -> Drawn:
    x = np.logspace(1, 5, 17)
    ys = [x**-0.5, 3 * x**-1.0]
    series = [TrueSeries(x, ys[0], "points", "first order"), TrueSeries(x, ys[1], "points", "second order")]
    return Drawn(pgfplots(folder, "loglog", [x, *ys]), [TruePanel((5, 2e5), (1e-5, 1), series, "xy")])


@case("pdflatex")
def pgfplots_errors(folder: Path) -> Drawn:
    r = rng()
    x, y, error = np.linspace(0, 1, 9), r.uniform(1, 3, 9), r.uniform(0.1, 0.4, 9)
    series = [TrueSeries(x, y, "points", "", y - error, y + error)]
    return Drawn(pgfplots(folder, "errors", [x, y, error]), [TruePanel((-0.1, 1.1), (0, 4), series)])


@case("pdflatex")
def pgfplots_middle_axes(folder: Path) -> Drawn:
    x = np.linspace(-3, 3, 61)
    y = x**3 / 3 - x
    return Drawn(pgfplots(folder, "middle", [x, y]), [TruePanel((-3.5, 3.5), (-7, 7), [TrueSeries(x, y)])])


@case("pdflatex")
def pgfplots_scaled_ticks(folder: Path) -> Drawn:
    x = np.linspace(0, 60000, 31)
    y = 2e-4 * np.sin(x / 9000)
    return Drawn(pgfplots(folder, "scaled", [x, y]), [TruePanel((0, 60000), (-3e-4, 3e-4), [TrueSeries(x, y)])])


@case("pdflatex")
def pgfplots_bars(folder: Path) -> Drawn:
    x = np.arange(2015.0, 2021)
    ys = [np.array([4, 6, 5, 9, 12, 7.5]), np.array([3, 2, 4.5, 8, 8, 10])]
    shift = 4 / 195 * 7  # half a bar and half a gap, in an axis 195 pt wide
    series = [TrueSeries(x - shift, ys[0], "bars", "imports"), TrueSeries(x + shift, ys[1], "bars", "exports")]
    return Drawn(pgfplots(folder, "bars", [x, *ys]), [TruePanel((2014, 2021), (0, 14), series)])


@case("pdflatex")
def pgfplots_smooth(folder: Path) -> Drawn:
    x = np.linspace(0, 8, 17)
    y = 10 + 6 * np.sin(x)
    return Drawn(pgfplots(folder, "smooth", [x, y]), [TruePanel((0, 8), (0, 20), [TrueSeries(x, y)])])


@case("pdflatex")
def pgfplots_two_axes(folder: Path) -> Drawn:
    x = np.linspace(0, 100, 21)
    ys = [x * 0.9 + 5, 400 * np.exp(-x / 40)]
    series = [TrueSeries(x, ys[0], "points"), TrueSeries(x, ys[1], "points", axis="y2")]
    return Drawn(pgfplots(folder, "two_axes", [x, *ys]), [TruePanel((0, 100), (0, 100), series, y2=(0, 500))])


def _sample(folder: Path) -> Drawn:
    fig, ax = one(5, 3.6)
    x = np.linspace(0, 50, 26)
    series = [TrueSeries(x, 3 + k + np.sin(x / 6 + k), "points", f"series {k + 1}") for k in range(2)]
    for s, marker in zip(series, "os", strict=True):
        ax.plot(s.x, s.y, marker=marker, label=s.name, markersize=4)
    ax.set(xlabel="Distance (mm)", ylabel="Strain (%)")
    ax.legend()
    drawn = finish(fig, [])
    drawn.panels = [panel(ax, series)]
    (folder / "inner.pdf").write_bytes(drawn.pdf)
    return drawn


_PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. "


@case("pdflatex")
def paper_latex(folder: Path) -> Drawn:
    drawn = _sample(folder)
    graphics = "\\centering\\includegraphics[width=7.6cm]{inner.pdf}"
    figure = f"\\begin{{figure}}{graphics}\\caption{{Strain along the sample.}}\\end{{figure}}"
    pdf = latex(folder, f"\\twocolumn {_PROSE * 20}\n\n{figure}\n\n{_PROSE * 40}")
    return Drawn(pdf, drawn.panels, paper=True)


@case()
def paper_typst(folder: Path) -> Drawn:
    drawn = _sample(folder)
    figure = '#figure(image("inner.pdf", width: 90%), caption: [Strain.])'
    source = f"#set page(columns: 2)\n#set par(justify: true)\n{_PROSE * 20}\n{figure}\n{_PROSE * 30}"
    (folder / "paper.typ").write_text(source)
    return Drawn(typst.compile(str(folder / "paper.typ")), drawn.panels, paper=True)


@case()
def refused_heat_map(folder: Path) -> Drawn:
    fig, ax = one()
    ax.imshow(rng().uniform(0, 1, (30, 40)), extent=(0, 40, 0, 30))
    return _refused(finish(fig, []), "heat_map", "raster_figure")


@case()
def refused_tiles(folder: Path) -> Drawn:
    fig, ax = one()
    ax.pcolor(rng().uniform(0, 1, (12, 15)))
    return _refused(finish(fig, []), "heat_map")


@case()
def refused_pie(folder: Path) -> Drawn:
    fig, ax = one()
    ax.pie([30, 45, 25], labels=["ore", "slag", "metal"], autopct="%d%%")
    return _refused(finish(fig, []), "no_axes")


@case()
def refused_photo(folder: Path) -> Drawn:
    fig = Figure(figsize=(3, 2))
    fig.figimage(rng().uniform(0, 1, (200, 300)))
    return _refused(finish(fig, []), "raster_figure", "no_axes")


@case()
def refused_diagram(folder: Path) -> Drawn:
    fig, ax = one()
    ax.set_axis_off()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    for k, text in enumerate(("Records (n = 412)", "Screened (n = 300)", "Included (n = 24)")):
        ax.add_patch(FancyBboxPatch((2, 7.5 - 3 * k), 6, 1.4, boxstyle="square"))
        ax.text(5, 8.2 - 3 * k, text, ha="center", va="center")
        if k:
            ax.add_patch(FancyArrowPatch((5, 10.5 - 3 * k), (5, 9 - 3 * k), arrowstyle="->", mutation_scale=12))
    return _refused(finish(fig, []), "no_axes", "too_few_tick_labels")


@case("pdflatex")
def refused_flow_chart(folder: Path) -> Drawn:
    return _refused(
        Drawn(latex(folder, (HERE / "pgfplots" / "flow.tex").read_text())), "no_axes", "too_few_tick_labels"
    )


@case()
def refused_outlined_text(folder: Path) -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 10, 50)
    ax.plot(x, np.sin(x))
    ax.tick_params(labelbottom=False, labelleft=False)
    for k in range(6):
        outline = TextPath((0, 0), str(2 * k), size=10)
        move = Affine2D().translate(60 + 40 * k, 4)
        ax.add_patch(PathPatch(outline, transform=move, color="k", clip_on=False))
    return _refused(finish(fig, []), "text_is_drawn_as_outlines")


@case()
def refused_symlog(folder: Path) -> Drawn:
    fig, ax = one()
    x = np.linspace(-500, 500, 51)
    ax.plot(x, x**3)
    ax.set_yscale("symlog")
    return _refused(finish(fig, []), "labels_fit_no_scale", "no_axes", "too_few_tick_labels")


@case()
def refused_raster_plot(folder: Path) -> Drawn:
    fig, ax = one()
    ax.plot([1, 2, 3], [4, 5, 6])
    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=80)
    picture.seek(0)
    page = Figure(figsize=(4, 3))
    page.figimage(mpl.image.imread(picture))
    return _refused(finish(page, []), "raster_figure", "no_axes")


def _refused(drawn: Drawn, *reasons: str) -> Drawn:
    drawn.refused = reasons
    return drawn
