"""space_group: a space group by symbol or number."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_materials.symmetry import crystal_system_of, space_group_number, symbols_of

Symbol = Annotated[
    str, Field(min_length=1, max_length=100, description="As printed: P6_3/mmc, Pbnm, No. 62, Fm-3m (225), D6h^4")
]


class SpaceGroup(TypedDict):
    """``symbol`` is the short standard one of the International Tables, ``settings`` are others of the same group."""

    number: int
    symbol: str
    settings: list[str]
    schoenflies: str
    crystal_system: str


async def space_group(symbol: Symbol) -> SpaceGroup:
    """The space group that a symbol in any setting or a number names: number, standard symbol, crystal system (Pbnm
    and Pnma are both 62).
    """
    number = space_group_number(symbol)
    if number is None:
        raise BadInputError(
            f"{symbol!r} is not a space group.",
            seen="the International Tables have no such symbol, or the number after it belongs to another group",
            next="Copy the symbol as printed, such as P6_3/mmc, or give a number from 1 to 230.",
        )
    (first, *others), schoenflies = symbols_of(number)
    return SpaceGroup(
        number=number,
        symbol=first,
        settings=others,
        schoenflies=schoenflies,
        crystal_system=crystal_system_of(number),
    )
