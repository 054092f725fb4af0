"""Plots drawn with matplotlib."""

import io
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import matplotlib.style
import numpy as np
from matplotlib.figure import Figure
from plot_truth import Case, Drawn, TruePanel, TrueSeries

CASES: list[Case] = []
_RNG_SEED = 7


def case(function: Callable[[], Drawn]) -> Callable[[], Drawn]:
    """Add a drawing function to the cases under its name."""
    CASES.append(Case(f"mpl {function.__name__}", lambda _: function()))
    return function


def finish(fig: Figure, panels: list[TruePanel], **rc: Any) -> Drawn:
    """The figure as a PDF of its own."""
    out = io.BytesIO()
    with mpl.rc_context(rc):
        fig.savefig(out, format="pdf", metadata={"CreationDate": None})
    return Drawn(out.getvalue(), panels)


def panel(ax: Any, series: list[TrueSeries], *, label: str = "", twin: Any = None) -> TruePanel:
    """The truth of axes as matplotlib set them."""
    log = "".join(letter for letter, scale in (("x", ax.get_xscale()), ("y", ax.get_yscale())) if scale == "log")
    return TruePanel(ax.get_xlim(), ax.get_ylim(), series, log, label, twin.get_ylim() if twin is not None else None)


def one(width: float = 4.2, height: float = 3.1) -> tuple[Figure, Any]:
    """A figure with one axes."""
    fig = Figure(figsize=(width, height), layout="constrained")
    return fig, fig.subplots()


def rng() -> np.random.Generator:
    """Random numbers, always the same."""
    return np.random.default_rng(_RNG_SEED)


@case
def line() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 300, 120)
    y = 1 / (1 + np.exp(-(x - 92) / 3)) * (0.4 + x / 300)
    ax.plot(x, y)
    ax.set(xlabel="Temperature (K)", ylabel=r"Resistivity (m$\Omega$ cm)")
    return finish(fig, [panel(ax, [TrueSeries(x, y)])])


@case
def lines_with_legend() -> Drawn:
    fig, ax = one()
    x = np.linspace(-5, 5, 80)
    series = []
    for k in range(4):
        y = np.sin(x + k) * (k + 1) - k
        ax.plot(x, y, label=f"x = 0.{k}5")
        series.append(TrueSeries(x, y, name=f"x = 0.{k}5"))
    ax.legend()
    ax.set(xlabel="Field (T)", ylabel="Magnetization (emu/g)")
    return finish(fig, [panel(ax, series)])


@case
def black_dashes() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 10, 60)
    series = []
    for k, (style, name) in enumerate((("-", "theory"), ("--", "model A"), (":", "model B"), ("-.", "model C"))):
        y = np.exp(-x / (k + 2)) + 0.1 * k
        ax.plot(x, y, "k" + style, label=name)
        series.append(TrueSeries(x, y, name=name))
    ax.legend(frameon=False)
    return finish(fig, [panel(ax, series)])


@case
def markers() -> Drawn:
    fig, ax = one()
    r = rng()
    series = []
    for marker, name in (("o", "circles"), ("s", "squares"), ("^", "up"), ("D", "diamonds"), ("v", "down")):
        x, y = np.sort(r.uniform(0, 50, 14)), r.uniform(-2, 9, 14)
        ax.plot(x, y, marker, label=name, markersize=5)
        series.append(TrueSeries(x, y, "points", name))
    ax.legend(ncols=2, fontsize=8)
    return finish(fig, [panel(ax, series)])


@case
def open_markers() -> Drawn:
    fig, ax = one()
    r = rng()
    series = []
    for marker, name in (("o", "first"), ("s", "second"), ("x", "third"), ("+", "fourth"), ("*", "fifth")):
        x, y = np.arange(12) * 2.5, r.normal(0, 1, 12).cumsum()
        ax.plot(x, y, marker, color="k", mfc="none", label=name)
        series.append(TrueSeries(x, y, "points", name))
    ax.legend()
    return finish(fig, [panel(ax, series)])


@case
def lines_and_markers() -> Drawn:
    fig, ax = one()
    series = []
    x = np.arange(1, 13)
    for k, marker in enumerate("osd"):
        y = 20 + 5 * k + 3 * np.sin(x / 2 + k)
        ax.plot(x, y, marker=marker, label=f"sample {'ABC'[k]}")
        series.append(TrueSeries(x.astype(float), y, "points", f"sample {'ABC'[k]}"))
    ax.legend()
    return finish(fig, [panel(ax, series)])


@case
def semilog_x() -> Drawn:
    fig, ax = one()
    x = np.logspace(-3, 4, 70)
    y = 5 / (1 + (x / 3) ** 0.8)
    ax.semilogx(x, y, label="fit")
    ax.set(xlabel="Frequency (Hz)", ylabel="|Z| (kΩ)")
    return finish(fig, [panel(ax, [TrueSeries(x, y)])])


@case
def semilog_y() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 8, 50)
    series = [TrueSeries(x, 10 ** (-x / k), name=f"τ = {k}") for k in (1, 2, 4)]
    for s in series:
        ax.semilogy(s.x, s.y, label=s.name)
    ax.legend()
    return finish(fig, [panel(ax, series)])


@case
def log_log() -> Drawn:
    fig, ax = one()
    x = np.logspace(0, 5, 30)
    r = rng()
    y = 3e-9 * x**1.7 * np.exp(r.normal(0, 0.1, 30))
    ax.loglog(x, y, "o", label="data")
    ax.loglog(x, 3e-9 * x**1.7, "-", label="power law")
    ax.legend()
    return finish(
        fig, [panel(ax, [TrueSeries(x, y, "points", "data"), TrueSeries(x, 3e-9 * x**1.7, name="power law")])]
    )


@case
def two_axes_in_colour() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 24, 49)
    a, b = 20 + 6 * np.sin(x / 4), 1013 - 0.4 * x + np.cos(x)
    ax.plot(x, a, color="tab:red")
    ax.set_xlabel("Time (h)")
    ax.set_ylabel("Temperature (°C)", color="tab:red")
    ax.tick_params(axis="y", labelcolor="tab:red")
    other = ax.twinx()
    other.plot(x, b, color="tab:blue")
    other.set_ylabel("Pressure (hPa)", color="tab:blue")
    other.tick_params(axis="y", labelcolor="tab:blue")
    return finish(fig, [panel(ax, [TrueSeries(x, a), TrueSeries(x, b, axis="y2")], twin=other)])


@case
def two_axes_undecided() -> Drawn:
    fig, ax = one()
    x = np.arange(10.0)
    a, b = x**2, np.sqrt(x) * 300
    ax.plot(x, a, "o-", color="C0", label="first")
    other = ax.twinx()
    other.plot(x, b, "s-", color="C1", label="second")
    return finish(fig, [panel(ax, [TrueSeries(x, a, "points"), TrueSeries(x, b, "points", axis="y2")], twin=other)])


@case
def error_bars() -> Drawn:
    fig, ax = one()
    r = rng()
    series = []
    for k, marker in enumerate("os"):
        x = np.linspace(2 + k / 2, 60 + k / 2, 15)
        y = 40 + 10 * k + r.normal(0, 4, 15)
        down, up = r.uniform(1, 5, 15), r.uniform(1, 5, 15)
        ax.errorbar(x, y, yerr=(down, up), fmt=marker, capsize=2.5, label=f"run {k + 1}")
        series.append(TrueSeries(x, y, "points", f"run {k + 1}", y - down, y + up))
    ax.legend()
    return finish(fig, [panel(ax, series)])


@case
def error_bars_both_ways() -> Drawn:
    fig, ax = one()
    r = rng()
    x, y = np.arange(1.0, 11), 5 - np.arange(1.0, 11) / 3 + r.normal(0, 0.2, 10)
    error = r.uniform(0.3, 0.6, 10)
    ax.errorbar(x, y, xerr=0.3, yerr=error, fmt="o-", color="k", ecolor="grey", capsize=0, ms=4)
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points", "", y - error, y + error)])])


@case
def reversed_axis() -> Drawn:
    fig, ax = one()
    x = np.linspace(280, 296, 200)
    y = 1e4 * (np.exp(-((x - 284.8) ** 2)) + 0.4 * np.exp(-((x - 288.5) ** 2) / 2)) + 900
    ax.plot(x, y, "k", lw=1)
    ax.invert_xaxis()
    ax.set(xlabel="Binding energy (eV)", ylabel="Intensity (counts)")
    return finish(fig, [panel(ax, [TrueSeries(x, y)])])


@case
def multiplier() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 5e-6, 40)
    y = 3e6 * x**2 / 2.5e-11 + 2e5
    ax.plot(x, y, "s--", ms=4)
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points")])])


@case
def multiplier_as_power() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 40000, 30)
    y = 1e-7 * np.cos(x / 5000)
    ax.plot(x, y)
    ax.ticklabel_format(style="sci", scilimits=(0, 0), useMathText=True)
    return finish(fig, [panel(ax, [TrueSeries(x, y)])])


@case
def shifted_labels() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 1, 25)
    y = 12345.6 + 0.004 * np.sin(7 * x)
    ax.plot(x, y)
    return finish(fig, [panel(ax, [TrueSeries(x, y)])])


@case
def thousands() -> Drawn:
    fig, ax = one()
    x = np.linspace(1990, 2020, 31)
    y = 1000 * (x - 1985) + 400 * np.sin(x)
    ax.plot(x, y, ".-")
    ax.yaxis.set_major_formatter("{x:,.0f}")
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points")])])


@case
def steps() -> Drawn:
    fig, ax = one()
    x = np.arange(0.0, 20)
    y = rng().integers(0, 30, 20).astype(float)
    ax.step(x, y, where="post", label="counts")
    ax.legend()
    return finish(fig, [panel(ax, [TrueSeries(x[:-1] + 0.5, y[:-1], name="counts")])])


@case
def scatter() -> Drawn:
    fig, ax = one()
    r = rng()
    series = []
    for k, name in enumerate(("control", "treated")):
        x, y = r.normal(5 + k, 1.5, 250), r.normal(100 + 40 * k, 25, 250)
        ax.scatter(x, y, s=9, label=name)
        series.append(TrueSeries(x, y, "points", name))
    ax.legend()
    return finish(fig, [panel(ax, series)])


@case
def scatter_with_colour_map() -> Drawn:
    fig, ax = one()
    r = rng()
    x, y, c = r.uniform(0, 1, 60), r.uniform(0, 1, 60), r.uniform(0, 1, 60)
    ax.scatter(x, y, c=c, s=20)
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points")])])


@case
def panels() -> Drawn:
    fig = Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = fig.subplots(2, 2)
    truths = []
    for k, ax in enumerate(axes.flat):
        x = np.linspace(0, 10 * (k + 1), 40)
        y = np.cos(x / (k + 1)) * 10**k
        ax.plot(x, y, color=f"C{k}")
        ax.set_title(f"({'abcd'[k]})", loc="left")
        ax.set(xlabel=f"x{k}", ylabel=f"y{k}")
        truths.append((ax, x, y, "abcd"[k]))
    drawn = finish(fig, [])
    drawn.panels = [panel(ax, [TrueSeries(x, y)], label=label) for ax, x, y, label in truths]
    return drawn


@case
def panels_sharing_axes() -> Drawn:
    fig = Figure(figsize=(5, 5))
    axes = fig.subplots(3, 1, sharex=True, gridspec_kw={"hspace": 0})
    truths = []
    x = np.linspace(0, 100, 90)
    for k, ax in enumerate(axes):
        y = (k + 1) * np.sin(x / 9 + k) + k
        ax.plot(x, y, "k")
        ax.text(0.03, 0.85, f"({'abc'[k]})", transform=ax.transAxes)
        truths.append((ax, y))
    axes[-1].set_xlabel("Angle (°)")
    drawn = finish(fig, [])
    drawn.panels = [panel(ax, [TrueSeries(x, y)], label="abc"[k]) for k, (ax, y) in enumerate(truths)]
    return drawn


@case
def inset() -> Drawn:
    fig, ax = one(4.8, 3.6)
    x = np.linspace(0, 10, 100)
    y = x**2 / 10
    ax.plot(x, y)
    inner = ax.inset_axes((0.12, 0.55, 0.38, 0.38))
    u = np.linspace(-1, 1, 30)
    inner.plot(u, 50 * u**3, "r-")
    return finish(fig, [panel(ax, [TrueSeries(x, y)]), panel(inner, [TrueSeries(u, 50 * u**3)])])


@case
def open_spines() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 30, 50)
    series = [TrueSeries(x, np.log1p(x) * k, name=f"k{k}") for k in (1, 2)]
    for s in series:
        ax.plot(s.x, s.y)
        ax.annotate(s.name, (s.x[-1], s.y[-1]))
        s.name = ""
    ax.spines[["top", "right"]].set_visible(False)
    return finish(fig, [panel(ax, series)])


@case
def detached_spines() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 5, 11)
    y = x * 3 + 1
    ax.plot(x, y, "o-", color="C2")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_position(("outward", 10))
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points")])])


@case
def ticks_inward() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 2, 60)
    y = x * np.exp(-x)
    ax.plot(x, y, "b-", x, y / 2, "r--")
    ax.minorticks_on()
    ax.tick_params(which="both", direction="in", top=True, right=True)
    return finish(fig, [panel(ax, [TrueSeries(x, y), TrueSeries(x, y / 2)])])


@case
def turned_labels() -> Drawn:
    fig, ax = one()
    x = np.arange(1.0, 11) * 1500
    y = rng().uniform(3, 9, 10)
    ax.plot(x, y, "o-")
    ax.tick_params(axis="x", rotation=45)
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points")])])


@case
def upright_labels() -> Drawn:
    fig, ax = one()
    x = np.linspace(1000, 9000, 9)
    y = x**0.5
    ax.plot(x, y, "o")
    ax.tick_params(axis="both", rotation=90)
    return finish(fig, [panel(ax, [TrueSeries(x, y, "points")])])


@case
def true_type_fonts() -> Drawn:
    fig, ax = one()
    x = np.linspace(-1, 1, 41)
    ax.plot(x, -(x**3), label="cubic")
    ax.plot(x, x**2 - 0.5, label="square")
    ax.legend()
    truth = [TrueSeries(x, -(x**3), name="cubic"), TrueSeries(x, x**2 - 0.5, name="square")]
    return finish(fig, [panel(ax, truth)], **{"pdf.fonttype": 42})


@case
def bars() -> Drawn:
    fig, ax = one()
    x = np.arange(5.0)
    series = []
    for k, name in enumerate(("before", "after")):
        y = rng().uniform(2, 9, 5) + k
        at = x + 0.4 * (k - 0.5)
        ax.bar(at, y, 0.38, label=name)
        series.append(TrueSeries(at, y, "bars", name))
    ax.legend()
    return finish(fig, [panel(ax, series)])


@case
def bars_of_categories() -> Drawn:
    fig, ax = one()
    y = np.array([3.1, 4.7, 2.2, 5.9])
    error = np.array([0.3, 0.4, 0.2, 0.5])
    ax.bar(["none", "low", "mid", "high"], y, yerr=error, capsize=3, color="tab:green")
    ax.set_ylabel("Yield (%)")
    truth = panel(ax, [TrueSeries(np.arange(4.0), y, "bars", "", y - error, y + error)])
    truth.categories = True
    return finish(fig, [truth])


@case
def histogram() -> Drawn:
    fig, ax = one()
    counts, edges, _ = ax.hist(rng().normal(10, 2, 400), bins=25, edgecolor="white")
    return finish(fig, [panel(ax, [TrueSeries((edges[1:] + edges[:-1]) / 2, counts, "bars")])])


@case
def band() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 12, 60)
    y = np.sin(x) + x / 4
    ax.fill_between(x, y - 0.3 - x / 30, y + 0.4, alpha=0.3, label="95 % interval")
    ax.plot(x, y, label="mean")
    ax.legend()
    truth = [TrueSeries(x, y, "band", "95 % interval", y - 0.3 - x / 30, y + 0.4), TrueSeries(x, y, name="mean")]
    return finish(fig, [panel(ax, truth)])


@case
def grid_without_frame() -> Drawn:
    white = {"axes.facecolor": "#EAEAF2", "axes.edgecolor": "white", "grid.color": "white", "axes.linewidth": 0}
    bare = {"xtick.major.size": 0, "ytick.major.size": 0, "axes.axisbelow": True, "axes.grid": True}
    with mpl.rc_context(white | bare):
        fig, ax = one()
        x = np.linspace(0, 7, 64)
        ax.plot(x, np.sin(x) * 4, label="a")
        ax.plot(x, np.cos(x) * 3, label="b")
        ax.legend()
        return finish(
            fig, [panel(ax, [TrueSeries(x, np.sin(x) * 4, name="a"), TrueSeries(x, np.cos(x) * 3, name="b")])]
        )


@case
def grid_and_reference_lines() -> Drawn:
    fig, ax = one()
    x = np.linspace(-3, 3, 61)
    y = np.tanh(x)
    ax.grid(visible=True, ls=":")
    ax.plot(x, y, lw=2)
    ax.axhline(0.37, color="r", ls="--")
    return finish(fig, [panel(ax, [TrueSeries(x, y)])])


@case
def leaving_the_axes() -> Drawn:
    fig = Figure(figsize=(6.4, 3), layout="constrained")
    left, right = fig.subplots(1, 2)
    x = np.linspace(-4, 4, 161)
    y = x**3
    for ax in (left, right):
        ax.plot(x, y, color="C3")
        ax.plot(x, 20 - y, ".", color="C0", ms=4)
        ax.set_ylim(-10, 10)
    right.set_xlim(-2, 1)
    drawn = finish(fig, [])
    drawn.panels = [panel(ax, [TrueSeries(x, y), TrueSeries(x, 20 - y, "points")]) for ax in (left, right)]
    return drawn


@case
def interrupted() -> Drawn:
    fig, ax = one()
    x = np.linspace(0, 20, 100)
    y = np.sin(x) + 2
    shown = np.where((x > 7) & (x < 9), np.nan, y)
    ax.plot(x, shown, "g-")
    keep = np.isfinite(shown)
    return finish(fig, [panel(ax, [TrueSeries(x[keep], y[keep])])])


@case
def long_noisy_curve() -> Drawn:
    fig, ax = one()
    x = np.linspace(10, 80, 3500)
    y = 100 + 900 * np.exp(-((x - 33) ** 2) / 0.05) + 400 * np.exp(-((x - 47) ** 2) / 0.08) + rng().normal(0, 8, 3500)
    ax.plot(x, y, lw=0.7)
    ax.set(xlabel="2θ (degrees)", ylabel="Intensity (a.u.)")
    return finish(fig, [panel(ax, [TrueSeries(x, y)])], **{"path.simplify": False})


@case
def legend_over_data() -> Drawn:
    fig, ax = one(3.4, 2.8)
    r = rng()
    series = []
    x = np.linspace(20, 90, 40)
    for k, marker in enumerate("osD"):
        y = np.exp(r.normal(0, 0.5, 40).cumsum() / 2 - k)
        ax.errorbar(x, y, yerr=0.1 * y, fmt=marker, ms=4, capsize=2, label=f"sample {k + 1}")
        series.append(TrueSeries(x, y, "points", f"sample {k + 1}"))
    ax.set_yscale("log")
    ax.legend(loc="center left")
    return finish(fig, [panel(ax, series)])


@case
def style_of_ggplot() -> Drawn:
    with mpl.style.context("ggplot"):
        fig, ax = one()
        x = np.linspace(0, 9, 30)
        series = [TrueSeries(x, np.exp(-x / k), "points", f"k = {k}") for k in (2, 5)]
        for s, marker in zip(series, "o^", strict=True):
            ax.plot(s.x, s.y, marker=marker, label=s.name)
        ax.legend()
        return finish(fig, [panel(ax, series)])
