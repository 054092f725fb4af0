"""A paper of one series of samples measured in two states: the truth that several long papers share, from a plan.

Two look-alike tables, codes that change, a note that corrects one value, values of theory, of other work and of single
pieces, an appendix with values that stand nowhere else, and a label inside a figure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kit import Book, Json, column, plain, shown

CORRECTION = "^{c}"
SCOPE = (
    "Only {what}. Name a sample by its nominal formula, which the paper gives for each code. {state} "
    "Means count, single pieces do not; computed values do not. Where places of the paper disagree, a correction that "
    "its authors print counts first, then a table, then the text, then the abstract."
)

SAY = "Say the state or the temperature in the conditions."
LABELS = f"{SAY} A value that stands as a label inside a figure counts, a point of a curve does not."


@dataclass(frozen=True)
class Quantity:
    """A property: its printed symbol and unit, its unit in plain text, and its values by sample for each state."""

    symbol: str
    name: str
    head_unit: str
    unit: str
    values: Sequence[Sequence[float]]
    """One sequence of values a state."""
    digits: int
    spread: float = 0.008
    category: str = "transport"

    @property
    def head(self) -> str:
        """The head of its column."""
        return f"{self.symbol} ({self.head_unit})" if self.head_unit else self.symbol


@dataclass(frozen=True)
class Plan:
    """What one paper has."""

    name: str
    title: str
    field: str
    seed: int
    samples: Sequence[tuple[str, str, str]]
    """Code, formula, and the other code of the second laboratory."""
    made: Quantity
    """How the samples were made: no property."""
    states: Sequence[tuple[str, Json]]
    """How a caption says each of the two states, and the conditions of its records."""
    main: Sequence[Quantity]
    recoded: Quantity
    extra: Sequence[Quantity]
    others: Sequence[Sequence[str]]
    label: tuple[str, str, str]
    """Value, text beside the curve, and code of the sample, of the quantity ``recoded``."""
    label_conditions: Json
    theory: str
    singles: int = 15
    thing: str = "sample"
    styles: Sequence[str] = ("booktabs", "booktabs", "ruled", "bare")
    wrong_row: int = 4
    right_factor: float = 1.07
    schema: str = ""
    recoded_schema: str = ""
    fields: dict[str, str] = field(default_factory=dict[str, str])
    """The field of the schema for each property name."""
    state_labels: Sequence[str] = ()
    recoded_states: str = ""


def make(plan: Plan) -> Book:
    """The truth of the paper."""
    b = Book(plan.name, plan.title, plan.field, plan.seed)
    for code, formula, other in plan.samples:
        b.samples[code] = {"formula": formula, "other_code": other}
    _tables(b, plan)
    _appendix(b, plan)
    _figures(b, plan)
    _property_tasks(b, plan)
    _filling_tasks(b, plan)
    return b


def _cells(b: Book, plan: Plan, state: int, index: int, factor: float = 1.0) -> list[str]:
    return [b.near(each.values[state][index] * factor, each.spread, each.digits) for each in plan.main]


def _explained(quantities: Sequence[Quantity]) -> str:
    return ", ".join(f"{each.name} {each.symbol}" for each in quantities)


def _tables(b: Book, plan: Plan) -> None:
    made = plan.made
    rows = [
        [code, f"<{formula}>", b.near(made.values[0][i], 0.03, made.digits)]
        for i, (code, formula, _) in enumerate(plan.samples)
    ]
    columns = [
        column("Code", kind="sample"),
        column("Nominal formula", "nominal formula"),
        column(made.head, made.name),
    ]
    b.table("samples", f"The {plan.thing}s, their nominal formulas and {made.name}.", columns, rows, kind="preparation")
    columns = [column("Code", kind="sample"), *(column(each.head, each.name, each.unit) for each in plan.main)]
    for state, (words, conditions) in enumerate(plan.states):
        rows = [[code, *_cells(b, plan, state, i)] for i, (code, *_) in enumerate(plan.samples)]
        notes: list[str] = []
        if state == 1:
            wrong = rows[plan.wrong_row][1]
            first = plan.main[0]
            right = shown(float(wrong.replace("\u2212", "-")) * plan.right_factor, first.digits)
            b.facts |= {"right": right, "wrong": wrong, "wrong_code": rows[plan.wrong_row][0]}
            rows[plan.wrong_row][1] += CORRECTION
            notes = [f"{CORRECTION} See the note at the end of the paper."]
        caption = f"{_sentence(_explained(plan.main))} {words}."
        style = plan.styles[state]
        b.table(f"state{state + 1}", caption, columns, rows, style=style, notes=notes, conditions=conditions)
    b.trap("look-alike tables", f"{b.of('state1')['label']}, {b.of('state2')['label']}", "the state of the caption")
    b.trap("correction in a note", f"{b.of('state2')['label']} and the last note", b.facts["right"], b.facts["wrong"])
    _recoded(b, plan)
    rows = [[code, *_cells(b, plan, 0, i, 1.13)] for i, (code, *_) in enumerate(plan.samples)]
    b.table("theory", f"{_sentence(_explained(plan.main))}, {plan.theory}.", columns, rows, kind="simulation")
    columns = [column("Material", kind="literature"), *columns[1:], column("Ref.", "reference")]
    b.table("others", "Values of other work for comparison.", columns, plan.others, kind="literature", style="ruled")
    b.trap("theory and other work", f"{b.of('theory')['label']}, {b.of('others')['label']}", "no record")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _recoded(b: Book, plan: Plan) -> None:
    each = plan.recoded
    order = sorted(range(len(plan.samples)), key=lambda i: plan.samples[i][2])
    columns = [column("Series", kind="sample")]
    columns += [column(label, each.name, each.unit, state=label) for label in plan.state_labels]
    rows = [
        [plan.samples[i][2], *(b.near(each.values[state][i], each.spread, each.digits) for state in range(2))]
        for i in order
    ]
    unit = f" ({each.head_unit})" if each.head_unit else ""
    b.table(
        "recoded",
        f"{_sentence(each.name)} {each.symbol}{unit} {plan.recoded_states}.",
        columns,
        rows,
        style=plan.styles[3],
    )
    columns = [column("Series", kind="sample"), column("Code", "code")]
    rows = [[plan.samples[i][2], plan.samples[i][0]] for i in order]
    b.table("codes", "Names of the same pieces in the two laboratories.", columns, rows, kind="preparation", pad=9)
    b.trap("codes change", b.of("recoded")["label"], f"{b.of('codes')['label']} joins them")


def _appendix(b: Book, plan: Plan) -> None:
    columns = [column("Code", kind="sample"), *(column(each.head, each.name, each.unit) for each in plan.extra)]
    rows = [
        [code, *(b.near(each.values[0][i], each.spread, each.digits) for each in plan.extra)]
        for i, (code, *_) in enumerate(plan.samples)
    ]
    b.table(
        "extra",
        f"{_sentence(_explained(plan.extra))} {plan.states[0][0]}.",
        columns,
        rows,
        appendix=True,
        style="ruled",
    )
    columns = [
        column("Piece", kind="log"),
        column("Day", "day"),
        *(column(each.head, each.name, each.unit) for each in plan.main),
    ]
    rows = []
    for i, (code, *_) in enumerate(plan.samples):
        for number in range(plan.singles):
            cells = _cells(b, plan, 0, i, 1 + b.random.gauss(0, 0.015))
            rows.append([f"{code}/{number + 1}", str(b.random.randint(2, 180)), *cells])
    caption = f"Single pieces {plan.states[0][0]}; the day counts from the first measurement."
    b.table("singles", caption, columns, rows, appendix=True, kind="log", split=28)


def _figures(b: Book, plan: Plan) -> None:
    first, recoded = plan.main[0], plan.recoded
    codes = [code for code, *_ in plan.samples]
    points = range(len(codes))
    series = [
        {"label": label, "x": list(points), "y": [each.values[state][i] for i in points], "style": "o-"}
        for state, label in enumerate(plan.state_labels)
        for each in (first,)
    ]
    b.figure(
        "series",
        f"{_sentence(first.name)} against the number of the {plan.thing} in both states.",
        {
            "series": series,
            "x_label": f"Number of the {plan.thing}, less one",
            "y_label": f"{_sentence(first.name)} ({first.unit})",
            "size": [4.2, 2.6],
        },
        raster=True,
    )
    value, text, code = plan.label
    index = codes.index(code)
    start, end = recoded.values[0][index], float(value)
    ys = [round(end + (start - end) * 2.718 ** (-x / 3), 4) for x in range(13)]
    b.figure(
        "inset",
        f"{_sentence(recoded.name)} of {code} after a further treatment in steps; the last point is labelled.",
        {
            "series": [{"label": code, "x": list(range(13)), "y": ys, "style": "s-"}],
            "x_label": "Step",
            "y_label": f"{_sentence(recoded.name)} ({recoded.unit})" if recoded.unit else _sentence(recoded.name),
            "notes": [[6, (start + end) / 2, text]],
            "size": [4.2, 2.6],
            "inset": {
                "at": [0.5, 0.1, 0.42, 0.3],
                "series": [{"x": [0, 1, 2, 3], "y": ys[:4]}],
                "x_label": "Step",
                "y_label": "",
            },
        },
    )
    b.figure(
        "grains",
        f"Micrographs (drawn for this task set) of {codes[0]} and {codes[-1]} in both states.",
        {
            "panels": [
                {"type": "grains", "seed": plan.seed, "grains": 90, "scale": "5 µm", "tag": codes[0]},
                {"type": "grains", "seed": plan.seed + 1, "grains": 40, "scale": "5 µm", "tag": codes[-1]},
            ],
            "size": [5.6, 2.0],
        },
        raster=True,
    )


def _material(b: Book, plan: Plan) -> dict[str, str]:
    return {code: formula for code, formula, _ in plan.samples} | {other: formula for _, formula, other in plan.samples}


def asked(quantity: Quantity) -> str:
    """The name of a property without its definition, which a reader has to find."""
    return re.sub(r" \(.*\)| at .*", "", quantity.name)


def correction(b: Book) -> str:
    """The words of the note, which the text prints."""
    return f"for {b.facts['wrong_code']} the value is {b.facts['right']}"


def _property_tasks(b: Book, plan: Plan) -> None:
    names = _material(b, plan)
    words, conditions = plan.states[1]

    def material(row: list[str]) -> Json | None:
        return {"material_or_system": names[plain(row[0])]}

    records = b.records("state2", [each.name for each in plan.main], material, conditions=conditions)
    for record in records:
        if record["value_string"].endswith("^c"):
            record["value_string"] = b.facts["right"]
            record["location"] = {"source_type": "text", "evidence": correction(b)}
    listed = ", ".join(asked(each) for each in plan.main)
    b.properties(
        f"{plan.name}_state",
        SCOPE.format(what=f"the {listed} of the {plan.thing}s {words}", state=SAY),
        records,
        ["look-alike tables", "sample codes", "correction in a note", "theory and other work"],
    )
    each, records = plan.recoded, []
    for row in b.of("recoded")["rows"]:
        for state in range(2):
            place = {"figure_or_table": b.of("recoded")["label"], "source_type": "table", "evidence": "\t".join(row)}
            record = {
                "material_or_system": names[row[0]],
                "property_name": each.name,
                "value_string": row[state + 1],
                "conditions": plan.states[state][1],
                "location": place,
            } | ({"value_unit": each.unit} if each.unit else {})
            records.append(record)
    value, text, code = plan.label
    place = {"figure_or_table": "Fig. 2", "source_type": "figure", "evidence": text}
    record = {
        "material_or_system": names[code],
        "property_name": each.name,
        "value_string": value,
        "conditions": plan.label_conditions,
        "location": place,
    } | ({"value_unit": each.unit} if each.unit else {})
    b.properties(
        f"{plan.name}_series",
        SCOPE.format(what=f"the {each.name} of the {plan.thing}s in every state", state=LABELS),
        [*records, record],
        ["codes that change", "two tables joined", "label inside a figure"],
    )
    records = b.records("extra", [each.name for each in plan.extra], material, conditions=plan.states[0][1])
    listed = ", ".join(each.name for each in plan.extra)
    b.properties(
        f"{plan.name}_appendix",
        SCOPE.format(what=f"the {listed} of the {plan.thing}s {plan.states[0][0]}", state=""),
        records,
        ["appendix only", "powers of ten in heads"],
    )


def _filling_tasks(b: Book, plan: Plan) -> None:
    objects: list[Any] = []
    for state, label in enumerate(plan.state_labels):
        for row in b.of(f"state{state + 1}")["rows"]:
            quote = "\t".join(plain(each) for each in row)
            filled: dict[str, Any] = _named(b, plan, row[0], quote)
            filled["state"] = (label, None)
            for each, cell in zip(plan.main, row[1:], strict=True):
                value, where = plain(cell), quote
                if value.endswith("^c"):
                    value, where = b.facts["right"], correction(b)
                filled[plan.fields[each.name]] = (f"{value} {each.unit}".strip().replace("\u2212", "-"), where)
            objects.append(filled)
    features = ["look-alike tables", "join by code", "correction in a note"]
    b.objects(f"{plan.name}_objects", plan.schema, objects, features)
    codes = {other: code for code, _, other in plan.samples}
    objects = []
    for row in b.of("recoded")["rows"]:
        quote = "\t".join(row)
        filled = _named(b, plan, codes[row[0]], "\t".join((row[0], codes[row[0]])))
        for name, cell in zip(("first", "second"), row[1:], strict=True):
            filled[name] = (f"{cell} {plan.recoded.unit}".strip(), quote)
        extra = b.row("extra", codes[row[0]])
        filled["third"] = (
            f"{extra[1]} {plan.extra[0].unit}".strip().replace("\u2212", "-"),
            "\t".join(plain(each) for each in extra),
        )
        objects.append(filled)
    b.objects(f"{plan.name}_pieces", plan.recoded_schema, objects, ["codes that change", "three tables joined"])


def _named(b: Book, plan: Plan, code: str, quote: str) -> dict[str, Any]:
    row = b.row("samples", code)
    return {"formula": (b.samples[code]["formula"], "\t".join(plain(each) for each in row)), "code": (code, quote)}
