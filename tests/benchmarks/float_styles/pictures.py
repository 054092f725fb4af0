"""Pictures drawn for the pages: plots, scatter clouds, micrographs and maps, cropped to their ink."""

import io
import random

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

PLAIN = {"svg.fonttype": "none", "pdf.fonttype": 42, "font.size": 8, "svg.hashsalt": "pincite"}


def plot(dice: random.Random, suffix: str, size: tuple[float, float], kind: str) -> bytes:
    """A plot as ``svg``, ``pdf`` or ``png``; its margins cut to the ink.

    Kinds: lines, cloud (thousands of markers), bars, map (a picture in vector axes), outlined (letters as paths).
    """
    rng = np.random.default_rng(dice.randint(0, 1 << 30))
    style = dict(PLAIN) | ({"svg.fonttype": "path"} if kind == "outlined" else {})
    with mpl.rc_context(style):
        figure, axes = plt.subplots(figsize=(max(size[0], 140) / 72, max(size[1], 100) / 72), layout="constrained")
        if kind in {"lines", "outlined"}:
            x = np.linspace(0, 300, 60)
            for number in range(dice.randint(1, 4)):
                axes.plot(x, (x / 300) ** (number + 1), label=f"run {number + 1}")
            if dice.random() < 0.5:
                axes.legend(frameon=dice.random() < 0.5)
        elif kind == "cloud":
            axes.scatter(rng.normal(size=2500), rng.normal(size=2500), s=2, lw=0)
        elif kind == "bars":
            axes.bar(["LSCO", "YBCO", "Bi2212", "Hg1201"], rng.uniform(10, 100, 4))
        else:
            axes.imshow(rng.normal(size=(40, 60)), aspect="auto", interpolation="nearest")
        axes.set_xlabel("Temperature (K)")
        axes.set_ylabel("Resistivity")
        out = io.BytesIO()
        figure.savefig(out, format=suffix, bbox_inches="tight", pad_inches=0, dpi=150)
        plt.close(figure)
    return out.getvalue()


def micrograph(dice: random.Random, size: tuple[int, int], suffix: str = "png") -> bytes:
    """A grey noise picture in pixels, as PNG or JPEG; it has no white margin."""
    rng = np.random.default_rng(dice.randint(0, 1 << 30))
    grain = rng.integers(20, 180, (size[1] // 8 + 1, size[0] // 8 + 1), dtype=np.uint8)
    picture = Image.fromarray(grain).resize(size, Image.Resampling.BICUBIC)
    out = io.BytesIO()
    picture.save(out, {"jpg": "JPEG", "png": "PNG"}[suffix])
    return out.getvalue()
