"""Sites that elements share: the series to which a doped composition belongs where no table names it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pincite_literature.materials.spelling import formula_of
from pincite_materials.formulas import Formula
from pincite_materials.linear import Linear

_CLOSE = 0.012
"""How far a sum of amounts may be from a whole number, in atoms a formula: papers round to hundredths."""
_SMALL = 1e-9
"""A constant that is zero but for the rounding of doubles."""
_HOST = 0.6
"""The part of a site that a host fills at least."""


@dataclass(frozen=True, slots=True)
class Series:
    """A composition with its shared sites: ``amounts`` with the guests' amounts unknown."""

    amounts: Mapping[str, Linear]
    sites: tuple[tuple[str, ...], ...]
    """The elements of each shared site, the one that prevails first."""
    dilute: bool = True
    """Whether it makes sense to speak of dopants in a host: the guests are few, or their amounts are not given."""

    def shared_form(self, order: Sequence[str]) -> str:
        """``(La,Sr)2CuO4``: the elements of a site in alphabetical order, so that it is the same for every doping."""
        guests = {guest for site in self.sites for guest in site[1:]}
        sites = {site[0]: f"({','.join(sorted(site))})" for site in self.sites}
        host = self.host
        return "".join(
            formula_of({base: host[element]}, [base])
            for element in order
            if element not in guests and (base := sites.get(element, element))
        )

    @property
    def host(self) -> dict[str, Linear]:
        """The undoped amounts: each site filled by the element that prevails."""
        guests = {guest for site in self.sites for guest in site[1:]}
        return {element: Linear(amount.constant) for element, amount in self.amounts.items() if element not in guests}


def series_of(formula: Formula) -> Series | None:
    """The series of a formula in which two or three broken or symbolic amounts add up to whole numbers, if any."""
    if any(amount.unknowns for _, amount in formula.amounts):
        return _symbolic(formula)
    return _numeric(formula)


def _numeric(formula: Formula) -> Series | None:
    amounts = {element: amount.constant for element, amount in formula.amounts}
    broken = [element for element, amount in amounts.items() if abs(amount - round(amount)) > _CLOSE]
    sites: list[tuple[str, ...]] = []
    for size in (2, 3):
        for group in combinations(broken, size):
            if any(element in site for site in sites for element in group):
                continue
            total = sum(amounts[element] for element in group)
            if round(total) >= 1 and abs(total - round(total)) <= _CLOSE:
                sites.append(tuple(sorted(group, key=lambda element: (-amounts[element], element))))
    placed = {element for site in sites for element in site}
    if not sites or set(broken) - placed - {"O"}:
        return None
    return _series({e: float(round(a)) if e not in placed else a for e, a in amounts.items()}, sites)


def _series(amounts: Mapping[str, float], sites: list[tuple[str, ...]]) -> Series:
    made = {element: Linear(amount) for element, amount in amounts.items()}
    names = iter("xyzuvw")
    for site in sites:
        rest = Linear(float(round(sum(amounts[element] for element in site))))
        for guest in site[1:]:
            share = Linear(0.0, ((next(names, "w"), 1.0),))
            made[guest] = share
            rest = rest.plus(share.scaled(-1.0))
        made[site[0]] = rest
    few = all(amounts[site[0]] >= _HOST * sum(amounts[element] for element in site) for site in sites)
    return Series(made, tuple(sites), few)


def _symbolic(formula: Formula) -> Series | None:
    """A site is an element whose amount falls by just as much as others' rise with the unknowns."""
    sites: list[tuple[str, ...]] = []
    for element, amount in formula.amounts:
        falling = {name for name, coefficient in amount.unknowns if coefficient < 0}
        if not falling or round(amount.constant) < 1 or abs(amount.constant - round(amount.constant)) > _CLOSE:
            continue
        guests = [
            other
            for other, theirs in formula.amounts
            if len(theirs.unknowns) == 1 and theirs.names[0] in falling and abs(theirs.constant) < _SMALL
        ]
        if guests:
            sites.append((element, *guests))
    return Series(dict(formula.amounts), tuple(sites)) if sites else None
