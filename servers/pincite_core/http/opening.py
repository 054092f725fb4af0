"""The web as the settings want it: live, recorded or replayed, behind the cache."""

from pincite_core.http.client import Web
from pincite_core.settings import Settings


def open_web(settings: Settings) -> Web:
    """The one way out of a server; nothing is opened before the first lookup."""
    return Web(settings)
