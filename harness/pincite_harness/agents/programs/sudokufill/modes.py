"""Modes: which kind of round comes next. Anti-bias goes before re-thinking where both fit."""

from collections.abc import Mapping, Sequence

from .board import Debate
from .records import Mode

EARLY = 2
"""Rounds within which an alignment of all agents is suspiciously quick."""


def next_mode(debate: Debate, leaders: Mapping[str, list[str]], number: int, pages: Sequence[str], tau: float) -> Mode:
    """The mode of the round after ``number``; ``pages`` are those whose agents can be asked."""
    if minority_candidates(debate, leaders, number, tau):
        return "anti_bias"
    if hypotheses(debate, leaders, pages) or (not debate.pool.objects() and number == debate.first + 1):
        return "re_thinking"
    return "regular"


def minority_candidates(
    debate: Debate, leaders: Mapping[str, list[str]], number: int, tau: float
) -> dict[str, list[str]]:
    """Why an anti-bias round is due: each leading candidate with its objectors, or with the supporters of a rival that
    nobody has addressed.

    An objection with evidence that was raised before round ``number`` and is open still; or within the first two
    rounds a rival for the same object that a supporter is surer of than tau, while all others align.
    """
    leading = {each for ids in leaders.values() for each in ids}
    found: dict[str, list[str]] = {}
    for objection in debate.open_objections():
        if objection.candidate in leading and objection.round < number:
            found.setdefault(objection.candidate, []).append(objection.by)
    if found or number - debate.first > EARLY or debate.field.many or debate.finding:
        return found
    for of, ids in leaders.items():
        rivals = [each for each in debate.pool.ranked(of, tau) if each.id not in ids]
        open_rivals = [each for each in rivals if each.sure(tau) and each.id not in debate.addressed]
        if open_rivals and _aligned(debate, of, ids):
            found.setdefault(ids[0], []).extend(open_rivals[0].support)
    return found


def hypotheses(debate: Debate, leaders: Mapping[str, list[str]], pages: Sequence[str]) -> list[str]:
    """Leading candidates that rest on one page or one agent, were no hypothesis yet, and have pages left to ask."""
    found: list[str] = []
    for each in (name for ids in leaders.values() for name in ids):
        candidate = debate.pool.candidates.get(each)
        if candidate is None or each in debate.checked:
            continue
        thin = len(candidate.pages) <= 1 or len(candidate.support) <= 1
        if thin and any(page not in candidate.pages for page in pages):
            found.append(each)
    return found


def outsiders(debate: Debate, hypothesis: Sequence[str], pages: Sequence[str]) -> list[str]:
    """Pages that do not stand for one of the hypotheses."""
    held = [debate.pool.candidates[each] for each in hypothesis if each in debate.pool.candidates]
    return [page for page in pages if not held or any(page not in candidate.pages for candidate in held)]


def _aligned(debate: Debate, of: str, ids: Sequence[str]) -> bool:
    """Whether more agents stand for the leading candidate of an object than for all its rivals."""
    held = [each for each in debate.pool.candidates.values() if each.object == of]
    ours = {agent for each in held if each.id in ids for agent in each.support}
    theirs = {agent for each in held if each.id not in ids for agent in each.support}
    return len(ours) > len(theirs - ours)
