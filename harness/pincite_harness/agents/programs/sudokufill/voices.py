"""Voices: page, row and column agents of stage II; what each says becomes an event."""

from collections.abc import Sequence

from crew import Data, Part

from . import archive, roles, shown
from .board import Debate
from .events import Positioned, Preferred
from .evidence import quoted, stated
from .queries import context, object_text, query
from .records import Opposed, Place, Replied
from .said import Choice
from .team import Sheet, Team


def step(name: str, number: int, phase: str) -> str:
    """Where in the pipeline an agent speaks, as requests are labelled: ``fill/dose/2/rebuttal``."""
    return f"fill/{name}/{number}/{phase}"


def question(team: Team, debate: Debate) -> list[Part]:
    """The field under debate, with what is settled, and why it is debated again where it is."""
    parts: list[Part] = [query(debate.field, team.schema, guided=team.options.guided)]
    if debate.only:
        names = [thing.name for thing in team.board.things if thing.id == debate.only]
        parts.append(Data(names[0], "the only object that this debate is about"))
    parts += context(team.board, document=team.options.document)
    why = team.board.reopened.get(debate.field.name)
    if why:
        parts.append(Data(why[-1], "why this field is debated again"))
    return parts


async def page(
    team: Team, name: str, sheet: Sheet, number: int, phase: str, more: Sequence[Part] = ()
) -> list[Positioned]:
    """The position of one page agent. ``more`` is what it is shown besides question, pool and history."""
    debate = team.board.debates[name]
    parts: list[Part] = [*sheet.parts, *question(team, debate), shown.pool(debate)]
    told = shown.history(debate)
    parts += [told] if told is not None else []
    slots = {
        "page": sheet.number or "(whole)",
        "object": object_text(team.schema, guided=team.options.guided),
        "turn": roles.TURNS[phase],
    }
    where = step(name, number, phase)
    said, fault = await team.ask(roles.PAGE, [*parts, *more], sheet.id, where, slots)
    if said is None:
        return [Positioned(who=sheet.id, step=where, debate=name, round=number, phase=phase, fault=fault)]
    claims = [stated(claim, sheet, team.schema, checking=team.options.check) for claim in said.claims]
    opposes = [
        Opposed(candidate=each.candidate, why=each.why, evidence=quoted(each.quote, sheet)) for each in said.opposes
    ]
    event = Positioned(
        who=sheet.id,
        step=where,
        debate=name,
        round=number,
        phase=phase,
        stance=said.stance,
        claims=[claim for claim in claims if claim is not None],
        opposes=opposes,
        replies=[Replied(objection=each.objection, keep=each.keep, why=each.why) for each in said.replies],
        notes=said.notes,
    )
    return [event]


def views(team: Team, name: str) -> list[str]:
    """The constraint agents that have something to go by: the row agent needs records, the column agent the field's
    demands or document context."""
    debate = team.board.debates[name]
    found: list[str] = []
    if not debate.pool.candidates:
        return found
    has_records = team.options.document and shown.records(team.board) is not None
    if team.options.row and (has_records or team.archive):
        found.append("row")
    if team.options.column:
        found.append("column")
    return found


async def view(team: Team, name: str, kind: str, number: int, phase: str, more: Sequence[Part] = ()) -> list[Preferred]:
    """What the row or column agent says."""
    debate = team.board.debates[name]
    parts: list[Part] = [*question(team, debate), shown.pool(debate), *more]
    told = shown.history(debate)
    parts += [told] if told is not None else []
    parts += row(team) if kind == "row" else column(team, debate)
    where = step(name, number, phase)
    role = roles.ROW if kind == "row" else roles.COLUMN
    said, fault = await team.ask(role, parts, kind, where)
    if said is None:
        return [Preferred(who=kind, step=where, debate=name, round=number, phase=phase, fault=fault)]
    known, dropped = _sorted(debate, said.choices)
    event = Preferred(
        who=kind,
        step=where,
        debate=name,
        round=number,
        phase=phase,
        supports={each.candidate: round(each.confidence, 1) for each in known if each.stance == "support"},
        opposes=[_opposed(each) for each in known if each.stance == "oppose"],
        conflicts=said.conflicts if kind == "row" else [],
        dropped=dropped,
        notes=said.notes,
    )
    return [event]


def row(team: Team) -> list[Data]:
    """What the row agent goes by: the records of this paper so far, and those of earlier papers."""
    own = shown.records(team.board) if team.options.document else None
    earlier = archive.rows(team.archive, [field.name for field in team.schema.fields])
    return [each for each in (own, earlier) if each is not None]


def column(team: Team, debate: Debate) -> list[Data]:
    """What the column demands and holds: the forms of its candidates with counts, those of earlier papers, and what
    the field depends on."""
    lines: list[str] = []
    counts: dict[str, int] = {}
    for candidate in debate.pool.candidates.values():
        counts[candidate.value] = counts.get(candidate.value, 0) + 1
    lines += [f"{value!r}: {count} candidates" for value, count in counts.items()]
    if team.options.guided and debate.field.labels:
        outside = [value for value in counts if debate.field.label(value) is None]
        lines += [f"{value!r} is none of the labels" for value in outside]
    for condition in team.schema.conditions if team.options.guided else ():
        if debate.field.name in (*condition.targets, *condition.when):
            lines.append(f"{', '.join(condition.when)} constrains {', '.join(condition.targets)}: {condition.because}")
    lines += archive.forms(team.archive, debate.field.name)
    return [Data("\n".join(lines), "the column")] if lines else []


def _sorted(debate: Debate, choices: Sequence[Choice]) -> tuple[list[Choice], list[str]]:
    """The choices of candidates in the pool, one an object, and the ids of the others."""
    known: list[Choice] = []
    dropped: list[str] = []
    objects: set[str] = set()
    for each in choices:
        candidate = debate.pool.candidates.get(each.candidate)
        if candidate is None or (candidate.object in objects and not debate.field.many):
            dropped.append(each.candidate)
        else:
            objects.add(candidate.object)
            known.append(each)
    return known, dropped


def _opposed(choice: Choice) -> Opposed:
    pointer = f"{choice.constraint}: {choice.retrieved}" if choice.retrieved else ""
    return Opposed(candidate=choice.candidate, why=choice.summary, evidence=Place(), pointer=pointer)
