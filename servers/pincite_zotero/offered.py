"""Whether tools that write can be offered: a data folder is never changed."""

from mcp_types import ClientCapabilities

from pincite_core.settings import Settings


def can_write(settings: Settings, _: ClientCapabilities | None) -> bool:
    """Whether the library may be that of a running Zotero, which alone can be written to."""
    return not settings.zotero or is_address(settings.zotero)


def is_address(named: str) -> bool:
    """Whether PINCITE_ZOTERO names the address of a running Zotero."""
    return named.startswith(("http://", "https://"))
