"""Changes of a gold analysis that make it wrong, by its words alone: two names, the numbers, the directions.

Nothing here is the scorer's: names are those of the gold's claims, numbers and words are found by patterns of its own.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

ANTONYMS = {
    "rises": "falls", "rise": "fall", "rose": "fell", "rising": "falling", "gained": "lost", "gain": "lose",
    "gains": "loses", "faster": "slower", "fastest": "slowest", "above": "below", "shrinks": "grows",
    "larger": "smaller", "higher": "lower", "lift": "lower", "lifts": "lowers", "lowest": "highest",
    "more": "less", "climbs": "drops", "adds": "takes away", "narrows": "widens", "part": "run together",
    "slip back": "climb", "worse": "better",
    "come together": "move apart", "earlier": "later", "exclude": "include", "best": "worst", "increased": "reduced",
    "lessen": "enlarge", "cut": "raised", "flat": "steep", "reduces": "enlarges",
}  # fmt: skip
BOTH_WAYS = {**{other: one for one, other in ANTONYMS.items()}, **ANTONYMS}
NUMBER = r"(?<![\w.−-])(?<!Table )(?<!Fig\. )(?<!Model )(?<!x = )\d+(?:\.\d+)?(?! K\b)(?![\w/−]|\.\d)"
"""Numbers but those of names, years and conditions."""


def with_antonyms(text: str) -> str:
    """Every direction turned round."""
    pattern = "|".join(sorted(map(re.escape, BOTH_WAYS), key=len, reverse=True))
    return re.sub(rf"\b(?:{pattern})\b", lambda match: BOTH_WAYS[match[0]], text)


def altered_numbers(text: str) -> Iterator[tuple[str, str]]:
    """Every number half as large again; with another last digit; with another first digit."""

    def larger(match: re.Match[str]) -> str:
        return f"{float(match[0]) * 1.47 + 0.3:.{len(match[0].partition('.')[2])}f}"

    def last(match: re.Match[str]) -> str:
        return match[0][:-1] + str((int(match[0][-1]) + 3) % 10)

    def first(match: re.Match[str]) -> str:
        return str((int(match[0][0]) + 2) % 9 + 1) + match[0][1:]

    for change in (larger, last, first):
        yield f"numbers: {change.__name__}", re.sub(NUMBER, change, text)


def swapped_names(gold: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The analysis with two things in each other's place, for every two of one kind that two claims or more are about;
    not a thing and the group that it is in."""
    claims, text = gold["claims"], gold["analysis"]
    forms = {form.lower(): key for key, names in reversed(claims["entities"].items()) for form in names}
    pattern = "|".join(sorted(map(re.escape, forms), key=len, reverse=True))
    named = re.compile(rf"(?<![\w.])(?:{pattern})(?!\w)", re.IGNORECASE)
    used = {forms[match[0].lower()]: match[0] for match in reversed(list(named.finditer(text)))}
    about = [name for claim in claims["claims"] for name in {*claim.get("subject", []), *claim.get("object", [])}]
    often = [name for name in used if about.count(name) >= 2]
    for one, other in combinations(often, 2):
        if _kind(claims, one) != _kind(claims, other) or _groups(claims, one) & _groups(claims, other):
            continue
        place = {one: used[other], other: used[one]}
        changed = named.sub(lambda match, place=place: place.get(forms[match[0].lower()], match[0]), text)
        yield f"{one} and {other} swapped", re.sub(r"(^|\. )([a-z])", lambda m: m[1] + m[2].upper(), changed)


def _kind(claims: Mapping[str, Any], name: str) -> str:
    return next((kind for kind, names in claims.get("kinds", {}).items() if name in names), "")


def _groups(claims: Mapping[str, Any], name: str) -> set[str]:
    """A thing, the groups that it is in, and those that it is."""
    groups = claims.get("groups", {})
    return {group for group, names in groups.items() if name == group or name in names}


def swapped_conditions(text: str) -> Iterator[tuple[str, str]]:
    """The analysis with two temperatures in each other's place, for every two; the ends of a range stay."""
    named = re.compile(r"(?<=\bat )\d+(?= K\b)")
    for one, other in combinations(sorted(set(named.findall(text))), 2):
        place = {one: other, other: one}
        changed = named.sub(lambda match, place=place: place.get(match[0], match[0]), text)
        yield f"{one} K and {other} K swapped", changed
