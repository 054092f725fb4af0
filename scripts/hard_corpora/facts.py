"""Series and Fact: compositions, and what papers say of them in sentences and rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hard_corpora.phrases import Phrases

METHODS = {"resistivity": "resistivity", "magnetisation": "magnetisation", "specific heat": "heat"}
NOT_MEASURED = ("predicted", "quoted")
"""Marks of values that are not a measurement of the work that prints them."""
STATES = {
    "single crystal": ("a single crystal of {f}", "the crystal with x = {x}"),
    "annealed": ("annealed {f}", "the annealed sample with x = {x}"),
    "as-cast": ("as-cast {f}", "the as-cast sample with x = {x}"),
    "tetragonal": ("tetragonal {f}", "the tetragonal sample with x = {x}"),
    "orthorhombic": ("orthorhombic {f}", "the orthorhombic sample with x = {x}"),
    "70Ge": ("{f} made of 70Ge", "the 70Ge sample with x = {x}"),
    "76Ge": ("{f} made of 76Ge", "the 76Ge sample with x = {x}"),
}


@dataclass(frozen=True)
class Series:
    """A solid solution: its name in print and the formula of a member."""

    key: str
    series: str
    formula: str
    total: float
    parent: str
    dopant: str
    x: Sequence[str] = ()
    dome: Sequence[float] = (1.0, 0.0, 1.0)

    def member(self, x: str) -> str:
        """The formula of the member with this x; the parent's for 0."""
        if float(x) == 0:
            return self.parent
        return self.formula.format(rest=_number(self.total - float(x)), x=_number(float(x)))

    @property
    def words(self) -> dict[str, str]:
        """Its slots in phrases."""
        return {
            "series": self.series,
            "parent": self.parent,
            "dopant": self.dopant,
            "dopant_C": self.dopant.capitalize(),
        }


@dataclass
class Fact:
    """A value of one composition; ``quote`` and ``named_as`` are known once its paper is written."""

    x: str
    value: str
    mark: str
    method: str
    pressure: str = ""
    field: str = ""
    state: str = ""
    place: str = "text"
    named: str = "x"
    other: str = ""
    """Of a correction the value that it replaces, of a quotation the work that it quotes."""
    quote: str = ""
    named_as: str = ""

    @classmethod
    def read(cls, text: str) -> "Fact":
        """The fact of a line of the truth."""
        return cls(*(part.strip() for part in text.split("|")))

    @property
    def key(self) -> str:
        """By what ``spoils`` names it."""
        return " | ".join(filter(None, (self.x, self.mark, self.state)))

    @property
    def conditions(self) -> str:
        """Its pressure and field as a sentence says them."""
        under = f" under {self.pressure}" if self.pressure else ""
        return under + (f" in a field of {self.field}" if self.field else "")

    def mention(self, series: Series) -> str:
        """How its sentence names the sample."""
        forms = STATES.get(self.state, ("{f}", "the sample with x = {x}"))
        form = forms[0] if self.named == "formula" or float(self.x) == 0 else forms[1]
        return form.format(f=series.member(self.x), x=self.x)

    def tell(self, series: Series, phrases: Phrases, words: dict[str, Any]) -> str:
        """The sentence that states it."""
        slots = {"m": self.mention(series), "c": self.conditions, "v": self.value, "d": "", **words}
        pool = self.mark if self.mark in (*NOT_MEASURED, "negative") else METHODS[self.method]
        if self.method == "resistivity" and self.mark in phrases.data["marks"]:
            slots["d"] = phrases.draw(f"marks.{self.mark}")
            slots["d"] = slots["d"][:1].lower() + slots["d"][1:]
        elif self.other:
            slots["d"] = "onset of diamagnetism" if self.method == "magnetisation" else "specific heat"
        if self.other and self.mark not in NOT_MEASURED:
            pool = "corrected"
            slots["old"] = self.other
        self.quote = phrases.draw(f"said.{pool}", slots)
        self.named_as = self.name_of(series)
        return self.quote

    def name_of(self, series: Series) -> str:
        """Its material as gold names it."""
        whole = self.named == "formula" or float(self.x) == 0
        return series.member(self.x) if whole else f"{series.series} with x = {self.x}"

    def gold(self, series: Series, source: dict[str, Any]) -> dict[str, Any]:
        """Its measurement in a gold answer."""
        value, _, unit = self.value.partition(" ")
        told = {"pressure": self.pressure, "field": self.field, "sample_state": self.state}
        conditions = {name: text for name, text in told.items() if text}
        made: dict[str, Any] = {"material": self.named_as or self.name_of(series), "value": value, "unit": unit}
        made |= {"definition": self.mark} if self.mark in ("onset", "midpoint", "zero") else {}
        made |= {"method": self.method, **({"conditions": conditions} if conditions else {})}
        return {**made, "sources": [{**source, "quoted_span": self.quote}]}


def _number(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "" if text == "1" else text
