"""Rounds: who speaks in which phase of a round, by its mode."""

from collections.abc import Iterable, Sequence

from crew import Data, Part

from . import coordinator, shown, voices
from .board import Debate
from .events import Positioned, Preferred, RoundBegan
from .modes import hypotheses, minority_candidates, outsiders
from .records import Mode
from .rubric import CANDIDATE
from .team import Sheet, Team


async def play(team: Team, name: str, number: int, mode: Mode) -> None:
    """One round of a debate with its consolidation."""
    debate = team.board.debates[name]
    leaders = debate.rounds[-1].leaders if debate.rounds else {}
    pages = [sheet.id for sheet in team.sheets]
    hypothesis = hypotheses(debate, leaders, pages) if mode == "re_thinking" else []
    team.emit(RoundBegan(debate=name, round=number, mode=mode, hypothesis=hypothesis))
    if mode == "anti_bias":
        await _anti_bias(team, name, number)
    elif mode == "re_thinking":
        asked = outsiders(debate, hypothesis, pages)
        told: list[Part] = [_hypothesis(debate, hypothesis)] if hypothesis else []
        await _phase(team, name, number, "hypothesis", _sheets(team, asked), told, constraints=False)
    else:
        await _regular(team, name, number)
    await coordinator.consolidate(team, name, number, mode)


def calls(team: Team, name: str, mode: Mode) -> int:
    """How many calls a round may take."""
    speakers = len(speaking(team, name)) + len(voices.views(team, name))
    if mode == "re_thinking":
        return len(team.sheets) + 1
    phases = 2 if team.options.rebuttal else 1
    return phases * speakers + (2 if mode == "anti_bias" else 1)


def speaking(team: Team, name: str) -> list[Sheet]:
    """The pages that speak in a round: all, or with ``voices=active`` those that gave a value in the matrix or stand
    for a candidate (all again where there are none)."""
    if not team.options.active:
        return list(team.sheets)
    debate = team.board.debates[name]
    sure = debate.pool.confidences()
    matrix = team.board.matrix
    field = debate.field.name
    active = [each for each in team.sheets if matrix.confidence(each.id, field) >= CANDIDATE or each.id in sure]
    return active or list(team.sheets)


async def _regular(team: Team, name: str, number: int) -> None:
    """Positions, each by itself; then rebuttals, each with all positions before it."""
    sheets = speaking(team, name)
    await _phase(team, name, number, "position", sheets)
    if team.options.rebuttal:
        debate = team.board.debates[name]
        told: list[Part] = [shown.messages(debate), *shown.objections(debate.open_objections(founded=False))]
        await _phase(team, name, number, "rebuttal", sheets, told)


async def _anti_bias(team: Team, name: str, number: int) -> None:
    """The minority objects, the coordinator makes a task of it, the leader's supporters carry it out, and the minority
    says whether that settles it."""
    debate = team.board.debates[name]
    leaders = debate.rounds[-1].leaders
    minority = minority_candidates(debate, leaders, debate.rounds[-1].number, team.options.tau)
    agents = {agent for each in minority.values() for agent in each}
    told: list[Part] = [f"The leading candidate is {', '.join(minority)}."]
    await _phase(team, name, number, "objection", _sheets(team, agents), told, only=agents)
    at_stake = [each for each in debate.open_objections(founded=False) if each.candidate in minority]
    check = await coordinator.task(team, name, number, at_stake)
    told = [Data(check, "the check to make"), *shown.objections(at_stake)]
    supporters = {agent for each in minority for agent in _supporters(debate, each)}
    await _phase(team, name, number, "defence", _sheets(team, supporters - agents), told, constraints=False)
    replies = shown.messages(debate)
    await _phase(team, name, number, "verdict", _sheets(team, agents), [replies], only=agents)


async def _phase(
    team: Team,
    name: str,
    number: int,
    phase: str,
    sheets: Sequence[Sheet],
    more: Sequence[Part] = (),
    *,
    constraints: bool = True,
    only: Iterable[str] | None = None,
) -> None:
    """Page agents and constraint agents side by side; ``only`` names the constraint agents that speak."""
    kinds = voices.views(team, name) if constraints else []
    if only is not None:
        kinds = [kind for kind in kinds if kind in set(only)]

    async def speak(who: Sheet | str) -> Sequence[Positioned | Preferred]:
        if isinstance(who, Sheet):
            return await voices.page(team, name, who, number, phase, more)
        return await voices.view(team, name, who, number, phase, more)

    await team.all([*sheets, *kinds], speak)


def _sheets(team: Team, pages: Iterable[str]) -> list[Sheet]:
    wanted = set(pages)
    return [sheet for sheet in team.sheets if sheet.id in wanted]


def _supporters(debate: Debate, candidate: str) -> list[str]:
    held = debate.pool.candidates.get(candidate)
    return list(held.support) if held is not None else []


def _hypothesis(debate: Debate, ids: Sequence[str]) -> str:
    return f"Hypothesis: {', '.join(ids)}"
