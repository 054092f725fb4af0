"""Rank: the order in which the fields are filled; the field that finds the objects always comes first."""

import random
from collections.abc import Sequence

from crew import Data, Part

from . import roles
from .events import Ranked
from .matrix import fallback_order
from .queries import query
from .team import Team


async def rank(team: Team) -> None:
    """Put the fields in order, as the option ``order`` says."""
    names = [field.name for field in team.schema.fields]
    kind, _, seed = team.options.order.partition(":")
    if kind == "ranked":
        event = await _ranked(team)
    elif kind == "random":
        random.Random(int(seed)).shuffle(names)  # noqa: S311 - an order to compare with, no secret
        event = Ranked(order=names, source="random")
    else:
        event = Ranked(order=names, source="schema")
    first = team.schema.naming.name
    order = [first, *(name for name in event.order if name != first)]
    team.emit(event.model_copy(update={"order": order, "step": "rank"}))


async def _ranked(team: Team) -> Ranked:
    """The rank agent's order, repaired once where it is not a permutation, else the one by rule."""
    parts = _parts(team)
    told: list[Part] = []
    fault = ""
    for source in ("agent", "repaired"):
        said, fault = await team.ask(roles.RANK, [*parts, *told], "rank", "rank")
        if said is None:
            break
        fault = not_an_order(said.order, [field.name for field in team.schema.fields])
        if not fault:
            return Ranked(order=said.order, source=source, rationale=said.rationale)
        told = [f"Your order {', '.join(said.order)} does not do: {fault}. Give the whole order again."]
    depends_on = {field.name: team.schema.depends_on(field.name) for field in team.schema.fields}
    order = fallback_order(team.schema.fields, team.board.matrix, team.options.tau, depends_on)
    return Ranked(order=order, source="fallback", fault=fault)


def not_an_order(order: Sequence[str], names: Sequence[str]) -> str:
    """What keeps a list from being an order of the names; empty where it is one."""
    missing = [name for name in names if name not in order]
    unknown = [name for name in order if name not in names]
    twice = sorted({name for name in order if list(order).count(name) > 1})
    found = [("missing", missing), ("unknown", unknown), ("twice", twice)]
    return "; ".join(f"{what}: {', '.join(which)}" for what, which in found if which)


def _parts(team: Team) -> list[Part]:
    guided = team.options.guided
    queries = "\n\n".join(query(field, team.schema, guided=guided) for field in team.schema.fields)
    parts: list[Part] = [f"The fields:\n\n{queries}"]
    if guided:
        parts.append(f"Hints, which field constrains which:\n{_hints(team) or 'none'}")
    summary = team.board.matrix.summary(team.schema.fields, team.options.tau)
    parts.append(Data(summary, "what the pages gave for each field"))
    return parts


def _hints(team: Team) -> str:
    lines: list[str] = []
    for condition in team.schema.conditions:
        why = f" ({condition.because})" if condition.because else ""
        lines.append(f"{', '.join(condition.when)} constrains {', '.join(condition.targets)}{why}")
    return "\n".join(lines)
