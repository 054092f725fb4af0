"""Filling: one field after another is debated and written into the state of the document."""

from collections.abc import Iterable

from .board import Debate
from .events import Opened, Preferred, Reopened, Stray, Written
from .records import Cell, Place, Thing
from .rounds import calls, play
from .said import Conflict
from .team import Team
from .things import distinct, name_key, named


async def fill(team: Team) -> None:
    """Fill all fields in their order; those that the budget has no room for get what the matrix gives."""
    for name in team.board.order:
        await settle(team, name)
        for conflict in _conflicts(team, name):
            loser = _reopening(team, conflict)
            if loser:
                other = conflict.second if loser == conflict.first else conflict.first
                team.emit(Reopened(field=loser, against=other, why=f"{loser} and {other}: {conflict.why}"))
                await settle(team, loser, again=True)


def fill_the_rest(team: Team) -> None:
    """Write every field that was not written, by what is known of it: the end of a run that was broken off."""
    first = team.schema.naming.name
    for name in [first, *(field.name for field in team.schema.fields if field.name != first)]:
        for debate in debates(team, name):
            only = debate.partition("/")[2]
            held = team.board.filled.get(name)
            if held is not None and (not only or only in held):
                continue
            if debate not in team.board.debates:
                team.emit(Opened(debate=debate))
            write(team, debate, "broken off")


async def settle(team: Team, name: str, *, again: bool = False) -> None:
    """Debate one field, or each of its objects apart, and write it."""
    for debate in debates(team, name):
        if not again:
            team.emit(Opened(debate=debate))
        why = await _debate(team, debate)
        write(team, debate, why)
    strays = team.board.strays(name) if team.board.things else []
    if strays and not again:
        team.emit(Stray(field=name, names=strays))


def debates(team: Team, name: str) -> list[str]:
    """The debates of a field: one, or with ``objects=each`` one an object."""
    if not team.options.each or name == team.schema.naming.name or not team.board.things:
        return [name]
    return [f"{name}/{thing.id}" for thing in team.board.things]


async def _debate(team: Team, name: str) -> str:
    """Play rounds until the debate ends, and say why it did."""
    debate = team.board.debates[name]
    if not debate.finding and not team.board.things:
        return "no objects"
    while True:
        number = len(debate.rounds) + 1
        mode = debate.mode
        if not team.crew.budget.room(calls(team, name, mode)):
            return "budget"
        await play(team, name, number, mode)
        done = number - debate.first
        last = debate.rounds[-1]
        if done >= team.options.last_round:
            return "rounds"
        if not team.options.rounds and last.converged:
            return "converged"
        if not team.options.rounds and done > 1 and not last.leaders:
            return "empty"


def write(team: Team, name: str, why: str) -> None:
    """Write a debate's leaders into the state: the last round's, or without one those of the pool."""
    debate = team.board.debates[name]
    if debate.rounds:
        leaders = debate.rounds[-1].leaders
    else:
        leaders = debate.pool.leaders(team.options.tau, many=debate.field.many, finding=debate.finding)
    things: list[Thing] = []
    if debate.finding:
        held = [debate.pool.candidates[each] for ids in leaders.values() for each in ids]
        things = distinct([(each.name, each.value) for each in held], debate.field, records=team.schema.records)
        ids_by_key = {name_key(thing.name): thing.id for thing in things}
        leaders = {ids_by_key[of]: ids for of, ids in leaders.items() if of in ids_by_key}
    cells = [_cell(debate, of, ids, team.options.tau) for of, ids in leaders.items()]
    event = Written(
        debate=name,
        field=debate.field.name,
        cells=cells,
        rounds=len(debate.rounds),
        modes=[each.mode for each in debate.rounds],
        why=why,
        things=things,
    )
    team.emit(event)


def _cell(debate: Debate, of: str, ids: Iterable[str], tau: float) -> Cell:
    held = [debate.pool.candidates[each] for each in ids if each in debate.pool.candidates]
    supports = [support for each in held for support in each.support.values()]
    best = sorted(supports, key=lambda support: -support.confidence)
    evidence: list[Place] = [support.evidence for support in best if support.evidence is not None]
    return Cell(
        object=of,
        values=[each.value for each in held],
        evidence=evidence,
        supporters=sorted({agent for each in held for agent in each.support}),
        pages=sorted({page for each in held for page in each.pages}),
        constrains=any(support.confidence > tau for support in supports),
    )


def _conflicts(team: Team, name: str) -> list[Conflict]:
    """Conflicts between settled fields that the row agent named in the debate of a field."""
    found: list[Conflict] = []
    for event in team.crew.state.events:
        if isinstance(event, Preferred) and event.debate.partition("/")[0] == name:
            found += event.conflicts
    return found


def _reopening(team: Team, conflict: Conflict) -> str:
    """The less supported of two settled fields, which is debated again; empty where one is not settled, was reopened
    as often as it may, or finds the objects."""
    filled = team.board.filled
    if conflict.first == conflict.second or conflict.first not in filled or conflict.second not in filled:
        return ""
    ids, _ = named(conflict.object, team.board.things, team.schema.naming)
    support = {name: _support(filled[name], ids) for name in (conflict.first, conflict.second)}
    loser = min(support, key=lambda name: (support[name], -list(filled).index(name)))
    if loser == team.schema.naming.name or len(team.board.reopened.get(loser, [])) >= team.options.reopen:
        return ""
    return loser


def _support(cells: dict[str, Cell], ids: Iterable[str]) -> int:
    return sum(len(cells[each].supporters) for each in ids if each in cells)
