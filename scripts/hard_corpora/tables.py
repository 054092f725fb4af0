"""Tables of the germanides: values by x, by a sample's code, by pressure or field, and tables that look like them."""

from random import Random
from typing import TYPE_CHECKING

from hard_corpora.facts import Fact
from hard_corpora.phrases import Phrases

if TYPE_CHECKING:
    from hard_corpora.planning import Plan

CELL = {"lacani": 1.182, "lupdrh": 0.996, "yruos": 1.274, "zrirpt": 1.091, "srkrh": 0.943, "hfcofe": 1.137}
"""Lattice parameter of the parent in nm."""
TITLES = {
    "resistivity": "Transition temperatures ({d})",
    "magnetisation": "Transition temperatures (onset of diamagnetism)",
    "specific heat": "Transition temperatures (specific heat)",
}


def table_blocks(plan: "Plan[Fact]", phrases: Phrases, random: Random) -> list[str]:
    """Captions and tables of a work; the facts of its rows learn their quotes."""
    facts = [fact for fact in plan.facts if fact.place == "table" and fact.mark != "negative"]
    for fact in plan.facts:
        if fact.place == "table" and fact.mark == "negative":
            fact.place = "text"
    blocks: list[str] = []
    if not facts:
        return _decoy(plan, random)
    if facts[0].named == "code":
        codes = _codes(plan, random)
        blocks += _samples(plan, facts, codes, random)
        return blocks + _values(
            plan, facts, phrases, random, "Sample", [codes[fact.x] for fact in facts], len(blocks) // 2 + 1
        )
    driven = "Pressure (GPa)" if facts[0].pressure else "Field (T)" if facts[0].field else "x"
    keys = [(fact.pressure or fact.field or fact.x).split()[0] for fact in facts]
    return _decoy(plan, random) + _values(plan, facts, phrases, random, driven, keys, 2)


def _values(
    plan: "Plan[Fact]", facts: list[Fact], phrases: Phrases, random: Random, key: str, keys: list[str], number: int
) -> list[str]:
    mark = phrases.draw(f"marks.{facts[0].mark}") if facts[0].mark else ""
    title = TITLES[facts[0].method].format(d=mark[:1].lower() + mark[1:])
    of = (
        f"the {facts[0].state} sample with x = {facts[0].x}".replace("the  ", "the ")
        if key != "x" and key != "Sample"
        else ""
    )
    unit = "mK" if all(fact.value.endswith("mK") for fact in facts) else "K"
    caption = f"Table {number}. {title} of {of or plan.about.series}."
    rows = [f"| {key} | Tc ({unit}) | Width ({unit}) | Residual resistivity (μΩ cm) |"]
    for cell, fact in zip(keys, facts, strict=True):
        value = _in(fact.value, unit)
        width = f"{random.uniform(0.03, 0.2):.2f}" if unit == "K" else f"{random.randint(9, 70)}"
        others = f"{width} {random.randint(14, 96)}"
        rows.append(f"| {cell} | {value} | {others.replace(' ', ' | ')} |")
        fact.value, fact.quote = f"{value} {unit}", f"{cell} {value} {others}"
        fact.named_as = f"{plan.about.series} with x = {fact.x}"
    return [caption, "\n".join(rows)]


def _in(value: str, unit: str) -> str:
    number, own = value.split()
    return number if own == unit else f"{float(number) / 1000:.3f}"


def _codes(plan: "Plan[Fact]", random: Random) -> dict[str, str]:
    letter = random.choice("ABGKS")
    xs = sorted({fact.x for fact in plan.facts}, key=float)
    numbers = random.sample(range(1, 30), len(xs))
    return {x: f"{letter}{number}" for x, number in zip(xs, numbers, strict=True)}


def _samples(plan: "Plan[Fact]", facts: list[Fact], codes: dict[str, str], random: Random) -> list[str]:
    rows = [(codes[fact.x], fact.x, _cell(plan, fact.x, random)) for fact in facts]
    random.shuffle(rows)
    lines = ["| Sample | x | a (nm) |", *(f"| {' | '.join(row)} |" for row in rows)]
    return [f"Table 1. Samples of {plan.about.series} and their lattice parameter.", "\n".join(lines)]


def _decoy(plan: "Plan[Fact]", random: Random) -> list[str]:
    """A table of other temperatures and contents."""
    if plan.kind not in ("report", "pressure", "field", "normal", "theory") or random.random() < 0.4:
        return []
    xs = sorted(random.sample(list(plan.about.x), 4), key=float)
    lines = ["| x | a (nm) | Debye temperature (K) | Coupling |"]
    for x in xs:
        fitted = f"{random.randint(205, 290)} | {random.uniform(0.45, 0.8):.2f}"
        lines += [f"| {x} | {_cell(plan, x, random)} | {fitted} |"]
    return [f"Table 1. Lattice and Debye model of {plan.about.series}.", "\n".join(lines)]


def _cell(plan: "Plan[Fact]", x: str, random: Random) -> str:
    return f"{CELL.get(plan.about.key, 1.05) - 0.02 * float(x) + random.uniform(-0.0004, 0.0004):.4f}"
