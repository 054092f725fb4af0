"""The list of servers: by it they are served, started in trials, connected to clients and tested."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """Where a server is made (``create_server`` of ``module``) and which extra it needs, if any; ``dated`` when it
    knows a cutoff. One that is not ``in_all`` is served and connected only where it is named."""

    module: str
    extra: str | None = None
    dated: bool = False
    in_all: bool = True


SERVERS = {
    "documents": ServerEntry("pincite_documents.server"),
    "figures": ServerEntry("pincite_figures.server"),
    "literature": ServerEntry("pincite_literature.server", dated=True),
    "databases": ServerEntry("pincite_databases.server", dated=True),
    "library": ServerEntry("pincite_library.server", dated=True),
    "provenance": ServerEntry("pincite_provenance.server", dated=True),
    "materials": ServerEntry("pincite_materials.server"),
    "search": ServerEntry("pincite_search.server", dated=True, in_all=False),
    "zotero": ServerEntry("pincite_zotero.server", in_all=False),
    "workbench": ServerEntry("pincite_workbench.server", in_all=False),
}
"""The servers by name."""
