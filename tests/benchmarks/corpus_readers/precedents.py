"""A strong reader of precedent_search: reads every open text on the material's series, and minds what replaces what."""

import re
from dataclasses import dataclass
from typing import Any

from claims import CORRECTING, PREDICTED, QUOTED, newer, place_named, places_withdrawn, preprints_replaced
from desk import Desk, Text

_FORMULA = re.compile(r"(?:[A-Z][a-z]?(?:\d+(?:\.\d+)?)?){3,}")
_PART = re.compile(r"([A-Z][a-z]?)(\d+(?:\.\d+)?)?")
_SERIES = re.compile(
    r"(?:[A-Z][a-z]?(?:\d+(?:\.\d+)?)?)*(\d+(?:\.\d+)?)-x([A-Z][a-z]?)x(?:[A-Z][a-z]?(?:\d+(?:\.\d+)?)?)*"
)
_X = re.compile(r"x = (\d+(?:\.\d+)?)")
_VALUE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?) (mK|K)\b")
_NEGATIVE = re.compile(
    r"stays normal|[Nn]o superconductivity|finite (?:down|at)|no transition|without any sign|does not become|levels off"
    r"|no drop|residual resist|Neither|normal metal|without result|no anomaly|exclude"
)
_SUPERCONDUCTING = re.compile(
    r"transition|superconduct|\bTc\b|[Zz]ero resistance|diamagn|[Ss]hielding|[Ff]lux|Meissner|onset|midpoint|half of"
    r"|50 %|loss of all|first departure|jump|C/T|specific heat|heat capacity"
)
_MARKS = (
    ("onset", r"onset|first departure"),
    ("midpoint", r"midpoint|half of the normal|50 %"),
    ("zero", r"zero resistance|[Zz]ero resistance|loss of all|no resistance left|end point"),
)
_MAGNETIC = re.compile(r"diamagn|[Ss]hielding|[Ff]lux|Meissner|[Mm]agnet[io]|susceptibility")
_CALORIC = re.compile(r"specific heat|[Hh]eat capacity|[Cc]alorim|C/T|entropy")
_STATES = ("single crystal", "crystal", "annealed", "as-cast", "tetragonal", "orthorhombic", "70Ge", "76Ge")
PAGES, MOST_READ = 8, 90
"""Pages of results of each query, and texts that are opened."""


@dataclass
class Claim:
    """A value of the material in one text."""

    text: Text
    value: str
    unit: str
    quote: str
    material: str
    negative: bool
    mark: str = ""
    method: str = ""
    pressure: str = ""
    field: str = ""
    state: str = ""

    @property
    def kelvin(self) -> float:
        return float(self.value) * (0.001 if self.unit == "mK" else 1.0)

    def told(self) -> dict[str, Any]:
        """Its object in an answer."""
        conditions = {"pressure": self.pressure, "field": self.field, "sample_state": self.state}
        made = {"material": self.material, "value": self.value, "unit": self.unit, "definition": self.mark or None}
        made |= {"method": self.method or None, "conditions": {key: each for key, each in conditions.items() if each}}
        return {**made, "sources": [{**self.text.source, "quoted_span": self.quote}]}


class Reader:
    """Knows the material, and the series that it belongs to once one is met."""

    def __init__(self, desk: Desk, material: str) -> None:
        self.desk, self.material = desk, material
        self.wanted = _composition(material)
        self.series, self.x = "", -1.0

    def answer(self) -> dict[str, Any]:
        """Search, read, weigh."""
        self._find_series()
        texts = self._texts()
        claims = [claim for text in texts for claim in self._claims(text)]
        claims = self._standing(claims, texts)
        positive = [claim.told() for claim in claims if not claim.negative]
        negative = [claim.told() for claim in claims if claim.negative]
        reported = "Yes" if positive else "No" if negative else "Unknown"
        return {
            "reported": reported,
            "sources": [],
            "measurements": positive,
            "negative_measurements": negative if reported == "No" else [],
        }

    def _find_series(self) -> None:
        for query in (self.material, " ".join(self.wanted)):
            for work in self.desk.search(query, 3):
                for found in _SERIES.finditer(f"{work['title']} {work.get('abstract', '')}"):
                    x = self.wanted.get(found[2], -1.0)
                    total = float(found[1])
                    if set(re.findall("[A-Z][a-wyz]?", found[0])) == set(self.wanted) and 0 < x < total:
                        self.series, self.x = found[0], x
                        return

    def _texts(self) -> list[Text]:
        host = re.sub(r"-x[A-Z][a-z]?x", "", self.series)
        for query in filter(None, (self.material, self.series, host)):
            self.desk.search(query, PAGES)
        about = [work for work in self.desk.found.values() if self._is_near(work)]
        texts = [self.desk.read(work) for work in about[:MOST_READ]]
        return [text for text in texts if text is not None]

    def _is_near(self, work: dict[str, Any]) -> bool:
        said = f"{work['title']} {work.get('abstract', '')}"
        others = {found[0] for found in _SERIES.finditer(said)} - {self.series}
        return work.get("open_access", True) and (self.series in said or not others)

    # --- sentences and rows ------------------------------------------------------------------------------------------

    def _claims(self, text: Text) -> list[Claim]:
        made = [claim for sentence in text.sentences if (claim := self._claim(text, sentence))]
        codes = self._codes(text)
        return made + [claim for table in text.tables for claim in self._rows(text, *table, codes)]

    def _named(self, words: str, text: Text) -> str:
        """How a sentence names the material; "" where it does not."""
        for found in _FORMULA.finditer(words):
            if _same(_composition(found[0]), self.wanted):
                return found[0]
        told = any(self.series in each for each in (text.work["title"], *text.sentences))
        xs = [float(each) for each in _X.findall(words)]
        return f"{self.series} with x = {self.x:g}" if self.series and told and xs == [self.x] else ""

    def _claim(self, text: Text, sentence: str) -> Claim | None:
        named = self._named(sentence, text)
        values = _VALUE.findall(sentence)
        if not named or not values or PREDICTED.search(sentence):
            return None
        correcting = CORRECTING.search(sentence) is not None
        if QUOTED.search(sentence) and not correcting:
            return None
        negative = _NEGATIVE.search(sentence) is not None and not correcting
        if not negative and not _SUPERCONDUCTING.search(sentence):
            return None
        value = values[0]
        if correcting and len(values) > 1:
            joined = [" ".join(each) for each in values]
            value = tuple(newer(joined, sentence)[0].split())
        return self._filled(Claim(text, value[0], value[1], sentence, named, negative), sentence)

    def _filled(self, claim: Claim, words: str) -> Claim:
        pressure, field = re.search(r"([\d.]+ GPa)", words), re.search(r"([\d.]+ T)\b", words)
        claim.pressure, claim.field = pressure[1] if pressure else "", field[1] if field else ""
        claim.state = next((state for state in _STATES if re.search(rf"\b{state}\b", words)), "")
        claim.state = "single crystal" if claim.state == "crystal" else claim.state
        claim.method = (
            "specific heat" if _CALORIC.search(words) else "magnetisation" if _MAGNETIC.search(words) else "resistivity"
        )
        if claim.method == "magnetisation":
            claim.mark = "onset"
        elif claim.method == "resistivity":
            claim.mark = next((name for name, pattern in _MARKS if re.search(pattern, words)), "")
        if claim.negative:
            claim.method, claim.mark = "resistivity", ""
        return claim

    def _codes(self, text: Text) -> dict[str, float]:
        codes: dict[str, float] = {}
        for _, rows in text.tables:
            if rows and rows[0][:2] == ["Sample", "x"]:
                codes |= {row[0]: float(row[1]) for row in rows[1:]}
        return codes

    def _rows(self, text: Text, caption: str, rows: list[list[str]], codes: dict[str, float]) -> list[Claim]:
        head = rows[0] if rows else []
        column = next((at for at, cell in enumerate(head) if re.match(r"Tc \((m?K)\)", cell)), None)
        if column is None or PREDICTED.search(caption) or not any(self.series in each for each in text.sentences):
            return []
        unit = re.match(r"Tc \((m?K)\)", head[column])[1]
        made: list[Claim] = []
        for row in rows[1:]:
            xs = _X.findall(caption)
            x = float(xs[0]) if xs else codes.get(row[0], float(row[0]) if head[0] == "x" else -1.0)
            if x != self.x:
                continue
            of = re.search(r"\((GPa|T)\)", head[0])
            words = f"{caption} {f'{row[0]} {of[1]}' if of else ''}"
            material = f"{self.series} with x = {self.x:g}"
            made.append(self._filled(Claim(text, row[column], unit, " ".join(row), material, False), words))
        return made

    # --- what stands ---------------------------------------------------------------------------------------------

    def _standing(self, claims: list[Claim], texts: list[Text]) -> list[Claim]:
        names = {claim.text.name: claim.text for claim in claims}
        for text in names.values():
            for work in self.desk.citing(text):
                if (read := self.desk.read(work)) is not None and read not in texts:
                    texts.append(read)
        replaced = {number for text in texts for number in preprints_replaced(text.sentences)}
        withdrawn = {place for text in texts for place in places_withdrawn(text.sentences)}
        places = {name: self.desk.place(text) for name, text in names.items()}
        gone = {name for name, text in names.items() if text.work.get("retracted") or places[name] in withdrawn}
        gone |= {name for name, text in names.items() if text.preprint in replaced}
        corrections = [
            (place_named(claim.quote), newer([" ".join(each) for each in _VALUE.findall(claim.quote)], claim.quote)[1])
            for claim in claims
            if CORRECTING.search(claim.quote)
        ]
        return [
            claim
            for claim in claims
            if claim.text.name not in gone
            and (places[claim.text.name], f"{claim.value} {claim.unit}") not in corrections
        ]


def _composition(formula: str) -> dict[str, float]:
    return {element: float(count or 1) for element, count in _PART.findall(formula)}


def _same(one: dict[str, float], other: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(abs(one[each] - other[each]) < 1e-6 for each in one)
