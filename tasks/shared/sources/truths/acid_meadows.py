"""Amended meadows: seasons that look alike, two extractions in two units, hay by the plot, sacks for sites."""

from typing import Any

from kit import Book, column, shown

TREATMENTS = ("control", "lime", "compost", "biochar")
SITES = (  # site, name, area in ha, altitude, rock, calcium of the control in autumn, pH of the control, sack
    ("M1", "Upper Rushmead", 1.35, 212, "sandstone", 1.42, 4.31, "T7"),
    ("M2", "Lower Rushmead", 0.84, 187, "sandstone", 1.88, 4.52, ""),
    ("M3", "Cold Ing", 2.10, 341, "granite", 0.97, 4.08, "T2"),
    ("M4", "Hareby Moss", 0.62, 298, "slate", 1.21, 4.17, "T5"),
    ("M5", "Thornholme", 1.76, 143, "slate", 2.36, 4.74, "T1"),
    ("M6", "Skell Bottom", 0.95, 96, "alluvium", 3.05, 5.02, ""),
    ("M7", "Wether Hill", 1.48, 377, "granite", 0.81, 3.96, "T4"),
    ("M8", "Long Stint", 1.12, 254, "sandstone", 1.57, 4.39, "T6"),
)
LIFT = {"control": (1.0, 0.0), "lime": (1.34, 2.1), "compost": (1.22, 0.62), "biochar": (1.15, 0.31)}
SEASONS = (("spring", 0.78), ("summer", 0.91), ("autumn", 1.0))
CORRECTED = "the exchangeable calcium with lime at M5 in autumn is 4.31 cmol/kg"


def book() -> Book:
    """The truth of this paper."""
    b = Book(
        "acid_meadows",
        "Lime, compost and biochar on eight acid meadows: calcium, aluminium and hay over three seasons",
        "soil science",
        47,
    )
    b.facts |= {"right_ca": "4.31", "plot": "25", "equivalent": "200.4", "abstract_gain": "80"}
    _sites(b)
    _seasons(b)
    _hay(b)
    _sacks(b)
    _appendix(b)
    _figures(b)
    _tasks(b)
    return b


def _sites(b: Book) -> None:
    columns = [
        column("Site", kind="sample"),
        column("Meadow", "meadow"),
        column("Area (ha)", "area", "ha"),
        column("Altitude (m)", "altitude", "m"),
        column("Rock", "rock"),
    ]
    rows = [[site, name, shown(area, 2), str(height), rock] for site, name, area, height, rock, *_ in SITES]
    b.table("sites", "The meadows.", columns, rows, kind="preparation", size=0.8)
    columns = [
        column("Treatment"),
        column("Rate (t/ha)", "rate", "t/ha"),
        column("Calcium (g/kg)", "calcium of the amendment", "g/kg"),
        column("Water (%)", "water", "%"),
    ]
    rows = [
        ["Control", "0", "–", "–"],
        ["Lime", "4.5", "368", "2"],
        ["Compost", "22", "31", "46"],
        ["Biochar", "9", "14", "11"],
    ]
    caption = "Amendments, their rates as fresh mass, and what they contained."
    b.table("amendments", caption, columns, rows, kind="preparation", style="ruled", size=0.85)


def _by_treatment(name: str, unit: str = "") -> list[dict[str, Any]]:
    return [column("Site", kind="sample")] + [
        column(each.capitalize(), f"{name} with {each}", unit, treatment=each) for each in TREATMENTS
    ]


def _values(b: Book, start: float, factor: float, spread: float, digits: int) -> list[str]:
    return [b.near((start * more + plus) * factor, spread, digits) for more, plus in LIFT.values()]


def _seasons(b: Book) -> None:
    caption = "Exchangeable calcium (cmol/kg) in {season} by treatment, extracted with ammonium acetate."
    for season, factor in SEASONS:
        columns = _by_treatment(f"exchangeable calcium in {season}", "cmol/kg")
        rows = [[site[0], *_values(b, site[5], factor, 0.025, 2)] for site in SITES]
        more: dict[str, Any] = {}
        if season == "autumn":
            rows[4][2] += "^{c}"
            more = {"notes": ["^{c} See the remark that follows the conclusions."]}
        b.table(season, caption.format(season=season), columns, rows, size=0.85, **more)
    columns = _by_treatment("extractable calcium in autumn", "mg/kg")
    rows = [[site[0], *_values(b, site[5], 268.0, 0.03, 0)] for site in SITES]
    caption = "Extractable calcium (mg/kg) in autumn by treatment, extracted with dilute nitric acid."
    b.table("acid", caption, columns, rows, size=0.85)
    columns = _by_treatment("pH in autumn")
    shift = (0.0, 1.18, 0.34, 0.21)
    rows = [[site[0], *(b.near(site[6] + more, 0.008, 2) for more in shift)] for site in SITES]
    b.table("ph", "Soil pH in autumn by treatment, in calcium chloride.", columns, rows, size=0.85, style="ruled")
    b.trap("look-alike tables", "Tables 3 to 6", "season and extraction of the caption")
    b.trap("two units", "Tables 5 and 6", "cmol/kg and mg/kg")
    b.trap("correction in a remark", "Table 5, M5, lime", b.facts["right_ca"])


def _hay(b: Book) -> None:
    columns = _by_treatment("hay", "kg per plot")
    gain = {"control": 1.0, "lime": 1.31, "compost": 1.24, "biochar": 1.06}
    rows = []
    for number, site in enumerate(SITES):
        start = 8.4 + 2.2 * site[5] - 0.006 * site[3]
        cells = [start * each for each in gain.values()]
        if site[0] == "M7":
            cells[1] = start * 0.93
        if site[0] == "M2":
            cells[3] = start * 0.9
        rows.append([site[0], *(b.near(each, 0.015 + 0.001 * number, 1) for each in cells)])
    caption = "Hay (kg per plot, dry mass) by treatment, sum of both cuts of the second year."
    b.table("hay", caption, columns, rows, size=0.85)
    b.trap("text denies table", "hay, M7 with lime", "lower than the control")


def _sacks(b: Book) -> None:
    columns = [column("Sack", kind="sample"), column("Site", "site")]
    rows = sorted([site[-1], site[0]] for site in SITES if site[-1])
    b.table("sacks", "Sacks of the buried resin and their sites.", columns, rows, style="ruled", pad=9, size=0.85)
    columns = [
        column("Sack", kind="sample"),
        column("Control (mg/kg)", "aluminium of the control", "mg/kg"),
        column("Lime (mg/kg)", "aluminium with lime", "mg/kg"),
        column("Compost (mg/kg)", "aluminium with compost", "mg/kg"),
    ]
    rows = []
    for sack, site in b.of("sacks")["rows"]:
        acid = next(each[6] for each in SITES if each[0] == site)
        level = 2.7182818 ** ((6.85 - acid) * 2.05) * 0.62
        rows.append([sack, b.near(level, 0.05, 0), b.near(level * 0.19, 0.08, 0), b.near(level * 0.58, 0.06, 0)])
    caption = "Aluminium taken up by buried resin from spring to autumn, by sack."
    b.table("aluminium", caption, columns, rows, size=0.85)
    b.trap("codes change", "aluminium by sack", "the table of sacks; two sites have none")


def _appendix(b: Book) -> None:
    columns = [column("Month", kind="log"), column("Rain (mm)", "rain", "mm"), column("Air (°C)", "air", "°C")]
    columns += [column("Soil (°C)", "soil", "°C"), column("Days of frost", "days of frost")]
    months = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
              "November", "December")  # fmt: skip
    rows = []
    for year in (1, 2):
        for number, month in enumerate(months):
            warm = 8.5 - 7.4 * [1, 0.95, 0.6, 0.1, -0.4, -0.8, -1, -0.9, -0.5, 0.1, 0.6, 0.95][number]
            cells = [b.near(96, 0.3, 0), shown(warm + b.random.gauss(0, 0.8), 1), shown(warm * 0.8 + 2, 1)]
            frost = str(b.random.randint(8, 19)) if warm < 4 else "0"
            rows.append([f"{month}, year {year}", *cells, frost])
    b.table("weather", "Weather at Cold Ing.", columns, rows, appendix=True, kind="log", size=0.85, breaks=True)
    columns = [
        column("Core", kind="log"),
        column("Site", "site"),
        column("Treatment", "treatment"),
        column("Depth (cm)", "depth", "cm"),
        column("Calcium (cmol/kg)", "calcium", "cmol/kg"),
        column("Potassium (mg/kg)", "potassium", "mg/kg"),
        column("pH", "pH"),
        column("Roots (g)", "roots", "g"),
    ]
    rows = []
    for site in SITES:
        autumn, acid = b.row("autumn", site[0]), b.row("ph", site[0])
        for index, treatment in enumerate(TREATMENTS):
            for number in range(9):
                depth, share = (("0–10", 1.0), ("10–20", 0.63))[number % 2]
                calcium = float(autumn[1 + index].partition("^")[0]) * share
                cells = [b.near(calcium, 0.12, 2), b.near(118 * share, 0.2, 0), b.near(float(acid[1 + index]), 0.01, 2)]
                core = f"{site[0]}-{treatment[0]}{number + 1}"
                core = core if treatment != "compost" else f"{site[0]}-k{number + 1}"
                rows.append([core, site[0], treatment, depth, *cells, b.near(2.4 * share, 0.3, 2)])
    caption = "Single cores of autumn: depth, exchangeable calcium, extractable potassium, pH and dry mass of roots."
    b.table("cores", caption, columns, rows, appendix=True, kind="log", split=32, size=0.82)


def _figures(b: Book) -> None:
    places = [[18, 30, "M1"], [30, 58, "M2"], [120, 22, "M3"], [92, 46, "M4"], [70, 128, "M5"], [150, 118, "M6"]]
    places += [[196, 30, "M7"], [206, 76, "M8"]]
    plot = {"type": "map", "seed": 4, "places": places, "bar": 40, "scale": "5 km", "size": [3.6, 2.5]}
    caption = "Map of the eight meadows (drawn for this task set). Darker is higher; the line is the Skell."
    b.figure("map", caption, plot, raster=True)
    weeks = [0, 4, 8, 16, 24, 32]
    shape = [0.5, 0.62, 0.78, 0.91, 0.97, 1.0]
    series = []
    for site, label in (("M1", "M1 lime"), ("M3", "M3 lime"), ("M6", "M6 lime")):
        end = float(b.row("autumn", site)[2])
        series.append({"label": label, "x": weeks, "y": [round(end * each, 2) for each in shape], "style": "o-"})
    first = [round(series[0]["y"][0] + each, 2) for each in (0, 0.03, 0.05, 0.31, 0.33)]
    inset = {
        "at": [0.56, 0.14, 0.4, 0.32],
        "series": [{"x": [0, 5, 10, 15, 20], "y": first}],
        "x_label": "Day",
        "y_label": "cmol/kg",
        "notes": [[4.0, first[3] - 0.02, "rain"]],
        "legend": False,
    }
    plot = {
        "series": series,
        "x_label": "Weeks after liming",
        "y_label": "Exchangeable calcium (cmol/kg)",
        "size": [3.9, 2.9],
        "inset": inset,
        "legend_at": "upper left",
        "y_range": [0, max(series[2]["y"]) * 1.25],
    }
    caption = "Exchangeable calcium after liming at three sites. Inset: the first twenty days at M1, with rain."
    b.figure("weeks", caption, plot, raster=True)
    resin = {row[0]: row for row in b.of("aluminium")["rows"]}
    sacks = {site: sack for sack, site in b.of("sacks")["rows"]}
    shown_sites = ("M8", "M3", "M5", "M7")
    series = [
        {"label": label, "x": list(shown_sites), "y": [float(resin[sacks[site]][index]) for site in shown_sites]}
        for label, index in (("control", 1), ("lime", 2))
    ]
    plot = {
        "type": "broken",
        "series": series,
        "cut": [100, 150],
        "ticks": [0, 25, 50, 75, 175, 200, 225],
        "y_label": "Aluminium (mg/kg)",
        "size": [3.5, 2.6],
        "legend_at": "upper left",
    }
    caption = "Aluminium taken up by buried resin at four sites. The axis leaves out what the broken lines enclose."
    b.figure("resin", caption, plot)
    series = []
    for index, label in enumerate(TREATMENTS[:3]):
        x = [float(b.row("ph", site[0])[1 + index]) for site in SITES]
        y = [float(b.row("hay", site[0])[1 + index]) for site in SITES]
        series.append({"label": label, "x": x, "y": y})
    x, y = series[0]["x"], series[0]["y"]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    squares = sum((each - mean_x) ** 2 for each in x)
    slope = sum((a - mean_x) * (c - mean_y) for a, c in zip(x, y, strict=True)) / squares
    series[0]["line"] = [slope, mean_y - slope * mean_x]
    b.facts["slope"] = f"{slope:.2f}"
    plot = {
        "type": "fitted",
        "series": series,
        "x_label": "pH in autumn",
        "y_label": "Hay (kg per plot)",
        "size": [3.5, 2.6],
        "notes": [[min(x), min(y) - 0.4, f"slope {slope:.2f} kg per unit"]],
        "legend_at": "lower right",
    }
    caption = "Hay against pH, one point a site and treatment. The line is a regression through the controls alone."
    b.figure("scatter", caption, plot)


def _tasks(b: Book) -> None:
    sacks = {site: sack for sack, site in b.of("sacks")["rows"]}
    objects = []
    for site, *_ in SITES:
        told, autumn, acid = b.row("sites", site), b.row("autumn", site), b.row("acid", site)
        ph, hay = b.row("ph", site), b.row("hay", site)
        calcium = (f"{autumn[2].partition('^')[0]} cmol/kg", "\t".join(autumn))
        if site == "M5":
            calcium = (f"{b.facts['right_ca']} cmol/kg", CORRECTED)
        made: dict[str, Any] = {
            "site": (site, "\t".join(told)),
            "meadow": (told[1], "\t".join(told)),
            "area": (f"{told[2]} ha", "\t".join(told)),
            "exchangeable_calcium": calcium,
            "extractable_calcium": (f"{acid[2]} mg/kg", "\t".join(acid)),
            "ph": (ph[2], "\t".join(ph)),
            "hay": (f"{hay[2]} kg", "\t".join(hay)),
        }
        if site in sacks:
            resin = b.row("aluminium", sacks[site])
            made["sack"] = (sacks[site], f"{sacks[site]}\t{site}")
            made["aluminium"] = (f"{resin[2]} mg/kg", "\t".join(resin))
        objects.append(made)
    features = ["look-alike tables", "two units", "codes that change", "correction in a remark", "fields left open"]
    b.objects("acid_meadows_limed", "acid_meadows_limed", objects, features)
