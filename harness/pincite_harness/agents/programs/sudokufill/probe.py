"""Probe, stage I: every page is asked for every field, in one call a page or in one a cell."""

from collections.abc import Sequence

from . import roles
from .events import Probed
from .evidence import stated
from .queries import object_text, query
from .said import Claim
from .schema import Field
from .team import Sheet, Team


async def probe(team: Team) -> None:
    """Fill the matrix."""
    if team.options.by_cell:
        cells = [(sheet, field) for sheet in team.sheets for field in team.schema.fields]
        await team.all(cells, lambda cell: _cell(team, *cell))
    else:
        await team.all(team.sheets, lambda sheet: _page(team, sheet))
    faults = [event.fault for event in team.crew.state.events if isinstance(event, Probed)]
    if faults and all(fault.startswith("refused") for fault in faults):
        from crew import Refused

        raise Refused(faults[0])


async def _page(team: Team, sheet: Sheet) -> list[Probed]:
    """All fields of one page."""
    fields = team.schema.fields
    parts = [*sheet.parts, "\n\n".join(_query(team, field) for field in fields)]
    said, fault = await team.ask(roles.PROBE_PAGE, parts, sheet.id, "probe", _slots(team, sheet))
    claims: dict[str, list[Claim]] = {}
    for each in said.fields if said is not None else []:
        claims.setdefault(each.field, []).extend(each.claims)
    return [_probed(team, sheet, field, claims.get(field.name, []), fault) for field in fields]


async def _cell(team: Team, sheet: Sheet, field: Field) -> list[Probed]:
    """One field of one page."""
    parts = [*sheet.parts, _query(team, field)]
    said, fault = await team.ask(roles.PROBE_CELL, parts, sheet.id, f"probe/{field.name}", _slots(team, sheet))
    return [_probed(team, sheet, field, said.claims if said is not None else [], fault)]


def _query(team: Team, field: Field) -> str:
    return query(field, team.schema, guided=team.options.guided)


def _slots(team: Team, sheet: Sheet) -> dict[str, object]:
    return {"page": sheet.number or "(whole)", "object": object_text(team.schema, guided=team.options.guided)}


def _probed(team: Team, sheet: Sheet, field: Field, claims: Sequence[Claim], fault: str) -> Probed:
    held = [stated(claim, sheet, team.schema, checking=team.options.check) for claim in claims]
    kept = [claim for claim in held if claim is not None]
    return Probed(who=sheet.id, step="probe", field=field.name, claims=kept, fault=fault)
