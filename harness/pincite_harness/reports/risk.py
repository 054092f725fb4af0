"""Risk and coverage in a report: whether the surest values of the answers are also the right ones."""

from typing import Any

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup, join
from pincite_harness.reports.pictures import Axis, lines
from pincite_harness.reports.tables import Table, tables_section
from pincite_harness.reports.value_signals import Audits, labelled_values, value_scores
from pincite_scoring.statistics import aurc, best_aurc, risk_coverage

_TITLE = "Risk and coverage"
_ABOUT = (
    "values from the surest to the least sure, by stated confidence, agreement of attempts and quotes that stand; risk"
    " is the share of accepted values that are wrong, AURC its mean over all coverages (pincite analyse says more)"
)
_HEADER = ("Run", "Values", "Risk of all", "AURC", "AURC of the best order")


def risk_json(run: RunReport) -> dict[str, Any] | None:
    """The curve as (coverage, risk), its AURC and the least that an order could have; None without labelled values."""
    labelled = labelled_values(value_scores(run, Audits({})))
    if not labelled:
        return None
    wrong = sum(bad for _, bad in labelled)
    return {
        "values": len(labelled),
        "risk": wrong / len(labelled),
        "aurc": aurc(labelled),
        "best_aurc": best_aurc(wrong, len(labelled)),
        "curve": [(point.coverage, point.risk) for point in risk_coverage(labelled)],
    }


def risk_section(group: Group, heading: str) -> Markup:
    """A row and a line a run; nothing where no value has a label, or none is wrong."""
    rows: list[list[str]] = []
    curves: list[tuple[str, list[tuple[float, float]]]] = []
    for measured in group.measured:
        risk = risk_json(measured.run)
        if risk is None or not risk["risk"]:
            continue
        name = measured.run.name
        numbers = [f"{risk[key]:.3f}" for key in ("risk", "aurc", "best_aurc")]
        rows.append([name, str(risk["values"]), *numbers])
        curves.append((name, risk["curve"]))
    if not rows:
        return Markup("")
    top = max(height for _, points in curves for _, height in points)
    picture = lines("Risk by coverage", curves, Axis("coverage", 0.0, 1.0), Axis("risk", 0.0, top), marked=True)
    return join([tables_section(_TITLE, heading, [Table(_ABOUT, list(_HEADER), rows)]), picture])
