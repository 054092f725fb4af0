"""Shown: pool, objections, history and positions as roles are shown them."""

from collections.abc import Iterable

from crew import Data

from .board import Board, Debate
from .events import Positioned, Preferred
from .pool import Candidate, Support
from .records import Objection, Opposed, Stated

_LONGEST = 300
"""Characters of a quote in the pool: enough for a sentence or a row."""


def pool(debate: Debate) -> Data:
    """The candidates with their evidence, supporters and opposers, a line each."""
    lines = [_candidate(each) for each in debate.pool.candidates.values()]
    return Data("\n".join(lines) or "no candidate yet", "the candidates of this debate")


def history(debate: Debate) -> Data | None:
    """The last round: who led, what is open; None before the first one."""
    if not debate.rounds:
        return None
    last = debate.rounds[-1]
    leading = ", ".join(each for ids in last.leaders.values() for each in ids) or "none"
    lines = [f"Round {last.number} ({last.mode}): leading {leading}.", last.history]
    lines += [f"Open objection {objection(each)}" for each in debate.open_objections(founded=False)]
    return Data("\n".join(line for line in lines if line), "the history of this debate")


def objections(of: Iterable[Objection]) -> list[Data]:
    """Objections, a line each; nothing where there are none."""
    lines = [f"Objection {objection(each)}" for each in of]
    return [Data("\n".join(lines), "objections")] if lines else []


def objection(of: Objection) -> str:
    """An objection in a line."""
    quote = f' "{of.evidence.quote[:_LONGEST]}"' if of.evidence.quote else ""
    return f"{of.id} of {of.by} against {of.candidate}, raised in round {of.round}: {of.why}{quote}"


def messages(debate: Debate) -> Data:
    """The positions and preferences of the round under way."""
    lines = [_position(each) for each in debate.positions.values()]
    lines += [_preference(each) for each in debate.preferences.values()]
    return Data("\n".join(lines) or "nobody spoke", "the positions of this round")


def records(board: Board) -> Data | None:
    """The records so far, a row an object; None where nothing is filled."""
    if not board.things or not board.filled:
        return None
    names = list(board.filled)
    lines = ["\t".join(["object", *names])]
    for thing in board.things:
        cells = [board.filled[name].get(thing.id) for name in names]
        values = [", ".join(cell.values) if cell is not None else "" for cell in cells]
        lines.append("\t".join([thing.name, *values]))
    return Data("\n".join(lines), "the records of this paper so far")


def _candidate(of: Candidate) -> str:
    supporters = ", ".join(f"{agent} {support.confidence:.1f}" for agent, support in of.support.items()) or "nobody"
    against = ", ".join(of.opposed) or "nobody"
    line = f"{of.id}: {of.name} = {of.value}; for: {supporters}; against: {against}"
    quotes = _quotes(of.support.values())
    return "\n".join([line, *quotes])


def _quotes(supports: Iterable[Support]) -> list[str]:
    held = [support.evidence for support in supports if support.evidence is not None and support.evidence.quote]
    lines: list[str] = []
    for each in held:
        warning = " (not found on the page)" if each.stands is False else ""
        lines.append(f'  p. {each.page} {each.kind}: "{each.quote[:_LONGEST]}"{warning}')
    return list(dict.fromkeys(lines))


def _position(of: Positioned) -> str:
    claims = "; ".join(_claim(claim) for claim in of.claims) or "no value"
    lines = [f"{of.who} ({of.stance}): {claims}. {of.notes}".strip()]
    lines += [_opposed(each) for each in of.opposes]
    lines += [f"  to {each.objection}: {'keeps' if each.keep else 'revises'}. {each.why}" for each in of.replies]
    return "\n".join(lines)


def _claim(of: Stated) -> str:
    return f'{of.object} = {of.value} ({of.confidence:.1f}, "{of.evidence.quote[:_LONGEST]}")'


def _opposed(of: Opposed) -> str:
    words = of.pointer or of.evidence.quote[:_LONGEST]
    return f'  against {of.candidate}: {of.why} "{words}"'


def _preference(of: Preferred) -> str:
    supports = ", ".join(f"{name} {confidence:.1f}" for name, confidence in of.supports.items()) or "no preference"
    return "\n".join([f"{of.who}: {supports}. {of.notes}".strip(), *map(_opposed, of.opposes)])
