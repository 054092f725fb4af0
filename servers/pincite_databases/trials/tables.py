"""Tables of posted results: groups, denominators, rows with a cell a group, analyses; every value as it was posted."""

from collections.abc import Iterator
from typing import NotRequired

from typing_extensions import TypedDict

from pincite_databases.fields import Record, record, records, text, texts


class Group(TypedDict):
    """A column of a table; ``participants`` and the like are counted for it where they were posted."""

    id: str
    title: str
    description: NotRequired[str]
    counts: NotRequired[list[str]]


class Cell(TypedDict):
    """What was posted for a group; ``spread`` and limits are of the table's dispersion, ``n`` of this row alone."""

    group: str
    value: str
    spread: NotRequired[str]
    lower_limit: NotRequired[str]
    upper_limit: NotRequired[str]
    n: NotRequired[str]
    comment: NotRequired[str]


class Row(TypedDict):
    """A row; what differs from the table's (unit, parameter, dispersion) stands with it, as in baseline tables."""

    label: str
    cells: list[Cell]
    unit: NotRequired[str]
    parameter: NotRequired[str]
    dispersion: NotRequired[str]


class Analysis(TypedDict):
    """A statistical analysis; ``facts`` are its posted fields: "p value: <0.001", "95% CI: 0.65 to 0.85"."""

    groups: list[str]
    facts: list[str]


def groups(holder: Record) -> list[Group]:
    """The groups of a table with their denominators: "312 Participants"."""
    counts: dict[str, list[str]] = {}
    for denominator in records(holder, "denoms"):
        units = text(denominator, "units")
        for count in records(denominator, "counts"):
            counts.setdefault(text(count, "groupId"), []).append(f"{text(count, 'value')} {units}".strip())
    found: list[Group] = []
    for group in records(holder, "groups"):
        made = Group(id=text(group, "id"), title=text(group, "title"))
        if described := text(group, "description"):
            made["description"] = described
        if made["id"] in counts:
            made["counts"] = counts[made["id"]]
        found.append(made)
    return found


def rows(measure: Record, above: str = "") -> Iterator[Row]:
    """The rows of a measure: a row for each category of each class, named by both."""
    for level in records(measure, "classes"):
        own: dict[str, list[str]] = {}
        for denominator in records(level, "denoms"):
            for count in records(denominator, "counts"):
                shown = f"{text(count, 'value')} {text(denominator, 'units')}".strip()
                own.setdefault(text(count, "groupId"), []).append(shown)
        for category in records(level, "categories"):
            names = [above, text(level, "title"), text(category, "title")]
            cells = [_cell(item, own) for item in records(category, "measurements")]
            yield Row(label=": ".join(filter(None, names)), cells=cells)


def _cell(measurement: Record, own: dict[str, list[str]]) -> Cell:
    group = text(measurement, "groupId")
    cell = Cell(group=group, value=text(measurement, "value"))
    if spread := text(measurement, "spread"):
        cell["spread"] = spread
    if lower := text(measurement, "lowerLimit"):
        cell["lower_limit"] = lower
    if upper := text(measurement, "upperLimit"):
        cell["upper_limit"] = upper
    if group in own:
        cell["n"] = ", ".join(own[group])
    if comment := text(measurement, "comment"):
        cell["comment"] = comment
    return cell


def analysis(given: Record) -> Analysis:
    """One posted analysis."""
    return Analysis(groups=texts(given, "groupIds"), facts=[*_test(given), *_estimate(given), *_remarks(given)])


def _test(given: Record) -> Iterator[str]:
    method, p_value = text(given, "statisticalMethod"), text(given, "pValue")
    if kind := text(given, "nonInferiorityType"):
        yield f"hypothesis: {kind}"
    if method:
        yield f"method: {method}"
    if p_value:
        yield f"p value: {p_value}"


def _estimate(given: Record) -> Iterator[str]:
    parameter, value = text(given, "paramType"), text(given, "paramValue")
    if parameter or value:
        yield f"{parameter or 'estimate'}: {value or 'not posted'}"
    level, sides = text(given, "ciPctValue"), text(given, "ciNumSides")
    lower, upper = text(given, "ciLowerLimit"), text(given, "ciUpperLimit")
    if lower or upper:
        about = f" ({sides})" if sides else ""
        yield f"{f'{level}% ' if level else ''}CI: {lower or 'no lower limit'} to {upper or 'no upper limit'}{about}"
    kind, spread = text(given, "dispersionType"), text(given, "dispersionValue")
    if kind or spread:
        yield f"{kind or 'dispersion'}: {spread or 'not posted'}"


def _remarks(given: Record) -> Iterator[str]:
    for name, what in (
        ("pValueComment", "on the p value"),
        ("statisticalComment", "on the method"),
        ("groupDescription", "on the comparison"),
        ("nonInferiorityComment", "on the hypothesis"),
        ("estimateComment", "on the estimate"),
        ("ciLowerLimitComment", "on the lower limit"),
        ("ciUpperLimitComment", "on the upper limit"),
        ("otherAnalysisDescription", "other analysis"),
    ):
        if remark := text(given, name):
            yield f"{what}: {remark}"


def baseline_rows(module: Record) -> Iterator[Row]:
    """The rows of all baseline measures, each with its own unit, parameter and dispersion."""
    for measure in records(module, "measures"):
        for row in rows(measure, text(measure, "title")):
            yield _with_units(row, measure)


def _with_units(row: Row, measure: Record) -> Row:
    if unit := text(measure, "unitOfMeasure"):
        row["unit"] = unit
    if parameter := text(measure, "paramType"):
        row["parameter"] = parameter
    if dispersion := text(measure, "dispersionType"):
        row["dispersion"] = dispersion
    return row


def flow_rows(module: Record) -> Iterator[Row]:
    """Milestones of each period and why participants left it."""
    for period in records(module, "periods"):
        title = text(period, "title")
        for milestone in records(period, "milestones"):
            cells = [_subjects(item) for item in records(milestone, "achievements")]
            yield Row(label=f"{title}: {text(milestone, 'type')}", cells=cells)
        for reason in records(period, "dropWithdraws"):
            cells = [_subjects(item) for item in records(reason, "reasons")]
            yield Row(label=f"{title}: withdrawn: {text(reason, 'type')}", cells=cells)


def _subjects(item: Record) -> Cell:
    cell = Cell(group=text(item, "groupId"), value=text(item, "numSubjects"))
    if remark := text(item, "comment"):
        cell["comment"] = remark
    return cell


def event_groups(module: Record) -> list[Group]:
    """The groups of adverse events, with how many participants had some of how many at risk."""
    found: list[Group] = []
    for group in records(module, "eventGroups"):
        made = Group(id=text(group, "id"), title=text(group, "title"))
        if described := text(group, "description"):
            made["description"] = described
        counts = [
            f"{what}: {affected} of {text(group, f'{name}NumAtRisk') or '?'} affected"
            for name, what in (("deaths", "deaths"), ("serious", "serious events"), ("other", "other events"))
            if (affected := text(group, f"{name}NumAffected"))
        ]
        if counts:
            made["counts"] = counts
        found.append(made)
    return found


def event_rows(module: Record) -> Iterator[Row]:
    """Adverse events, serious ones first: participants affected, of how many at risk, and how many events."""
    for name, kind in (("seriousEvents", "serious"), ("otherEvents", "other")):
        for event in records(module, name):
            place = text(event, "organSystem")
            cells = [_affected(item) for item in records(event, "stats")]
            yield Row(label=f"{kind}: {text(event, 'term')}" + (f" ({place})" if place else ""), cells=cells)


def _affected(item: Record) -> Cell:
    cell = Cell(group=text(item, "groupId"), value=text(item, "numAffected"))
    if at_risk := text(item, "numAtRisk"):
        cell["n"] = f"{at_risk} at risk"
    if events := text(item, "numEvents"):
        cell["comment"] = f"{events} events"
    return cell


def reported(measure: Record) -> str:
    """Whether results of a measure were posted, or when they are expected."""
    status, expected = text(measure, "reportingStatus"), text(record(measure), "anticipatedPostingDate")
    return f"{status}, expected {expected}" if status and expected else status
