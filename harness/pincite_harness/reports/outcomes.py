"""What became of the trials, and of their records: counts of each run, as a bar and as a table."""

from collections import Counter
from collections.abc import Sequence

from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.measured import Counted
from pincite_harness.reports.outcome_words import in_words, kind_of
from pincite_harness.reports.stacked import Part, stacked

UNSCORED = "unscored"


def outcomes_section(group: Group, heading: str) -> Markup:
    """A figure for each thing that the scorer counts and that there is any of."""
    first = group.measured[0]
    parts = [_figure(group, place) for place in range(len(first.counted))]
    shown = [part for part in parts if part]
    return tag("section", tag(heading, "Outcomes"), tag("div", shown, class_="outcomes")) if shown else Markup("")


def told(counted: Counted) -> str:
    """``Diagnosis: 6 correct, 3 partial, 1 failed (n = 10; 2 unscored)``."""
    listed = ", ".join(f"{count} {in_words(name)}" for name, count in counted.counts.items() if count)
    left = f"; {counted.unscored} unscored" if counted.unscored else ""
    return f"{counted.outcomes.title}: {listed or 'none'} (n = {counted.n}{left})"


def _figure(group: Group, place: int) -> Markup:
    found = [(measured.run.name, measured.counted[place]) for measured in group.measured if measured.counted]
    if not any(counted.n or counted.unscored for _, counted in found):
        return Markup("")
    names = list(dict.fromkeys(name for _, counted in found for name in _counts(counted)))
    classes = _classes(names)
    bars = [
        (run, [Part(in_words(name), count, classes[name]) for name, count in _counts(counted).items()])
        for run, counted in found
    ]
    title = found[0][1].outcomes.title
    return tag("figure", tag("figcaption", title), stacked(title, bars), _table(names, classes, found))


def _counts(counted: Counted) -> dict[str, int]:
    left = {UNSCORED: counted.unscored} if counted.unscored is not None else {}
    return dict(counted.counts) | left


def _classes(names: Sequence[str]) -> dict[str, str]:
    """A colour for each name; the second of a kind is paler than the first."""
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for name in names:
        kind = kind_of(name)
        found[name] = f"fill {kind} shade{min(seen[kind], 3)}"
        seen[kind] += 1
    return found


def _table(names: Sequence[str], classes: dict[str, str], found: Sequence[tuple[str, Counted]]) -> Markup:
    heads = [
        tag("th", tag("span", class_=f"swatch {classes[name]}", aria_hidden="true"), in_words(name), scope="col")
        for name in names
    ]
    head = tag("tr", tag("th", "Run", scope="col"), heads, tag("th", "n", scope="col", class_="number"))
    rows = [tag("tr", tag("th", run, scope="row"), _cells(names, counted)) for run, counted in found]
    return tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll")


def _cells(names: Sequence[str], counted: Counted) -> list[Markup]:
    counts = _counts(counted)
    whole = sum(counts.values())
    cells = [f"{counts.get(name, 0)} ({100 * counts.get(name, 0) / whole:.0f} %)" if whole else "0" for name in names]
    return [*[tag("td", cell) for cell in cells], tag("td", str(whole), class_="number")]
