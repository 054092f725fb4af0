"""The section "Lab" of a report and lab.json: what a server did to an agent, and how to run it again."""

from collections.abc import Mapping, Sequence
from typing import Any

from pincite_harness.lab.badge import badge
from pincite_harness.lab.measuring import FamilyResult
from pincite_harness.reports.comparing import show_p
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.mean_json import mean_json
from pincite_harness.reports.statistics import show_range, signed
from pincite_harness.reports.tables import Table, one_table
from pincite_scoring.statistics import Paired

SCHEMA = "pincite-lab/1"
HEADER = ("Metric", "Without", "With", "Gain", "95 %: t", "Tasks", "p: t", "p: permutation", "")
_ABOUT = (
    "with the server less without it, by task over means of attempts: Student's interval of 95 %, by cluster, and the"
    " paired tests, two-sided, not corrected for their number; the first metric decides"
)


def gain_rows(result: FamilyResult) -> list[tuple[str, ...]]:
    """A row a metric by ``HEADER``, then what trials took."""
    rows = [(*_cells(gain.metric.title, gain.pair), gain.effect) for gain in result.gains]
    return rows + [(*_cells(name, pair), "") for name, pair in result.spent.items()]


def lines_of(result: FamilyResult) -> list[str]:
    """What stands below the table: calls, and where the server misled."""
    found = [
        f"Called in {result.used} of {result.trials} trials; {result.erred} of {result.calls} calls erred.",
        f"Misled: {len(result.misled)} trials did worse than their task without it, with a value from its results"
        + (f" ({', '.join(result.misled)})." if result.misled else "."),
    ]
    if result.resting:
        found.append(
            f"Claims that rest on its results: {result.resting}; the papers bear {result.borne_out} out and say"
            f" otherwise of {len(result.wrong)}."
        )
    found += [f"{one.trial}, call {one.call}: {one.text} ({one.verdict})" for one in result.wrong]
    return found + [f"Not the same on both sides: {note}" for note in result.notes]


def lab_section(name: str, results: Sequence[FamilyResult], again: Sequence[str]) -> Markup:
    """Badge, table and lines of each family, and ``again``: how to run it again and check it."""
    parts: list[Markup] = [tag("h2", f"Lab: does {name} help?")]
    for result in results:
        if result.first is not None:
            parts.append(tag("p", badge(name, result.first)))
        parts.append(one_table(Table(f"{result.family}: {_ABOUT}", HEADER, gain_rows(result))))
        parts.append(tag("ul", [tag("li", line) for line in lines_of(result)]))
    parts += [tag("h3", "Run it again"), tag("pre", "\n".join(again))]
    return tag("section", parts, id="lab")


def lab_json(name: str, results: Sequence[FamilyResult], sealed: Mapping[str, str]) -> dict[str, Any]:
    """lab.json; ``sealed`` are the digests of the bundles. Numbers are not rounded."""
    families = {result.family: _family(result) for result in results}
    return {"schema_version": SCHEMA, "server": name, "families": families, "bundles": dict(sealed)}


def _family(result: FamilyResult) -> dict[str, Any]:
    wrong = [
        {"trial": one.trial, "call": one.call, "verdict": one.verdict, "claim": one.text, "source": one.source_says}
        for one in result.wrong
    ]
    return {
        "metrics": {gain.metric.name: _pair(gain.pair) | {"effect": gain.effect} for gain in result.gains},
        "spent": {name: _pair(pair) for name, pair in result.spent.items()},
        "trials": result.trials,
        "used_in": result.used,
        "calls": result.calls,
        "erred": result.erred,
        "misled": list(result.misled),
        "claims_resting_on_it": {"count": result.resting, "borne_out": result.borne_out, "wrong": wrong},
        "notes": list(result.notes),
    }


def _pair(pair: Paired) -> dict[str, Any]:
    gain = {"without": pair.first, "with": pair.second, "gain": mean_json(pair.difference)}
    return gain | {"bootstrap": pair.bootstrap, "p_t": pair.p_t, "p_permutation": pair.p_permutation}


def _cells(title: str, pair: Paired) -> tuple[str, ...]:
    gain = pair.difference
    p_t = "–" if pair.p_t is None else show_p(pair.p_t)
    tests = (show_range(gain.interval), str(gain.n), p_t, show_p(pair.p_permutation))
    return (title, f"{pair.first:.3f}", f"{pair.second:.3f}", signed(gain.mean or 0.0), *tests)
