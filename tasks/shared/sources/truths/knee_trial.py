"""A trial of three arms: populations whose tables look alike, three visits, a correction and a row that is replaced."""

from typing import Any

from kit import Book, column, shown

ARMS = ("placebo", "low dose", "high dose")
OUTCOMES = (  # name, unit, digits, improvement at week 12 by arm, direction of the per-protocol population
    ("Pain on walking", "mm", 1, (11.8, 17.2, 24.6)),
    ("Pain at rest", "mm", 1, (7.4, 10.1, 14.3)),
    ("Stiffness", "points", 1, (8.3, 12.6, 17.9)),
    ("Function", "points", 1, (9.1, 13.8, 19.2)),
    ("Swelling", "mm", 1, (2.1, 3.4, 5.2)),
    ("Walking distance", "m", 0, (14, 27, 43)),
    ("Rescue tablets", "per week", 2, (1.12, 1.87, 2.64)),
    ("Sleep", "min", 0, (12, 19, 31)),
)
VISITS = (("4", 0.55), ("12", 1.0), ("26", 0.86))
CENTRES = (  # centre, town, placebo, low dose, high dose, laboratory
    ("K01", "Aldermere", 12, 11, 12, "Q4"),
    ("K02", "Brisport", 9, 10, 9, "Q7"),
    ("K03", "Carrowby", 7, 7, 8, "Q1"),
    ("K04", "Dunhollow", 11, 10, 10, "Q9"),
    ("K05", "Eastwick Sands", 8, 9, 8, "Q2"),
    ("K06", "Farnley Cross", 10, 10, 11, "Q6"),
    ("K07", "Garrow", 6, 6, 5, "Q3"),
    ("K08", "Hallowmoor", 9, 9, 9, "Q8"),
    ("K09", "Inverloch", 8, 8, 8, "Q5"),
)
SUBGROUPS = (  # name, participants, difference between high dose and placebo, lower, upper limit
    ("All", 155, 12.8, 9.1, 16.5),
    ("Women", 95, 13.9, 9.2, 18.6),
    ("Men", 60, 11.1, 5.3, 16.9),
    ("Below 60 years", 65, 15.7, 10.1, 21.3),
    ("60 years and above", 90, 10.6, 5.8, 15.4),
    ("Grade 2", 70, 16.2, 10.9, 21.5),
    ("Grade 3", 59, 12.3, 6.2, 18.4),
    ("Grade 4", 26, 4.9, -3.6, 13.4),
    ("Earlier injection", 33, 6.8, -0.9, 14.5),
    ("No injection", 122, 14.4, 10.3, 18.5),
)


def book() -> Book:
    """The truth of this paper."""
    b = Book(
        "knee_trial",
        "Two doses of velorastat against placebo in osteoarthritis of the knee: a randomised trial in nine centres",
        "medicine",
        31,
    )
    b.facts |= {
        "screened": "391",
        "randomised": "240",
        "right_stiff": "15.4",
        "new_swelling_placebo": "1.7",
        "new_swelling_low": "2.6",
        "new_swelling_high": "3.9",
        "pp_high_text": "61",
        "pain_round": "25",
        "halflife": "31",
    }
    _recruitment(b)
    _outcomes(b)
    _centres(b)
    _safety(b)
    _supplement(b)
    _figures(b)
    _tasks(b)
    return b


def _recruitment(b: Book) -> None:
    columns = [
        column("Centre", kind="sample"),
        column("Town", "town"),
        column("Screened", "number screened"),
        *(column(arm.capitalize(), f"randomised to {arm}") for arm in ARMS),
    ]
    rows = [
        [centre, town, str(round(sum(counts) * b.random.uniform(1.5, 1.75))), *(str(count) for count in counts)]
        for centre, town, *counts, _ in CENTRES
    ]
    b.facts["screened"] = str(sum(int(row[2]) for row in rows))
    caption = "Centres, with the number of persons screened and of participants randomised to each arm."
    b.table("centres", caption, columns, rows, kind="preparation", size=0.8)
    columns = [column("Characteristic"), column("Unit", "unit"), *(column(arm.capitalize(), arm) for arm in ARMS)]
    rows = [
        ["Age", "years", "62.1", "61.4", "62.8"],
        ["Women", "%", "61", "63", "60"],
        ["Body mass", "kg", "84.2", "85.7", "83.9"],
        ["Duration of disease", "years", "7.3", "6.9", "7.6"],
        ["Pain on walking", "mm", "61.3", "60.8", "62.4"],
        ["Pain at rest", "mm", "38.2", "39.5", "38.8"],
        ["Stiffness", "points", "47.9", "49.1", "48.3"],
        ["Walking distance", "m", "341", "336", "345"],
    ]
    caption = "Characteristics of the participants at baseline, means or shares of the arm."
    b.table("baseline", caption, columns, rows, kind="preparation", size=0.82, style="ruled")
    columns = [column("Population"), *(column(arm.capitalize(), arm) for arm in ARMS)]
    rows = [
        ["Randomised", "80", "80", "80"],
        ["Safety", "80", "79", "80"],
        ["Intention to treat", "78", "79", "77"],
        ["Per protocol", "71", "66", "59"],
    ]
    caption = "Number of participants in each population, by arm."
    b.table("populations", caption, columns, rows, kind="preparation", size=0.85)


def _outcome_columns() -> list[dict[str, Any]]:
    heads = [column("Outcome", kind="sample"), column("Unit", "unit")]
    return heads + [column(arm.capitalize(), f"improvement with {arm}", arm=arm) for arm in ARMS]


def _outcome_rows(b: Book, factor: float, spread: float, lift: tuple[float, float, float]) -> list[list[str]]:
    rows: list[list[str]] = []
    for name, unit, digits, values in OUTCOMES:
        cells = [b.near(value * factor * more, spread, digits) for value, more in zip(values, lift, strict=True)]
        rows.append([name, unit, *cells])
    return rows


def _outcomes(b: Book) -> None:
    caption = (
        "Mean improvement from baseline at week {week}, {population}. Positive numbers are improvements; "
        "the unit of each outcome is in the second column."
    )
    told = {"itt": "intention-to-treat population", "pp": "per-protocol population"}
    plans = [("itt", week, factor, (1.0, 1.0, 1.0)) for week, factor in VISITS]
    plans += [("pp", week, factor, (0.97, 1.08, 1.16)) for week, factor in VISITS[1:]]
    for population, week, factor, lift in plans:
        rows = _outcome_rows(b, factor, 0.02, lift)
        if (population, week) == ("itt", "12"):
            rows[2][4] += "^{a}"
        notes = ["^{a} See the correction at the end of the paper."] if (population, week) == ("itt", "12") else []
        b.table(
            f"{population}{week}",
            caption.format(week=week, population=told[population]),
            _outcome_columns(),
            rows,
            size=0.8,
            notes=notes,
            week=week,
        )
    b.trap("look-alike tables", "Tables 4 to 8", "population and week of the caption")
    b.trap("correction in a note", "Table 5, Stiffness, high dose", b.facts["right_stiff"], rows[2][4])
    b.trap("replaced row", "Table 5, Swelling", "the last table of the supplement")


def _centres(b: Book) -> None:
    columns = [column("Centre", kind="sample")] + [
        column(f"{arm.capitalize()} (mm)", f"pain improvement with {arm}", "mm") for arm in ARMS
    ]
    rows = []
    for centre, *_ in CENTRES:
        rows.append([centre, *(b.near(value, 0.13, 1) for value in OUTCOMES[0][3])])
    caption = (
        "Improvement of pain on walking at week 12 by centre, means over the participants of the "
        "intention-to-treat population."
    )
    b.table("by_centre", caption, columns, rows, size=0.82)


def _safety(b: Book) -> None:
    columns = [column("Event"), *(column(arm.capitalize(), f"participants with {arm}") for arm in ARMS)]
    rows = [
        ["Headache", "9", "11", "10"],
        ["Nausea", "5", "8", "17"],
        ["Diarrhoea", "4", "6", "9"],
        ["Rash", "2", "3", "7"],
        ["Raised liver enzymes", "1", "2", "6"],
        ["Dizziness", "6", "5", "8"],
        ["Withdrawal for any event", "3", "5", "11"],
    ]
    caption = "Participants with adverse events, safety population. One participant may have several."
    b.table("adverse", caption, columns, rows, size=0.82)


def _supplement(b: Book) -> None:
    shared: dict[str, Any] = {"prefix": "Table S"}
    columns = [
        column("Subgroup"),
        column("Participants", "participants"),
        column("Difference (mm)", "difference", "mm"),
        column("Lower limit (mm)", "lower limit", "mm"),
        column("Upper limit (mm)", "upper limit", "mm"),
    ]
    rows = [[name, str(n), *(shown(value, 1) for value in values)] for name, n, *values in SUBGROUPS]
    caption = (
        "Difference between high dose and placebo in the improvement of pain on walking at week 12 by subgroup, "
        "with limits of 95 % confidence; intention-to-treat population."
    )
    b.table("subgroups", caption, columns, rows, **shared)
    columns = [column("Laboratory", kind="sample"), column("Centre", "centre")]
    rows = sorted([laboratory, centre] for centre, *_, laboratory in CENTRES)
    b.table("labs", "Laboratories and the centres whose samples they received.", columns, rows, style="ruled", **shared)
    columns = [
        column("Laboratory", kind="sample"),
        column("Protein at baseline (mg/L)", "C-reactive protein at baseline", "mg/L"),
        column("Protein at week 12 (mg/L)", "C-reactive protein at week 12", "mg/L"),
        column("Drug at week 4 (µg/L)", "concentration of velorastat at week 4", "µg/L"),
        column("Drug at week 12 (µg/L)", "concentration of velorastat at week 12", "µg/L"),
    ]
    rows = []
    for laboratory in sorted(each[-1] for each in CENTRES):
        start = b.random.uniform(3.2, 6.8)
        level = b.random.uniform(160, 240)
        fall = b.random.uniform(0.55, 0.8)
        rows.append(
            [laboratory, shown(start, 2), shown(start * fall, 2), shown(level * 0.9, 0), shown(level * 1.12, 0)]
        )
    caption = (
        "C-reactive protein in serum and trough concentration of velorastat in plasma, means over the participants of "
        "the high dose, by laboratory."
    )
    b.table("serum", caption, columns, rows, **shared)
    b.trap("codes change", "serum by laboratory", "the table of laboratories joins them with centres")
    columns = [dict(each) for each in b.of("by_centre")["columns"]]
    rows = [[centre, *(b.near(value, 0.15, 1) for value in (11.4, 18.6, 28.5))] for centre, *_ in CENTRES]
    caption = (
        "Improvement of pain on walking at week 12 by centre, means over the participants of the per-protocol "
        "population."
    )
    b.table("by_centre_pp", caption, columns, rows, style="bare", **shared)
    _listings(b, shared)
    caption = (
        "Row that replaces the row of the same name in Table 5 (week 12, intention-to-treat population), after the "
        "ultrasound images had been read again by two readers."
    )
    new = [b.facts[f"new_swelling_{arm.partition(' ')[0]}"] for arm in ARMS]
    b.table("replaced", caption, _outcome_columns(), [["Swelling", "mm", *new]], **shared)


def _listings(b: Book, shared: dict[str, Any]) -> None:
    columns = [
        column("Participant", kind="log"),
        column("Arm", "arm"),
        column("Sex", "sex"),
        column("Age", "age", "years"),
        column("Pain before (mm)", "pain before", "mm"),
        column("Pain at week 12 (mm)", "pain at week 12", "mm"),
        column("Tablets (%)", "tablets taken", "%"),
        column("Left in week", "week of leaving"),
    ]
    rows = []
    for centre, _, *counts, _ in CENTRES:
        number = 0
        for arm, count in enumerate(counts):
            for _ in range(count):
                number += 1
                before = b.random.gauss(61, 9)
                better = b.random.gauss(OUTCOMES[0][3][arm], 8)
                left = str(b.random.randint(2, 25)) if b.random.random() < 0.09 + 0.05 * arm else "–"
                cells = [f"{centre}-{number:02d}", "PLH"[arm], b.random.choice("ffm"), str(b.random.randint(46, 78))]
                cells += [shown(before, 0), shown(max(before - better, 2), 0), str(b.random.randint(71, 100)), left]
                rows.append(cells)
    caption = (
        "Single participants: arm (P placebo, L low dose, H high dose), sex, age in years, pain on walking, share of "
        "the tablets taken, and the week in which the participant left."
    )
    b.table("listing", caption, columns, rows, kind="log", split=38, size=0.8, **shared)


def _figures(b: Book) -> None:
    boxes = [
        [0.5, 0.95, f"Screened\nn = {b.facts['screened']}"],
        [0.5, 0.74, "Randomised\nn = 240"],
        [0.84, 0.85, f"Excluded n = {int(b.facts['screened']) - 240}"],
        [0.17, 0.48, "Placebo\nn = 80"],
        [0.5, 0.48, "20 mg\nn = 80"],
        [0.83, 0.48, "40 mg\nn = 80"],
        [0.17, 0.24, "No drug taken: 0\nNo visit: 2\nLeft early: 7"],
        [0.5, 0.24, "No drug taken: 1\nNo visit: 0\nLeft early: 13"],
        [0.83, 0.24, "No drug taken: 0\nNo visit: 3\nLeft early: 18"],
        [0.17, 0.04, "Per protocol 71"],
        [0.5, 0.04, "Per protocol 66"],
        [0.83, 0.04, "Per protocol 59"],
    ]
    arrows = [[0, 1], [0, 2], [1, 3], [1, 4], [1, 5], [3, 6], [4, 7], [5, 8], [6, 9], [7, 10], [8, 11]]
    caption = "Flow of participants through the trial."
    b.figure("flow", caption, {"type": "flow", "boxes": boxes, "arrows": arrows, "size": [3.6, 3.6]})
    weeks = [0, 2, 4, 8, 12, 18, 26]
    shape = [0, 0.36, 0.55, 0.83, 1.0, 0.95, 0.86]
    series = [
        {"label": label, "x": weeks, "y": [round(OUTCOMES[0][3][arm] * part, 1) for part in shape], "style": "o-"}
        for arm, label in enumerate(("placebo", "20 mg", "40 mg"))
    ]
    caption = "Mean improvement of pain on walking by week, intention-to-treat population."
    plot = {"series": series, "x_label": "Week", "y_label": "Improvement (mm)", "size": [3.4, 2.5]}
    b.figure("course", caption, plot)
    drug = {row[0]: float(row[4]) for row in b.of("serum")["rows"]}
    gain = {row[0]: float(row[3]) for row in b.of("by_centre")["rows"]}
    x = [drug[laboratory] for *_, laboratory in CENTRES]
    y = [gain[centre] for centre, *_ in CENTRES]
    plot = {
        "type": "points",
        "series": [{"x": x, "y": y}],
        "x_label": "Velorastat at week 12 (µg/L)",
        "y_label": "Improvement (mm)",
        "size": [3.2, 2.4],
    }
    caption = "Improvement of pain on walking with the high dose against the trough concentration, one point a centre."
    b.figure("exposure", caption, plot, raster=True)
    weeks = [0, 4, 8, 12, 16, 20, 24, 26]
    series = [
        {"label": "placebo", "x": weeks, "y": [100, 97, 94, 90, 86, 83, 81, 80]},
        {"label": "20 mg", "x": weeks, "y": [100, 98, 96, 93, 90, 87, 85, 84]},
        {"label": "40 mg", "x": weeks, "y": [100, 95, 93, 92, 91, 90, 89, 88]},
    ]
    inset = {
        "type": "steps",
        "at": [0.1, 0.12, 0.42, 0.4],
        "series": [
            {"label": "placebo", "x": [0, 1, 2, 3, 4], "y": [100, 100, 99, 98, 97]},
            {"label": "20 mg", "x": [0, 1, 2, 3, 4], "y": [100, 100, 99, 98, 98]},
            {"label": "40 mg", "x": [0, 1, 2, 3, 4], "y": [100, 98, 96, 95, 95]},
        ],
        "x_label": "Week",
        "y_label": "%",
        "legend": False,
    }
    plot = {
        "type": "steps",
        "series": series,
        "x_label": "Week",
        "y_label": "Without rescue injection (%)",
        "y_range": [50, 102],
        "size": [4.2, 3.0],
        "legend_at": "lower right",
        "inset": inset,
    }
    caption = (
        "Share of participants without rescue injection (Kaplan–Meier estimate) until week 26, when follow-up ended. "
        "Inset: the first four weeks."
    )
    b.figure("survival", caption, plot, raster=True)
    rows = [[name, *values] for name, _, *values in SUBGROUPS]
    caption = (
        "Difference between high dose and placebo in the improvement of pain on walking at week 12, with limits of "
        "95 % confidence. To the right of the dashed line high dose is better."
    )
    label = "Difference (mm)"
    b.figure("forest", caption, {"type": "forest", "rows": rows, "x_label": label, "size": [4.6, 2.9]})


CORRECTED = "the mean improvement with the high dose in Stiffness at week 12 is 15.4 points"


def _tasks(b: Book) -> None:
    objects = []
    baseline = {row[0]: row for row in b.of("baseline")["rows"]}
    counts = b.row("populations", "Intention to treat")
    for name, unit, *_ in OUTCOMES:
        itt, pp = b.row("itt12", name), b.row("pp12", name)
        for index, arm in enumerate(ARMS):
            quote = "\t".join(each.replace("^{a}", "^a") for each in itt)
            value = itt[2 + index].partition("^")[0]
            if name == "Swelling":
                value, quote = b.row("replaced", name)[2 + index], "\t".join(b.row("replaced", name))
            if name == "Stiffness" and arm == "high dose":
                value, quote = b.facts["right_stiff"], CORRECTED
            made: dict[str, Any] = {
                "outcome": (name, "\t".join(pp)),
                "arm": (arm, None),
                "improvement": (f"{value} {unit}", quote),
                "per_protocol": (f"{pp[2 + index]} {unit}", "\t".join(pp)),
                "participants": (counts[1 + index], "\t".join(counts)),
            }
            if name in baseline:
                made["baseline"] = (f"{baseline[name][2 + index]} {unit}", "\t".join(baseline[name]))
            objects.append(made)
    b.objects(
        "knee_trial_outcomes",
        "knee_trial_outcomes",
        objects,
        ["look-alike tables", "correction in a note", "replaced row", "fields that the paper leaves open"],
    )
