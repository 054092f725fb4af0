"""Which trials of a run a page lists: filtered, sorted and paged in the server."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from pincite_harness.desk.run_book import ListedTrial, RunBook

PAGE_ROWS = 200
"""Trials of one page: a browser draws them at once, and finds its way in them."""
STATES = ("running", "waiting", "done", "failed", "limit reached", "unscored", "stopped", "cancelled", "damaged")
_LONGEST = 200
"""Characters of a search: a task's name is shorter."""

_KEYS: Mapping[str, Callable[[ListedTrial], "float | str | None"]] = {
    "task": lambda listed: listed.trial.name,
    "family": lambda listed: listed.trial.family,
    "state": lambda listed: listed.state,
    "score": lambda listed: listed.score,
    "tokens": lambda listed: listed.tokens,
    "cost": lambda listed: listed.cost_usd,
    "seconds": lambda listed: listed.trial.seconds,
    "calls": lambda listed: listed.trial.tool_calls,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reader asked for; words that mean nothing are dropped."""

    text: str = ""
    state: str = ""
    family: str = ""
    sort: str = ""
    """A column's key, with "-" before it for the greatest first; "" for the order of the run."""
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Wanted":
        """What an address asks for."""
        sort = query.get("sort", "")
        page = query.get("page", "")
        return cls(
            text=query.get("q", "")[:_LONGEST].strip(),
            state=query.get("state", "") if query.get("state") in STATES else "",
            family=query.get("family", "")[:_LONGEST],
            sort=sort if sort.removeprefix("-") in _KEYS else "",
            page=int(page) if page.isascii() and page.isdigit() and len(page) < 7 and int(page) else 1,
        )

    def query(self, **changes: str) -> str:
        """The query of an address with these changes; a page is kept only where nothing changes."""
        own = {"q": self.text, "state": self.state, "family": self.family, "sort": self.sort}
        own |= {"page": "" if changes or self.page == 1 else str(self.page)}
        return urlencode({name: value for name, value in (own | changes).items() if value})

    def sorted_by(self, key: str) -> str:
        """The query that sorts by a column, the other way round where it is sorted by it already."""
        return self.query(sort=f"-{key}" if self.sort == key else key)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the trials that were asked for: ``found`` of them in all, on ``pages`` pages."""

    wanted: Wanted
    rows: Sequence[ListedTrial]
    found: int
    pages: int
    counts: Mapping[str, int]
    """All trials of the run by their state."""
    families: Sequence[str]
    total: int
    is_whole: bool = True
    """Whether all trials have been read; without that there are no counts."""


def first_page(book: RunBook) -> Listing:
    """The first page of a run in its own order, before all of its trials have been read."""
    total = len(book.document.trials)
    pages = max(1, -(-total // PAGE_ROWS))
    return Listing(Wanted(), book.first_trials(PAGE_ROWS), total, pages, {}, book.families, total, is_whole=False)


def list_trials(trials: Sequence[ListedTrial], wanted: Wanted) -> Listing:
    """The page that ``wanted`` names, the last one where there are fewer; what has no value is always last."""
    counts = Counter(listed.state for listed in trials)
    families = list(dict.fromkeys(listed.trial.family for listed in trials))
    found = [listed for listed in trials if _fits(listed, wanted)]
    key = _KEYS.get(wanted.sort.removeprefix("-"))
    if key is not None:
        valued = [(value, listed) for listed in found if (value := key(listed)) is not None]
        valued.sort(key=lambda pair: pair[0], reverse=wanted.sort.startswith("-"))
        found = [listed for _, listed in valued] + [listed for listed in found if key(listed) is None]
    pages = max(1, -(-len(found) // PAGE_ROWS))
    page = min(wanted.page, pages)
    rows = found[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
    ordered = {state: counts[state] for state in STATES if counts[state]}
    shown = Wanted(wanted.text, wanted.state, wanted.family, wanted.sort, page)
    return Listing(shown, rows, len(found), pages, ordered, families, len(trials))


def _fits(listed: ListedTrial, wanted: Wanted) -> bool:
    if wanted.state and listed.state != wanted.state:
        return False
    if wanted.family and listed.trial.family != wanted.family:
        return False
    text = f"{listed.trial.name} {listed.trial.reason or ''}".lower()
    return wanted.text.lower() in text
