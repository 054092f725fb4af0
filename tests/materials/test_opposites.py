"""Descriptions that exclude each other and descriptions that do not, worked out by hand."""

import time

from pincite_materials.opposites import opposed

APART = [
    ("n-type", "p-type crystal"), ("holes", "electrons"), ("amorphous", "crystalline film"), ("hydrated", "dehydrated"),
    ("doped", "undoped"), ("non-passivated", "passivated"), ("overdoped", "underdoped"), ("aerobic", "anaerobic"),
    ("ferromagnetic order", "antiferromagnetic"), ("symmetric stretch", "antisymmetric stretch"),
    ("upstream site", "downstream"), ("with a cap layer", "without cap layer"), ("hot-rolled", "cold-rolled"),
    ("parallel to the fibre", "perpendicular to the fibre"), ("easy axis", "hard axis"),
    ("before ageing", "after ageing"),
    ("forward scan", "reverse scan"), ("in the dark", "under illumination"), ("male rats", "female rats"),
    ("pH 7", "pH = 4.0"), ("x = 0.1", "x = 0.2"), ("C/10", "1C"), ("1st cycle", "100th cycle"), ("q = +1", "q = -1"),
    ("first heating", "second heating"), ("aged 20-39", "aged 40–59"), ("sample A", "sample B"), ("day 7", "day 14"),
    ("(R)-enantiomer", "(S)-enantiomer"), ("α form", "beta form"), ("film on MgO", "film on SrTiO3"),
    ("O-terminated", "titanium-terminated"), ("100 ppm CO", "100 ppm NO2"), ("HeLa cells", "MCF-7 cells"),
    ("low-temperature phase", "high temperature phase"), ("type I", "type II superconductor"), ("Fe1 site", "Fe2 site"),
    ("Stokes", "anti-Stokes"), ("inner ring", "outer ring"), ("ν2 mode", "ν3 mode"), ("film on LSAT", "film on MgO"),
    ("three-electrode cell", "two-electrode cell"), ("in water", "in ethanol"), ("toluene solution", "thin film"),
]  # fmt: skip
TOGETHER = [
    ("", "n-type"), ("n-type", "n type crystal"), ("hydrated", "wet"), ("C/10", "0.1 C"), ("pH 7", "pH = 7.0"),
    ("pH 7", "neutral pH"), ("sample 1", "sample #1"), ("second discharge", "2nd discharge"), ("α form", "alpha form"),
    ("film on STO", "film on SrTiO3 (001)"), ("oxygen-terminated", "O-terminated"), ("in oxygen", "in O2"),
    ("dark", "without illumination"), ("zero-field cooled", "ZFC"), ("100 ppm of NO2", "NO2, 100 ppm"),
    ("solid solution", "film"), ("field-cooled", "on cooling"), ("water-quenched", "washed in ethanol"),
    ("high-pressure, low-temperature phase", "low-temperature phase"), ("measured by XRD", "measured in PPMS"),
    ("high-purity sample", "low-temperature sample"),
    ("heat-treated", "control sample"), ("annealed before the measurement", "after polishing"),
    ("sample A, x = 0.1", "x = 0.10"), ("poled and unpoled", "poled"), ("grown by CVT", "grown crystal"),
    ("20-39 years", "aged 20 - 39"), ("electron microscopy", "hole doped"), ("average of three", "mean of 3"),
]  # fmt: skip


def test_what_excludes_the_other() -> None:
    """Both ways round; a description never excludes itself, nor does silence exclude anything."""
    wrong: list[tuple[str, str, str | None]] = []
    for pairs, apart in ((APART, True), (TOGETHER, False)):
        for a, b in pairs:
            for one, other in ((a, b), (b, a)):
                found = opposed(one, other)
                if (found is not None) is not apart or opposed(one, one + " ") is not None:
                    wrong.append((one, other, found))
    assert wrong == []
    assert opposed("n-type film", "p-type") == "n type against p type"


def test_a_long_description_is_read_to_its_limit_and_quickly() -> None:
    one, other = (" ".join(f"{letter}{number}" for number in range(5000)) for letter in "ab")
    began = time.perf_counter()
    assert opposed(f"sample A, {one}", f"sample B, {other}") == "A against B"
    assert time.perf_counter() - began < 2.0
