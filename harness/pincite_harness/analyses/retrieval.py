"""A9: was the source not found, or was it found and misread?"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import ALL, TrialData, outcome_of, outcome_order
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.outcome_words import in_words
from pincite_harness.reports.trials.write import answer_left
from pincite_papers.doi import dois_in, first_doi

_STATES = ("seen and cited", "seen, not cited", "cited, not seen", "neither")


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Of one trial: whether a DOI of the gold's sources stood in what a tool brought, and whether the answer cites
    one."""

    outcome: str
    seen: bool
    cited: bool

    @property
    def state(self) -> str:
        """One of the four combinations."""
        if self.seen:
            return _STATES[0] if self.cited else _STATES[1]
        return _STATES[2] if self.cited else _STATES[3]


def retrieval_and_extraction(group: Group, data: TrialData) -> Analysis | None:
    """Outcomes by whether the source was seen and cited; citations by outcome."""
    rows: list[Row] = []
    bars: list[tuple[str, dict[str, int]]] = []
    outcomes: list[str] = []
    for measured in group.measured:
        found = [one for trial in measured.trials if (one := _retrieved(measured, trial, data)) is not None]
        if not found or outcome_order(measured) == [ALL]:
            continue
        outcomes = list(dict.fromkeys([*outcomes, *outcome_order(measured)]))
        best = measured.shown.outcomes[0].order[0]
        for state in _STATES:
            own = Counter(one.outcome for one in found if one.state == state)
            rows.append(_row(measured.run.name, state, own, best))
        cited = Counter(one.outcome for one in found if one.cited)
        rows.append(_row(measured.run.name, "all cited", cited, best))
        rows.append(_row(measured.run.name, "all seen", Counter(one.outcome for one in found if one.seen), best))
        for outcome in outcome_order(measured):
            of_outcome = [one for one in found if one.outcome == outcome]
            share = sum(one.cited for one in of_outcome) / len(of_outcome) if of_outcome else None
            told = {"trials": len(of_outcome), "right": None, "share_right": None, "share_cited": share}
            rows.append({"run": measured.run.name, "of": f"cited, given {in_words(outcome)}", **told})
        for state in _STATES:
            own = Counter(one.outcome for one in found if one.state == state)
            parts = {in_words(name): own[name] for name in outcomes}
            bars.append((f"{measured.run.name}: {state}" if len(group.measured) > 1 else state, parts))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("of", "Trials of which the source was"),
        Column("trials", "Trials"),
        Column("right", "Right"),
        Column("share_right", "Share right", 3),
        Column("share_cited", "Share cited", 3),
    )
    about = (
        "whether a DOI that the gold names stands in anything that a tool brought (seen) and in the answer (cited), and"
        " how many of these trials have the best outcome; trials without a recorded trajectory are left out"
    )
    picture = stacks("Outcomes by what was retrieved", [in_words(name) for name in outcomes], bars)
    return Analysis("retrieval", "Retrieval against extraction", about, columns, tuple(rows), picture)


def named_dois(value: Any) -> Iterator[str]:
    """Every DOI that stands under a key ``doi`` of a JSON value, in its usual form."""
    if isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            if key == "doi" and isinstance(inner, str) and inner.strip():
                yield (first_doi(inner) or inner.strip()).lower()
            else:
                yield from named_dois(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from named_dois(inner)


def _retrieved(measured: Measured, trial: TrialRow, data: TrialData) -> Retrieved | None:
    """None where the gold names no DOI, or nothing is known of the trial."""
    outcome = outcome_of(measured, trial)
    calls = data.calls(measured.run, trial)
    wanted = set(named_dois(data.subject(measured.run, trial).gold))
    if outcome is None or calls is None or not wanted:
        return None
    brought = {doi.lower() for call in calls for doi in dois_in(call.text)}
    cited = set(named_dois(answer_left(data.folder(measured.run, trial))))
    return Retrieved(outcome, bool(wanted & brought), bool(wanted & cited))


def _row(run: str, of: str, outcomes: Counter[str], best: str) -> Row:
    trials, right = outcomes.total(), outcomes[best]
    share = right / trials if trials else None
    return {"run": run, "of": of, "trials": trials, "right": right, "share_right": share, "share_cited": None}
