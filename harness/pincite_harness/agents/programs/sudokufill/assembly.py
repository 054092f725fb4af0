"""Assembly: the filled fields become the answer's rows, with the schema's conditions applied and evidence checked."""

from collections.abc import Mapping, Sequence
from typing import Any

from crew.sources import Sources

from .conditions import Row, applied
from .events import Assembled, Conditioned, Dropped
from .quotes import Verified, key, verify
from .records import Cell, Place, Thing
from .schema import Field
from .team import Team

_MOST_EVIDENCE = 3
"""Quotes of one value in the answer: the surest ones of different pages."""


async def assemble(team: Team, sources: Sources) -> None:
    """Write the answer, with all that changed on the way."""
    verified = await verify(sources, _places(team))
    objects: list[dict[str, Any]] = []
    for thing in team.board.things:
        row = _row(team, thing)
        changes = applied(row, team.schema, thing.id)
        for change in changes:
            team.emit(change)
        record, evidence = _record(team, thing, row, changes, verified)
        objects += _placed(team, thing, record, evidence)
    faults = team.crew.answer({team.rows.items: objects})
    cells = [cell for held in team.board.filled.values() for cell in held.values()]
    event = Assembled(
        objects=len(objects),
        cells=len(cells),
        single_source=sum(cell.single_source for cell in cells),
        faults=faults,
    )
    team.emit(event)


def _places(team: Team) -> list[Place]:
    cells = [cell for held in team.board.filled.values() for cell in held.values()]
    return [place for cell in cells for place in cell.evidence]


def _row(team: Team, thing: Thing) -> Row:
    """The values of one object by field: labels to the letter, each value once."""
    row: Row = {}
    for field in team.schema.fields:
        cell = team.board.filled.get(field.name, {}).get(thing.id)
        values = _values(team, thing, field, cell.values) if cell is not None else []
        if values:
            row[field.name] = values if field.many else values[:1]
    return row


def _values(team: Team, thing: Thing, field: Field, values: Sequence[str]) -> list[str]:
    found: dict[str, str] = {}
    for value in values:
        label = field.label(value) if field.labels else value
        if label is None:
            team.emit(Dropped(object=thing.id, field=field.name, value=value, why="none of the labels"))
        else:
            found.setdefault(field.form(label), label)
    return list(found.values())


def _record(
    team: Team,
    thing: Thing,
    row: Row,
    changes: Sequence[Conditioned],
    verified: Mapping[tuple[str, int, str], Verified],
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The values of a row and their evidence. A value that a condition put there has no quote of its own."""
    put = {change.field for change in changes if change.change in ("filled", "replaced", "emptied")}
    record: dict[str, Any] = {}
    evidence: list[dict[str, Any]] = []
    for field in team.schema.fields:
        values = row.get(field.name, [])
        if not values:
            continue
        record[field.name] = values if field.many else values[0]
        cell = team.board.filled.get(field.name, {}).get(thing.id)
        if cell is not None and field.name not in put:
            evidence += _evidence(team, thing, field, cell, verified)
    return record, evidence


def _placed(
    team: Team, thing: Thing, record: dict[str, Any], evidence: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The row in the form of the answer: with all its evidence, or with the one place that says most, that of the last
    field that must be filled; none where such a field or the place is missing."""
    rows = team.rows
    if not rows.place:
        return [{**record, "evidence": list(evidence)}]
    missing = [name for name in rows.required if name not in record]
    by_field = {str(each["field"]): each for each in reversed(evidence)}
    best = next((by_field[name] for name in reversed(rows.required) if name in by_field), None)
    if missing or best is None:
        why = f"the record lacks {', '.join(missing) or rows.place}"
        team.emit(Dropped(object=thing.id, field=rows.place, value=thing.name, why=why))
        return []
    place = {"page": best.get("page"), rows.words: best["quote"]}
    if rows.source:
        place[rows.source] = _kind(team, thing, best)
    return [{**record, rows.place: place}]


def _kind(team: Team, thing: Thing, evidence: Mapping[str, Any]) -> str:
    """Whether the words of a piece of evidence stand in text, a table or a figure."""
    cell = team.board.filled[str(evidence["field"])][thing.id]
    return next(place.kind for place in cell.evidence if place.quote == evidence["quote"])


def _evidence(
    team: Team, thing: Thing, field: Field, cell: Cell, verified: Mapping[tuple[str, int, str], Verified]
) -> list[dict[str, Any]]:
    """The cell's quotes that stand, one a page, the surest first."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for place in cell.evidence:
        checked = verified.get(key(place))
        if checked is None:
            continue
        if not checked.stands and team.options.check:
            why = f"the quote does not stand on page {place.page}: {place.quote}"
            team.emit(Dropped(object=thing.id, field=field.name, value=", ".join(cell.values), why=why))
            continue
        where: dict[str, Any] = {"field": field.name, "quote": place.quote}
        if checked.page:
            where["page"] = checked.page
        if checked.start is not None:
            where |= {"start": checked.start, "end": checked.end}
        found.setdefault((place.paper, checked.page), where)
    limit = _MOST_EVIDENCE * max(1, len(cell.values)) if field.many else _MOST_EVIDENCE
    return list(found.values())[:limit]
