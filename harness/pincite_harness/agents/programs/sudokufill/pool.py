"""Pool: the candidates of one debate, who stands for them, and who against."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .turns import Support, Turn, standing, stronger


@dataclass
class Candidate:
    """A value for an object; ``object`` is the object's id, or in the debate that finds the objects its name's key."""

    id: str
    object: str
    name: str
    form: str
    value: str
    first_round: int
    support: dict[str, Support] = field(default_factory=dict[str, Support])
    opposed: dict[str, bool] = field(default_factory=dict[str, bool])
    """Agents that speak against it, and whether they have evidence."""

    @property
    def pages(self) -> list[str]:
        """The pages that stand for it."""
        return sorted({support.page for support in self.support.values() if support.page})

    @property
    def opposers(self) -> list[str]:
        """Agents with evidence against it that do not stand for it as well."""
        return [agent for agent, founded in self.opposed.items() if founded and agent not in self.support]

    def sure(self, tau: float) -> int:
        """How many of its supporters are surer than tau."""
        return sum(support.confidence > tau for support in self.support.values())


@dataclass(frozen=True, slots=True)
class PoolEntry:
    """A claim for one object, ready for the pool."""

    object: str
    name: str
    form: str
    value: str
    support: Support


class Pool:
    """Candidates by id, in the order in which they were proposed.

    ``steady``: an agent that changes its claims without saying why stands for what it claimed in most of its turns, as
    ``turns.standing`` counts them; otherwise for what it claimed last. ``several``: objects have several values."""

    def __init__(self, *, steady: bool = False, several: bool = False) -> None:
        self.candidates: dict[str, Candidate] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._turns: dict[str, list[Turn]] = {}
        self._steady = steady
        self._several = several

    def take(self, agent: str, entries: Iterable[PoolEntry], round_number: int, *, revised: bool = False) -> None:
        """The agent's claims of one turn; with ``revised`` in place of its earlier ones, whatever it claimed before."""
        turn: Turn = {}
        for entry in entries:
            candidate = self._candidate(entry, round_number).id
            turn[candidate] = stronger(turn.get(candidate), entry.support)
        earlier = [] if revised or not self._steady else self._turns.get(agent, [])
        self._turns[agent] = [*earlier, turn]
        objects = {} if self._several else {each.id: each.object for each in self.candidates.values()}
        held = standing(self._turns[agent], objects)
        for candidate in self.candidates.values():
            candidate.support.pop(agent, None)
            if candidate.id in held:
                candidate.support[agent] = held[candidate.id]

    def prefer(self, agent: str, supports: Mapping[str, float]) -> None:
        """The candidates that a row or column agent speaks for, in place of its earlier ones."""
        for candidate in self.candidates.values():
            candidate.support.pop(agent, None)
            if candidate.id in supports:
                candidate.support[agent] = Support(supports[candidate.id])

    def oppose(self, agent: str, against: Mapping[str, bool]) -> None:
        """The candidates that an agent speaks against (with evidence or not), in place of its earlier ones."""
        for candidate in self.candidates.values():
            candidate.opposed.pop(agent, None)
            if candidate.id in against:
                candidate.opposed[agent] = against[candidate.id]

    def merge(self, ids: Sequence[str]) -> None:
        """Make the candidates of these ids, of one object, one: the first of them, proposed when the earliest was. An
        objection with evidence stays one."""
        known = [self.candidates[each] for each in dict.fromkeys(ids) if each in self.candidates]
        for other in known[1:]:
            first = known[0]
            for agent, support in other.support.items():
                first.support[agent] = stronger(first.support.get(agent), support)
            for agent, founded in other.opposed.items():
                first.opposed[agent] = founded or first.opposed.get(agent, False)
            first.first_round = min(first.first_round, other.first_round)
            for turn in (turn for turns in self._turns.values() for turn in turns):
                if other.id in turn:
                    turn[first.id] = stronger(turn.get(first.id), turn.pop(other.id))
            del self.candidates[other.id]
            for key, held in self._keys.items():
                if held == other.id:
                    self._keys[key] = first.id

    def confidences(self) -> dict[str, dict[str, float]]:
        """Each agent's own confidence in each candidate that it stands for."""
        found: dict[str, dict[str, float]] = {}
        for candidate in self.candidates.values():
            for agent, support in candidate.support.items():
                found.setdefault(agent, {})[candidate.id] = support.confidence
        return found

    def objects(self) -> list[str]:
        """The objects that have candidates, in their order."""
        return list(dict.fromkeys(candidate.object for candidate in self.candidates.values()))

    def ranked(self, of: str, tau: float, blocked: Iterable[str] = ()) -> list[Candidate]:
        """The candidates of an object that anyone stands for, best first: by the number of supporters surer than tau,
        then of all, of pages, then what was said of it alone, what was said first, and the normal form."""
        out = set(blocked)
        held = [each for each in self.candidates.values() if each.object == of and each.support and each.id not in out]
        return sorted(held, key=lambda each: _rank(each, tau))

    def leaders(self, tau: float, *, many: bool, finding: bool, blocked: Iterable[str] = ()) -> dict[str, list[str]]:
        """The ids of the leading candidates of each object: one, or where a field has ``many`` values all that more
        agents stand for than against; in the debate that finds the objects (``finding``) the same holds of each."""
        found: dict[str, list[str]] = {}
        for of in self.objects():
            ranked = self.ranked(of, tau, blocked)
            if many or finding:
                ranked = [each for each in ranked if len(each.support) > len(each.opposers)]
            ids = [each.id for each in ranked]
            if ids:
                found[of] = ids if many else ids[:1]
        return found

    def _candidate(self, entry: PoolEntry, round_number: int) -> Candidate:
        key = (entry.object, entry.form)
        if key not in self._keys:
            made = Candidate(f"c{len(self._keys) + 1}", entry.object, entry.name, entry.form, entry.value, round_number)
            self._keys[key] = made.id
            self.candidates[made.id] = made
        return self.candidates[self._keys[key]]


def _rank(candidate: Candidate, tau: float) -> tuple[int, int, int, int, int, str]:
    alone = sum(not support.general for support in candidate.support.values())
    return (
        -candidate.sure(tau),
        -len(candidate.support),
        -len(candidate.pages),
        -alone,
        candidate.first_round,
        candidate.form,
    )
