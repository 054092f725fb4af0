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
            told = _Told.of(events)
        except (KeyError, TypeError, AttributeError):
            return
        by_object: dict[int, dict[str, list[Row]]] = {}
        for row in rows:
            if row.get("answer") is not None and row.get("gold") is not None:
                by_object.setdefault(row["answer"], {}).setdefault(str(row["field"]), []).append(row)
        for values in by_object.values():
            names = [str(row["value"]) for row in values.get(told.naming, ())]
            thing = told.thing(names[0]) if names else None
            if thing is not None:
                self._count(told, thing, values)

    def _count(self, told: "_Told", thing: Mapping[str, Any], values: Mapping[str, Sequence[Row]]) -> None:
        """Go through the fields of one object in the order in which they were settled."""
        wrong: list[str] = []
        for name in told.order:
            rows = values.get(name, ())
            if wrong and any(_missing(row) and told.surest(name, thing, str(row["gold_value"])) for row in rows):
                self.lost += 1
                for earlier in wrong:
                    self.fields[earlier].lost += 1
            if not told.constrains.get((name, thing["id"])):
                continue
            counted = self.fields.setdefault(name, FieldAnchors())
            counted.shown += 1
            if any(row["status"] in ("wrong", "spurious") for row in rows):
                counted.wrong += 1
                wrong.append(name)


@dataclass
class _Told:
    """What the events say: the objects, the fields in the order of their last writing, what was shown to later ones,
    and the claims of the matrix by field."""

    naming: str = ""
    things: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    order: list[str] = field(default_factory=list[str])
    constrains: dict[tuple[str, str], bool] = field(default_factory=dict[tuple[str, str], bool])
    claims: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict[str, list[Mapping[str, Any]]])

    @classmethod
    def of(cls, events: Iterable[Mapping[str, Any]]) -> "_Told":
        """Fold the events of one trial."""
        told = cls()
        for event in events:
            if event.get("kind") == "Probed":
                told.claims.setdefault(str(event["field"]), []).extend(event["claims"])
            elif event.get("kind") == "Written":
                told._write(str(event["field"]), event)
        return told

    def _write(self, name: str, event: Mapping[str, Any]) -> None:
        if event.get("things"):
            self.naming, self.things = name, list(event["things"])
        if name in self.order:
            self.order.remove(name)
        self.order.append(name)
        for cell in event["cells"]:
            self.constrains[name, str(cell["object"])] = bool(cell["constrains"])

    def thing(self, value: str) -> Mapping[str, Any] | None:
        """The object with that value in the naming field; None where no object or several have it."""
        found = [thing for thing in self.things if _folded(thing["value"]) == _folded(value)]
        return found[0] if len(found) == 1 else None

    def surest(self, name: str, thing: Mapping[str, Any], value: str) -> bool:
        """Whether ``value`` is among the claims of an object's field that the pages were surest of."""
        names = {_ALL, _folded(thing["name"]), _folded(thing["value"])}
        held = [claim for claim in self.claims.get(name, ()) if _folded(claim["object"]) in names]
        best = max((float(claim["confidence"]) for claim in held), default=0.0)
        surest = {_folded(claim["value"]) for claim in held if float(claim["confidence"]) == best}
        return _folded(value) in surest


def _missing(row: Row) -> bool:
    """Whether the gold's value is not in the answer."""
    return row["status"] in ("wrong", "missed") and bool(row.get("gold_value"))


def _folded(text: object) -> str:
    """Without case, with single spaces."""
    return " ".join(str(text).split()).casefold()
