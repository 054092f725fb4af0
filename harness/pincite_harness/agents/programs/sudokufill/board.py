"""Board: the state of a run, a fold over its events: matrix, order, debates, and what is filled (G of the document)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as made

from crew import Event

from .events import (
    Consolidated,
    Opened,
    Opening,
    Positioned,
    Preferred,
    Probed,
    Ranked,
    Reopened,
    RoundBegan,
    Written,
)
from .matrix import Matrix
from .pool import Pool, PoolEntry, Support
from .records import Cell, Mode, Objection, Opposed, Stated, Thing
from .schema import Field, Schema
from .things import name_key, named, own_name


@dataclass(frozen=True, slots=True)
class Round:
    """One consolidated round: its mode, the leaders by object, and each agent's confidences at its end."""

    number: int
    mode: Mode
    leaders: dict[str, list[str]]
    confidences: dict[str, dict[str, float]]
    history: str = ""
    converged: bool = False


@dataclass
class Debate:
    """One field under debate, or one of its objects (``only``)."""

    field: Field
    finding: bool
    only: str = ""
    pool: Pool = made(default_factory=Pool)
    objections: list[Objection] = made(default_factory=list[Objection])
    rounds: list[Round] = made(default_factory=list[Round])
    start: dict[str, dict[str, float]] = made(default_factory=dict[str, dict[str, float]])
    """Each agent's confidences before the first round."""
    mode: Mode = "regular"
    under_way: int = 0
    checked: set[str] = made(default_factory=set[str])
    """Candidates that were a hypothesis once."""
    addressed: set[str] = made(default_factory=set[str])
    """Candidates that were objected to, defended or the subject of an anti-bias round."""
    positions: dict[str, Positioned] = made(default_factory=dict[str, Positioned])
    """Each page agent's last position of the round under way."""
    preferences: dict[str, Preferred] = made(default_factory=dict[str, Preferred])
    first: int = 0
    """Rounds before it was reopened."""

    def open_objections(self, *, founded: bool = True) -> list[Objection]:
        """The objections that are open, those with evidence alone unless it is said otherwise."""
        return [each for each in self.objections if each.status == "open" and (each.founded or not founded)]

    def merge(self, ids: Sequence[str]) -> None:
        """Make candidates one, in the objections too."""
        self.pool.merge(ids)
        for number, known in enumerate(self.objections):
            if known.candidate in ids:
                self.objections[number] = known.model_copy(update={"candidate": ids[0]})

    @property
    def blocked(self) -> list[str]:
        """Candidates against which an objection was validated."""
        return [each.candidate for each in self.objections if each.status == "validated"]


@dataclass
class Board:
    """The whole state; ``filled`` is in the order of filling."""

    schema: Schema
    steady: bool = False
    """Whether a change that an agent gives no reason for counts only once it holds; see ``Pool``."""
    pages: list[str] = made(default_factory=list[str])
    matrix: Matrix = made(default_factory=Matrix)
    order: list[str] = made(default_factory=list[str])
    things: list[Thing] = made(default_factory=list[Thing])
    debates: dict[str, Debate] = made(default_factory=dict[str, Debate])
    filled: dict[str, dict[str, Cell]] = made(default_factory=dict[str, dict[str, Cell]])
    reopened: dict[str, list[str]] = made(default_factory=dict[str, list[str]])
    """Why each field was debated again."""

    def entries(self, debate: Debate, agent: str, claims: Iterable[Stated]) -> list[PoolEntry]:
        """The claims of a page agent as entries of a debate's pool, one for each object that a claim means. What it
        says of an object alone goes before what it says of all, where a field takes one value."""
        found: list[PoolEntry] = []
        for claim in claims:
            form = debate.field.form(claim.value)
            page = agent if agent in self.pages else f"p{claim.evidence.page:02}"
            if debate.finding:
                name = own_name(claim.object, claim.value)
                support = Support(claim.confidence, page, claim.evidence)
                found.append(PoolEntry(name_key(name), name, form, claim.value, support))
                continue
            ids, general = named(claim.object, self.things, self.schema.naming)
            names = {thing.id: thing.name for thing in self.things}
            for each in ids:
                if debate.only in ("", each):
                    support = Support(claim.confidence, page, claim.evidence, general)
                    found.append(PoolEntry(each, names[each], form, claim.value, support))
        if debate.field.many:
            return found
        alone = {entry.object for entry in found if not entry.support.general}
        return [entry for entry in found if not entry.support.general or entry.object not in alone]

    def strays(self, name: str) -> list[str]:
        """Names in the matrix's claims for a field that mean no object."""
        claims = [claim for column in self.matrix.column(name).values() for claim in column]
        names = dict.fromkeys(claim.object for claim in claims)
        return [each for each in names if not named(each, self.things, self.schema.naming)[0]]


def apply(board: Board, event: Event) -> Board:
    """The state after one more event."""
    if isinstance(event, Opening):
        board.pages = list(event.pages)
        board.steady = event.steady
    elif isinstance(event, Probed):
        board.matrix.cells[event.who, event.field] = list(event.claims)
    elif isinstance(event, Ranked):
        board.order = list(event.order)
    elif isinstance(event, Opened):
        _open(board, event)
    elif isinstance(event, RoundBegan):
        _begin(board.debates[event.debate], event)
    elif isinstance(event, Positioned):
        _position(board, event)
    elif isinstance(event, Preferred):
        _prefer(board.debates[event.debate], event)
    elif isinstance(event, Consolidated):
        _consolidate(board.debates[event.debate], event)
    elif isinstance(event, Written):
        _write(board, event)
    elif isinstance(event, Reopened):
        _reopen(board, event)
    return board


def _open(board: Board, event: Opened) -> None:
    name, _, only = event.debate.partition("/")
    field_of = board.schema.field(name)
    finding = field_of.name == board.schema.naming.name
    pool = Pool(steady=board.steady, several=field_of.many or finding)
    debate = Debate(field_of, finding, only, pool)
    board.debates[event.debate] = debate
    for page in board.pages:
        claims = board.matrix.cells.get((page, name), [])
        debate.pool.take(page, board.entries(debate, page, claims), 0)
    debate.start = debate.pool.confidences()


def _begin(debate: Debate, event: RoundBegan) -> None:
    debate.mode = event.mode
    debate.under_way = event.round
    debate.positions = {}
    debate.preferences = {}
    debate.checked |= set(event.hypothesis)


def _position(board: Board, event: Positioned) -> None:
    debate = board.debates[event.debate]
    if event.fault:
        return
    debate.positions[event.who] = event
    revised = bool(event.notes.strip()) or any(not reply.keep for reply in event.replies)
    debate.pool.take(event.who, board.entries(debate, event.who, event.claims), event.round, revised=revised)
    _object(debate, event.who, event.opposes, event.round)
    kept = {reply.objection for reply in event.replies if reply.keep}
    debate.addressed |= {each.candidate for each in debate.objections if each.id in kept}


def _prefer(debate: Debate, event: Preferred) -> None:
    if event.fault:
        return
    debate.preferences[event.who] = event
    debate.pool.prefer(event.who, event.supports)
    _object(debate, event.who, event.opposes, event.round)


def _object(debate: Debate, agent: str, opposes: Iterable[Opposed], round_number: int) -> None:
    """Note an agent's objections; those that it no longer makes are withdrawn."""
    against = {each.candidate: each for each in opposes if each.candidate in debate.pool.candidates}
    debate.pool.oppose(agent, {name: each.founded for name, each in against.items()})
    debate.addressed |= set(against)
    for number, known in enumerate(debate.objections):
        if known.by != agent or known.status != "open":
            continue
        if known.candidate in against:
            del against[known.candidate]
        else:
            debate.objections[number] = known.model_copy(update={"status": "withdrawn"})
    for name, each in against.items():
        made = Objection(
            id=f"j{len(debate.objections) + 1}",
            by=agent,
            candidate=name,
            why=each.why,
            evidence=each.evidence,
            founded=each.founded,
            round=round_number,
        )
        debate.objections.append(made)


def _consolidate(debate: Debate, event: Consolidated) -> None:
    for group in event.same:
        debate.merge(group)
    for number, known in enumerate(debate.objections):
        if known.id in event.statuses:
            debate.objections[number] = known.model_copy(update={"status": event.statuses[known.id]})
    if event.mode == "anti_bias":
        debate.addressed |= set(debate.pool.candidates)
    ended = Round(
        number=event.round,
        mode=event.mode,
        leaders=dict(event.leaders),
        confidences=debate.pool.confidences(),
        history=event.history,
        converged=event.converged,
    )
    debate.rounds.append(ended)
    debate.mode = event.mode_next


def _write(board: Board, event: Written) -> None:
    if event.things:
        board.things = list(event.things)
    only = event.debate.partition("/")[2]
    cells = {cell.object: cell for cell in event.cells}
    if only:
        held = board.filled.setdefault(event.field, {})
        held.pop(only, None)
        held.update(cells)
    else:
        board.filled[event.field] = cells


def _reopen(board: Board, event: Reopened) -> None:
    board.reopened.setdefault(event.field, []).append(event.why)
    for name, debate in board.debates.items():
        if name.partition("/")[0] == event.field:
            debate.first = len(debate.rounds)
            debate.checked = set()
            debate.mode = "regular"
