"""The corpus "germanides" of precedent_search: six series of superconductors among works that look alike."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hard_corpora.facts import NOT_MEASURED, Fact, Series
from hard_corpora.planning import Builder, Plan, paragraphs
from hard_corpora.tables import table_blocks
from hard_corpora.works import Draft, write_corpus, write_records

NAME = "germanides"
JOURNALS = (
    ("Journal of Framework Intermetallics", "jfi", "2999-1101"),
    ("Letters on Quantum Solids", "lqs", "2999-0203"),
    ("Annals of Low-Temperature Materials", "alt", "2999-0122"),
    ("Northern Physical Review", "npr", "2999-1128"),
    ("Reports on Cage Compounds", "rcc", "2999-1136"),
    ("Materials at Low Temperature", "mlt", "2999-1144"),
)
VALUES = (
    "every measured value of the superconducting transition temperature (Tc), as the text or a table gives it and not "
    "as an abstract rounds it; of a value that a later version or a correction replaces, the latest alone"
)
NEGATIVES = (
    "every lowest temperature at which it was measured without becoming superconducting (Tcn), whatever the paper is "
    "about"
)
KINDS = {"report": 17, "pressure": 5, "field": 4, "normal": 6, "theory": 6, "review": 3}
"""Look-alikes of each series by kind."""
CRITERIA = (
    ("onset", "resistivity"), ("midpoint", "resistivity"), ("zero", "resistivity"), ("onset", "magnetisation"),
    ("", "specific heat"),
)  # fmt: skip
LEAST_TC = 0.3
"""Kelvin below which a drawn member is not a superconductor."""


class Germanides(Builder[Fact]):
    """Works on the series of hard.toml."""

    def __init__(self, sources: Path) -> None:
        super().__init__(sources, 6, JOURNALS)
        self.series = {each["key"]: Series(**each) for each in self.truth["series"]}
        self.decoys = [Series(**each) for each in self.truth["decoy"]]
        self._asked = {(task["series"], task["x"]) for task in self.truth["task"]}

    def look_alikes(self) -> Iterator[Plan[Fact]]:
        """First the works of the truth, then those on other members, then those on other series."""
        for told in self.truth["work"]:
            yield _read_plan(told, self.series)
        for series in self.series.values():
            for kind, count in KINDS.items():
                for number in range(count):
                    name = f"{series.key}-like-{kind}-{number}"
                    yield Plan(name, series, kind, self.random.randint(2009, 2022), self._facts(series, kind))
            facts = self._facts(series, "report")
            yield Plan(f"{series.key}-like-withdrawn", series, "report", 2016, facts, retracted="relation")
            yield Plan(f"{series.key}-other-scale", series, "correcting", 2021, self._corrections(series))
        while len(self.plans) < self.truth["count"]:
            number = len(self.plans)
            series = self.decoys[number % len(self.decoys)]
            kind = self.random.choice(["report", "report", "normal", "theory", "pressure"])
            yield Plan(f"decoy-{number}", series, kind, self.random.randint(2008, 2022), self._facts(series, kind))

    def words(self, plan: Plan[Fact]) -> dict[str, Any]:
        return plan.about.words

    def titles(self, plan: Plan[Fact]) -> str:
        return f"titles.{plan.kind}"

    def asked(self, plan: Plan[Fact]) -> bool:
        return any((plan.about.key, fact.x) in self._asked for fact in plan.facts)

    def quotes(self, plan: Plan[Fact], earlier: Sequence[Draft]) -> list[str]:
        quoting = [fact for fact in plan.facts if fact.mark == "quoted"]
        for fact in quoting:
            if fact.other == "*" and earlier:
                fact.other = self.plan_of(earlier[0])
        return [fact.other for fact in quoting if fact.other in self.plans]

    # --- look-alikes ---------------------------------------------------------------------------------------------

    def _facts(self, series: Series, kind: str) -> list[Fact]:
        drawn = {"theory": self._computed, "review": self._repeated, "pressure": self._driven, "field": self._driven}
        if kind in drawn:
            return drawn[kind](series, kind)
        xs = sorted(self.random.sample(list(series.x), self.random.randint(2, 5)), key=float)
        if kind == "normal":
            return [self._negative(x) for x in xs[:2] if self._tc(series, x) < LEAST_TC]
        place = self.random.choice(["text", "text", "table"])
        named = self.random.choice(["x", "formula"] if place == "text" else ["x", "code"])
        mark, method = self.random.choice(CRITERIA)
        made: list[Fact] = []
        for x in xs:
            tc = self._tc(series, x)
            fact = Fact(x, self._shown(tc), mark, method, place=place, named=named)
            made.append(fact if tc >= LEAST_TC else self._negative(x))
        return made

    def _computed(self, series: Series, _: str) -> list[Fact]:
        """Predictions, of members that are asked about too."""
        xs = [*series.x, *sorted(x for key, x in self._asked if key == series.key)]
        return [
            Fact(x, self._shown(max(self._tc(series, x), 0.4) * self.random.uniform(1.05, 1.5)), "predicted", "",
                 named=self.random.choice(["x", "formula"]))
            for x in self.random.sample(xs, 3)
        ]  # fmt: skip

    def _repeated(self, series: Series, _: str) -> list[Fact]:
        xs = self.random.sample(list(series.x), 3)
        return [
            Fact(x, self._shown(max(self._tc(series, x), 0.4)), "quoted", "", named="formula", other="*") for x in xs
        ]

    def _driven(self, series: Series, by: str) -> list[Fact]:
        """One member at several pressures or fields."""
        x = max(self.random.sample(list(series.x), 3), key=lambda each: self._tc(series, each))
        place, mark = self.random.choice(["text", "table", "table"]), self.random.choice(["onset", "midpoint", "zero"])
        tc = max(self._tc(series, x), 0.5)
        steps = (
            [f"{step / 10} GPa" for step in sorted(self.random.sample(range(5, 40), 3))]
            if by == "pressure"
            else [f"{step} T" for step in sorted(self.random.sample([0.3, 0.5, 1, 1.5, 3], 3))]
        )
        made: list[Fact] = []
        for number, step in enumerate(steps, start=1):
            scale = 1 + 0.06 * number if by == "pressure" else 1 - 0.22 * number
            fact = Fact(x, self._shown(max(tc * scale, 0.1)), mark, "resistivity", place=place)
            setattr(fact, by, step)
            made.append(fact)
        return made

    def _corrections(self, series: Series) -> list[Fact]:
        x = max(series.x, key=lambda each: self._tc(series, each))
        old, new = (self._shown(self._tc(series, x)) for _ in range(2))
        return [Fact(x, new, "onset", "resistivity", other=old)]

    def _negative(self, x: str) -> Fact:
        limit = self.random.choice(["1.8 K", "1.9 K", "2.0 K", "0.45 K", "0.36 K", "0.4 K", "120 mK", "75 mK"])
        return Fact(x, limit, "negative", "resistivity", named=self.random.choice(["x", "formula"]))

    def _tc(self, series: Series, x: str) -> float:
        top, middle, width = series.dome
        return top * (1 - ((float(x) - middle) / width) ** 2) + self.random.uniform(-0.04, 0.04) * top

    def _shown(self, tc: float) -> str:
        if tc < 1:
            return f"{tc * 1000:.0f} mK" if self.random.random() < 0.6 else f"{tc:.3f} K"
        return f"{tc:.2f} K"

    # --- how it is told ------------------------------------------------------------------------------------------

    def text(self, plan: Plan[Fact]) -> list[str]:
        words, size = plan.about.words, self.random.choice([1, 2, 2, 3, 4, 5])
        tables = table_blocks(plan, self.phrases, self.random)
        told = [fact for fact in plan.facts if fact.place == "text"]
        sentences = [fact.tell(plan.about, self.phrases, self._slots(plan, fact)) for fact in told]
        results = self.mixed(
            [*self.linking(plan), *sentences], self.phrases.several("text.filler", 2 + 2 * size, words)
        )
        methods = [_samples(plan), *self.phrases.several("text.methods", 3 + 2 * size, words)]
        return [
            "# Introduction",
            *paragraphs(self.phrases.several("text.intro", 3 + size, words), 4),
            "# Experimental",
            *paragraphs(methods, 5),
            f"# {self.random.choice(['Results', 'Results and discussion', 'Measurements'])}",
            *paragraphs(results, 5),
            *tables,
            *self._details(size, words),
            f"# {self.random.choice(['Discussion', 'Conclusions', 'Concluding remarks'])}",
            *paragraphs(self.phrases.several("text.discussion", 2 + size, words), 4),
        ]

    def _details(self, size: int, words: dict[str, Any]) -> list[str]:
        """What the longer papers tell beside: traces of other superconductors, other temperatures."""
        if size == 1:
            return []
        told = self.phrases.several("text.detail", 5 * size, words)
        return [f"# {self.random.choice(['Further observations', 'Other properties', 'Remarks on samples'])}",
                *paragraphs(told, 5)]  # fmt: skip

    def _slots(self, plan: Plan[Fact], fact: Fact) -> dict[str, Any]:
        where = self.plans[plan.corrects].made.where if plan.corrects else "an earlier paper of ours"
        ref = self.plans[fact.other].made.cited if fact.other in self.plans else "earlier authors"
        return {"where": where, "ref": ref}

    def abstract(self, plan: Plan[Fact]) -> str:
        sentences = self.phrases.several("text.abstract", self.random.randint(2, 4), plan.about.words)
        positive = [fact for fact in plan.facts if fact.mark != "negative" and not fact.other]
        rounded = [fact for fact in positive if _rounded(fact) != fact.value]
        if rounded and self.random.random() < 0.5:
            fact = self.random.choice(rounded)
            slots = {"m": fact.mention(plan.about), "v": _rounded(fact)}
            sentences.insert(1, self.phrases.draw("text.abstract_values", slots))
        return " ".join(sentences)

    # --- what is right -------------------------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """The tasks with their gold."""
        return [self._record(task) for task in self.truth["task"]]

    def _record(self, task: dict[str, Any]) -> dict[str, Any]:
        series = self.series[task["series"]]
        positive = task["reported"] == "Yes"
        found: list[dict[str, Any]] = []
        for plan in self.plans.values():
            if not plan.stands or plan.retracted or plan.about is not series:
                continue
            draft = plan.made
            source = {"doi": draft.doi, "title": draft.title, "authors": draft.names, "year": draft.year}
            counted = (fact for fact in plan.facts if _counts(fact, plan, task["x"], positive=positive))
            found += [fact.gold(series, source) for fact in counted]
        found.sort(key=lambda each: float(each["value"]) * (0.001 if each["unit"] == "mK" else 1.0), reverse=positive)
        parameters = {"material": series.member(task["x"]), "values": VALUES, "negative_values": NEGATIVES}
        inputs = {"corpus": f"corpora/{NAME}", "parameters": parameters}
        kind = "measurements" if positive else "negative_measurements"
        gold = {"reported": task["reported"], "sources": [], "measurements": [], "negative_measurements": []}
        gold |= {"related": [], "phases": []}
        metadata = {"title": series.member(task["x"]), "difficulty": task["hard"], "licence": "Apache-2.0"}
        return {"task_id": task["id"], "inputs": inputs, "gold": {**gold, kind: found}, "metadata": metadata}


def _rounded(fact: Fact) -> str:
    """A value as abstracts give it."""
    value, _, unit = fact.value.partition(" ")
    about = f"{float(value):.1f}" if unit == "K" else f"{round(float(value), -1):.0f}"
    return fact.value if float(about) == float(value) else f"{about} {unit}"


def _samples(plan: Plan[Fact]) -> str:
    xs = sorted({fact.x for fact in plan.facts}, key=float)
    if not xs:
        return f"The samples of {plan.about.series} came from several laboratories."
    return f"The members of {plan.about.series} in this study have x = {', '.join(xs)}."


def _counts(fact: Fact, plan: Plan[Fact], x: str, *, positive: bool) -> bool:
    if float(fact.x) != float(x) or fact.mark in NOT_MEASURED or fact.key in plan.spoils:
        return False
    return (fact.mark != "negative") == positive


def _read_plan(told: dict[str, Any], series: dict[str, Series]) -> Plan[Fact]:
    kept = {name: value for name, value in told.items() if name not in ("facts", "series", "corrected_by")}
    return Plan(**kept, about=series[told["series"]], facts=[Fact.read(line) for line in told["facts"]])


def write(family: Path) -> None:
    """Write corpus and records below the family's folder."""
    builder = Germanides(family / "sources")
    write_corpus(family / "corpora" / NAME, builder.build())
    write_records(family / "records-hard.jsonl", builder.records())
