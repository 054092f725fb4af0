"""Plan and Builder: works to be written, how they refer to one another, and their texts from pools of sentences."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Generic, TypeVar

from hard_corpora.phrases import Phrases
from hard_corpora.works import Draft, Register

LABELS = (
    "", ": new samples", " revisited", ": a study in small steps", ": the part of annealing", ": further results",
    ": a second series", ", second part", " over the whole range", ": the region of the maximum", ": a comparison",
    ": samples of a second source", ": replicates", ": an independent look", ": data of three years", ": a report",
)  # fmt: skip
"""What titles of one kind are told apart by."""

FactT = TypeVar("FactT")


@dataclass
class Plan(Generic[FactT]):
    """A work to be written. ``stands`` false: none of its values is right; ``retracted``: by its "relation" in the
    records, or by a "notice" that only says so; ``registered``: sources know what it corrects."""

    name: str
    about: Any
    kind: str
    year: int
    facts: list[FactT] = field(default_factory=list[FactT])
    stands: bool = True
    preprint: bool = False
    retracted: str = ""
    registered: bool = True
    corrects: str = ""
    supersedes: str = ""
    retracts: str = ""
    spoils: Sequence[str] = ()
    scales: str = ""
    codes: bool = False
    codes_of: str = ""
    group: int = 0
    open: bool = True
    draft: Draft | None = None

    @property
    def made(self) -> Draft:
        """Its work."""
        if self.draft is None:
            raise ValueError(f"{self.name} has no draft yet")
        return self.draft

    @property
    def linked(self) -> str:
        """The work by the same authors that it corrects, replaces or goes on with."""
        return self.corrects or self.supersedes or self.codes_of


class Builder(Generic[FactT]):
    """Draws look-alikes, writes all works, and knows the gold. Subclasses say what there is and how it is told."""

    def __init__(self, sources: Path, digit: int, journals: Sequence[Sequence[str]]) -> None:
        self.truth: dict[str, Any] = tomllib.loads((sources / "hard.toml").read_text(encoding="utf-8"))
        seed = self.truth["seed"]
        self.phrases = Phrases(sources / "phrases.toml", seed)
        self.register = Register(seed, digit, journals)
        self.random = Random(f"{seed}/look-alikes")
        self.plans: dict[str, Plan[FactT]] = {}
        self.groups: dict[str, list[list[str]]] = {}

    # --- what a subclass says --------------------------------------------------------------------------------------

    def look_alikes(self) -> Iterator[Plan[FactT]]:
        """Works beside those of the truth, until there are enough."""
        raise NotImplementedError

    def words(self, plan: Plan[FactT]) -> dict[str, Any]:
        """The slots of phrases that are not about a fact."""
        raise NotImplementedError

    def titles(self, plan: Plan[FactT]) -> str:
        """The pool of its titles."""
        raise NotImplementedError

    def asked(self, plan: Plan[FactT]) -> bool:
        """Whether a task is about a fact of it: then its text is open."""
        raise NotImplementedError

    def quotes(self, plan: Plan[FactT], earlier: Sequence[Draft]) -> list[str]:
        """The names of the plans that its facts quote; ``earlier`` are those to choose from."""
        raise NotImplementedError

    def abstract(self, plan: Plan[FactT]) -> str:
        """Its abstract."""
        raise NotImplementedError

    def text(self, plan: Plan[FactT]) -> list[str]:
        """The blocks of its text."""
        raise NotImplementedError

    # --- what is the same for all --------------------------------------------------------------------------------

    def build(self) -> list[Draft]:
        """All works, in an order that shows nothing."""
        for plan in self.look_alikes():
            self.add(plan)
        for plan in [plan for plan in self.plans.values() if plan.retracted]:
            by_record = plan.retracted == "relation"
            self.add(Plan(f"{plan.name}-notice", plan.about, "notice", min(plan.year + 2, 2023),
                          registered=by_record, retracts=plan.name))  # fmt: skip
        for plan in self.plans.values():
            plan.draft = self._draft(plan)
        for plan in self.plans.values():
            self._refer(plan)
        for plan in self.plans.values():
            self._write(plan)
        return sorted((plan.made for plan in self.plans.values()), key=lambda draft: draft.id)

    def add(self, plan: Plan[FactT]) -> None:
        """One more work, of a laboratory of its field or of that of the work that it is linked with."""
        if plan.name in self.plans:
            raise ValueError(f"two works are called {plan.name}")
        plan.group = self.plans[plan.linked].group if plan.linked else self.random.randrange(4)
        self.plans[plan.name] = plan

    def plan_of(self, draft: Draft) -> str:
        """The name of the plan of a work."""
        return next(plan.name for plan in self.plans.values() if plan.draft is draft)

    def _draft(self, plan: Plan[FactT]) -> Draft:
        words = {**self.words(plan), "volume": self.register.random.randint(11, 38)}
        titles = (f"{self.phrases.draw(self.titles(plan), words)}{label}" for label in LABELS for _ in range(9))
        people = self.groups.setdefault(plan.about.key, [self.register.group(7) for _ in range(4)])[plan.group]
        authors = self.plans[plan.linked].made.authors if plan.linked else self.register.byline(people)
        plan.open = plan.kind == "notice" or self.asked(plan) or bool(plan.linked) or self.random.random() < 0.62
        draft = self.register.draft(
            self.register.title(titles), authors, plan.year, preprint=plan.preprint, held=plan.open
        )
        if plan.kind == "review":
            draft.kind = "review"
        return draft

    def _refer(self, plan: Plan[FactT]) -> None:
        draft = plan.made
        earlier = [
            other.made
            for other in self.plans.values()
            if other.about is plan.about and other.kind not in ("notice", "correcting") and other.made.year < draft.year
        ]
        count = 0 if plan.kind == "notice" else min(len(earlier), self.random.randint(1, 4))
        drawn = self.random.sample(earlier, count)
        named = [name for name in (plan.corrects, plan.retracts, plan.supersedes, plan.codes_of) if name]
        named += self.quotes(plan, drawn)
        draft.references = list(dict.fromkeys([*(self.plans[each].made.id for each in named), *(d.id for d in drawn)]))
        if plan.corrects and plan.registered:
            draft.fields["corrects"] = [self.plans[plan.corrects].made.id]
        if plan.kind == "notice" and plan.registered:
            draft.kind = "notice"
            told = {"notice": draft.id, "on": draft.published, "labelled": False}
            self.plans[plan.retracts].made.fields["retracted"] = told

    def _write(self, plan: Plan[FactT]) -> None:
        draft = plan.made
        if plan.kind == "notice" and plan.registered:
            return
        draft.abstract = "" if plan.kind == "notice" else self.abstract(plan)
        if plan.open:
            draft.text = "\n\n".join(self.text(plan)) + "\n"

    def linking(self, plan: Plan[FactT]) -> list[str]:
        """What a text says of another work: that it replaces it, or that it is retracted."""
        if plan.supersedes:
            arxiv = self.plans[plan.supersedes].made.fields["arxiv"]
            return [self.phrases.draw("said.superseded", {"arxiv": arxiv})]
        if plan.retracts:
            return [self.phrases.draw("said.withdrawn", {"where": self.plans[plan.retracts].made.where})]
        return []

    def mixed(self, sentences: Sequence[str], fillers: Sequence[str]) -> list[str]:
        """Sentences in their order, somewhere among the others."""
        made = list(fillers)
        places = sorted((self.random.randint(0, len(made)) for _ in sentences), reverse=True)
        for sentence, place in zip(reversed(sentences), places, strict=True):
            made.insert(place, sentence)
        return made


def paragraphs(sentences: Sequence[str], size: int) -> list[str]:
    """Sentences as paragraphs of so many."""
    return [" ".join(sentences[at : at + size]) for at in range(0, len(sentences), size)]
