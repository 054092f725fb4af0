"""Status: what became of every cited work (retracted, corrected), asked once a work."""

from collections.abc import Iterable, Mapping

from crew import Crew, fan
from door import DoorError

from .bench import Bench
from .events import Stood

TOOL = "publication_status"


async def statuses(crew: Crew, bench: Bench, dois: Iterable[str]) -> dict[str, Stood]:
    """The status of each work by its DOI; ``unknown`` where it could not be asked."""
    wanted = sorted({doi for doi in dois if doi})

    async def ask(doi: str) -> Stood:
        try:
            found: Mapping[str, object] = await bench.data(TOOL, id=doi)
        except (DoorError, LookupError) as error:
            return Stood(doi=doi, retracted="unknown", summary=f"could not be asked: {error}"[:300])
        return Stood(doi=doi, retracted=str(found["retracted"]), summary=str(found["summary"]))

    found = [each for each in await fan(wanted, ask) if isinstance(each, Stood)]
    for each in found:
        crew.state.emit(each)
    return {each.doi: each for each in found}
