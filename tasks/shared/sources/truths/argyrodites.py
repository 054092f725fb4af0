"""Argyrodite electrolytes: pressed and sintered pellets that look alike, codes of cells, a turned table."""

import math
from typing import Any

from kit import Book, column, shown

SAMPLES = (  # code, formula, pressed conductivity, sintered, activation energy, current limit, cell, H2S or none
    ("E1", "Li6PS5Cl", 2.61, 4.12, 0.362, 0.55, "V5", "1.84"),
    ("E2", "Li5.8PS4.8Cl1.2", 3.74, 5.96, 0.341, 0.72, "V2", ""),
    ("E3", "Li5.6PS4.6Cl1.4", 5.12, 8.87, 0.318, 0.94, "V8", "1.12"),
    ("E4", "Li5.5PS4.5Cl1.5", 6.03, 11.62, 0.302, 1.21, "V1", "0.97"),
    ("E5", "Li5.4PS4.4Cl1.6", 6.44, 10.38, 0.309, 1.02, "V7", ""),
    ("E6", "Li5.6PS4.6ClBr0.4", 5.48, 9.41, 0.314, 1.13, "V3", "1.31"),
    ("E7", "Li5.5PS4.5ClBr0.5", 6.87, 10.94, 0.298, 1.34, "V6", ""),
    ("E8", "Li5.4PS4.4ClBr0.6", 5.91, 9.02, 0.311, 0.88, "V4", ""),
)
TEMPERATURES = (-40, -20, 0, 25, 40, 60, 80, 100)
CORRECTED = "the ionic conductivity of the sintered pellet for E6 at 25 °C is 7.83 mS cm^−1"
SCOPE = (
    "Only the {what}. Name a sample by its nominal formula (Li6PS5Cl, …), which the paper gives for each code. Means "
    "over pellets count, single pellets do not. Where places of the paper disagree, a correction that its authors "
    "print counts first, then a table, then the text, then the abstract. Where the paper has no such value, the "
    "list of properties is empty."
)


def book() -> Book:
    """The truth of this paper."""
    b = Book(
        "argyrodites",
        "Chlorine-rich argyrodites pressed and sintered: conduction, cells and the limit of the current",
        "battery electrolytes",
        53,
    )
    for code, formula, *_, cell, _ in SAMPLES:
        b.samples[code] = {"formula": formula, "cell": cell}
    b.facts |= {"right_sigma": "7.83", "abstract_best": "12.4", "knee": "−12", "spacer": "0.62"}
    _preparation(b)
    _conduction(b)
    _cells(b)
    _others(b)
    _appendix(b)
    _figures(b)
    _tasks(b)
    return b


def _preparation(b: Book) -> None:
    columns = [
        column("Sample", kind="sample"),
        column("Nominal formula", "nominal formula"),
        column("*T*_{s} (°C)", "temperature of sintering", "°C"),
        column("Time (h)", "time of sintering", "h"),
        column("Mass loss (%)", "mass loss", "%"),
    ]
    rows = []
    for code, formula, *_ in SAMPLES:
        heat = [str(b.random.choice((510, 520, 530, 540))), str(b.random.choice((8, 10, 12)))]
        rows.append([code, f"<{formula}>", *heat, b.near(0.42, 0.3, 2)])
    b.table("samples", "Samples, their nominal formulas and how they were sintered.", columns, rows, kind="preparation")


def _pellet_columns() -> list[dict[str, Any]]:
    return [
        column("Sample", kind="sample"),
        column("*σ* (mS cm^{−1})", "ionic conductivity", "mS cm^-1"),
        column("*E*_{a} (eV)", "activation energy", "eV"),
        column("*ρ* (g cm^{−3})", "density", "g cm^-3"),
        column("*n*", "number of pellets"),
    ]


def _conduction(b: Book) -> None:
    caption = (
        "{state} pellets: ionic conductivity *σ* at 25 °C, activation energy *E*_{{a}} and density *ρ*, means over *n* "
        "pellets."
    )
    for key, state, more, start in (("pressed", "cold-pressed", 0.021, 1.61), ("sintered", "sintered", 0.0, 1.79)):
        rows = []
        for number, (code, _, cold, hot, energy, *_) in enumerate(SAMPLES):
            sigma = shown(hot if key == "sintered" else cold, 2)
            density = start + 0.012 * number
            rows.append([code, sigma, b.near(energy + more, 0.008, 3), b.near(density, 0.004, 3), "3"])
        notes: dict[str, Any] = {}
        if key == "sintered":
            rows[5][1] += "^{d}"
            notes = {"notes": ["^{d} See the note behind the conclusions."]}
        b.table(key, caption.format(state=state.capitalize()), _pellet_columns(), rows, state=state, **notes)
    columns = _pellet_columns()[:3]
    rows = []
    for code, _, _, hot, energy, *_ in SAMPLES:
        rows.append([code, b.near(hot * 2.1, 0.05, 2), b.near(energy * 0.71, 0.02, 3)])
    b.table(
        "computed",
        "Ionic conductivity *σ* at 25 °C and activation energy *E*_{a} computed by molecular dynamics with a fitted "
        "potential.",
        columns,
        rows,
        kind="simulation",
        style="bare",
    )
    columns = [column("Sample", kind="sample")]
    columns += [
        column(f"{each} °C".replace("-", "−"), f"conductivity at {each} °C", "mS cm^-1") for each in TEMPERATURES
    ]
    rows = []
    for code, _, _, hot, energy, *_ in SAMPLES:
        cells = []
        for celsius in TEMPERATURES:
            warm, room = celsius + 273.15, 298.15
            factor = math.exp(-energy / 8.617e-5 * (1 / warm - 1 / room)) * room / warm
            cells.append(shown(hot, 2) if celsius == 25 else b.near(hot * factor, 0.02, 3 if celsius < 0 else 2))
        rows.append([code, *cells])
    rows[5][1 + TEMPERATURES.index(25)] += "^{d}"
    b.table(
        "by_temperature",
        "Ionic conductivity (mS cm^{−1}) of the sintered pellets at eight temperatures.",
        columns,
        rows,
        turned=True,
        width=20,
        style="ruled",
        notes=["^{d} Copied from Table 3; see the note behind the conclusions."],
    )
    b.trap("look-alike tables", "Tables 2, 3 and 4", "the state and method of the caption")
    b.trap("correction in a note", "Table 3, E6", b.facts["right_sigma"], "9.41")
    b.trap("abstract against table", "abstract: E5 with 12.4", "E4 with 11.62 in Table 3")


def _cells(b: Book) -> None:
    columns = [column("Cell", kind="sample"), column("Sample", "sample")]
    rows = sorted([each[6], each[0]] for each in SAMPLES)
    b.table("codes", "Cells and the samples in them.", columns, rows, style="ruled", pad=9, kind="preparation")
    columns = [
        column("Cell", kind="sample"),
        column("*Q*_{1} (mA h g^{−1})", "discharge capacity of the first cycle", "mA h g^-1"),
        column("*Q*_{200} (mA h g^{−1})", "discharge capacity of the 200th cycle", "mA h g^-1"),
        column("*R* (Ω cm^{2})", "cell resistance", "Ω cm^2"),
        column("*j*_{c} (mA cm^{−2})", "critical current density", "mA cm^-2"),
    ]
    rows = []
    for cell, code in b.of("codes")["rows"]:
        each = next(sample for sample in SAMPLES if sample[0] == code)
        first = 148 + 2.6 * each[3]
        cells = [b.near(first, 0.006, 1), b.near(first * (0.78 + 0.012 * each[3]), 0.01, 1)]
        cells += [b.near(160 / each[3] + 9, 0.02, 1), shown(each[5], 2)]
        rows.append([cell, *cells])
    caption = (
        "Cells at 30 °C: discharge capacity of the first cycle *Q*_{1} and of the 200th *Q*_{200}, cell resistance *R* "
        "after the first charge, and critical current density *j*_{c} against lithium."
    )
    b.table("cells", caption, columns, rows)
    columns = [
        column("Sample", kind="sample"),
        column("H_{2}S (cm^{3} g^{−1})", "hydrogen sulfide set free", "cm^3 g^-1"),
        column("*σ* after (mS cm^{−1})", "ionic conductivity after air", "mS cm^-1"),
    ]
    rows = [[code, gas, b.near(hot * 0.41, 0.05, 2)] for code, _, _, hot, *_, gas in SAMPLES if gas]
    caption = "Hydrogen sulfide set free in one hour of air of 30 % humidity, and ionic conductivity afterwards."
    b.table("air", caption, columns, rows)
    b.trap("codes change", "cells have codes of their own", "the table of cells joins them")


def _others(b: Book) -> None:
    columns = [
        column("Electrolyte", kind="literature"),
        column("State", "state"),
        column("*σ* (mS cm^{−1})", "ionic conductivity", "mS cm^-1"),
        column("*E*_{a} (eV)", "activation energy", "eV"),
        column("Ref.", "reference"),
    ]
    rows = [
        ["<Li6PS5Cl>", "cold-pressed", "2.40", "0.380", "[3]"],
        ["<Li5.5PS4.5Cl1.5>", "sintered", "12.10", "0.290", "[5]"],
        ["<Li5.5PS4.5ClBr0.5>", "cold-pressed", "7.15", "0.310", "[6]"],
        ["<Li10GeP2S12>", "cold-pressed", "12.00", "0.250", "[7]"],
    ]
    b.table("others", "Electrolytes of other groups at 25 °C.", columns, rows, kind="literature")


def _appendix(b: Book) -> None:
    columns = [column("Sample", kind="sample"), column("*a* (Å)", "lattice parameter", "Å")]
    columns += [column("Disorder (%)", "site disorder", "%"), column("LiCl (wt%)", "mass fraction of LiCl", "wt%")]
    rows = []
    for number, (code, *_) in enumerate(SAMPLES):
        size = shown(9.858 - 0.011 * number + (0.05 if number > 4 else 0), 4)
        rows.append([code, size, b.near(38 + 4 * number, 0.02, 1), b.near(0.6 + 0.3 * number, 0.2, 1)])
    caption = "Lattice parameter, share of sulfur sites taken by halogen, and mass fraction of LiCl, by neutrons."
    b.table("lattice", caption, columns, rows, appendix=True)
    columns = [column("Pellet", kind="log"), column("State", "state"), column("*d* (mm)", "thickness", "mm")]
    columns += [column("*m* (mg)", "mass", "mg"), column("*σ* (mS cm^{−1})", "ionic conductivity", "mS cm^-1")]
    columns += [column("Electrode", "electrode")]
    rows = []
    for code, _, cold, hot, *_ in SAMPLES:
        for state, mean in (("pressed", cold), ("sintered", hot)):
            for number in range(8):
                metal = b.random.choice(("gold", "gold", "carbon", "indium"))
                cells = [b.near(0.94, 0.05, 3), b.near(118, 0.04, 1), b.near(mean, 0.05, 2)]
                rows.append([f"{code}-{state[0]}{number + 1}", state, *cells, metal])
    b.table("pellets", "Single pellets at 25 °C.", columns, rows, appendix=True, kind="log", split=32)
    columns = [
        column("Cycle", kind="log"),
        *(column(cell, f"capacity of {cell}", "mA h g^-1") for cell, _ in b.of("codes")["rows"]),
    ]
    rows = []
    for cycle in range(1, 201, 7):
        cells = []
        for row in b.of("cells")["rows"]:
            first, last = float(row[1]), float(row[2])
            cells.append(shown(first - (first - last) * (cycle / 200) ** 0.8 + b.random.gauss(0, 0.2), 1))
        rows.append([str(cycle), *cells])
    caption = "Discharge capacity (mA h g^{−1}) of the cells during cycling at 30 °C."
    b.table("cycling", caption, columns, rows, appendix=True, kind="log", size=0.85)


def _figures(b: Book) -> None:
    table = {row[0]: row for row in b.of("by_temperature")["rows"]}
    inverse = [round(1000 / (each + 273.15), 3) for each in TEMPERATURES]
    series = []
    for code in ("E1", "E4", "E8"):
        y = [float(cell.partition("^")[0]) for cell in table[code][1:]]
        series.append({"label": code, "x": inverse, "y": y, "style": "o-"})
    below = [round(1000 / each, 3) for each in (250, 255, 261, 267, 273)]
    inset = {
        "at": [0.1, 0.12, 0.42, 0.36],
        "x_label": "1000/T (1/K)",
        "y_label": "mS/cm",
        "series": [{"x": below, "y": [1.2, 1.85, 2.74, 3.31, 4.0], "style": "o-"}],
        "notes": [[3.8, 3.2, "kink at −12 °C"]],
        "legend": False,
    }
    plot = {
        "series": series,
        "x_label": "1000/T (1/K)",
        "y_label": "Conductivity (mS/cm)",
        "y_log": True,
        "size": [4.6, 3.2],
        "legend_at": "upper right",
        "inset": inset,
    }
    caption = "Arrhenius plot of three sintered pellets. Inset: E7 cooled slowly, with the kink that is named there."
    b.figure("arrhenius", caption, plot)
    panels = [
        {"type": "grains", "seed": 21, "grains": 160, "scale": "10 µm", "tag": "E4 pressed"},
        {"type": "grains", "seed": 22, "grains": 60, "scale": "10 µm", "tag": "E4 sintered"},
    ]
    caption = (
        "Electron micrographs (drawn for this task set) of E4: (a) pressed, (b) sintered. Mean intercepts are 2.4 µm "
        "and 6.9 µm."
    )
    b.figure("grains", caption, {"panels": panels, "size": [5.6, 2.0]}, raster=True)
    steps = [0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4]
    series = [
        {"label": cell, "x": steps[: len(y)], "y": y, "style": "o-"}
        for cell, y in (
            ("V5", [0, 9, 18, 4]),
            ("V1", [0, 5, 10, 15, 20, 25, 31, 6]),
            ("V6", [0, 5, 11, 16, 21, 27, 32, 38]),
        )
    ]
    plot = {"series": series, "x_label": "Current density (mA/cm²)", "y_label": "Voltage (mV)", "size": [3.9, 2.6]}
    caption = (
        "Voltage of symmetric lithium cells at steps of the current. A drop of the voltage tells of a short circuit."
    )
    b.figure("plating", caption, plot, raster=True)


def _tasks(b: Book) -> None:
    material = {code: each["formula"] for code, each in b.samples.items()}

    def by_code(row: list[str]) -> dict[str, Any] | None:
        return {"material_or_system": material[row[0]]} if row[0] in material else None

    place = {"sample_state": "sintered", "temperature": "25 °C"}
    records = b.records("sintered", ["ionic conductivity"], by_code, conditions=place)
    records += b.records("sintered", ["activation energy", "density"], by_code, conditions={"sample_state": "sintered"})
    note = {"source_type": "text", "evidence": CORRECTED}
    records = [
        {**each, "value_string": b.facts["right_sigma"], "location": note}
        if each["value_string"].startswith("9.41")
        else each
        for each in records
    ]
    what = "ionic conductivity, activation energy and density of the sintered pellets at 25 °C"
    features = ["look-alike tables", "computed beside measured", "correction in a note"]
    b.properties("argyrodites_sintered", SCOPE.format(what=what), records, features)
    inside = {each["cell"]: each["formula"] for each in b.samples.values()}

    def by_cell(row: list[str]) -> dict[str, Any]:
        return {"material_or_system": inside[row[0]]}

    heads = ["critical current density", "cell resistance"]
    records = b.records("cells", heads, by_cell, conditions={"temperature": "30 °C"})
    what = "critical current density and cell resistance of the cells, each by the electrolyte in it"
    cells = SCOPE.format(what=what)
    b.properties("argyrodites_cells", cells, records, ["codes that change", "two tables joined"])
    what = "electronic conductivity and lithium transference number of the sintered pellets at 25 °C"
    b.properties("argyrodites_electrons", SCOPE.format(what=what), [], ["not measured", "values of other work"])
    _filling(b, material)


def _filling(b: Book, material: dict[str, str]) -> None:
    objects = []
    air = {row[0]: row for row in b.of("air")["rows"]}
    for code, formula in material.items():
        told = "\t".join(b.row("samples", code)).replace("<", "").replace(">", "")
        cell = b.samples[code]["cell"]
        pressed, hot, tested = b.row("pressed", code), b.row("sintered", code), b.row("cells", cell)
        sigma = (f"{hot[1].partition('^')[0]} mS cm^-1", "\t".join(hot))
        if code == "E6":
            sigma = (f"{b.facts['right_sigma']} mS cm^-1", CORRECTED)
        made: dict[str, Any] = {
            "formula": (formula, told),
            "code": (code, told),
            "cell": (cell, f"{cell}\t{code}"),
            "conductivity_pressed": (f"{pressed[1]} mS cm^-1", "\t".join(pressed)),
            "conductivity_sintered": sigma,
            "capacity_200": (f"{tested[2]} mA h g^-1", "\t".join(tested)),
            "current_limit": (f"{tested[4]} mA cm^-2", "\t".join(tested)),
        }
        if code in air:
            made["hydrogen_sulfide"] = (f"{air[code][1]} cm^3 g^-1", "\t".join(air[code]))
        objects.append(made)
    features = ["codes that change", "five tables joined", "correction in a note", "fields left open"]
    b.objects("argyrodites_pieces", "argyrodites_pieces", objects, features)
