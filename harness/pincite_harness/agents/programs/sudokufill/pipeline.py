"""Pipeline: the stages of a run in their order."""

from collections.abc import Mapping
from typing import Any

from answering import AnswerFile
from answering import read_schema as answer_schema
from crew import Crew, fan, kept
from crew.sources import Sources

from . import archive
from .assembly import assemble
from .board import Board, apply
from .events import Opening
from .filling import fill, fill_the_rest
from .options import Options
from .probe import probe
from .rank import rank
from .rows import Rows, from_answer
from .schema import Schema, read_schema
from .sequential import fill_in_turn
from .team import Sheet, Team

PARAMETER = "schema"
ARCHIVE = "empty: nothing was passed on to this trial"


async def work(crew: Crew) -> None:
    """Fill the records of the task's papers; ValueError where neither a schema nor
    the form of the answer says what a record is. An answer is written whatever
    ends the run: a budget that is spent ends it well, an outage is raised after the answer was written."""
    options = Options.of(crew.options)
    schema, rows = schema_of(crew.task)
    with Sources(crew.task) as sources:
        sheets = await _sheets(crew, sources)
        view = crew.state.view(Board(schema), apply)
        earlier = archive.read() if options.archive else []
        team = Team(crew, options, schema, rows, sheets, view, earlier)
        fields = [field.name for field in schema.fields]
        told = f"{len(earlier)} records of earlier papers" if earlier else ARCHIVE
        pages = [sheet.id for sheet in sheets]
        team.emit(Opening(pages=pages, fields=fields, archive=told, steady=options.steady))
        try:
            await _fill(team)
        finally:
            fill_the_rest(team)
            await assemble(team, sources)
    _archived(crew)


async def _sheets(crew: Crew, sources: Sources) -> list[Sheet]:
    """All pages of all papers, with pictures where the task has the figures server and the model takes them."""
    seeing = crew.options.get("pictures", "yes") == "yes" and "figures" in crew.task["tools"]
    papers: list[str] = list(crew.task["papers"])
    places: list[tuple[str, str, int]] = []
    for number, paper in enumerate(papers, start=1):
        prefix = f"a{number}" if len(papers) > 1 else ""
        pages = range(1, await sources.pages(paper) + 1)
        places += [(f"{prefix}p{page:02}", paper, page) for page in pages or [0]]

    async def read(place: tuple[str, str, int]) -> Sheet:
        name, paper, page = place
        text = await (sources.page(paper, page) if page else sources.whole(paper))
        picture = await sources.picture(paper, page) if seeing and page else None
        return Sheet(name, paper, page, text, picture)

    return kept(await fan(places, read))


def _archived(crew: Crew) -> None:
    """Leave the records of this paper to the next trial of the chain."""
    answer = AnswerFile.of(crew.task)
    if answer.is_json and answer.path.is_file():
        archive.add(str(crew.task.get("task_id", "")), answer.read())


def schema_of(task: Mapping[str, Any]) -> tuple[Schema, Rows]:
    """The schema that the task's parameters hold, or that follows from the form of its answer."""
    parameters: Mapping[str, Any] = task.get("parameters") or {}
    text = parameters.get(PARAMETER)
    if isinstance(text, str) and text.strip():
        return read_schema(text), Rows()
    return from_answer(answer_schema())


async def _fill(team: Team) -> None:
    if team.options.sequential:
        await fill_in_turn(team)
        return
    await probe(team)
    await rank(team)
    await fill(team)
