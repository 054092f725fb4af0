"""Addresses: where each page and picture of the desk is."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from pincite_harness.desk.comparing import TrialPair


class Addresses:
    """Paths of a running desk; ``base`` is "/" and its token."""

    def __init__(self, base: str) -> None:
        self._base = base

    def home(self) -> str:
        """The list of what is open."""
        return f"{self._base}/"

    def static(self, name: str) -> str:
        """A style sheet or script of the desk."""
        return f"{self._base}/static/{name}"

    def run(self, run: int, query: str = "") -> str:
        """The trials of a run."""
        return self._with(f"run/{run}", query)

    def events(self, run: int) -> str:
        """The changes of a run, as they happen."""
        return f"{self._base}/run/{run}/events"

    def trial(self, run: int, name: str, part: str = "", **query: str | int) -> str:
        """A trial, or a part of its page."""
        tail = f"/{part}" if part else ""
        return self._with(f"run/{run}/trial/{quote(name, safe='')}{tail}", urlencode(query))

    def media(self, run: int, name: str, path: str) -> str:
        """A picture in a trial's folder."""
        return f"{self._base}/run/{run}/trial/{quote(name, safe='')}/media/{quote(path)}"

    def wire(self, run: int, name: str, door: str, **query: str | int) -> str:
        """The records of an exchange with a model or a tool."""
        return self.trial(run, name, "wire", door=door, **query)

    def plot(self, key: str, figure: int) -> str:
        """What read_plot reads of a figure, drawn over it."""
        return f"{self.paper(key)}/plot/{figure}"

    def locator(self, run: int, name: str, locator: str) -> str:
        """Where a locator in a trial leads."""
        return self.trial(run, name, "locator", at=locator)

    def charts(self, runs: Sequence[int], part: str = "") -> str:
        """The charts of one or several runs, or their analyses."""
        named = ",".join(map(str, runs))
        return f"{self._base}/charts/{named}" + (f"/{part}" if part else "")

    def compare(self, first: int, second: int, **query: str) -> str:
        """Two runs side by side."""
        named = {name: value for name, value in query.items() if value}
        return self._with(f"compare/{first},{second}", urlencode(named))

    def pair(self, first: int, second: int, pair: TrialPair) -> str:
        """Two trials of one task side by side."""
        named = {"family": pair.family, "task": pair.task, "attempt": pair.attempt}
        return self._with(f"pair/{first},{second}", urlencode(named))

    def audit(self, audit: int, report: int) -> str:
        """A report of an audit."""
        return f"{self._base}/audit/{audit}/{report}"

    def claim(self, audit: int, report: int, claim: int) -> str:
        """A claim with its source's page."""
        return f"{self.audit(audit, report)}/claim/{claim}"

    def audit_step(self, audit: int, report: int, step: int) -> str:
        """A step of the agent whose report it is."""
        return f"{self.audit(audit, report)}/step/{step}"

    def library(self, library: int, part: str = "", **query: str | int) -> str:
        """A library's search, or a part of it: its papers, a paper, a passage."""
        named = {name: value for name, value in query.items() if value}
        return self._with(f"library/{library}" + (f"/{part}" if part else ""), urlencode(named))

    def paper(self, key: str) -> str:
        """A paper, page by page."""
        return f"{self._base}/paper/{key}"

    def picture(self, key: str, page: int) -> str:
        """The picture of a page."""
        return f"{self._base}/paper/{key}/page/{page}"

    def place(self, key: str, spans: str = "", page: int | None = None) -> str:
        """The pages of a passage with its characters marked, or a page with nothing marked."""
        named = {"spans": spans} if spans else {}
        named |= {"page": str(page)} if page is not None else {}
        return self._with(f"paper/{key}/place", urlencode(named))

    def _with(self, path: str, query: str) -> str:
        return f"{self._base}/{path}" + (f"?{query}" if query else "")
