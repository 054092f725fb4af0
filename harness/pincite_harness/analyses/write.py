"""Analyse runs and write what comes of it: a section of the report, analysis.json, and tables on the terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from pincite_core.json_fields import items, mapping
from pincite_harness.analyses.analysis import Analysis
from pincite_harness.analyses.catalog import ANALYSES
from pincite_harness.analyses.risk import accepted_json
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports import Selection
from pincite_harness.reports.console import print_table
from pincite_harness.reports.groups import Group, group_runs
from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.tables import Table, one_table
from pincite_harness.reports.write import read_selected, write_page
from pincite_tasks.files import read_json, write_json

NUMBERS_FILE = "analysis.json"
ACCEPTED_FILE = "accepted.json"
SCHEMA = "pincite-analysis/1"
_MOST_ROWS = 24
"""Rows of an analysis that the terminal shows; the page has all."""
Analysed = Mapping[str, Sequence[Analysis]]
"""Analyses by family."""


def analyse_runs(
    paths: Sequence[Path],
    folder: Path,
    screen: Console,
    selection: Selection,
    used: Sequence[str] = (),
    accept_risk: float | None = None,
    audit: Path | None = None,
) -> None:
    """Write report.html with a section "Analysis", and analysis.json, into ``folder``, and print the tables; with
    ``accept_risk`` accepted.json too. See ``TrialData`` for the last two."""
    selected = read_selected(paths, selection)
    keys_of = {run.path: keys for run, keys, _ in selected}
    data = TrialData(used, keys_of, accept_risk=accept_risk, audit=audit)
    groups = group_runs([parts for _, _, parts in selected])
    analysed = {group.family: analyse_group(group, data) for group in groups}
    write_page([run for run, _, _ in selected], groups, folder, screen, analysis_section(analysed))
    made_with = {"by": selection.by, "where": selection.where, "used": used, "runs": len(paths)}
    made_with |= {"accept_risk": accept_risk, "audit": str(audit) if audit is not None else None}
    if accept_risk is not None:
        write_json(folder / ACCEPTED_FILE, {group.family: accepted_json(group, data) for group in groups})
    write_json(folder / NUMBERS_FILE, {**to_json(analysed), "made_with": made_with})
    for family, analyses in analysed.items():
        for analysis in analyses:
            _print(family if len(analysed) > 1 else "", analysis, screen)
    screen.print(f"Analysis: {folder / NUMBERS_FILE}", markup=False, highlight=False, soft_wrap=True)


def analyse_again(paths: Sequence[Path], folder: Path, selection: Selection) -> None:
    """Write the section "Analysis" of a report that was written again, over the trials of today.

    Nothing where the folder has no analysis.json, or one of other tasks or of another number of runs.
    """
    if not (folder / NUMBERS_FILE).is_file():
        return
    made_with = mapping(mapping(read_json(folder / NUMBERS_FILE)).get("made_with"))
    where = tuple(tuple(pair) for pair in items(made_with.get("where")))
    if made_with.get("runs") != len(paths) or where != selection.where:
        return
    by = selection.by or tuple(items(made_with.get("by")))
    audit = Path(str(made_with["audit"])) if made_with.get("audit") else None
    analyse_runs(
        paths,
        folder,
        Console(quiet=True),
        Selection(by, selection.where),
        items(made_with.get("used")),
        made_with.get("accept_risk"),
        audit if audit is not None and audit.is_file() else None,
    )


def analyse_group(group: Group, data: TrialData) -> list[Analysis]:
    """Every analysis that has something to count in the runs of a family."""
    found = [analyse(group, data) for analyse in ANALYSES]
    return [analysis for analysis in found if analysis is not None]


def to_json(analysed: Analysed) -> dict[str, object]:
    """analysis.json; docs/analyses.md describes it."""
    families = {family: {one.key: one.to_json() for one in analyses} for family, analyses in analysed.items()}
    return {"schema_version": SCHEMA, "families": families}


def analysis_section(analysed: Analysed) -> Markup:
    """The section of the page: of each analysis its picture and its table."""
    parts: list[Markup] = [tag("h2", "Analysis")]
    for family, analyses in analysed.items():
        if len(analysed) > 1:
            parts.append(tag("h3", family or "no family"))
        parts += [_one(analysis, family) for analysis in analyses]
    return tag("section", parts, id="analysis", class_="analysis")


def _one(analysis: Analysis, family: str) -> Markup:
    picture = tag("figure", analysis.picture) if analysis.picture else Markup("")
    notes = [tag("p", note, class_="notes") for note in analysis.notes]
    cells = one_table(Table(analysis.about, analysis.header, analysis.cells()))
    inner = [tag("h3", analysis.title), picture, join(notes), cells]
    return tag("section", inner, id=f"analysis-{family}-{analysis.key}")


def _print(family: str, analysis: Analysis, screen: Console) -> None:
    cells = analysis.cells()
    title = f"{family}: {analysis.title}" if family else analysis.title
    if len(cells) > _MOST_ROWS:
        title += f"; {_MOST_ROWS} of {len(cells)} rows"
    print_table(title, analysis.header, cells[:_MOST_ROWS], screen)
    for note in analysis.notes:
        screen.print(note, markup=False, highlight=False, soft_wrap=True)
