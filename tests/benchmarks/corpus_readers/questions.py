"""A strong reader of literature_qa: what a question needs, every measurement of it, and the sum that it asks for."""

import re
from dataclasses import dataclass
from typing import Any

from claims import CORRECTING, PREDICTED, QUOTED, factors, newer, place_named, places_withdrawn, preprints_replaced
from desk import Desk, Text

QUANTITIES: dict[str, tuple[str, dict[str, float]]] = {
    "t80": (r"T80|80 % of the first efficiency", {"h": 1.0, "days": 24.0}),
    "jsc": (r"short-circuit current density|Jsc|photocurrent density at short circuit", {"mA/cm2": 1.0, "A/m2": 0.1}),
    "voc": (r"open-circuit voltage|Voc|photovoltage at open circuit", {"mV": 1.0, "V": 1000.0}),
    "ea": (r"activation energy", {"kJ/mol": 1.0, "eV": 96.485}),
    "eta": (r"overpotential|excess voltage", {"mV": 1.0, "V": 1000.0}),
    "tof": (r"turnover frequenc|TOF|turnover rate", {"1/s": 1.0, "1/h": 1 / 3600}),
    "growth": (r"blade growth|growth of the blades|elongation of the blades", {
        "mm/d": 1.0, "mm a day": 1.0, "cm/week": 10 / 7, "cm a week": 10 / 7,
    }),
    "clearance": (r"clearance rate|filtration rate", {"L/h": 1.0, "mL/min": 0.06}),
    "biomass": (r"biomass", {"kg/m2": 1.0, "g/m2": 0.001}),
    "extent": (r"extent of the bed|area of the bed", {"m2": 1.0, "ha": 10_000.0}),
}  # fmt: skip
_ENTITY = re.compile(
    r"(?:[A-Z][a-z]?\d*(?:\.\d+)?){4,}|(?:sugar kelp|oarweed|blue mussels|horse mussels)(?: stood)? (?:at|of) [A-Z]\w+"
)
_CONDITION = re.compile(r"\b(?:at \d+ (?:°C|mA/cm2)|in \d{4})")
_ASKED_UNIT = re.compile(r"How many (kg)|[Bb]y how many (\S+)|in (hours|mV|L/h)\b")
MOST_READ = 40
"""Texts that are opened for each thing that is looked for."""


@dataclass
class Found:
    """A measurement in one text, in the first unit of its quantity."""

    text: Text
    value: float
    printed: str
    quote: str


class Finder:
    """Looks for one quantity of one entity under one condition."""

    def __init__(self, desk: Desk, entity: str, quantity: str, condition: str) -> None:
        self.desk, self.entity, self.condition = desk, entity, condition
        pattern, self.units = QUANTITIES[quantity]
        self.quantity = re.compile(pattern, re.IGNORECASE)
        units = "|".join(re.escape(unit) for unit in sorted(self.units, key=len, reverse=True))
        self.value = re.compile(rf"(?<![\d.])(\d+(?:\.\d+)?) ({units})(?![\w/])")

    def find(self) -> Found | None:
        """The measurement that stands: the latest, should there be several."""
        texts = self._texts()
        found = [each for text in texts for each in (*self._said(text), *self._rows(text, texts))]
        found = self._standing(found, texts)
        return max(found, key=lambda each: str(each.text.work.get("published", "")), default=None)

    def _texts(self) -> list[Text]:
        works = self.desk.having(self.entity)
        works = [work for work in works if work.get("open_access", True)]
        texts = [text for work in works[:MOST_READ] if (text := self.desk.read(work)) is not None]
        for text in [text for text in texts if _codes(text)]:
            texts += [read for work in self.desk.citing(text) if (read := self.desk.read(work)) and read not in texts]
        return texts

    def _names(self, words: str) -> bool:
        return re.search(rf"{re.escape(self.entity)}(?![\w.]*\d)(?!\w)", words, re.IGNORECASE) is not None

    def _said(self, text: Text) -> list[Found]:
        made: list[Found] = []
        for sentence in text.sentences:
            values = [match for match in self.value.finditer(sentence) if match[0] not in self.condition]
            if not (values and self._names(sentence) and self.quantity.search(sentence)):
                continue
            conditions = _CONDITION.findall(sentence)
            if self.condition and self.condition not in conditions:
                continue
            correcting = CORRECTING.search(sentence) is not None and len(values) > 1
            if PREDICTED.search(sentence) or (QUOTED.search(sentence) and not correcting):
                continue
            printed = newer([match[0] for match in values], sentence)[0] if correcting else values[0][0]
            made.append(Found(text, self._number(printed), printed, sentence))
        return made

    def _number(self, printed: str) -> float:
        number, _, unit = printed.partition(" ")
        return float(number) * self.units[unit]

    def _rows(self, text: Text, texts: list[Text]) -> list[Found]:
        made: list[Found] = []
        codes = {code: absorber for other in texts for code, absorber in _codes(other).items()}
        for caption, rows in text.tables:
            for at, cell in enumerate(rows[0] if rows else []):
                unit = re.search(r"\(([^()]+)\)$", cell)
                if not (unit and unit[1] in self.units and self.quantity.search(cell)):
                    continue
                if self.condition and self.condition not in caption:
                    continue
                hits = [row for row in rows[1:] if self._names(codes.get(row[0], row[0]))]
                printed = [f"{row[at]} {unit[1]}" for row in hits]
                made += [
                    Found(text, self._number(one), one, " ".join(row)) for one, row in zip(printed, hits, strict=True)
                ]
        return made

    def _standing(self, found: list[Found], texts: list[Text]) -> list[Found]:
        names = {each.text.name: each.text for each in found}
        for text in names.values():
            texts += [read for work in self.desk.citing(text) if (read := self.desk.read(work)) and read not in texts]
        replaced = {number for text in texts for number in preprints_replaced(text.sentences)}
        withdrawn = {place for text in texts for place in places_withdrawn(text.sentences)}
        places = {name: self.desk.place(text) for name, text in names.items()}
        gone = {name for name, text in names.items() if text.work.get("retracted") or places[name] in withdrawn}
        gone |= {name for name, text in names.items() if text.preprint in replaced}
        corrected = {place_named(each.quote) for each in found if CORRECTING.search(each.quote)}
        for sentence, place, factor in (each for text in texts for each in factors(text.sentences)):
            for each in found:
                if places[each.text.name] == place and self.quantity.search(sentence):
                    each.value /= factor
        return [each for each in found if each.text.name not in gone and places[each.text.name] not in corrected]


def _codes(text: Text) -> dict[str, str]:
    return {
        row[0]: row[1] for _, rows in text.tables if rows and rows[0] == ["Specimen", "Absorber"] for row in rows[1:]
    }


def answer(desk: Desk, question: str, nothing: str) -> dict[str, Any]:
    """The number that is asked for; ``nothing`` where a part of it was never measured."""
    needs = _needs(question)
    found = [Finder(desk, *need).find() for need in needs]
    if not found or any(each is None for each in found):
        return {"answer": nothing, "sources": []}
    stood = [each for each in found if each is not None]
    sources = [{"doi": each.text.name, "title": each.text.work["title"], "quote": each.quote} for each in stood]
    number = _computed(question, [each.value for each in stood])
    asked = _ASKED_UNIT.search(question)
    unit = next((each for each in asked.groups() if each), "") if asked else ""
    return {"answer": f"{number:.4g} {'h' if unit == 'hours' else unit}".strip(), "sources": sources}


def _needs(question: str) -> list[tuple[str, str, str]]:
    entities = [found[0].replace(" stood", "") for found in _ENTITY.finditer(question)]
    quantities = [key for key, (pattern, _) in QUANTITIES.items() if re.search(pattern, question, re.IGNORECASE)]
    condition = _CONDITION.search(question)
    return [(entity, quantity, condition[0] if condition else "") for entity in entities for quantity in quantities]


def _computed(question: str, values: list[float]) -> float:
    if "what factor" in question:
        return values[0] / values[1]
    if "how many" in question and "higher" in question:
        return values[0] - values[1]
    if question.startswith("How many"):
        return values[0] * values[1]
    return sum(values) / len(values)
