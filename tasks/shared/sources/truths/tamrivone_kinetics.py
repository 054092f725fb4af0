"""Eight formulations of a drug in two cohorts: doses in mg and in mg/kg, two units of exposure, a table over pages."""

from math import exp, log

from kit import Book, column, merged, plain, shown

FORMS = (  # code, solid, code in cohort B, melting point, density, solubility at pH 1.2 and 6.8, base in it, uptake
    ("T1", "alpha form", "K4", 163.4, 1.318, 88.0, 14.2, 1.000, 0.31),
    ("T2", "beta form", "K7", 158.9, 1.301, 104.0, 18.9, 1.000, 0.36),
    ("T3", "gamma form", "K1", 149.2, 1.284, 131.0, 25.3, 1.000, 0.43),
    ("T4", "monohydrate", "K8", 121.7, 1.342, 71.0, 9.6, 0.961, 0.24),
    ("T5", "mesylate", "K3", 187.3, 1.397, 412.0, 63.5, 0.822, 0.68),
    ("T6", "hydrochloride", "K6", 204.8, 1.356, 347.0, 41.2, 0.924, 0.59),
    ("T7", "fumarate", "K2", 176.1, 1.373, 268.0, 48.7, 0.793, 0.55),
    ("T8", "amorphous solid", "K5", 96.5, 1.262, 305.0, 57.4, 1.000, 0.62),
)
DOSE_A, DOSE_B = 120, 1.5
"""Doses of base: mg in cohort A, mg/kg in cohort B."""
VOLUME, UPTAKE = 96.0, 0.84
"""Volume of distribution in litres and rate of uptake in 1/h."""
TIMES = (0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 36, 48)
HALF = {"T1": 9.1, "T2": 9.4, "T3": 8.8, "T4": 12.6, "T5": 7.2, "T6": 7.7, "T7": 8.3, "T8": 10.3}
SCOPE = (
    "Only the {what}. Name {name}. {more} Means count, single subjects do not; computed values do not. Where places "
    "of the paper disagree, a correction that its authors print counts first, then a table, then the text, then "
    "the abstract."
)


def book() -> Book:
    """The truth of this paper."""
    b = Book(
        "tamrivone_kinetics",
        "Eight solid forms of tamrivone by mouth: dissolution, exposure and half-life in two cohorts",
        "kinetics",
        90,
    )
    for code, solid, other, *_ in FORMS:
        b.samples[code] = {"solid": solid, "cohort_b": other}
    b.facts |= {"weight_b": "68.5", "half_abstract": "10.6", "subjects_a": "8", "subjects_b": "6"}
    _making(b)
    _solids(b)
    _exposure(b)
    _appendix(b)
    _figures(b)
    _property_tasks(b)
    _filling(b)
    return b


def concentration(part: float, half: float, dose: float, time: float) -> float:
    """Concentration in ng/mL after an oral dose in mg, of which a part is taken up: one compartment."""
    rate = log(2) / half
    scale = 1000 * part * dose / VOLUME * UPTAKE / (UPTAKE - rate)
    return scale * (exp(-rate * time) - exp(-UPTAKE * time))


def _making(b: Book) -> None:
    columns = [
        column("Formulation", kind="sample"),
        column("Solid", "solid"),
        column("*d*_{50} (µm)", "median particle size", "µm"),
        column("Load (%)", "drug load", "%"),
        column("Base share", "share of base in the solid"),
        column("Capsule (mg)", "mass of the capsule", "mg"),
    ]
    rows = [
        [code, solid, b.near(14, 0.35, 1), b.near(32, 0.12, 1), shown(base, 3), b.near(410, 0.05, 0)]
        for code, solid, _, _, _, _, _, base, _ in FORMS
    ]
    caption = "Formulations, the solid in them, its median particle size *d*_{50}, drug load and share of base."
    b.table("forms", caption, columns, rows, kind="preparation")
    columns = [
        column("Formulation", kind="sample"),
        column("Cohort A (mg)", "dose in cohort A", "mg"),
        column("Cohort B (mg/kg)", "dose in cohort B", "mg/kg"),
        column("Fasted for (h)", "time of fasting", "h"),
    ]
    rows = []
    for code, solid, *_ in FORMS:
        high = solid in ("mesylate", "hydrochloride")
        dose_a, dose_b = (DOSE_A // 2, DOSE_B / 2) if high else (DOSE_A, DOSE_B)
        rows.append([code, str(dose_a), shown(dose_b, 2), str(b.random.choice((8, 10, 12)))])
    notes = ["Doses are those of the free base; the mass of a salt is larger by the inverse of its share of base."]
    b.table("doses", "Doses.", columns, rows, kind="preparation", style="ruled", notes=notes)
    columns = [column("Code", kind="sample"), column("Formulation", "formulation")]
    rows = [[other, code] for code, _, other, *_ in sorted(FORMS, key=lambda each: each[2])]
    b.table("codes", "Codes of cohort B.", columns, rows, kind="preparation", style="ruled", pad=9)
    b.trap("doses of base, one in mg and one in mg/kg", "Table 2", "the mean weight stands in the text")


def _exposure(b: Book) -> None:
    for cohort, area_unit in (("A", "ng h/mL"), ("B", "µg h/mL")):
        first = "Formulation" if cohort == "A" else "Code"
        columns = [
            column(first, kind="sample"),
            column("*C*_{max} (ng/mL)", "maximum concentration", "ng/mL"),
            column("*t*_{max} (h)", "time of the maximum", "h"),
            column(f"AUC ({area_unit})", "area under the curve", area_unit),
            column("*t*_{1/2} (h)", "terminal half-life", "h"),
            column("CL/F (L/h)", "apparent clearance", "L/h"),
        ]
        rows = []
        for code, _, other, *_, part in FORMS:
            dose = float(b.row("doses", code)[1])
            dose = dose if cohort == "A" else float(b.row("doses", code)[2]) * float(b.facts["weight_b"])
            half = HALF[code] * (1 if cohort == "A" else 1 + b.random.gauss(0.06, 0.05))
            taken = part * (1 if cohort == "A" else 1.12 + b.random.gauss(0, 0.04))
            peak = max(concentration(taken, half, dose, 0.05 * step) for step in range(1, 400))
            area = 1000 * taken * dose * half / log(2) / VOLUME
            cells = [b.near(peak, 0.015, 0), b.near(2.9, 0.12, 1)]
            cells += [b.near(area, 0.01, 0) if cohort == "A" else b.near(area / 1000, 0.01, 2), shown(half, 1)]
            rows.append([code if cohort == "A" else other, *cells, b.near(1000 * dose / area, 0.01, 1)])
        rows.sort(key=lambda row: row[0])
        caption = (
            f"Kinetic parameters in cohort {cohort} after one dose: maximum concentration *C*_{{max}}, time of the "
            "maximum *t*_{max}, area under the curve to infinity AUC, terminal half-life *t*_{1/2} and apparent "
            "clearance CL/F; geometric means."
        )
        notes = ["^{a} Area extrapolated by more than a fifth."]
        if cohort == "A":
            rows[3][3] += "^{a}"
        else:
            row = next(row for row in rows if row[0] == "K3")
            right = row[1]
            wrong = str(round(float(right) * 1.37))
            row[1] = f"{wrong}^{{b}}"
            b.facts |= {"right": right, "wrong": wrong, "wrong_code": "K3"}
            notes = ["^{b} See the correction at the end of the text."]
        b.table(f"cohort{cohort}", caption, columns, rows, state=f"cohort {cohort}", notes=notes)
    b.trap("correction in a note", b.of("cohortB")["label"], b.facts["right"], b.facts["wrong"])
    b.trap("look-alike tables in two units", "the parameters of the cohorts", "ng h/mL and µg h/mL")
    columns = [
        column("Drug", kind="literature"),
        column("Dose (mg)", "dose", "mg"),
        column("*C*_{max} (ng/mL)", "maximum concentration", "ng/mL"),
        column("*t*_{1/2} (h)", "terminal half-life", "h"),
        column("Ref.", "reference"),
    ]
    rows = [
        ["tamrivone, alpha form", "100", "241", "8.7", "[2]"],
        ["tamrivone, mesylate", "60", "318", "7.9", "[4]"],
        ["osprevone", "150", "508", "14.1", "[6]"],
        ["osprevone, fumarate", "150", "655", "13.8", "[6]"],
    ]
    b.table("others", "Related studies by other groups.", columns, rows, kind="literature")


def correction(b: Book) -> str:
    """The words of the correction."""
    return f"for K3 the maximum concentration is {b.facts['right']} ng/mL"


def _solids(b: Book) -> None:
    columns = [
        column("Solid", kind="sample"),
        column("*T*_{m} (°C)", "melting point", "°C"),
        column("*ρ* (g/cm^{3})", "density", "g/cm^3"),
        column("*S*_{1.2} (mg/L)", "solubility at pH 1.2", "mg/L"),
        column("*S*_{6.8} (mg/L)", "solubility at pH 6.8", "mg/L"),
    ]
    measured, computed = [], []
    for _, solid, _, melting, density, acid, neutral, *_ in FORMS:
        measured.append([solid, shown(melting, 1), shown(density, 3), shown(acid, 0), shown(neutral, 1)])
        cells = [b.near(melting * 0.95, 0.02, 1), b.near(density * 1.03, 0.004, 3)]
        computed.append([solid, *cells, b.near(acid * 1.3, 0.15, 0), b.near(neutral * 1.35, 0.15, 1)])
    text = "Melting point *T*_{{m}}, density *ρ* and solubility *S* at pH 1.2 and pH 6.8 of the solids{}."
    b.table("solids", text.format(", measured at 25 °C"), columns, measured)
    b.table(
        "solids_model", text.format(" as computed from their crystal structures"), columns, computed, kind="simulation"
    )
    b.trap("computed beside measured", "the two tables of solids", "the caption")


def _appendix(b: Book) -> None:
    for cohort in "AB":
        columns = [column("*t* (h)", "time", "h")]
        listed = FORMS if cohort == "A" else sorted(FORMS, key=lambda each: each[2])
        columns += [column(each[0] if cohort == "A" else each[2], "concentration", "ng/mL") for each in listed]
        rows: list[list[str]] = []
        for time in TIMES:
            cells: list[str] = []
            for code, _, other, *_, part in listed:
                row = b.row(f"cohort{cohort}", code if cohort == "A" else other)
                dose = float(b.row("doses", code)[1])
                dose = dose if cohort == "A" else float(b.row("doses", code)[2]) * float(b.facts["weight_b"])
                taken = part if cohort == "A" else part * 1.12
                cells.append(shown(concentration(taken, float(row[4]), dose, time), 1))
            rows.append([f"{time:g}", *cells])
        caption = f"Mean concentrations in plasma in cohort {cohort} (ng/mL)."
        b.table(f"course{cohort}", caption, columns, rows, appendix=True, kind="log", size=0.86)
    columns = [
        column("Subject", kind="log"),
        column("Formulation", "formulation"),
        column("Weight (kg)", "weight", "kg"),
        column("*C*_{max} (ng/mL)", "maximum concentration", "ng/mL"),
        column("*t*_{max} (h)", "time of the maximum", "h"),
        column("*t*_{1/2} (h)", "terminal half-life", "h"),
    ]
    rows = []
    for number, (code, *_) in enumerate(FORMS):
        mean = b.row("cohortA", code)
        for subject in range(8):
            name = f"A{10 * (number + 1) + subject}"
            cells = [b.near(72, 0.11, 1), b.near(float(mean[1]), 0.18, 0), b.random.choice(("2.0", "3.0", "4.0"))]
            rows.append([name, code, *cells, b.near(float(mean[4]), 0.14, 1)])
    caption = "Single subjects of cohort A."
    b.table("subjects", caption, columns, rows, appendix=True, kind="log", split=26)
    columns = [
        column("Formulation", kind="sample"),
        column("*f*_{u} (%)", "unbound fraction", "%"),
        column("Recovered in urine (%)", "share recovered in urine", "%"),
        column("M3 (ng/mL)", "maximum concentration of M3", "ng/mL"),
    ]
    rows = [[code, b.near(3.6, 0.08, 2), b.near(11, 0.15, 1), b.near(41, 0.3, 1)] for code, *_ in FORMS]
    caption = "Unbound fraction *f*_{u}, recovery in urine and maximum of the N-oxide M3, all in cohort A."
    b.table("binding", caption, columns, rows, appendix=True, style="ruled")


def _figures(b: Book) -> None:
    b.figure(
        "crystals",
        "Micrographs (drawn for this task set) of (a) alpha form and (b) the mesylate.",
        {
            "panels": [
                {"type": "grains", "seed": 31, "grains": 60, "scale": "20 µm", "tag": "alpha form"},
                {"type": "grains", "seed": 32, "grains": 130, "scale": "5 µm", "tag": "mesylate"},
            ],
            "size": [5.6, 2.0],
        },
        raster=True,
    )
    minutes = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120]
    series = []
    for code, pace, top in (("T1", 38, 61.0), ("T5", 9, 97.5), ("T8", 12, 92.0)):
        ys = [round(top * (1 - exp(-x / pace)), 1) for x in minutes]
        if code == "T8":
            ys[-3:] = [88.3, 74.6, 63.2]
        series.append({"label": code, "x": minutes, "y": ys, "style": "s-"})
    b.figure(
        "dissolved",
        "Dissolution of three formulations at pH 6.8. Inset: T8 during the first half hour at pH 1.2.",
        {
            "series": series,
            "x_label": "Time (min)",
            "y_label": "Dissolved (%)",
            "size": [4.4, 2.9],
            "y_range": [0, 135],
            "legend_at": "upper left",
            "notes": [[85, 52, "63.2 % at 2 h"]],
            "inset": {
                "at": [0.62, 0.74, 0.36, 0.23],
                "series": [{"x": [0, 5, 10, 20, 30], "y": [0, 52.0, 78.4, 93.1, 96.8]}],
                "x_label": "min",
                "y_label": "%",
                "notes": [[14, 60, "96.8 %"]],
                "legend": False,
            },
        },
        raster=True,
    )
    shown_codes = ("T1", "T4", "T5", "T8")
    course = b.of("courseA")
    heads = [each["head"] for each in course["columns"]]
    series = [
        {
            "label": code,
            "x": [float(row[0]) for row in course["rows"]],
            "y": [float(row[heads.index(code)]) for row in course["rows"]],
            "style": "o-",
        }
        for code in shown_codes
    ]
    b.figure(
        "courses",
        "Mean concentrations in plasma of four formulations in cohort A, on a logarithmic axis.",
        {
            "series": series,
            "y_log": True,
            "x_label": "Time after the dose (h)",
            "y_label": "Concentration (ng/mL)",
            "size": [4.6, 3.0],
            "y_range": [3, 1200],
        },
    )
    rows = b.of("cohortA")["rows"]
    b.figure(
        "solubility",
        "Maximum concentration in cohort A, per mg of dose, against the solubility at pH 6.8.",
        {
            "type": "points",
            "series": [
                {
                    "x": [each[6] for each in FORMS],
                    "y": [round(float(row[1]) / float(b.row("doses", row[0])[1]), 2) for row in rows],
                }
            ],
            "x_label": "Solubility at pH 6.8 (mg/L)",
            "y_label": "ng/mL per mg",
            "size": [3.8, 2.5],
        },
    )


def _property_tasks(b: Book) -> None:
    names = ["melting point", "density", "solubility at pH 1.2", "solubility at pH 6.8"]
    records = b.records("solids", names, lambda row: {"material_or_system": row[0]})
    what = "melting point, density, solubility at pH 1.2, solubility at pH 6.8 of the solids, measured"
    scope = SCOPE.format(what=what, name="a solid as the paper calls it (alpha form, mesylate, …)", more="")
    b.properties("tamrivone_solids", scope, records, ["look-alike tables", "computed beside measured"])
    solids = {other: solid for _, solid, other, *_ in FORMS}
    names = ["maximum concentration", "terminal half-life", "apparent clearance"]
    records = b.records("cohortB", names, lambda row: {"material_or_system": solids[plain(row[0])]})
    for number, record in enumerate(records):
        if record["value_string"].endswith("^b"):
            fixed = {"value_string": b.facts["right"], "location": {"source_type": "text", "evidence": correction(b)}}
            place = {key: value for key, value in record["location"].items() if key != "figure_or_table"}
            records[number] = merged({**record, "location": place}, fixed)
    what = "maximum concentration, terminal half-life, apparent clearance of the formulations in cohort B"
    name = "a formulation by the solid in it, as the paper calls it (alpha form, mesylate, …)"
    scope = SCOPE.format(what=what, name=name, more="Values of cohort A do not count.")
    b.properties("tamrivone_cohort", scope, records, ["look-alike tables", "codes that change", "correction in a note"])


def _filling(b: Book) -> None:
    objects = []
    for cohort, doses in (("A", 1), ("B", 2)):
        for code, solid, other, *_ in FORMS:
            row, dose = b.row(f"cohort{cohort}", code if cohort == "A" else other), b.row("doses", code)
            quote = "\t".join(plain(each) for each in row)
            cells = [plain(each).partition("^")[0] for each in row]
            peak, where = cells[1], quote
            if row[0] == "K3":
                peak, where = b.facts["right"], correction(b)
            form = "\t".join(b.row("forms", code))
            area = "ng h/mL" if cohort == "A" else "µg h/mL"
            objects.append(
                {
                    "solid": (solid, form),
                    "code": (code, form if cohort == "A" else f"{other}\t{code}"),
                    "cohort": (f"cohort {cohort}", None),
                    "dose": (f"{dose[doses]} {'mg' if cohort == 'A' else 'mg/kg'}", "\t".join(dose)),
                    "maximum": (f"{peak} ng/mL", where),
                    "area": (f"{cells[3]} {area}", quote),
                    "half_life": (f"{cells[4]} h", quote),
                }
            )
    b.objects("tamrivone_arms", "tamrivone_arms", objects, ["look-alike tables", "codes that change", "units"])
