"""Claims that papers bear out, and the same with one thing wrong.

Right claims come from papers typeset here (sentences of a dozen shapes and a table, about materials of SuperCon and
SuperMat, or of a short list where those are absent; values, units and properties drawn by a seed) and from tables of
real articles (PLOS, CRAFT: the row's label is the material, the head of the column the property, the quote the row).
Wrong ones change one thing of a right one; ``CHECKS`` says which check must fail for the right reason.
"""

import csv
import dataclasses
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import typst
from parts.real_papers import DATA

from pincite_materials.formulas import parse_formula
from pincite_materials.identity import same_material
from pincite_materials.values import parse_value
from pincite_papers.model import Paper, Table
from pincite_papers.passages import locate
from pincite_papers.pdf.parse import parse_pdf
from pincite_provenance.claims.tablecells import units_of, without_units
from pincite_provenance.model import Claim

MATERIALS = ("YBa2Cu3O6.93", "La1.85Sr0.15CuO4", "HgBa2Ca2Cu3O8", "MgB2", "Nb3Sn", "FeSe", "LiFeAs", "CeCoIn5",
    "Bi2Sr2CaCu2O8", "NbSe2", "PbTe", "SnSe", "CoSb3", "Bi2Te3", "GaAs", "SrTiO3", "LiCoO2", "CeRhIn5")  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A property as it is printed, its unit, and between which values it is drawn, with how many decimals."""

    name: str
    unit: str
    low: float
    high: float
    decimals: int = 1
    power: int | None = None


KINDS = (
    Kind("critical temperature", "K", 1, 130), Kind("Néel temperature", "K", 2, 400),
    Kind("Weiss temperature", "K", -90, -5), Kind("Debye temperature", "K", 150, 600, 0),
    Kind("Curie temperature", "K", 5, 600, 0), Kind("band gap", "eV", 0.3, 4, 2),
    Kind("activation energy", "eV", 0.1, 1.5, 2), Kind("upper critical field", "T", 1, 60),
    Kind("coherence length", "nm", 0.5, 20), Kind("penetration depth", "nm", 60, 400, 0),
    Kind("density", "g/cm^3", 3, 11, 2), Kind("resistivity", "μΩ cm", 5, 900, 0),
    Kind("critical current density", "A/cm^2", 1.1, 9.9, 1, 5), Kind("Young's modulus", "GPa", 40, 400, 0),
    Kind("thermal conductivity", "W m^−1 K^−1", 0.5, 30, 2), Kind("Seebeck coefficient", "μV/K", 20, 400, 0),
    Kind("carrier concentration", "cm^−3", 1.1, 9.9, 1, 19), Kind("ionic conductivity", "S/cm", 1.1, 9.9, 1, -3),
    Kind("Sommerfeld coefficient", "mJ mol^−1 K^−2", 1.2, 90), Kind("Hall mobility", "cm^2 V^−1 s^−1", 12, 900, 0),
)  # fmt: skip
_OTHER_UNITS = {
    "K": "mK", "eV": "meV", "T": "mT", "nm": "μm", "A/cm^2": "A/m^2", "W m^−1 K^−1": "mW m^−1 K^−1", "μV/K": "mV/K",
    "μΩ cm": "mΩ cm", "g/cm^3": "kg/m^3", "GPa": "MPa", "cm^−3": "m^−3", "mJ mol^−1 K^−2": "J mol^−1 K^−2",
    "S/cm": "S/m", "cm^2 V^−1 s^−1": "m^2 V^−1 s^−1", "%": "K",
}  # fmt: skip


@dataclass(frozen=True)
class Stated:
    """A right claim, the paper that bears it out, and what could be claimed wrongly instead."""

    paper: str
    claim: Claim
    origin: str
    number: str
    """The bare number of ``claim.value``."""
    uncertainty: str = ""
    other_materials: tuple[str, ...] = ()
    """Materials of the same sentence, or labels of other rows."""
    other_properties: tuple[str, ...] = ()
    row_values: tuple[str, ...] = ()
    """Values of other rows in the same column, and of other columns in the same row."""
    column_values: tuple[str, ...] = ()


CHECKS: dict[str, frozenset[str]] = {
    "value": frozenset({"value"}), "sign": frozenset({"value"}), "power of ten": frozenset({"value"}),
    "uncertainty taken for the value": frozenset({"value"}), "unit": frozenset({"unit"}),
    "material": frozenset({"material"}), "another material of the sentence": frozenset({"material"}),
    "property": frozenset({"property"}), "quote": frozenset({"quote"}), "locator": frozenset({"locator"}),
    "page": frozenset({"locator"}), "neighbour row": frozenset({"value", "property"}),
    "neighbour column": frozenset({"property", "unit"}),
}  # fmt: skip
"""Which check must say so, by what is wrong."""


def materials(rng: random.Random, count: int) -> list[str]:
    """Formulas that are pairwise different, of SuperCon and SuperMat where they are at hand."""
    names: list[str] = []
    for place in ("supercon/SuperCon_Tc_Tcn_SHARED_minus_dev.csv", "supermat/SuperMat-2.0.csv"):
        if (DATA / place).exists():
            with (DATA / place).open(encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))[1:]
            names += [rng.choice(rows)[1].strip() for _ in range(3 * count)]
    names = [name for name in names if re.fullmatch(r"(?:[A-Z][a-z]?(?:\d+(?:\.\d+)?)?){2,8}", name)] or list(MATERIALS)
    chosen: list[str] = []
    for name in rng.sample(names, len(names)):
        formula = parse_formula(name)
        if formula is None or len(formula.amounts) < 2 or not re.search(r"[a-z]", name):
            continue
        if not any(same_material(name, other) for other in chosen):
            chosen.append(name)
        if len(chosen) == count:
            break
    return chosen


@dataclass
class _Sentence:
    text: str
    facts: list[tuple[str, Kind, str, str, str]]
    """Material, property, bare number, printed value, uncertainty."""


def _number(kind: Kind, rng: random.Random) -> tuple[str, str, str]:
    """A bare number, it as printed, and its uncertainty ("" for none)."""
    number = f"{rng.uniform(kind.low, kind.high):.{kind.decimals}f}".replace("-", "−")
    spread = str(rng.randint(2, 9))
    shown = number
    uncertainty = ""
    draw = rng.random()
    if draw < 0.25:
        shown = f"{number}({spread})"
        uncertainty = f"{int(spread) / 10**kind.decimals:.{kind.decimals}f}"
    elif draw < 0.35 and kind.power is None:
        uncertainty = f"{int(spread) / 10**kind.decimals:.{kind.decimals}f}"
        shown = f"{number} ± {uncertainty}"
    if kind.power is not None:
        shown += f" × 10^{str(kind.power).replace('-', '−')}"
        number += f" × 10^{kind.power}"
    return number, shown, "" if kind.power is not None else uncertainty


_ONE = (
    "The {p} of {m} is {v}.", "{m} has a {p} of {v} at ambient pressure.", "For {m} we find a {p} of {v}.",
    "A {p} of {v} was measured for {m}.", "In {m}, the {p} amounts to {v} within the error of the experiment.",
    "Crystals of {m} show a {p} of {v}.", "Our best sample of {m} reaches a {p} of {v}.",
    "The value of {v} is the {p} of {m}.",
)  # fmt: skip
_TWO_MATERIALS = (
    "{m} and {n} have a {p} of {v} and {w}, respectively.", "The {p} is {v} for {m} and {w} for {n}.",
    "The {p} falls from {v} in {m} to {w} in {n}.", "The {p} of {m} is {v}, while that of {n} is {w}.",
    "Compared with {n} ({w}), the {p} of {m} is only {v}.", "{m} shows a {p} of {v}, whereas {n} shows {w}.",
    "We obtained a {p} of {v} in {m} and of {w} in {n}.",
)  # fmt: skip
_TWO_PROPERTIES = (
    "In {m} the {p} and the {q} are {v} and {w}, respectively.", "{m} shows a {p} of {v} and a {q} of {w}.",
    "For {m}, the {p} is {v} and the {q} is {w}.", "The {p} of {m} is {v}; its {q} is {w}.",
)  # fmt: skip


def _sentence(names: list[str], rng: random.Random) -> _Sentence:
    kind, other = rng.sample(KINDS, 2)
    m, n = rng.sample(names, 2)
    (a, v, da), draw = _number(kind, rng), rng.random()
    facts = [(m, kind, a, v, da)]
    if draw < 0.4:
        text = rng.choice(_ONE)
        return _Sentence(text.format(m=m, p=kind.name, v=f"{v} {kind.unit}"), facts)
    if draw < 0.75:
        b, w, db = _number(kind, rng)
        text = rng.choice(_TWO_MATERIALS)
        facts.append((n, kind, b, w, db))
        return _Sentence(text.format(m=m, n=n, p=kind.name, v=f"{v} {kind.unit}", w=f"{w} {kind.unit}"), facts)
    b, w, db = _number(other, rng)
    facts.append((m, other, b, w, db))
    text = rng.choice(_TWO_PROPERTIES)
    return _Sentence(text.format(m=m, p=kind.name, q=other.name, v=f"{v} {kind.unit}", w=f"{w} {other.unit}"), facts)


def _markup(text: str) -> str:
    """Typst markup of a text with raised runs behind ``^``."""
    parts = re.split(r"\^([−-]?[\d/]+)", text)
    shown = [f"#super(typographic: false)[{part}]" if k % 2 else f'#"{part}"' for k, part in enumerate(parts) if part]
    return "".join(shown)


def typeset_paper(names: list[str], seed: int) -> tuple[Paper, list[_Sentence]]:
    """A paper of sentences about ``names`` and one table, and its sentences."""
    rng = random.Random(seed)
    sentences = [_sentence(names, rng) for _ in range(30)]
    kinds = rng.sample([k for k in KINDS if k.power is None], 4)
    rows = [["Sample", *(f"{k.name.capitalize()} ({k.unit})" for k in kinds)]]
    rows += [[name, *(_number(k, rng)[0] for k in kinds)] for name in names[:6]]
    cells = ", ".join(f"[{_markup(cell)}]" for row in rows for cell in row)
    body: list[str] = ['#set page(paper: "a5")', "#set text(size: 10pt)", "= Properties of several compounds"]
    for k, sentence in enumerate(sentences):
        if k % 10 == 0:
            body.append(f"== Part {k // 10 + 1}")
        body.append(_markup(sentence.text) + " The samples were made as described before.\n")
    body.append(f"#figure(table(columns: {len(rows[0])}, {cells}), caption: [Properties of the samples.], kind: table)")
    return parse_pdf(typst.compile("\n".join(body).encode(), format="pdf"), max_pages=30), sentences


def typeset_claims(count: int, seed: int) -> tuple[dict[str, Paper], list[Stated]]:
    """Papers typeset for the purpose and the right claims of their sentences and tables."""
    from pincite_papers.quoting.quotes import find_quote

    rng = random.Random(seed)
    papers: dict[str, Paper] = {}
    found: list[Stated] = []
    while len(found) < count:
        names = materials(rng, 10)
        name = f"typeset {len(papers)}"
        papers[name], sentences = typeset_paper(names, rng.randrange(10**9))
        paper = papers[name]
        for sentence in sentences:
            match = find_quote(paper, sentence.text)
            if not match.stands:
                print(f"not found as typeset: {sentence.text}")
                continue
            m, kind, number, shown, uncertainty = rng.choice(sentence.facts)
            quote, locator = paper.text[match.start : match.end], locate(paper, match.start, match.end)
            claim = Claim(quote, locator, rng.choice((shown, number)), kind.unit, m, kind.name)
            rivals = tuple(fact[0] for fact in sentence.facts if fact[0] != m)
            others = tuple(fact[1].name for fact in sentence.facts if fact[1] is not kind)
            found.append(Stated(name, claim, "sentence", number, uncertainty, rivals, others))
        found += table_claims(name, paper, rng, 6)
    return papers, found[:count]


def table_claims(name: str, paper: Paper, rng: random.Random, most: int) -> list[Stated]:
    """Right claims of cells of the paper's tables whose row and column are named without doubt."""
    found: list[Stated] = []
    for table in paper.tables:
        grid = _grid(table)
        if grid is None:
            continue
        head, rows = grid
        for row in rng.sample(rows, len(rows)):
            stated = _of_cell(name, paper, head, row, rows, rng)
            if stated is not None:
                found.append(stated)
            if len(found) >= most:
                return found
    return found


def _grid(table: Table) -> tuple[dict[int, str], list[dict[int, tuple[str, int, int]]]] | None:
    """The head's cells by column, and the rows as (text, start, end) by column, of a table without spans."""
    if any(cell.row_span > 1 or cell.column_span > 1 for cell in table.cells) or table.columns < 3:
        return None
    if sum(cell.header for cell in table.cells) and any(
        cell.header and cell.row and cell.column for cell in table.cells
    ):
        return None
    head = {cell.column: " ".join(cell.text.split()) for cell in table.cells if cell.row == 0 and cell.text.strip()}
    rows: dict[int, dict[int, tuple[str, int, int]]] = {}
    for cell in table.cells:
        if cell.row and cell.text.strip():
            rows.setdefault(cell.row, {})[cell.column] = (" ".join(cell.text.split()), cell.start, cell.end)
    full = [row for _, row in sorted(rows.items()) if len(row) >= 3 and 0 in row]
    labels = [row[0][0].casefold() for row in full]
    if len(full) < 3 or len(set(labels)) < len(labels) or len(head) < table.columns - 1:
        return None
    heads = [without_units(text).casefold() for text in head.values()]
    if len(set(heads)) < len(heads) or any(_is_number(label) or len(label) < 3 for label in (*labels, *heads[1:])):
        return None
    return head, full


def _is_number(text: str) -> bool:
    value = parse_value(text)
    return value is not None and len(value.numbers) == 1 and not value.unit


_SIMPLE = re.compile(r"[−-]?\d+(?:\.\d+)?(?:\(\d+\))?")


def _of_cell(
    name: str,
    paper: Paper,
    head: Mapping[int, str],
    row: Mapping[int, tuple[str, int, int]],
    rows: list[dict[int, tuple[str, int, int]]],
    rng: random.Random,
) -> Stated | None:
    columns = [c for c in row if c and c in head and _is_number(row[c][0])]
    texts = [row[c][0] for c in columns]
    columns = [
        c for c in columns if texts.count(row[c][0]) == 1 and re.fullmatch(r"[−-]?\d+(?:\.\d+)?(?:\(\d+\))?", row[c][0])
    ]
    if not columns:
        return None
    column = rng.choice(columns)
    start, end = min(cell[1] for cell in row.values()), max(cell[2] for cell in row.values())
    units = [*units_of(head[column]), *units_of(row[0][0])]
    value = row[column][0]
    if "\n" in paper.text[start:end] or sum(value in cell[0] for cell in row.values()) > 1:
        return None
    unit, column_name = units[0] if units else "", without_units(head[column])
    claim = Claim(paper.text[start:end], locate(paper, start, end), value, unit, row[0][0], column_name)
    numbers = {cell[0] for cell in row.values()}
    below = [other[column][0] for other in rows if other is not row and column in other]
    return Stated(
        name,
        claim,
        "table of a paper" if not name.startswith("typeset") else "typeset table",
        re.sub(r"\(\d+\)$", "", value),
        "",
        tuple(other[0][0] for other in rows if other is not row),
        tuple(without_units(text) for c, text in head.items() if c not in (0, column)),
        tuple(value for value in below if _is_number(value) and value not in numbers),
        tuple(row[c][0] for c in columns if c != column),
    )


Spoiler = Callable[["Spoiled"], Claim | None]


@dataclass(frozen=True)
class Spoiled:
    """A right claim about to be made wrong, all right claims beside it, the pages of its paper, and chance."""

    stated: Stated
    beside: list[Claim]
    pages: int
    rng: random.Random

    def with_changed(self, **changes: str) -> Claim:
        """The claim with other texts."""
        return dataclasses.replace(self.stated.claim, **changes)


def wrong_claims(
    papers: Mapping[str, Paper], right: list[Stated], count: int, rng: random.Random
) -> Iterator[tuple[str, Stated, Claim]]:
    """``count`` claims with one thing wrong: what it is, the right claim, the wrong one; each kind in turns."""
    made = turn = 0
    kinds = tuple(SPOILERS)
    while made < count:
        kind = kinds[turn % len(kinds)]
        turn += 1
        for stated in rng.sample(right, min(len(right), 60)):
            beside = [other.claim for other in right if other.paper == stated.paper and other is not stated]
            claim = SPOILERS[kind](Spoiled(stated, beside, len(papers[stated.paper].pages), rng))
            if claim is not None:
                made += 1
                yield kind, stated, claim
                break


def _other_value(case: Spoiled) -> Claim | None:
    number = case.stated.number
    at = case.rng.choice([m.start() for m in re.finditer(r"\d", number.split(" ×")[0])])
    value = number[:at] + case.rng.choice([d for d in "123456789" if d != number[at]]) + number[at + 1 :]
    return None if value in case.stated.claim.quote else case.with_changed(value=value)


def _other_sign(case: Spoiled) -> Claim | None:
    number = case.stated.number
    bare = number.lstrip("−-")
    return case.with_changed(value=bare if bare != number else f"−{bare}") if float(_plain(bare)) else None


def _other_power(case: Spoiled) -> Claim | None:
    number = case.stated.number
    if "×" in number:
        turned = re.sub(r"10\^(-?)(\d+)", lambda m: f"10^{'' if m[1] else '-'}{m[2]}", number)
        return case.with_changed(value=turned)
    value = f"{float(_plain(number)) * case.rng.choice((10, 0.1, 100)):g}"
    return case.with_changed(value=value) if float(_plain(number)) and value not in case.stated.claim.quote else None


def _uncertainty(case: Spoiled) -> Claim | None:
    return case.with_changed(value=case.stated.uncertainty) if case.stated.uncertainty else None


def _other_unit(case: Spoiled) -> Claim | None:
    other = _OTHER_UNITS.get(case.stated.claim.unit)
    return case.with_changed(unit=other, value=case.stated.number) if other else None


def _other_material(case: Spoiled) -> Claim | None:
    """A material that the paper names elsewhere, not in the sentence."""
    stated = case.stated
    if stated.origin != "sentence":
        return None
    others = [claim.material for claim in case.beside if claim.material not in stated.claim.quote]
    return case.with_changed(material=case.rng.choice(others)) if others else None


def _material_beside(case: Spoiled) -> Claim | None:
    others = case.stated.other_materials
    return case.with_changed(material=case.rng.choice(others)) if others else None


def _other_property(case: Spoiled) -> Claim | None:
    own = case.stated.claim.property
    names = list(case.stated.other_properties) or [kind.name for kind in KINDS if kind.name != own]
    return case.with_changed(property=case.rng.choice(names))


def _other_quote(case: Spoiled) -> Claim | None:
    quote = case.stated.claim.quote
    places = [match.start() for match in re.finditer(r"(?<=[A-Za-z])[a-z](?=[a-z])|\d", quote)]
    if not places:
        return None
    at = case.rng.choice(places)
    letter = case.rng.choice([c for c in ("123456789" if quote[at].isdigit() else "aeilnorst") if c != quote[at]])
    return case.with_changed(quote=quote[:at] + letter + quote[at + 1 :])


def _other_locator(case: Spoiled) -> Claim | None:
    others = [claim.locator for claim in case.beside if claim.locator != case.stated.claim.locator]
    return case.with_changed(locator=case.rng.choice(others)) if others else None


def _other_page(case: Spoiled) -> Claim | None:
    locator = case.stated.claim.locator
    match = re.search(r"#p(\d+):", locator)
    if match is None or case.pages < 2:
        return None
    page = case.rng.choice([p for p in range(1, case.pages + 1) if p != int(match[1])])
    return case.with_changed(locator=locator.replace(match[0], f"#p{page}:"))


def _neighbour_row(case: Spoiled) -> Claim | None:
    values = case.stated.row_values
    return case.with_changed(value=case.rng.choice(values)) if values else None


def _neighbour_column(case: Spoiled) -> Claim | None:
    values = case.stated.column_values
    return case.with_changed(value=case.rng.choice(values)) if values else None


def _plain(number: str) -> str:
    return re.sub(r" × 10\^", "e", number).replace("−", "-")


SPOILERS: dict[str, Spoiler] = {
    "value": _other_value, "sign": _other_sign, "power of ten": _other_power,
    "uncertainty taken for the value": _uncertainty, "unit": _other_unit, "material": _other_material,
    "another material of the sentence": _material_beside, "property": _other_property, "quote": _other_quote,
    "locator": _other_locator, "page": _other_page, "neighbour row": _neighbour_row,
    "neighbour column": _neighbour_column,
}  # fmt: skip
"""What can be wrong, and how it is made so; None where a claim cannot be made wrong so."""
