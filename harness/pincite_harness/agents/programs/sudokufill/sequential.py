"""Sequential: the plain baseline. One call a field in the order of the schema, with the whole paper; no order, no
debate, and of earlier answers only the objects' names, without which there would be no rows."""

from crew import Data, Part
from crew.evidence import check

from . import roles
from .events import Opened, Positioned, Ranked
from .evidence import stated
from .filling import write
from .queries import object_text, objects_text, query
from .records import Stated
from .said import Claim
from .team import Sheet, Team

_READER = "reader"


async def fill_in_turn(team: Team) -> None:
    """Fill all fields, the one that finds the objects first."""
    first = team.schema.naming.name
    order = [first, *(field.name for field in team.schema.fields if field.name != first)]
    team.emit(Ranked(step="rank", order=order, source="sequential"))
    for name in order:
        team.emit(Opened(debate=name))
        if name != first and not team.board.things:
            write(team, name, "no objects")
        elif team.crew.budget.room():
            team.emit(await _read(team, name))
            write(team, name, "sequential")
        else:
            write(team, name, "budget")


async def _read(team: Team, name: str) -> Positioned:
    field = team.schema.field(name)
    parts: list[Part] = [part for sheet in team.sheets for part in sheet.parts]
    parts.append(query(field, team.schema, guided=team.options.guided))
    if team.board.things:
        parts.append("The objects; use these names:")
        parts.append(Data(objects_text(team.board.things), "what was found before"))
    slots = {"object": object_text(team.schema, guided=team.options.guided)}
    step = f"sequential/{name}"
    said, fault = await team.ask(roles.SEQUENTIAL, parts, _READER, step, slots)
    claims = [_stated(team, claim) for claim in said.claims] if said is not None else []
    kept = [claim for claim in claims if claim is not None]
    return Positioned(
        who=_READER, step=step, debate=name, round=1, phase="reading", stance="support", claims=kept, fault=fault
    )


def _stated(team: Team, claim: Claim) -> Stated | None:
    """The claim with its evidence on the first page that has its quote."""
    return stated(claim, _sheet(team, claim), team.schema, checking=team.options.check)


def _sheet(team: Team, claim: Claim) -> Sheet:
    found = (sheet for sheet in team.sheets if check(claim.quote, sheet.number, sheet.text).stands)
    return next(found, team.sheets[0])
