"""Anchors: wrong values that a debate settled and showed to later fields, and what stands wrong after them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]
_ALL = "*"
"""In place of an object's name in a claim: all objects."""


@dataclass
class FieldAnchors:
    """Values of one field that were shown to later fields, those of them that are wrong, and the later values of the
    same objects that were lost after a wrong one."""

    shown: int = 0
    wrong: int = 0
    lost: int = 0


@dataclass
class Anchors:
    """The anchors of a run's scored trials, for objects that have a gold object.

    A value is *lost* where it is wrong or missing, stands in an order of fields after a wrong anchor of its object, and
    was right in the matrix alone: the gold's text is among the surest claims of the pages before all debates. It says
    what came after, not what caused it.
    """

    fields: dict[str, FieldAnchors] = field(default_factory=dict[str, FieldAnchors])
    lost: int = 0
    """Lost values, each once; a field's own count has those after any of its wrong values."""

    @property
    def shown(self) -> int:
        """Values that were shown to later fields."""
        return sum(each.shown for each in self.fields.values())

    @property
    def wrong(self) -> int:
        """Those of them that are wrong."""
        return sum(each.wrong for each in self.fields.values())

    def add(self, events: Iterable[Mapping[str, Any]], rows: Sequence[Row]) -> None:
        """Count one trial: its events and the records of its score. What cannot be told apart (two objects of one
        name) is left out, and so is a trial whose events are not as the agent writes them."""
        try:
            course = _Course.of(events)
        except (KeyError, TypeError, ValueError, AttributeError):
            return
        if not course.order:
            return  # no debate: another agent's events
        by_object: dict[Any, dict[str, list[Row]]] = {}
        for row in rows:
            if "field" in row and row.get("answer") is not None and row.get("gold") is not None:
                by_object.setdefault(row["answer"], {}).setdefault(str(row["field"]), []).append(row)
        for values in by_object.values():
            names = [str(row["value"]) for row in values.get(course.naming, ())]
            thing = course.thing(names[0]) if names else None
            if thing is not None:
                self._count(course, thing, values)

    def _count(self, course: "_Course", thing: "_Thing", values: Mapping[str, Sequence[Row]]) -> None:
        """Go through the fields of one object in the order in which they were settled."""
        wrong: list[str] = []
        for name in course.order:
            rows = values.get(name, ())
            if wrong and any(_missing(row) and course.surest(name, thing, str(row["gold_value"])) for row in rows):
                self.lost += 1
                for earlier in wrong:
                    self.fields[earlier].lost += 1
            if not course.constrains.get((name, thing.id)):
                continue
            counted = self.fields.setdefault(name, FieldAnchors())
            counted.shown += 1
            if any(row["status"] in ("wrong", "spurious") for row in rows):
                counted.wrong += 1
                wrong.append(name)


@dataclass(frozen=True, slots=True)
class _Thing:
    """An object of the paper: its id in the events, its name, and its value in the naming field."""

    id: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class _Claim:
    """A value of the matrix: the object's name as the page has it, the value, and the confidence (0 to 1)."""

    object: str
    value: str
    confidence: float


@dataclass
class _Course:
    """What the events say: the objects, the fields in the order of their last writing, what was shown to later ones,
    and the claims of the matrix by field."""

    naming: str = ""
    things: list[_Thing] = field(default_factory=list[_Thing])
    order: list[str] = field(default_factory=list[str])
    constrains: dict[tuple[str, str], bool] = field(default_factory=dict[tuple[str, str], bool])
    claims: dict[str, list[_Claim]] = field(default_factory=dict[str, list[_Claim]])

    @classmethod
    def of(cls, events: Iterable[Mapping[str, Any]]) -> "_Course":
        """Fold the events of one trial."""
        course = cls()
        for event in events:
            if event.get("kind") == "Probed":
                held = course.claims.setdefault(str(event["field"]), [])
                for claim in event["claims"]:
                    made = _Claim(_folded(claim["object"]), _folded(claim["value"]), float(claim["confidence"]))
                    held.append(made)
            elif event.get("kind") == "Written":
                course._write(str(event["field"]), event)
        return course

    def _write(self, name: str, event: Mapping[str, Any]) -> None:
        if event.get("things"):
            self.naming = name
            self.things = [
                _Thing(str(each["id"]), _folded(each["name"]), _folded(each["value"])) for each in event["things"]
            ]
        if name in self.order:
            self.order.remove(name)
        self.order.append(name)
        for cell in event["cells"]:
            self.constrains[name, str(cell["object"])] = bool(cell["constrains"])

    def thing(self, value: str) -> _Thing | None:
        """The object with that value in the naming field; None where no object or several have it."""
        found = [thing for thing in self.things if thing.value == _folded(value)]
        return found[0] if len(found) == 1 else None

    def surest(self, name: str, thing: _Thing, value: str) -> bool:
        """Whether ``value`` is among the claims of an object's field that the pages were surest of."""
        held = [claim for claim in self.claims.get(name, ()) if claim.object in (_ALL, thing.name, thing.value)]
        best = max((claim.confidence for claim in held), default=0.0)
        return any(claim.confidence == best and claim.value == _folded(value) for claim in held)


def _missing(row: Row) -> bool:
    """Whether the gold's value is not in the answer."""
    return row["status"] in ("wrong", "missed") and bool(row.get("gold_value"))


def _folded(text: object) -> str:
    """Without case, with single spaces."""
    return " ".join(str(text).split()).casefold()
