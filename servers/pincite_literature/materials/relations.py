"""Doped series and their undoped ends."""

from collections.abc import Sequence
from functools import lru_cache

from pincite_literature.materials import families, fitting, spelling
from pincite_literature.materials.families import Family
from pincite_literature.materials.sharing import Series


def hosts(series: Series, order: Sequence[str]) -> list[str]:
    """The undoped material, with the names that the tables know of it."""
    amounts = {element: amount.constant for element, amount in series.host.items()}
    known = [
        family
        for family in families.families()
        if fitting.same_amounts(amounts, {element: amount.constant for element, amount in family.parsed.amounts})
        and family.parsed.resolved
    ]
    names = [name for family in known for name in (*family.acronyms[:1], *family.names[:1])]
    host = spelling.formula_of(series.host, order)
    called = f" ({', '.join(names)})" if names else ""
    return [f"{host}{called}: the undoped end of the series"]


@lru_cache(maxsize=1024)
def related(family: Family) -> tuple[str, ...]:
    """The series of which it is the undoped end, or the undoped end of it."""
    zero = fitting.at_zero(family.parsed)
    found: list[str] = []
    for other in families.families():
        theirs = fitting.at_zero(other.parsed)
        if zero is None and theirs is not None:
            amounts = {element: amount.constant for element, amount in family.parsed.amounts}
            if fitting.same_amounts(amounts, theirs):
                found.append(
                    f"{other.formula} ({', '.join(other.acronyms[:1])}): a series of which it is the undoped end"
                )
        elif zero is not None and theirs is None and other.parsed.resolved:
            amounts = {element: amount.constant for element, amount in other.parsed.amounts}
            if fitting.same_amounts(zero, amounts):
                found.append(f"{other.formula}: the undoped end of the series")
    return tuple(found)
