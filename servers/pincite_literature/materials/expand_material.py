"""expand_material: one material in all the spellings under which precedents may stand."""

from typing import Annotated

import anyio.to_thread
from pydantic import Field

from pincite_literature.materials.shapes import LONGEST, Expansion


async def expand_material(
    name: Annotated[str, Field(max_length=LONGEST, description="Formula, acronym, common name or structure type")],
) -> Expansion:
    """Spell a material in all its usual ways before a search: orders of the formula, doping series, acronyms, names,
    structure types, as words and as queries for query_source. A name with several meanings gives a reading each.
    """
    return await anyio.to_thread.run_sync(_expand, name)


def _expand(name: str) -> Expansion:
    from pincite_literature.materials.expansion import expand

    return expand(name)
