"""ZoteroState: what the tools share: the library's source, its files as papers, the checks of provenance."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context

from pincite_core.errors import BadInputError, ForbiddenError, UnavailableError
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_core.state import ServerState
from pincite_provenance.state import ProvenanceState
from pincite_zotero.consent import Consent
from pincite_zotero.data_folder import DATABASE, DataFolder
from pincite_zotero.local_api import ADDRESS, CONSENT_SECONDS, LocalApi
from pincite_zotero.model import PERSONAL, Entry, ZoteroSource
from pincite_zotero.offered import is_address

if TYPE_CHECKING:
    from pincite_papers.model import Paper
    from pincite_papers.opening.store import PaperStore
    from pincite_zotero.placing import PlacingPool

_STORAGE = "storage"
"""The folder of a data folder that holds the files of attachments, each in a folder named by its key."""


class ZoteroState(ServerState):
    """Tool functions take it first: ``function(state, …)``."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.provenance = ProvenanceState(settings, open_web(settings))
        # Zotero answers a request for consent when its user does, is not the web, and nothing of it is cached.
        own = {"http_read_seconds": CONSENT_SECONDS, "http_proxy": "", "stand_in": "", "cache_max_bytes": 0}
        self._web = open_web(settings.model_copy(update=own))
        self._source: ZoteroSource | None = None
        self._folder: DataFolder | None = None
        self._stores: tuple[PaperStore, dict[Path, PaperStore]] | None = None
        self._pool: PlacingPool | None = None
        self._running = 0

    @asynccontextmanager
    async def lifespan(self, server: object) -> AsyncGenerator[None]:
        """While a server runs; then connections are closed and processes end."""
        self._running += 1
        try:
            async with self.provenance.lifespan(server), self._web.lifespan(server):
                yield
        finally:
            self._running -= 1
            if not self._running and self._pool is not None:
                self._pool.close()
                self._pool = None

    async def source(self) -> ZoteroSource:
        """The library: of PINCITE_ZOTERO, else of a running Zotero, else of the data folder in the home folder."""
        if self._source is None:
            group = self.settings.zotero_group
            library = f"groups/{group}" if group else PERSONAL
            named = self.settings.zotero
            if named and not is_address(named):
                self._source = DataFolder(home_of(named), library)
            else:
                api = LocalApi(self._web, named or ADDRESS, library, Consent(self.settings.zotero_consent))
                try:
                    await api.reach()
                except UnavailableError:
                    folder = self._usual_folder(library)
                    if folder is None:
                        raise
                    return folder
                self._source = api
        return self._source

    def _usual_folder(self, library: str) -> DataFolder | None:
        """The data folder in the home folder, read while no Zotero runs: the next call looks for one again. None where
        there is none, or another place is set."""
        usual = home_of("~/Zotero")
        if self.settings.zotero or not (usual / DATABASE).is_file():
            return None
        if self._folder is None:
            self._folder = DataFolder(usual, library)
        return self._folder

    async def writable(self) -> LocalApi:
        """The library of a running Zotero; ForbiddenError where a data folder is read, which is never changed."""
        source = await self.source()
        if isinstance(source, LocalApi):
            return source
        raise ForbiddenError(
            "Only a running Zotero can be written to.",
            seen=f"read is {source.name}",
            next="Let the user start Zotero and unset PINCITE_ZOTERO.",
        )

    async def open(self, attachment: Entry, calling: Context[Any, Any] | None) -> "Paper":
        """The file of an attachment as a paper. Files that Zotero keeps may be read; linked ones only where the roots
        allow it."""
        if attachment.kind != "attachment" or attachment.text("linkMode") == "linked_url":
            raise BadInputError(f"{attachment.title!r} has no file.", next="Give an item, or a file of read_item.")
        path = Path(await (await self.source()).file_path(attachment))
        if path.parent.name != attachment.key or path.parent.parent.name != _STORAGE:
            return await self.provenance.opener.open(str(path), calling)
        return await anyio.to_thread.run_sync(self._store(path.parent.parent).open, str(path), abandon_on_cancel=True)

    async def rects(self, paper: "Paper", attachment: Entry, start: int, end: int) -> dict[int, list[list[float]]]:
        """Where ``text[start:end]`` is printed: by page (from 1), a rectangle a line, in the PDF's own coordinates."""
        path = Path(await (await self.source()).file_path(attachment))

        def work() -> dict[int, list[list[float]]]:
            from pincite_papers.limits import ParseLimits
            from pincite_zotero.placing import PlacingPool

            if self._pool is None:
                self._pool = PlacingPool(ParseLimits.of(self.settings), workers=1, entry="")
            return self._pool.rects(path.read_bytes(), paper.boxes(start, end))

        return await anyio.to_thread.run_sync(work)

    def _store(self, folder: Path) -> "PaperStore":
        """The store that reads this folder of files."""
        base = self.provenance.opener.store
        if self._stores is None or self._stores[0] is not base:
            self._stores = base, {}
        rooted = self._stores[1]
        if folder not in rooted:
            rooted[folder] = base.rooted((folder,))
        return rooted[folder]


def home_of(folder: str) -> Path:
    """A folder, ``~`` being the home folder."""
    return Path(folder).expanduser()
