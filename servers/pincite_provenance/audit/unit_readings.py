"""What a printed unit may be read as: "Mg atoms per cm^3" is 1/cm^3, "μ_B per Mn atom" is μ_B, "per K" is 1/K."""

import re

from pincite_materials.units import known, parse_unit

_THING = (
    r"(?:[A-Z][a-z]?\s)?(?:atoms?|ions?|holes?|electrons?|molecules?|particles?|cells?|copies|vacancies"
    r"|formula units?|unit cells?|f\.\s?u\.)"
)
_COUNTED = re.compile(rf"{_THING}\s?(?:per\s|/)\s?(.+)")
_PER_THING = re.compile(rf"(.+?)(?:\sper\s|\s?/\s?)(?:{_THING}|(?P<symbol>[A-Z][a-z]?))")
_BARE_PER = re.compile(r"per\s(.+)")
_COUNT_LETTERS = 4
"""Letters from which a word without dimensions counts things ("holes"); a shorter one is a unit such as rad."""


def unit_readings(unit: str) -> tuple[str, ...]:
    """A printed unit and what else it may be, the likeliest first; none for ""."""
    if not unit:
        return ()
    counted = _COUNTED.fullmatch(unit)
    if counted is not None:
        return (f"1/{counted[1]}", unit)
    bare = _BARE_PER.fullmatch(unit)
    if bare is not None:
        return (f"1/{bare[1]}", unit)
    each = _PER_THING.fullmatch(unit)
    if each is not None and known(each[1]) and not (each["symbol"] and known(each["symbol"])):
        return (unit, each[1])
    return (unit,)


def counts_things(unit: str) -> bool:
    """Whether a unit says only what is counted (``holes``), so that a heading may give the unit."""
    read = parse_unit(unit)
    plain = bool(read) and all(not each.dimensions and each.factor == 1.0 for each in read)
    return plain and unit.isalpha() and len(unit) >= _COUNT_LETTERS
