"""The report as one HTML page: no script, nothing fetched from anywhere."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from pincite_harness.reports.attempts import attempts_section
from pincite_harness.reports.breakdown_tables import breakdown_section
from pincite_harness.reports.comparing import comparison_section
from pincite_harness.reports.debates import debates_section
from pincite_harness.reports.drawings import MOST_BARS, charts
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.means import means_section
from pincite_harness.reports.outcomes import outcomes_section
from pincite_harness.reports.places import places_section
from pincite_harness.reports.records import records_section
from pincite_harness.reports.risk import risk_section
from pincite_harness.reports.roles import roles_section
from pincite_harness.reports.searches import searches_section
from pincite_harness.reports.statistics import failures, task_names
from pincite_harness.reports.templating import render
from pincite_harness.reports.tiles import tiles
from pincite_harness.reports.trial_table import trial_tables
from pincite_tasks.plural import plural

NOTHING = Markup("")


def to_html(runs: Sequence[RunReport], groups: Sequence[Group], base: Path, more: Markup = NOTHING) -> str:
    """The page of one or several runs, with the sections ``more``; links to trial files are relative to ``base``, the
    folder of the page."""
    return render(
        "report.html",
        {
            "title": "pincite report: " + ", ".join(run.name for run in runs),
            "style": files("pincite_harness.reports").joinpath("report.css").read_text(encoding="utf-8"),
            "runs": [{"name": run.name, "about": about, "sample": run.sample} for run, about in _abouts(runs)],
            "families": [
                {"name": group.family or "no family", "anchor": group.anchor, "sections": sections}
                for group, sections in _sections(groups, base)
            ],
            "more": more,
            "names": [run.name for run in runs],
            "failures": _failures(runs),
            **_definitions(runs),
        },
    )


def _abouts(runs: Sequence[RunReport]) -> list[tuple[RunReport, str]]:
    """Each run with a line about it."""
    return [(run, _about(run) if len(runs) > 1 else _about_one(run)) for run in runs]


def _about(run: RunReport) -> str:
    trials = plural(len(run.trials), "trial")
    return f"{run.name}: {run.agent}, {trials}" + (f". {run.sample}" if run.sample else "")


def _about_one(run: RunReport) -> str:
    families = ", ".join(dict.fromkeys(trial.family for trial in run.trials))
    started = run.document.created_at[:16].replace("T", " ")
    return f"Agent {run.agent} on {families}, started {started} UTC"


def _sections(groups: Sequence[Group], base: Path) -> Iterator[tuple[Group, list[Markup]]]:
    """The sections of each family; where there are several, their headings are a level lower."""
    several = len(groups) > 1
    heading = "h3" if several else "h2"
    for number, group in enumerate(groups):
        about = f" · {group.family}" if several else ""
        named = len(task_names(group.runs)) > MOST_BARS
        yield (
            group,
            [
                tiles(group),
                outcomes_section(group, heading),
                comparison_section(group.comparisons, heading, named=named),
                attempts_section(group, heading),
                means_section(group, heading),
                breakdown_section(group, heading),
                charts(group, heading, about),
                trial_tables(group, heading, base, "trials" if number == 0 else None),
                records_section(group, heading),
                places_section(group, heading),
                risk_section(group, heading),
                debates_section(group, heading),
                searches_section(group, heading),
                roles_section(group, heading),
            ],
        )


def _failures(runs: Sequence[RunReport]) -> list[list[str]]:
    """How many trials failed for each cause, a column for each run."""
    counts = [failures(run.finished) for run in runs]
    causes = sorted({cause for count in counts for cause in count})
    return [[cause, *[str(count[cause]) for count in counts]] for cause in causes]


def _definitions(runs: Sequence[RunReport]) -> dict[str, list[str]]:
    """By what the trials were scored."""
    scores = [trial.score for run in runs for trial in run.trials if trial.score is not None]
    scored = [score for score in scores if score.status == "scored"]
    judged = [trial.judging for run in runs for trial in run.trials if trial.judging is not None]
    return {
        "scorers": sorted({f"{score.scorer} {score.scorer_version}" for score in scored}),
        "definitions": sorted({score.compat for score in scored}),
        "matchers": sorted({score.matcher for score in scores if score.matcher}),
        "judges": sorted({str(judging["judge"]) for judging in judged}),
    }
