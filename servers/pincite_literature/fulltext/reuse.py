"""Which texts that were fetched before may be given again."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver import Context

from pincite_core.errors import PinciteError
from pincite_literature.dates import PartialDate
from pincite_literature.fulltext.shelf import Kept, Shelf
from pincite_literature.model import FulltextKind, Identifiers
from pincite_literature.state import LiteratureState

if TYPE_CHECKING:
    from pincite_papers.model import Paper


@lru_cache(maxsize=8)
def shelf_of(folder: Path) -> Shelf:
    """The shelf of a folder."""
    return Shelf(folder)


class Wanted:
    """What is wanted of the shelf: one of these kinds, as the cutoff allows, of this version where one was named."""

    def __init__(
        self, state: LiteratureState, shelf: Shelf, kinds: Sequence[FulltextKind], version: int | None
    ) -> None:
        self._state = state
        self._shelf = shelf
        self._kinds = kinds
        self._version = version

    async def on_shelf(
        self, ids: Identifiers, calling: Context[Any, Any] | None, *, cleared: bool
    ) -> "tuple[Kept, Path, Paper] | None":
        """A text that was fetched before and is still as it was; None when the web is to be asked.

        Under a cutoff what is kept of a work whose record was not ``cleared`` is given only if it was fetched under
        one: the other records speak of what came later.
        """
        found = await anyio.to_thread.run_sync(self._shelf.find, ids)
        if self._state.cutoff.before is not None and not cleared:
            found = [kept for kept in found if kept.sure_before]
        for kept in self._fitting(found):
            path = self._shelf.path(kept)
            try:
                paper = await self._state.library.open(str(path), calling)
            except PinciteError:
                continue
            if paper.paper_id == f"sha256:{kept.sha256}":
                return kept, path, paper
        return None

    def _fitting(self, found: Sequence[Kept]) -> list[Kept]:
        """Those that may be given, the most preferred first; none less preferred than what was never looked for."""
        allowed = [kept for kept in found if self._allows(kept)]
        fitting: list[Kept] = []
        for place, kind in enumerate(self._kinds):
            better = self._kinds[:place]
            fitting += [kept for kept in allowed if kept.kind == kind and set(better) <= set(kept.without)]
        return fitting

    def _allows(self, kept: Kept) -> bool:
        if self._version is not None:
            numbered = kept.route == "arXiv" and kept.version == f"v{self._version}"
            return numbered and (self._state.cutoff.before is None or self._is_before(kept))
        if self._state.cutoff.before is None:
            return not kept.sure_before
        return self._is_before(kept)

    def _is_before(self, kept: Kept) -> bool:
        """Whether the text is surely from before the cutoff: by its date, or since it passed an earlier one."""
        before = self._state.cutoff.before
        day = PartialDate.parse(kept.date)
        passed = PartialDate.parse(kept.sure_before)
        if before is None or (day is not None and day.surely_before(before)):
            return True
        return passed is not None and passed.day is not None and passed.earliest <= before
