"""Convergence: when a debate may end. Agents are compared with themselves, never with each other."""

from collections.abc import Mapping

from .board import Debate
from .options import Options


def is_stable(debate: Debate, leaders: Mapping[str, list[str]], rounds: int) -> bool:
    """Whether the leaders are those of the last ``rounds`` consolidations too."""
    before = debate.rounds[debate.first :][-rounds:]
    return len(before) == rounds and all(each.leaders == leaders for each in before)


def calm_share(debate: Debate, marginal: float) -> float:
    """The share of agents that changed none of their confidences by more than ``marginal`` since the last round, of
    those that took a side then or now; 1 where nobody did."""
    before = debate.rounds[-1].confidences if debate.rounds else debate.start
    now = debate.pool.confidences()
    agents = set(before) | set(now)
    if not agents:
        return 1.0
    calm = [agent for agent in agents if _change(before.get(agent, {}), now.get(agent, {})) <= marginal + 1e-9]
    return len(calm) / len(agents)


def has_converged(debate: Debate, leaders: Mapping[str, list[str]], options: Options) -> bool:
    """Whether the leaders are stable, most agents changed little, and no objection with evidence is open."""
    if not leaders or debate.open_objections():
        return False
    return is_stable(debate, leaders, options.stable) and calm_share(debate, options.marginal) >= options.most


def _change(before: Mapping[str, float], now: Mapping[str, float]) -> float:
    return max((abs(now.get(name, 0.0) - before.get(name, 0.0)) for name in {*before, *now}), default=0.0)
