"""Medium-entropy alloys in three states: look-alike tables, codes that change, a note that corrects a value."""

from typing import Any

from kit import Book, column, merged, shown

ALLOYS = (  # code, Al, Ti, yield as cast, yield annealed, elongation annealed, aged code
    ("A1", 0.0, 0.0, 268, 312, 71, "H1"),
    ("A2", 0.1, 0.0, 284, 331, 66, "H2"),
    ("A3", 0.2, 0.0, 301, 358, 61, "H4"),
    ("A4", 0.3, 0.0, 342, 407, 52, "H6"),
    ("A5", 0.0, 0.1, 297, 349, 63, "H3"),
    ("A6", 0.0, 0.2, 338, 402, 55, "H5"),
    ("A7", 0.1, 0.1, 329, 391, 57, "H7"),
    ("A8", 0.2, 0.2, 418, 523, 38, "H8"),
)
SCOPE = (
    "Only {what}. Name an alloy by its nominal formula (CoCrNi, Al0.1CoCrNi, …), which the paper gives for each code. "
    "Means over specimens count, single specimens do not. Where places of the paper disagree, a correction that its "
    "authors print counts first, then a table, then the text, then the abstract."
)


def formula(al: float, ti: float) -> str:
    """The nominal formula."""
    return (f"Al{al:g}" if al else "") + "CoCrNi" + (f"Ti{ti:g}" if ti else "")


def book() -> Book:
    """The truth of this paper."""
    b = Book(
        "alloy_states",
        "Aluminium and titanium in CoCrNi: strength, elasticity and transport in the cast, annealed and aged state",
        "alloys",
        11,
    )
    for code, al, ti, _, _, _, aged in ALLOYS:
        b.samples[code] = {"formula": formula(al, ti), "aged_code": aged}
    _preparation(b)
    _tensile(b)
    _other(b)
    _appendix(b)
    _figures(b)
    _tasks(b)
    return b


def _preparation(b: Book) -> None:
    columns = [
        column("Heat", kind="sample"),
        column("Nominal formula", "nominal formula"),
        column("Charge (g)", "charge", "g"),
        column("Remelts", "remelts"),
        column("Mass loss (%)", "mass loss", "%"),
    ]
    rows = [
        [code, f"<{formula(al, ti)}>", b.near(152, 0.03, 1), str(b.random.randint(4, 7)), b.near(0.14, 0.3, 2)]
        for code, al, ti, *_ in ALLOYS
    ]
    b.table("heats", "Heats, their nominal formulas and how they were melted.", columns, rows, kind="preparation")
    columns = [column("Heat", kind="sample")] + [
        column(f"{element} (at.%)", f"measured {element} content", "at.%") for element in ("Co", "Cr", "Ni", "Al", "Ti")
    ]
    rows = []
    for code, al, ti, *_ in ALLOYS:
        total = 3 + al + ti
        parts = [100 / total * (1 + b.random.gauss(0, 0.006)) for _ in range(3)]
        own = [100 * x / total * 0.97 if x else 0 for x in (al, ti)]
        rows.append([code, *(shown(x, 2) if x else "<0.02" for x in (*parts, *own))])
    b.table(
        "composition",
        "Composition of the heats by optical emission spectroscopy after dissolution. Formulas in this paper are "
        "nominal (Table 1).",
        columns,
        rows,
        kind="preparation",
        style="ruled",
    )
    b.trap("nominal and measured composition", "Table 1, Table 2", "the nominal formula of Table 1")


def _tensile_columns() -> list[dict[str, Any]]:
    return [
        column("Heat", kind="sample"),
        column("*R*_{p0.2} (MPa)", "yield strength", "MPa"),
        column("*R*_{m} (MPa)", "ultimate tensile strength", "MPa"),
        column("*A* (%)", "elongation to fracture", "%"),
        column("*n*", "number of specimens"),
    ]


def _tensile(b: Book) -> None:
    cast, annealed, cold = [], [], []
    for code, _, ti, y0, y1, strain, _ in ALLOYS:
        cast.append([code, str(y0), str(y0 + b.random.randint(215, 260)), b.near(strain * 0.72, 0.05, 0), "3"])
        annealed.append([code, str(y1), str(y1 + b.random.randint(335, 392)), str(strain), "4" if ti else "3"])
        cold.append(
            [code, b.near(y1 * 1.46, 0.02, 0), b.near((y1 + 360) * 1.41, 0.02, 0), b.near(strain * 1.1, 0.03, 0), "2"]
        )
    annealed[4][1] += "^{b}"
    caption = (
        "Tensile properties at 293 K in the {} state: proof stress at 0.2 % strain *R*_{{p0.2}} (the yield strength), "
        "ultimate tensile strength *R*_{{m}} and elongation to fracture *A*, means over *n* specimens."
    )
    b.table(
        "cast",
        caption.format("as-cast"),
        _tensile_columns(),
        cast,
        state="as-cast",
        temperature="293 K",
    )
    b.table(
        "annealed",
        caption.format("annealed"),
        _tensile_columns(),
        annealed,
        state="annealed",
        temperature="293 K",
        notes=["^{b} See the note added in proof."],
    )
    b.table(
        "cold",
        "As the preceding table, at 77 K in liquid nitrogen.",
        _tensile_columns(),
        cold,
        state="annealed",
        temperature="77 K",
    )
    right, wrong = "372", plain_number(annealed[4][1])
    b.facts |= {"proof_right": right, "proof_wrong": wrong, "y_a8_round": "530", "y_a1_cast": "268"}
    b.trap("correction in a note", "Table 4 and note added in proof", right, wrong)
    b.trap("look-alike tables", "Table 3, Table 4, Table 5", "the state and temperature of the caption")
    b.trap("rounded in the abstract", "abstract: about 530 MPa", "523", "530")


def plain_number(cell: str) -> str:
    """A cell without its note's mark."""
    return cell.partition("^")[0]


def _other(b: Book) -> None:
    columns = [column("Code", kind="sample")] + [
        column(head, "Vickers hardness", "HV", state=state)
        for head, state in (("As cast", "as-cast"), ("Annealed", "annealed"), ("24 h", "aged"), ("100 h", "aged"))
    ]
    rows = []
    for _, al, ti, y0, y1, _, aged in sorted(ALLOYS, key=lambda each: each[-1]):
        gain = 1 + 1.6 * al * (ti + 0.15) * 4 + 0.9 * ti
        cast = b.near(y0 * 0.47 + 32, 0.01, 0)
        annealed = b.near(y1 * 0.38 + 28, 0.01, 0)
        rows.append(
            [
                aged,
                cast,
                annealed,
                b.near((y1 * 0.38 + 28) * gain, 0.01, 0),
                b.near((y1 * 0.38 + 28) * gain**1.25, 0.01, 0),
            ]
        )
    b.table(
        "hardness",
        "Vickers hardness HV0.5 of all heats, in the order of the codes. Columns 24 h and 100 h: aged at 700 °C "
        "after annealing. Means over ten indents, standard deviation 3 HV.",
        columns,
        rows,
        style="bare",
    )
    b.table(
        "codes",
        "Codes of aged specimens.",
        [column("Code", kind="sample"), column("Heat", "heat")],
        [[aged, code] for code, *_, aged in sorted(ALLOYS, key=lambda each: each[-1])],
        kind="preparation",
        style="ruled",
        pad=9,
    )
    b.trap("codes change", "Table 6 has H1 to H8, in another order than A1 to A8", "Table 7 joins them")
    b.trap(
        "statement against table", "text before Table 6", "A3 and A4 harden by 24 and 40 %", "hardly change in 100 h"
    )
    b.trap("statement against table", "text after Table 5", "ratios from 1.35 to 1.55", "the same within 3 %")
    columns = [
        column("Alloy", kind="literature"),
        column("State", "state"),
        column("*R*_{p0.2} (MPa)", "yield strength", "MPa"),
        column("*R*_{m} (MPa)", "ultimate tensile strength", "MPa"),
        column("*A* (%)", "elongation to fracture", "%"),
        column("Ref.", "reference"),
    ]
    rows = [
        ["<CoCrNi>", "annealed", "295", "702", "74", "[4]"],
        ["<CoCrNi>", "cold rolled", "1140", "1265", "11", "[5]"],
        ["<Al0.3CoCrNi>", "annealed", "431", "810", "44", "[9]"],
        ["<CoCrFeMnNi>", "annealed", "262", "601", "58", "[2]"],
        ["<CoCrNiTi0.2>", "aged", "712", "1098", "27", "[11]"],
        ["<Al0.2CoCrNiTi0.2>", "aged", "786", "1204", "23", "[12]"],
    ]
    b.table("others", "Tensile properties of related alloys at room temperature.", columns, rows, kind="literature")
    b.trap("values of other work", "Table 8", "no record")
    _elastic(b)


def _elastic(b: Book) -> None:
    columns = [
        column("Heat", kind="sample"),
        column("*E* (GPa)", "Young's modulus", "GPa"),
        column("*G* (GPa)", "shear modulus", "GPa"),
        column("*ν*", "Poisson's ratio"),
        column("*ρ* (g cm^{-3})".replace("-", "−"), "density", "g cm^-3"),
    ]
    measured, computed = [], []
    for code, al, ti, *_ in ALLOYS:
        modulus = 231 - 34 * al - 21 * ti
        ratio = 0.292 + 0.02 * al
        shear = modulus / (2 * (1 + ratio))
        density = 8.31 - 0.78 * al - 0.47 * ti
        measured.append(
            [
                code,
                b.near(modulus, 0.004, 1),
                b.near(shear, 0.004, 1),
                b.near(ratio, 0.006, 3),
                b.near(density, 0.001, 3),
            ]
        )
        computed.append(
            [
                code,
                b.near(modulus * 1.11, 0.004, 1),
                b.near(shear * 1.12, 0.004, 1),
                b.near(ratio * 0.98, 0.006, 3),
                b.near(density * 1.02, 0.001, 3),
            ]
        )
    text = "Young's modulus *E*, shear modulus *G*, Poisson's ratio *ν* and density *ρ* of the annealed alloys at {}."
    b.table(
        "elastic",
        text.format("293 K by resonant ultrasound and by weighing in water"),
        columns,
        measured,
        state="annealed",
        temperature="293 K",
    )
    b.table(
        "elastic_dft",
        text.format("0 K by density-functional theory (PBE, 108-atom quasirandom cells)"),
        columns,
        computed,
        kind="simulation",
        temperature="0 K",
    )
    b.trap("computed beside measured", "Table 9, Table 10", "the method of the caption")


def _appendix(b: Book) -> None:
    columns = [
        column("Heat", kind="sample"),
        column("*ρ*_{293} (10^{−8} Ω m)", "electrical resistivity", "10^-8 Ω m", temperature="293 K"),
        column("*ρ*_{77} (10^{−8} Ω m)", "electrical resistivity", "10^-8 Ω m", temperature="77 K"),
        column("*α* (10^{−6} K^{−1})", "thermal expansion coefficient", "10^-6 K^-1"),
        column("*κ* (W m^{−1} K^{−1})", "thermal conductivity", "W m^-1 K^-1"),
    ]
    rows = []
    for code, al, ti, *_ in ALLOYS:
        warm = 94 + 46 * al + 31 * ti
        rows.append(
            [
                code,
                b.near(warm, 0.005, 1),
                b.near(warm * 0.86, 0.005, 1),
                b.near(14.6 - 1.1 * al, 0.01, 2),
                b.near(1080 / warm, 0.01, 1),
            ]
        )
    b.table(
        "transport",
        "Transport and expansion of the annealed alloys: electrical resistivity at 293 K and at 77 K, mean coefficient "
        "of thermal expansion from 293 to 473 K, thermal conductivity at 293 K.",
        columns,
        rows,
        appendix=True,
        style="ruled",
        state="annealed",
    )
    b.facts["cu_resistivity"] = "1.68"
    columns = [
        column("Specimen", kind="log"),
        column("State", "state"),
        column("*d* (mm)", "gauge diameter", "mm"),
        column("*R*_{p0.2} (MPa)", "yield strength", "MPa"),
        column("*R*_{m} (MPa)", "ultimate tensile strength", "MPa"),
        column("*A* (%)", "elongation to fracture", "%"),
        column("Broke", "place of fracture"),
    ]
    rows = []
    for table, state in (("cast", "cast"), ("annealed", "annealed")):
        for row in b.of(table)["rows"]:
            count = int(row[-1])
            for number in range(count):
                mean = [float(plain_number(each)) for each in row[1:4]]
                if row[1].endswith("^{b}"):
                    mean[0] = float(b.facts["proof_right"])
                values = [str(round(x * (1 + b.random.gauss(0, 0.012)))) for x in mean]
                broke = b.random.choice(("gauge", "gauge", "gauge", "gauge", "shoulder"))
                rows.append([f"{row[0]}-{state[0]}{number + 1}", state, b.near(4.0, 0.004, 3), *values, broke])
    b.table("specimens", "Single tensile tests at 293 K.", columns, rows, appendix=True, kind="log", split=30)
    b.trap("single tests beside means", "Table A2", "no record")
    columns = [
        column("*T* (K)", "temperature", "K"),
        *(column(code, "dilatation", "10^-3") for code, *_ in ALLOYS),
    ]
    rows = []
    for temperature in range(293, 893, 20):
        strain = [(14.2 + 0.0031 * (temperature - 293)) * (temperature - 293) * 1e-3 for _ in ALLOYS]
        rows.append([str(temperature), *(b.near(x, 0.012, 3) for x in strain)])
    b.table(
        "dilatation",
        "Dilatation Δ*L*/*L* (10^{−3}) of the annealed alloys on heating at 3 K min^{−1}, relative to 293 K.",
        columns,
        rows,
        appendix=True,
        kind="log",
        size=0.82,
    )


def _figures(b: Book) -> None:
    strain = [0.5 * i for i in range(101)]
    series = []
    for code, _, _, _, y1, top, _ in (ALLOYS[0], ALLOYS[3], ALLOYS[7]):
        x = [s for s in strain if s <= top]
        y = [min(s * 900, y1 + 360 * (1 - 2.718 ** (-s / 22))) for s in x]
        series.append({"label": code, "x": x, "y": [round(each, 1) for each in y]})
    b.figure(
        "curves",
        "Engineering stress and strain of three annealed alloys at 293 K. Inset: the onset of yielding of A8 at "
        "77 K, with the stress drop that is named there.",
        {
            "series": series,
            "x_label": "Strain (%)",
            "y_label": "Stress (MPa)",
            "size": [4.4, 2.9],
            "legend_at": "lower right",
            "inset": {
                "at": [0.6, 0.5, 0.37, 0.3],
                "x_label": "Strain (%)",
                "y_label": "MPa",
                "series": [{"x": [0, 0.3, 0.42, 0.5, 0.7, 1.0], "y": [0, 540, 771, 744, 748, 762]}],
                "notes": [[0.5, 300, "drop 27 MPa"]],
                "legend": False,
            },
        },
    )
    b.figure(
        "grains",
        "Electron micrographs (drawn for this task set) of A3: (a) annealed for 2 h, (b) annealed for 20 h. Mean "
        "intercepts are 31 µm and 58 µm.",
        {
            "panels": [
                {"type": "grains", "seed": 5, "grains": 120, "scale": "50 µm", "tag": "A3 2 h"},
                {"type": "grains", "seed": 6, "grains": 45, "scale": "50 µm", "tag": "A3 20 h"},
            ],
            "size": [5.6, 2.0],
        },
        raster=True,
    )
    hours = [0, 2, 8, 24, 50, 100, 200]
    hard = {row[0]: row for row in b.of("hardness")["rows"]}
    series = []
    for code in ("H1", "H6", "H8"):
        first, day, end = (float(hard[code][index]) for index in (2, 3, 4))
        ys = [first, first + 0.35 * (day - first), first + 0.7 * (day - first), day, (day + end) / 2, end, end * 0.985]
        series.append({"label": code, "x": hours, "y": [round(y, 1) for y in ys], "style": "o-"})
    b.figure(
        "ageing",
        "Hardness during ageing at 700 °C. Lines guide the eye; the dashed level in the drawing of H8 is its value "
        "after 500 h.",
        {
            "series": [*series, {"x": [0, 200], "y": [318, 318], "style": "--"}],
            "x_label": "Ageing time (h)",
            "y_label": "HV0.5",
            "notes": [[120, 322, "318 HV after 500 h"]],
            "size": [4.2, 2.7],
            "legend_at": "center right",
        },
    )
    b.facts["hv_500"] = "318"
    b.figure(
        "models",
        "Yield strength of the annealed alloys at 293 K against the misfit parameter; the line is the solute "
        "strengthening model of Eq. (1), not a fit.",
        {
            "type": "points",
            "series": [
                {
                    "label": "annealed",
                    "x": [round(0.8 + 2.1 * al + 1.7 * ti, 2) for _, al, ti, *_ in ALLOYS],
                    "y": [each[4] for each in ALLOYS],
                }
            ],
            "x_label": "Misfit (%)",
            "y_label": "Yield strength (MPa)",
            "size": [3.8, 2.5],
        },
        raster=True,
    )


def _tasks(b: Book) -> None:
    b.facts["drop"] = "27"
    material = {code: each["formula"] for code, each in b.samples.items()}
    aged = {each["aged_code"]: each["formula"] for each in b.samples.values()}
    mechanical = {"category": "mechanical"}

    def by_code(row: list[str]) -> dict[str, Any] | None:
        name = material.get(row[0]) or aged.get(row[0])
        return {"material_or_system": name} if name else None

    heads = ["yield strength", "ultimate tensile strength", "elongation to fracture"]
    annealed = {"conditions": {"sample_state": "annealed", "temperature": "293 K"}, **mechanical}
    records = b.records("annealed", heads, by_code, **annealed)
    right = {
        "value_string": b.facts["proof_right"],
        "location": {
            "figure_or_table": None,
            "source_type": "text",
            "evidence": "the proof stress of the annealed heat A5 at 293 K is 372 MPa",
        },
    }
    records = [
        without_none(merged(each, right)) if each["value_string"].startswith(b.facts["proof_wrong"]) else each
        for each in records
    ]
    hardness = []
    for index, state in ((1, "as-cast"), (2, "annealed")):
        hardness += _hardness(b, aged, index, state, None)
    hardness += _hardness(b, aged, 3, "aged", "24 h at 700 °C") + _hardness(b, aged, 4, "aged", "100 h at 700 °C")
    b.properties(
        "alloy_tensile_annealed",
        SCOPE.format(
            what="the yield strength, ultimate tensile strength and elongation to fracture of the annealed "
            "alloys at 293 K"
        ),
        records,
        ["look-alike tables", "sample codes", "correction in a note", "values of other work"],
    )
    hardness.append(
        {
            "material_or_system": "Al0.2CoCrNiTi0.2",
            "property_name": "Vickers hardness",
            "value_string": "318",
            "value_unit": "HV",
            "conditions": {"sample_state": "aged", "other_conditions": "500 h at 700 °C"},
            "location": {"figure_or_table": "Fig. 3", "source_type": "figure", "evidence": "318 HV after 500 h"},
        }
    )
    b.properties(
        "alloy_hardness",
        SCOPE.format(what="the Vickers hardness of the alloys in every state, as cast, annealed and aged")
        + " Say the state in conditions.sample_state and the time and temperature of ageing in "
        "conditions.other_conditions. A value that stands as a label inside a figure counts, a point of a curve "
        "does not.",
        hardness,
        ["codes that change", "two tables joined", "label inside a figure"],
    )
    transport = []
    for name, temperature in (("electrical resistivity", "293 K"), ("electrical resistivity", "77 K")):
        transport += _resistivity(b, material, name, temperature)
    shared = {"conditions": {"sample_state": "annealed"}}
    transport += b.records("transport", ["thermal expansion coefficient"], by_code, **shared)
    shared = {"conditions": {"sample_state": "annealed", "temperature": "293 K"}}
    transport += b.records("transport", ["thermal conductivity"], by_code, **shared)
    b.properties(
        "alloy_transport",
        SCOPE.format(
            what="the electrical resistivity, the thermal expansion coefficient and the thermal "
            "conductivity of the annealed alloys"
        ),
        transport,
        ["appendix only", "powers of ten in heads", "one property at two temperatures"],
    )
    _filling(b)


def _hardness(b: Book, aged: dict[str, str], index: int, state: str, ageing: str | None) -> list[dict[str, Any]]:
    records = []
    for row in b.of("hardness")["rows"]:
        conditions = {"sample_state": state} | ({"other_conditions": ageing} if ageing else {})
        records.append(
            {
                "material_or_system": aged[row[0]],
                "property_name": "Vickers hardness",
                "value_string": row[index],
                "value_unit": "HV",
                "conditions": conditions,
                "location": {
                    "figure_or_table": b.of("hardness")["label"],
                    "source_type": "table",
                    "evidence": "\t".join(row),
                },
            }
        )
    return records


def _resistivity(b: Book, material: dict[str, str], name: str, temperature: str) -> list[dict[str, Any]]:
    index = 1 if temperature == "293 K" else 2
    return [
        {
            "material_or_system": material[row[0]],
            "property_name": name,
            "value_string": row[index],
            "value_unit": "10^-8 Ω m",
            "conditions": {"sample_state": "annealed", "temperature": temperature},
            "location": {"figure_or_table": "Table A1", "source_type": "table", "evidence": "\t".join(row)},
        }
        for row in b.of("transport")["rows"]
    ]


def without_none(record: dict[str, Any]) -> dict[str, Any]:
    """A record without the places that a correction does not have."""
    place = {key: value for key, value in record["location"].items() if value is not None}
    return {**record, "location": place}


def _filling(b: Book) -> None:
    objects = []
    for table, state, temperature in (
        ("cast", "as-cast", "293 K"),
        ("annealed", "annealed", "293 K"),
        ("cold", "annealed", "77 K"),
    ):
        for row in b.of(table)["rows"]:
            quote = "\t".join(each.replace("^{b}", "^b") for each in row)
            alloy = b.samples[row[0]]["formula"]
            heat = b.row("heats", row[0])
            yields = (f"{plain_number(row[1])} MPa", quote)
            if "^" in row[1]:
                yields = ("372 MPa", "the proof stress of the annealed heat A5 at 293 K is 372 MPa")
            objects.append(
                {
                    "formula": (alloy, "\t".join(heat).replace("<", "").replace(">", "")),
                    "code": (row[0], quote),
                    "state": (state, None),
                    "temperature": (temperature, None),
                    "yield_strength": yields,
                    "ultimate_strength": (f"{row[2]} MPa", quote),
                    "elongation": (f"{row[3]} %", quote),
                    "specimens": (row[4], quote),
                }
            )
    b.objects("alloy_states", "alloy_states", objects, ["look-alike tables", "join by code", "correction in a note"])
    objects = []
    for row in b.of("hardness")["rows"]:
        code = next(code for code, each in b.samples.items() if each["aged_code"] == row[0])
        quote = "\t".join(row)
        heat = b.row("heats", code)
        moved = b.row("transport", code)
        objects.append(
            {
                "formula": (b.samples[code]["formula"], "\t".join(heat).replace("<", "").replace(">", "")),
                "code": (code, f"{row[0]}\t{code}"),
                "hardness_cast": (f"{row[1]} HV", quote),
                "hardness_annealed": (f"{row[2]} HV", quote),
                "hardness_aged": (f"{row[4]} HV", quote),
                "youngs_modulus": (f"{b.row('elastic', code)[1]} GPa", "\t".join(b.row("elastic", code))),
                "resistivity": (f"{moved[2]} 10^-8 Ω m", "\t".join(moved)),
            }
        )
    b.objects(
        "alloy_pieces", "alloy_pieces", objects, ["codes that change", "five tables joined", "computed beside measured"]
    )
