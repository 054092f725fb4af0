"""The corpus "mixed" of literature_qa: cells, catalysts and kelp, among works that look alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hard_questions import ACCEPT, NOTHING, TOLERANCE, question_records

from hard_corpora.planning import Builder, Plan, paragraphs
from hard_corpora.works import Draft, write_corpus, write_records

NAME = "mixed"
JOURNALS = (
    ("Journal of Inorganic Photovoltaics", "jip", "2999-2108"),
    ("Electrode Reactions", "ere", "2999-2116"),
    ("Annals of Invented Oceanography", "aio", "2999-2124"),
    ("Northern Letters on Materials and Seas", "nlm", "2999-2132"),
    ("Open Reports in Measured Science", "oms", "2999-2140"),
)
KINDS = {"report": 62, "model": 12, "review": 9, "correcting": 4}
"""Look-alikes of each domain by kind."""
PLACES_SHOWN = 4


@dataclass(frozen=True)
class Domain:
    """A field of research: what it studies, in print and one by one."""

    key: str
    series: Sequence[tuple[str, str]]
    """Each in print, and the word that its members have."""
    entities: Sequence[str]


@dataclass(frozen=True)
class Quantity:
    """What is measured, by its names; ``units`` give the value of one in the first of them."""

    key: str
    domain: str
    names: Sequence[str]
    units: dict[str, float]
    conditions: Sequence[str]
    range: tuple[float, float]
    only: Sequence[str] = ()

    def fits(self, entity: str) -> bool:
        """Whether it can be measured on an entity."""
        return not self.only or any(word in entity for word in self.only)


@dataclass
class Measured:
    """A value of one quantity of one entity; ``other`` is a value that it replaces, or "ref" and the work it quotes."""

    entity: str
    quantity: str
    condition: str
    value: str
    place: str = "text"
    other: str = ""
    quote: str = ""

    @property
    def key(self) -> str:
        """What it is a value of."""
        return f"{self.entity} | {self.quantity} | {self.condition}"

    @property
    def number(self) -> float:
        """Its number."""
        return float(self.value.partition(" ")[0])

    @property
    def unit(self) -> str:
        """Its unit."""
        return self.value.partition(" ")[2]


class Mixed(Builder[Measured]):
    """Works on the domains of hard.toml."""

    def __init__(self, sources: Path) -> None:
        super().__init__(sources, 7, JOURNALS)
        self.domains = {each["key"]: Domain(**each) for each in self.truth["domain"]}
        self.quantities = {each["key"]: Quantity(**each) for each in self.truth["quantity"]}
        self._needed = {_key(need) for task in self.truth["task"] for need in task["needs"]}
        self._codes: dict[str, dict[str, str]] = {}

    def look_alikes(self) -> Iterator[Plan[Measured]]:
        """First the works of the truth, then those that look alike."""
        for told in self.truth["work"]:
            kept = {name: value for name, value in told.items() if name not in ("facts", "domain", "spoils")}
            facts = [Measured(*(part.strip() for part in line.split("|"))) for line in told["facts"]]
            spoils = [_key(line) for line in told.get("spoils", ())]
            yield Plan(**kept, about=self.domains[told["domain"]], facts=facts, spoils=spoils)
        for domain in self.domains.values():
            for kind, count in KINDS.items():
                for number in range(count):
                    name, year = f"{domain.key}-{kind}-{number}", self.random.randint(2010, 2022)
                    retracted = "relation" if kind == "report" and number < 2 else ""
                    yield Plan(name, domain, kind, year, self._facts(domain, kind), retracted=retracted)

    def words(self, plan: Plan[Measured]) -> dict[str, Any]:
        domain: Domain = plan.about
        first = plan.facts[0].entity if plan.facts else ""
        fitting = [name for name, word in domain.series if word in first]
        return {"series": fitting[plan.group % len(fitting)]}

    def titles(self, plan: Plan[Measured]) -> str:
        return f"titles.{plan.about.key if plan.kind == 'report' else plan.kind}"

    def asked(self, plan: Plan[Measured]) -> bool:
        return plan.codes or any(fact.key in self._needed for fact in plan.facts)

    def quotes(self, plan: Plan[Measured], earlier: Sequence[Draft]) -> list[str]:
        named: list[str] = []
        for fact in plan.facts:
            if fact.other == "ref" and earlier:
                fact.other = f"ref {self.plan_of(earlier[0])}"
            if fact.other.startswith("ref "):
                named.append(fact.other[4:])
        return named

    # --- look-alikes ---------------------------------------------------------------------------------------------

    def _facts(self, domain: Domain, kind: str) -> list[Measured]:
        quantities = [each for each in self.quantities.values() if each.domain == domain.key]
        made: dict[str, Measured] = {}
        wanted = 1 if kind == "correcting" else self.random.randint(1, 4)
        place = self.random.choice(["text", "text", "table"]) if kind == "report" else "text"
        quantity = self.random.choice(quantities)
        while len(made) < wanted:
            if place == "text":
                quantity = self.random.choice(quantities)
            entity = self.random.choice([each for each in domain.entities if quantity.fits(each)])
            condition = next(iter(made.values())).condition if place == "table" and made else ""
            condition = condition or self.random.choice(list(quantity.conditions))
            unit = next(iter(made.values())).unit if place == "table" and made else ""
            fact = Measured(entity, quantity.key, condition, self._value(quantity, unit), place)
            if kind == "review":
                fact.other = "ref"
            if kind == "correcting":
                fact.other = self._value(quantity, fact.unit)
            if fact.key not in self._needed or kind == "model":
                made[fact.key] = fact
        return list(made.values())

    def _value(self, quantity: Quantity, unit: str = "") -> str:
        unit = unit or self.random.choice(list(quantity.units))
        number = self.random.uniform(*quantity.range) / quantity.units[unit]
        digits = 0 if number >= 1000 else 1 if number >= 100 else 2 if number >= 3 else 3
        return f"{number:.{digits}f} {unit}"

    # --- how it is told ------------------------------------------------------------------------------------------

    def text(self, plan: Plan[Measured]) -> list[str]:
        field, words, size = (
            plan.about.key,
            self.words(plan),
            self.random.choice([1] if plan.kind == "notice" else [1, 2, 2, 3, 4, 5]),
        )
        told = [fact for fact in plan.facts if fact.place == "text"]
        sentences = [*self.linking(plan), *self._coded(plan), *self._scaled(plan)]
        sentences += [self._tell(plan, fact) for fact in told]
        several = partial(self.phrases.several, words=words)
        return [
            "# Introduction",
            *paragraphs(several(f"{field}.intro", 3 + size), 4),
            f"# {self.random.choice(['Methods', 'Materials and methods', 'Experimental'])}",
            *paragraphs(several(f"{field}.methods", 3 + 2 * size), 5),
            f"# {self.random.choice(['Results', 'Results and discussion', 'Observations'])}",
            *paragraphs(self.mixed(sentences, several(f"{field}.filler", 2 + 2 * size)), 5),
            *self._tables(plan),
            f"# {self.random.choice(['Further observations', 'Checks', 'Additional data'])}",
            *paragraphs(several(f"{field}.detail", 3 * size), 5),
            f"# {self.random.choice(['Discussion', 'Conclusions', 'Outlook'])}",
            *paragraphs(several(f"{field}.discussion", 2 + size), 4),
        ]

    def _tell(self, plan: Plan[Measured], fact: Measured) -> str:
        """The sentence that states a fact."""
        slots = {"Q": self._name(fact), "e": fact.entity, "c": f" {fact.condition}" if fact.condition else ""}
        slots |= {"v": fact.value.replace("mm/d", "mm a day").replace("cm/week", "cm a week")}
        pool = "modelled" if plan.kind == "model" else "measured"
        if fact.other.startswith("ref"):
            pool = "quoted"
            slots["ref"] = self.plans[fact.other[4:]].made.cited if fact.other[4:] in self.plans else "earlier authors"
        elif fact.other:
            pool = "corrected"
            slots |= {"old": fact.other, "where": "an earlier paper of ours"}
            slots |= {"where": self.plans[plan.corrects].made.where} if plan.corrects else {}
        fact.quote = self.phrases.draw(f"said.{pool}", slots)
        return fact.quote

    def _name(self, fact: Measured) -> str:
        return self.random.choice(list(self.quantities[fact.quantity].names))

    def _scaled(self, plan: Plan[Measured]) -> list[str]:
        """That all values of a quantity in another work are to be divided by a factor."""
        if not plan.scales:
            return []
        key, _, factor = plan.scales.partition(" | ")
        slots = {"Q": self.quantities[key].names[0], "where": self.plans[plan.corrects].made.where, "factor": factor}
        return [self.phrases.draw("said.scaled", slots)]

    def _coded(self, plan: Plan[Measured]) -> list[str]:
        if not plan.codes_of:
            return []
        return [self.phrases.draw("said.cells_of", {"where": self.plans[plan.codes_of].made.where})]

    def _tables(self, plan: Plan[Measured]) -> list[str]:
        blocks: list[str] = []
        if plan.codes:
            letter = self.random.choice("CDPR")
            numbers = self.random.sample(range(2, 40), len(plan.facts))
            codes = {fact.entity: f"{letter}{at}" for fact, at in zip(plan.facts, numbers, strict=True)}
            self._codes[plan.name] = codes
            rows = [f"| {code} | {entity.removeprefix('cells with ')} |" for entity, code in codes.items()]
            self.random.shuffle(rows)
            blocks += ["Table 1. Specimens and their absorbers.", "\n".join(["| Specimen | Absorber |", *rows])]
        facts = [fact for fact in plan.facts if fact.place != "text"]
        if not facts:
            return blocks
        first = facts[0]
        under = f" {first.condition}" if first.condition else ""
        name = self._name(first)
        caption = f"Table {len(blocks) // 2 + 1}. {name[:1].upper() + name[1:]}{under}, with other data."
        rows = [
            f"| {'Specimen' if first.place == 'code' else 'Kind'} | {name} ({first.unit}) | Spread (%) | Replicates |"
        ]
        for fact in facts:
            label = self._codes[plan.codes_of][fact.entity] if fact.place == "code" else _label(fact.entity)
            cells = [
                label,
                fact.value.partition(" ")[0],
                f"{self.random.uniform(1, 9):.1f}",
                f"{self.random.randint(3, 16)}",
            ]
            rows.append(f"| {' | '.join(cells)} |")
            fact.quote = " ".join(cells)
        return [*blocks, caption, "\n".join(rows)]

    def abstract(self, plan: Plan[Measured]) -> str:
        sentences = self.phrases.several(f"{plan.about.key}.abstract", self.random.randint(2, 3), self.words(plan))
        told = [fact for fact in plan.facts if not fact.other]
        if told and self.random.random() < 0.6:
            fact = self.random.choice(told)
            slots = {"Q": self._name(fact), "e": fact.entity, "c": f" {fact.condition}" if fact.condition else ""}
            about = f"{fact.number:.1g}" if fact.number < 1 else f"{fact.number:.2g}"
            about = f"{float(about):g}"
            sentences.append(self.phrases.draw("abstract_values.any", {**slots, "v": f"{about} {fact.unit}"}))
        return " ".join(sentences)

    # --- what is right -------------------------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """The questions with their gold."""
        return [self._record(task) for task in self.truth["task"]]

    def _record(self, task: dict[str, Any]) -> dict[str, Any]:
        found = [self._standing(_key(need)) for need in task["needs"]]
        parameters = {"question": task["question"], "given": self.truth["given"]}
        metadata = {"title": task["question"], "difficulty": task["hard"]}
        record = {"task_id": task["id"], "inputs": {"parameters": parameters, "corpus": f"corpora/{NAME}"}}
        if task["compute"] == "missing":
            if all(found):
                raise ValueError(f"{task['id']}: nothing is missing")
            gold: dict[str, Any] = {"kind": "text", "answer": NOTHING, "accept": ACCEPT, "route": ["literature"]}
            return {**record, "gold": gold, "metadata": metadata}
        if not all(found):
            raise ValueError(f"{task['id']}: {[need for need, at in zip(task['needs'], found, strict=True) if not at]}")
        values, sources = zip(*(at for at in found if at is not None), strict=True)
        number, unit = _compute(task["compute"], values), task.get("unit", "")
        first = self.quantities[task["needs"][0].split(" | ")[1]]
        if task["compute"] == "value":
            number /= first.units[unit]
        gold = {"kind": "number", "answer": f"{_shown(number)} {unit}".strip(), "tolerance": TOLERANCE}
        gold |= {"unit": unit} if unit else {}
        return {**record, "gold": {**gold, "source": sources[0], "route": ["literature"]}, "metadata": metadata}

    def _standing(self, key: str) -> tuple[float, dict[str, Any]] | None:
        """The one value that stands, in the first unit of its quantity, and where it is said; None for none."""
        found = [
            (self._value_of(plan, fact), _source(plan, fact.quote))
            for plan in self.plans.values()
            if plan.stands and not plan.retracted and plan.kind not in ("model", "review") and key not in plan.spoils
            for fact in plan.facts
            if fact.key == key
        ]
        if len(found) > 1:
            raise ValueError(f"{key} has {len(found)} values that stand")
        return found[0] if found else None

    def _value_of(self, plan: Plan[Measured], fact: Measured) -> float:
        value = fact.number * self.quantities[fact.quantity].units[fact.unit]
        for other in self.plans.values():
            key, _, factor = other.scales.partition(" | ")
            if other.corrects == plan.name and key == fact.quantity:
                value /= float(factor)
        return value


def _source(plan: Plan[Measured], quote: str) -> dict[str, Any]:
    return {"doi": plan.made.doi, "title": plan.made.title, "quote": quote}


def _compute(how: str, values: Sequence[float]) -> float:
    if how == "ratio":
        return values[0] / values[1]
    if how == "difference":
        return values[0] - values[1]
    if how == "product":
        return values[0] * values[1]
    return sum(values) / len(values)


def _shown(number: float) -> str:
    text = f"{number:.{PLACES_SHOWN}g}"
    return f"{float(text):.0f}" if abs(number) >= 10**PLACES_SHOWN else text


def _label(entity: str) -> str:
    text = entity.removeprefix("cells with ")
    return text[:1].upper() + text[1:]


def _key(text: str) -> str:
    parts = [part.strip() for part in f"{text} | |".split("|")][:3]
    return " | ".join(parts)


def write(family: Path) -> None:
    """Write corpus and records below the family's folder."""
    builder = Mixed(family / "sources")
    write_corpus(family / "corpora" / NAME, builder.build())
    write_records(family / "records-hard.jsonl", [*builder.records(), *question_records(family)])
