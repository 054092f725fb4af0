"""The report as one HTML page: no script, nothing fetched from anywhere."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from pincite_harness.reports.attempts import attempts_section
from pincite_harness.reports.comparing import comparison_section
from pincite_harness.reports.debates import debates_section
from pincite_harness.reports.drawings import MOST_BARS, charts
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.means import means_section
from pincite_harness.reports.outcomes import outcomes_section
from pincite_harness.reports.places import places_section
from pincite_harness.reports.records import records_section
from pincite_harness.reports.roles import roles_section
from pincite_harness.reports.statistics import failures, task_names
from pincite_harness.reports.tables import table
from pincite_harness.reports.tiles import tiles
from pincite_harness.reports.trial_table import trial_tables
from pincite_tasks.plural import plural

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(runs: Sequence[RunReport], groups: Sequence[Group], base: Path) -> str:
    """The page of one or several runs; links to trial files are relative to ``base``, the folder of the page."""
    title = "pincite report: " + ", ".join(run.name for run in runs)
    style = files("pincite_harness.reports").joinpath("report.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        tag("title", title),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the trials", href="#trials", class_="skip"),
        tag("main", _heading(runs), _contents(groups), _groups(groups, base), _failures(runs), _footer(runs)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _heading(runs: Sequence[RunReport]) -> Markup:
    if len(runs) > 1:
        listed = [tag("li", _about(run)) for run in runs]
        return join([tag("h1", "Runs side by side"), tag("ul", listed, class_="sub")])
    run = runs[0]
    families = ", ".join(dict.fromkeys(trial.family for trial in run.trials))
    started = run.document.created_at[:16].replace("T", " ")
    about = f"Agent {run.agent} on {families}, started {started} UTC"
    sample = [tag("p", run.sample, class_="sub")] if run.sample else []
    return join([tag("h1", run.name), tag("p", about, class_="sub"), *sample])


def _about(run: RunReport) -> str:
    trials = plural(len(run.trials), "trial")
    return f"{run.name}: {run.agent}, {trials}" + (f". {run.sample}" if run.sample else "")


def _contents(groups: Sequence[Group]) -> Markup:
    """Links to the families, where there are several."""
    if len(groups) < 2:
        return Markup("")
    links = [tag("li", tag("a", group.family or "no family", href=f"#{group.anchor}")) for group in groups]
    return tag("nav", tag("ul", links, class_="legend"), aria_label="Families")


def _groups(groups: Sequence[Group], base: Path) -> Markup:
    several = len(groups) > 1
    heading = "h3" if several else "h2"
    parts: list[Markup] = []
    for number, group in enumerate(groups):
        about = f" · {group.family}" if several else ""
        inner = [
            tag("h2", group.family or "no family") if several else Markup(""),
            tiles(group),
            outcomes_section(group, heading),
            comparison_section(group.comparisons, heading, named=len(task_names(group.runs)) > MOST_BARS),
            attempts_section(group, heading),
            means_section(group, heading),
            charts(group, heading, about),
            trial_tables(group, heading, base, "trials" if number == 0 else None),
            records_section(group, heading),
            places_section(group, heading),
            debates_section(group, heading),
            roles_section(group, heading),
        ]
        parts.append(tag("section", inner, id=group.anchor, class_="family"))
    return join(parts)


def _failures(runs: Sequence[RunReport]) -> Markup:
    counts = [failures(run.finished) for run in runs]
    causes = sorted({cause for count in counts for cause in count})
    if not causes:
        return tag("section", tag("h2", "Failures"), tag("p", "No trial failed."))
    rows = [[cause, *[str(count[cause]) for count in counts]] for cause in causes]
    header = ["Cause", *[run.name for run in runs]]
    about = "Trials by cause; one that reached a limit is scored, and is not counted in the failure rate"
    return tag("section", tag("h2", "Failures"), table(about, header, rows))


def _footer(runs: Sequence[RunReport]) -> Markup:
    scores = [trial.score for run in runs for trial in run.trials if trial.score is not None]
    matchers = sorted({score.matcher for score in scores if score.matcher})
    scorers = sorted({f"{score.scorer} {score.scorer_version}" for score in scores if score.status == "scored"})
    judges = sorted({str(t.judging["judge"]) for run in runs for t in run.trials if t.judging is not None})
    compats = sorted({score.compat for score in scores if score.status == "scored"})
    said = f"Scorer {', '.join(scorers) or 'none'}, definitions {' and '.join(compats) or 'none'};"
    said += f" matcher {', '.join(matchers) or 'none'}."
    judged = f" Judge {'; '.join(judges)}." if judges else ""
    note = (
        " Means are over the trials that have the value; ± is the standard error of the mean, by cluster where attempts"
        " share a task, tasks a paper, or trials a chain. Intervals are Student's t."
    )
    return tag("footer", tag("p", said, judged, note))
