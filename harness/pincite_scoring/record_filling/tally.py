"""Tallies: counts of values and rows, and the shares made of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pincite_scoring.shares import f1, share


@dataclass(frozen=True, slots=True)
class Part:
    """Precision and recall of something counted: ``found`` of ``answers`` are right, ``covered`` of ``golds``."""

    found: float
    answers: float
    covered: float
    golds: float
    of_nothing: float = 1.0
    """Precision and recall where neither side has anything."""

    @property
    def precision(self) -> float:
        """Right ones of those answered."""
        return share(self.found, self.answers, self.golds) if self.answers or self.golds else self.of_nothing

    @property
    def recall(self) -> float:
        """Those of the gold that were found."""
        return share(self.covered, self.golds, self.answers) if self.answers or self.golds else self.of_nothing

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return f1(self.precision, self.recall)

    def shares(self, name: str) -> dict[str, float]:
        """``<name>_precision``, ``_recall`` and ``_f1``."""
        return {f"{name}_precision": self.precision, f"{name}_recall": self.recall, f"{name}_f1": self.f1}

    @classmethod
    def of(cls, counts: Mapping[str, float], name: str) -> "Part":
        """The part whose ``counts`` these are, where what is right covers as many of the gold; KeyError without."""
        right, answers, golds = (counts[f"n_{name}_{kind}"] for kind in ("right", "answer", "gold"))
        return cls(right, answers, right, golds)

    def counts(self, name: str) -> dict[str, float]:
        """``n_<name>_right``, ``_answer`` and ``_gold``."""
        return {f"n_{name}_right": self.found, f"n_{name}_answer": self.answers, f"n_{name}_gold": self.golds}


@dataclass(frozen=True, slots=True)
class Tally:
    """Values (entities) and rows (objects) of answers against their gold; ``all_rows`` is what row accuracy is of."""

    entities: Part
    rows: Part
    all_rows: float

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> "Tally":
        """The tally that has these counts, by the names of score.json; KeyError for one that is not there."""
        return cls(
            Part.of(counts, "values"),
            Part(counts["n_rows_right"], counts["n_answer"], counts["n_rows_covered"], counts["n_gold"]),
            counts["n_rows"],
        )

    @property
    def row_accuracy(self) -> float:
        """Right rows of all."""
        if not self.all_rows and not self.rows.answers:
            return self.rows.of_nothing
        return share(self.rows.covered, self.all_rows, self.rows.answers)

    @property
    def overall(self) -> float:
        """The mean of entity F1 and row F1."""
        return (self.entities.f1 + self.rows.f1) / 2

    def shares(self) -> dict[str, float]:
        """By the names of score.json."""
        return {
            "overall": self.overall,
            **self.entities.shares("entity"),
            "row_accuracy": self.row_accuracy,
            **self.rows.shares("row"),
        }

    def counts(self) -> dict[str, float]:
        """By the names of score.json; they add up over papers to the micro F1 of a data set."""
        return {
            **self.entities.counts("values"),
            "n_rows_right": self.rows.found,
            "n_rows_covered": self.rows.covered,
            "n_rows": self.all_rows,
            "n_answer": self.rows.answers,
            "n_gold": self.rows.golds,
        }
