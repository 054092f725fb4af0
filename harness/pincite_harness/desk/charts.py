"""The charts of runs: the sections of their report and their analyses, drawn once for a state of the runs."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pincite_harness.analyses.trials import TrialData
from pincite_harness.analyses.write import analyse_group, analysis_section
from pincite_harness.desk.run_book import RunBook
from pincite_harness.reports.attempts import attempts_section
from pincite_harness.reports.breakdown_tables import breakdown_section
from pincite_harness.reports.comparing import comparison_section
from pincite_harness.reports.debates import debates_section
from pincite_harness.reports.drawings import charts
from pincite_harness.reports.groups import Group, group_runs
from pincite_harness.reports.loading import load_runs
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.means import means_section
from pincite_harness.reports.measured import measure
from pincite_harness.reports.outcomes import outcomes_section
from pincite_harness.reports.places import places_section
from pincite_harness.reports.roles import roles_section
from pincite_harness.reports.searches import searches_section
from pincite_harness.reports.tiles import tiles

_MOST_KEPT = 9
"""Sets of runs whose charts are kept, each some hundred kilobytes."""
Key = tuple[str, tuple[tuple[Path, int], ...]]
Families = Sequence[tuple[str, Sequence[Markup]]]
"""The sections of each family."""


class Charts:
    """Safe in several threads; what is asked for twice at once is drawn once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Any] = OrderedDict()
        self._lock = threading.RLock()

    def report(self, books: Sequence[RunBook]) -> Families:
        """The sections of the report of runs that draw or sum up, by family."""
        return self._once("report", books, lambda: [(each.family, _sections(each)) for each in self._groups(books)])

    def analyses(self, books: Sequence[RunBook]) -> Families:
        """The analyses of the runs: this reads what all their agents did."""
        return self._once("analyses", books, lambda: [("", [_analyses(self._groups(books))])])

    def notes(self, books: Sequence[RunBook]) -> Sequence[str]:
        """What two runs do not have in common besides the agent."""
        return [note for group in self._groups(books) for one in group.comparisons for note in one.notes]

    def _groups(self, books: Sequence[RunBook]) -> Sequence[Group]:
        return self._once("groups", books, lambda: _groups(books))

    def _once(self, what: str, books: Sequence[RunBook], make: Callable[[], Any]) -> Any:
        with self._lock:
            for book in books:
                book.trials()
            key = (what, tuple((book.path, book.version) for book in books))
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


def _groups(books: Sequence[RunBook]) -> list[Group]:
    return group_runs([measure(run) for run in load_runs([book.path for book in books])])


def _sections(group: Group) -> list[Markup]:
    """The sections that have anything to show; trials and their records have pages of their own."""
    found = [
        tiles(group),
        outcomes_section(group, "h2"),
        comparison_section(group.comparisons, "h2", named=True),
        charts(group, "h2", ""),
        attempts_section(group, "h2"),
        means_section(group, "h2"),
        breakdown_section(group, "h2"),
        places_section(group, "h2"),
        debates_section(group, "h2"),
        searches_section(group, "h2"),
        roles_section(group, "h2"),
    ]
    return [section for section in found if section]


def _analyses(groups: Sequence[Group]) -> Markup:
    data = TrialData()
    return analysis_section({group.family: analyse_group(group, data) for group in groups})
