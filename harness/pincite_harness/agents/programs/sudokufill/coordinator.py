"""Coordinator: consolidates a round; a deterministic guard checks what it says, and decides alone where it says
nothing that fits."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field

from crew import Part

from . import roles, shown
from .board import Debate
from .convergence import has_converged
from .events import Consolidated, Tasked
from .modes import next_mode
from .options import Options
from .records import Mode, Objection, Status
from .said import Consolidation
from .team import Team
from .voices import question, step


@dataclass
class Decision:
    """What a round comes to."""

    leaders: dict[str, list[str]]
    same: list[list[str]]
    statuses: dict[str, Status]
    mode_next: Mode = "regular"
    converged: bool = False
    overruled: list[str] = field(default_factory=list[str])


async def consolidate(team: Team, name: str, number: int, mode: Mode) -> None:
    """End a round."""
    debate = team.board.debates[name]
    parts: list[Part] = [*question(team, debate), shown.pool(debate), shown.messages(debate)]
    told = shown.history(debate)
    parts += [told] if told is not None else []
    parts += shown.objections(debate.open_objections(founded=False))
    parts.append(f"Round {number} was a {mode} round.")
    where = step(name, number, "consolidation")
    said, fault = await team.ask(roles.COORDINATOR, parts, "coordinator", where)
    pages = [sheet.id for sheet in team.sheets]
    decision = decide(debate, said, number, pages, team.options)
    event = Consolidated(
        who="coordinator",
        step=where,
        debate=name,
        round=number,
        mode=mode,
        leaders=decision.leaders,
        same=decision.same,
        statuses=decision.statuses,
        history=said.history if said is not None else "",
        mode_next=decision.mode_next,
        converged=decision.converged,
        source="rules" if said is None else "coordinator",
        overruled=decision.overruled,
        fault=fault,
    )
    team.emit(event)


async def task(team: Team, name: str, number: int, objections: Sequence[Objection]) -> str:
    """The check that supporters of the leader are to make; the objections themselves where the coordinator gives
    none."""
    debate = team.board.debates[name]
    where = step(name, number, "task")
    parts: list[Part] = [*question(team, debate), shown.pool(debate), *shown.objections(objections)]
    said, fault = await team.ask(roles.TASK, parts, "coordinator", where)
    text = said.task if said is not None else "\n".join(shown.objection(each) for each in objections)
    source = "rules" if fault else "coordinator"
    team.emit(Tasked(who="coordinator", step=where, debate=name, round=number, task=text, source=source))
    return text


def decide(debate: Debate, said: Consolidation | None, number: int, pages: Sequence[str], options: Options) -> Decision:
    """What holds of what the coordinator said, and what the rules say in its place.

    Candidates that nobody proposed never lead. With the guard its statuses, its ``converged`` and its ``mode_next``
    give way to the rules; without it they stand."""
    after = copy.deepcopy(debate)
    overruled: list[str] = []
    same = _same(after, said, overruled)
    for group in same:
        after.merge(group)
    statuses = _statuses(after, said, options, overruled)
    after.objections = [
        each.model_copy(update={"status": statuses.get(each.id, each.status)}) for each in after.objections
    ]
    leaders = _leaders(after, said, options.tau, overruled)
    decision = Decision(leaders, same, statuses, overruled=overruled)
    decision.mode_next = next_mode(after, leaders, number, pages, options.tau)
    decision.converged = decision.mode_next == "regular" and has_converged(after, leaders, options)
    if said is None:
        return decision
    if not options.guarded:
        decision.converged = said.converged or said.mode_next == "stop"
        decision.mode_next = "regular" if said.mode_next == "stop" else said.mode_next
        return decision
    if said.converged != decision.converged:
        overruled.append(f"converged: {said.converged}")
    wanted = "regular" if said.mode_next == "stop" else said.mode_next
    if wanted != decision.mode_next:
        overruled.append(f"mode_next: {said.mode_next}")
    return decision


def _same(debate: Debate, said: Consolidation | None, overruled: list[str]) -> list[list[str]]:
    """Groups of candidates that are one value: of one object, unless objects are being found."""
    groups: list[list[str]] = []
    for group in said.same if said is not None else []:
        held = [debate.pool.candidates[each] for each in dict.fromkeys(group) if each in debate.pool.candidates]
        objects = {each.object for each in held}
        if len(held) > 1 and (debate.finding or len(objects) == 1):
            groups.append([each.id for each in held])
        else:
            overruled.append(f"same: {', '.join(group)}")
    return groups


def _leaders(debate: Debate, said: Consolidation | None, tau: float, overruled: list[str]) -> dict[str, list[str]]:
    """The leaders by rule; the coordinator's choice among the candidates of an object that anyone stands for."""
    leaders = debate.pool.leaders(tau, many=debate.field.many, finding=debate.finding, blocked=debate.blocked)
    chosen: dict[str, list[str]] = {}
    for each in dict.fromkeys(said.leading if said is not None else []):
        candidate = debate.pool.candidates.get(each)
        if candidate is None or not candidate.support or each in debate.blocked:
            overruled.append(f"leading: {each}")
        elif candidate.object in leaders:
            chosen.setdefault(candidate.object, []).append(each)
    for of, ids in chosen.items():
        if debate.field.many:
            leaders[of] = [each for each in leaders[of] if each in ids] or leaders[of]
        elif len(ids) == 1:
            leaders[of] = ids
    return leaders


def _statuses(debate: Debate, said: Consolidation | None, options: Options, overruled: list[str]) -> dict[str, Status]:
    """What becomes of the open objections."""
    wanted: dict[str, Status] = {}
    if said is not None:
        wanted = {each.objection: each.status for each in said.objections}
    found: dict[str, Status] = {}
    for each in debate.open_objections(founded=False):
        status: Status = _by_rule(debate, each) if said is None else wanted.get(each.id, "open")
        if said is not None and options.guarded and not _may(debate, each, status):
            overruled.append(f"{each.id}: {status}")
            status = _by_rule(debate, each)
        if status != "open":
            found[each.id] = status
    return found


def _may(debate: Debate, objection: Objection, status: Status) -> bool:
    """Whether an objection can have that status: answered only after a reply, validated only with evidence, withdrawn
    only by the agent itself, open not after the anti-bias round that was to settle it. What has no evidence may be
    closed at will."""
    if status == "open":
        return debate.mode != "anti_bias"
    if status == "validated":
        return objection.founded
    return not objection.founded or (status == "answered" and bool(_replies(debate, objection)))


def _by_rule(debate: Debate, objection: Objection) -> Status:
    """What becomes of an objection without the coordinator: against a candidate that nobody stands for it is validated;
    an anti-bias round settles it by whether a supporter kept its position, and by counting who is for and against."""
    candidate = debate.pool.candidates.get(objection.candidate)
    if candidate is None or not candidate.support:
        return "validated" if objection.founded else "answered"
    if debate.mode != "anti_bias":
        return "open"
    replies = _replies(debate, objection)
    revised = bool(replies) and not any(replies)
    stands = len(candidate.support) > len(candidate.opposers) and not revised
    return "answered" if stands or not objection.founded else "validated"


def _replies(debate: Debate, objection: Objection) -> list[bool]:
    """Whether each agent that replied to an objection in this round keeps its position."""
    return [
        reply.keep
        for position in debate.positions.values()
        for reply in position.replies
        if reply.objection == objection.id
    ]
